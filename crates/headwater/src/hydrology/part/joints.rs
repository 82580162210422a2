//! The saddles of a map in parts, as far as its hierarchy of depressions hangs on them.

use super::strip::Strip;
use super::talk::Talk;
use crate::hydrology::hierarchy::find;
use crate::hydrology::saddles::{self, Joint, SEA, Saddle};
use crate::hydrology::terrain::Terrain;
use crate::parallel;
use crate::spare::Spare;

/// The saddles that join so many basins, from the lowest. Each part tells those of its own cells by which basins come together that no lower
/// ones of it have joined: of a graph's edges, the others are in no least spanning tree of a larger graph either.
pub(super) fn gather(
    strip: &Strip,
    terrain: Terrain,
    label: &[u32],
    basins: usize,
    talk: &mut Talk,
    spare: &Spare,
) -> Vec<Joint> {
    let saddles = saddles::find_in(terrain, label, strip.own_rows(), spare);
    let mut set = spare.collect(0..=basins as u32);
    let mut own = Vec::new();
    for &saddle in saddles.iter() {
        let joint = Joint::of(saddle, label);
        let [a, b] = joint.basins.map(|basin| find(&mut set, basin.min(basins as u32)));
        if a != b {
            set[b as usize] = a;
            own.push(words(strip, joint));
        }
    }
    let mut all: Vec<_> = talk.gather(&own).into_iter().map(joint).collect();
    parallel::sort(&mut all);
    all
}

/// A joint with the map's numbers of its cells.
fn words(strip: &Strip, Joint { saddle, basins: [a, b] }: Joint) -> [i64; 4] {
    let beyond = if saddle.b < SEA { strip.on_map(saddle.b as usize) } else { saddle.b };
    let cells = [strip.on_map(saddle.a as usize), beyond];
    [saddle.height, saddle.low, pair(cells), pair([a, b])]
}

fn joint([height, low, cells, basins]: [i64; 4]) -> Joint {
    let [a, b] = parted(cells);
    Joint { saddle: Saddle { height, low, a, b }, basins: parted(basins) }
}

fn pair([a, b]: [u32; 2]) -> i64 {
    (u64::from(a) | u64::from(b) << 32) as i64
}

fn parted(pair: i64) -> [u32; 2] {
    [pair as u32, (pair as u64 >> 32) as u32]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hydrology::saddles::OFF;

    #[test]
    fn joints_come_through_as_they_were() {
        let strip = Strip { nx: 5, rows: 2..9, own: 3..8, of: 20, number: 1, count: 3 };
        for b in [17, OFF, SEA] {
            let saddle = Saddle { height: -3, low: i64::MIN, a: 7, b };
            let there = joint(words(&strip, Joint { saddle, basins: [4, OFF] }));
            let beyond = if b < SEA { b + 10 } else { b };
            assert_eq!(there.saddle, Saddle { a: 17, b: beyond, ..saddle });
            assert_eq!(there.basins, [4, OFF]);
        }
    }
}
