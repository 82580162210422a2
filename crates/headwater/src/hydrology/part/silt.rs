//! Sediment that is suspended in lakes whose floors lie in several parts: see [`Waters::sink`].
//!
//! A lake hands what it has no room for on to another, whose turn may be yet to come. So lakes settle in rounds: each after those that hand something on to it.

use super::levels::{Search, settle};
use super::strip::Strip;
use super::talk::Talk;
use crate::hydrology::hierarchy::NEVER;
use crate::hydrology::lakes::DRY;
use crate::hydrology::silt::{Beyond, LADEN, beyond};
use crate::hydrology::water::Waters;

/// What settles on the part's own cells: height (quanta) that they get; and what leaves the map, which all parts know.
pub(super) struct Settled {
    pub(super) laid: Vec<(usize, i64)>,
    pub(super) gone: i64,
}

/// A lake with its turn.
struct Lake {
    node: u32,
    /// The round; 0 for none.
    turn: usize,
    /// Where goes what it has no room for: the place of another lake, or off the map.
    over: Option<Over>,
}

#[derive(Clone, Copy)]
enum Over {
    Off,
    Lake(usize),
}

/// Suspended sediment sinks.
pub(super) fn sink(waters: &mut Waters, strip: &Strip, bed: &[i64], talk: &mut Talk) -> Settled {
    let lakes = turns(waters);
    let mut settled = Settled { laid: Vec::new(), gone: 0 };
    let active = |lake: &Lake| lake.turn > 0;
    let depths = lakes.iter().enumerate().filter(|(_, lake)| active(lake));
    let depths = depths
        .map(|(i, lake)| (i, [floor(waters, bed, lake.node).map(|(_, depth)| depth).sum::<i64>()]));
    let depths: Vec<_> = depths.collect();
    let volumes = talk.sums(lakes.len(), depths.into_iter());
    // What comes to a lake whose turn is over.
    let mut later = vec![0; lakes.len()];
    for turn in 1..=lakes.iter().map(|lake| lake.turn).max().unwrap_or(0) {
        let now = (0..lakes.len()).filter(|&i| lakes[i].turn == turn);
        let now = now.filter(|&i| waters.suspended[lakes[i].node as usize] > 0);
        let (wet, dry): (Vec<usize>, Vec<usize>) = now.partition(|&i| volumes[i][0] > 0);
        let mut sums = vec![[0]; lakes.len()];
        for &i in &wet {
            let (node, [volume]) = (lakes[i].node, volumes[i]);
            let all = waters.suspended[node as usize];
            let share = ((i128::from(all) << 32) / i128::from(volume)).min(1 << 31);
            for (cell, depth) in floor(waters, bed, node) {
                let lays = ((i128::from(depth) * share) >> 32) as i64;
                if lays > 0 {
                    sums[i][0] += lays;
                    settled.laid.push((cell, lays));
                }
            }
        }
        let mut laid = talk.sums(lakes.len(), sums.iter().copied().enumerate());
        for (&i, filled) in
            dry.iter().zip(fill(waters, strip, bed, &lakes, &dry, &mut settled, talk))
        {
            laid[i] = [filled];
        }
        let mut now = [wet, dry].concat();
        now.sort_unstable();
        for i in now {
            let (node, [laid], [volume]) = (lakes[i].node as usize, laid[i], volumes[i]);
            let over = waters.suspended[node] - laid - volume / LADEN;
            waters.suspended[node] -= laid;
            let Some(to) = lakes[i].over.filter(|_| over > 0) else { continue };
            waters.suspended[node] -= over;
            match to {
                Over::Off => settled.gone += over,
                Over::Lake(to) if to > i => waters.suspended[lakes[to].node as usize] += over,
                Over::Lake(to) => later[to] += over,
            }
        }
    }
    for (lake, more) in lakes.iter().zip(later) {
        waters.suspended[lake.node as usize] += more;
    }
    settled
}

/// All lakes in the order of their nodes, with the rounds that those have that hold sediment, or may come to.
fn turns(waters: &mut Waters) -> Vec<Lake> {
    let Waters { hierarchy, lakes, suspended, .. } = waters;
    let wholes: Vec<u32> =
        lakes.wholes().filter(|&node| !hierarchy.nodes[node as usize].sea).collect();
    let mut all: Vec<Lake> = wholes
        .iter()
        .map(|&node| {
            let over = match beyond(hierarchy, &hierarchy.nodes[node as usize]) {
                None => None,
                Some(Beyond::Off) => Some(Over::Off),
                Some(Beyond::Leaf(leaf)) => {
                    wholes.binary_search(&lakes.node(leaf)).ok().map(Over::Lake)
                }
            };
            Lake { node, turn: usize::from(suspended[node as usize] > 0), over }
        })
        .collect();
    for i in 0..all.len() {
        let Lake { turn, over, .. } = all[i];
        if let Some(Over::Lake(to)) = over.filter(|_| turn > 0)
            && to > i
        {
            all[to].turn = all[to].turn.max(turn + 1);
        }
    }
    all
}

/// The part's own cells of a lake's floor, with the depth (quanta) of the water over each.
fn floor<'a>(
    waters: &'a Waters,
    bed: &'a [i64],
    node: u32,
) -> impl Iterator<Item = (usize, i64)> + 'a {
    let depression = &waters.hierarchy.nodes[node as usize];
    let level = waters.leaves[depression.first as usize].height;
    waters.hierarchy.floor(depression).iter().map(move |&cell| {
        let cell = cell as usize;
        (cell, if level == DRY { 0 } else { (level - bed[cell]).max(0) })
    })
}

/// Fills dry lakes with their mud, from the lowest cell up. Gives how much each takes (quanta).
fn fill(
    waters: &Waters,
    strip: &Strip,
    bed: &[i64],
    lakes: &[Lake],
    dry: &[usize],
    settled: &mut Settled,
    talk: &mut Talk,
) -> Vec<i64> {
    let mut muds: Vec<Mud> = dry.iter().map(|&i| Mud::new(waters, bed, lakes[i].node)).collect();
    let whole = muds.iter().map(|mud| mud.below(NEVER)).enumerate();
    let whole = talk.sums(muds.len(), whole.collect::<Vec<_>>().into_iter());
    let mut searches = Vec::new();
    for (mud, [count, sum]) in muds.iter_mut().zip(whole) {
        // What there is room for, and no level without a floor.
        mud.takes = match (count, mud.top) {
            (0, _) => 0,
            (_, NEVER) => mud.takes,
            (_, top) => mud.takes.min(count * top - sum),
        };
        let level = if count == 0 { i64::MIN } else { (mud.takes + sum).div_euclid(count) };
        searches.push(Search { volume: mud.takes, level });
    }
    let levels = settle(&searches, |k, level| muds[k].below(level), talk);
    for (mud, (level, [count, sum])) in muds.iter_mut().zip(levels) {
        mud.level = level;
        // What is not enough to raise all.
        mud.more = if count == 0 { 0 } else { mud.takes - (count * level - sum) };
    }
    // The lowest height that so many cells are not above.
    let mut spans: Vec<[i64; 2]> =
        muds.iter().map(|mud| [mud.level - mud.takes.min(1 << 62), mud.level]).collect();
    loop {
        let open: Vec<usize> =
            (0..muds.len()).filter(|&k| muds[k].more > 0 && spans[k][0] < spans[k][1]).collect();
        if open.is_empty() {
            break;
        }
        let middle = |[low, high]: [i64; 2]| low + (high - low).div_euclid(2);
        let own: Vec<_> = open.iter().map(|&k| [muds[k].below(middle(spans[k]))[0]]).collect();
        let counts = talk.sums(open.len(), own.into_iter().enumerate());
        for (&k, [count]) in open.iter().zip(counts) {
            let [low, high] = &mut spans[k];
            let middle = middle([*low, *high]);
            if count >= muds[k].more {
                *high = middle;
            } else {
                *low = middle + 1;
            }
        }
    }
    let of_part = |(k, mud): (usize, &Mud)| {
        let [below, with] = [spans[k][1] - 1, spans[k][1]].map(|z| mud.below(z)[0]);
        [k as i64, strip.number as i64, below, with - below]
    };
    let own: Vec<_> =
        muds.iter().enumerate().filter(|(_, mud)| mud.more > 0).map(of_part).collect();
    let mut left: Vec<i64> = muds.iter().map(|mud| mud.more).collect();
    // Of cells as high, those of the parts to the north come first.
    let all = talk.gather(&own);
    for &[k, _, below, _] in &all {
        left[k as usize] -= below;
    }
    for &[k, number, _, equal] in &all {
        if (number as usize) < strip.number {
            left[k as usize] -= equal;
        }
    }
    for ((mud, [_, last]), mut left) in muds.iter().zip(spans).zip(left) {
        for &(z, cell) in mud.floor.iter().take_while(|&&(z, _)| z <= mud.level) {
            let is_more = mud.more > 0 && (z < last || z == last && left > 0);
            left -= i64::from(z == last);
            let lays = mud.level - z + i64::from(is_more);
            if lays > 0 {
                settled.laid.push((cell, lays));
            }
        }
    }
    muds.iter().map(|mud| mud.takes).collect()
}

/// What is to fill a lake that is dry.
struct Mud {
    /// The part's own cells of its floor under the height that it is filled to at most, from the lowest, and the sums of the first 0, 1, 2 … heights.
    floor: Vec<(i64, usize)>,
    sums: Vec<i64>,
    top: i64,
    /// How much there is, and then how much of it there is room for.
    takes: i64,
    /// The height to which it reaches everywhere, and how much is left then.
    level: i64,
    more: i64,
}

impl Mud {
    fn new(waters: &Waters, bed: &[i64], node: u32) -> Self {
        let depression = &waters.hierarchy.nodes[node as usize];
        let (top, takes) = (depression.spill, waters.suspended[node as usize]);
        let floor = waters.hierarchy.floor(depression).iter().map(|&cell| cell as usize);
        let mut floor: Vec<_> =
            floor.map(|cell| (bed[cell], cell)).filter(|&(z, _)| z < top).collect();
        floor.sort_unstable();
        let mut sum = 0;
        let mut sums = vec![0];
        sums.extend(floor.iter().map(|&(z, _)| {
            sum += z;
            sum
        }));
        Self { floor, sums, top, takes, level: 0, more: 0 }
    }

    /// How many of its cells are no higher than a level, and the sum of their heights.
    fn below(&self, level: i64) -> [i64; 2] {
        let count = self.floor.partition_point(|&(z, _)| z <= level);
        [count as i64, self.sums[count]]
    }
}
