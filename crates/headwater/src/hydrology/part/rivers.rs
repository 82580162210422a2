//! What rivers wear, of trees that borders cut to pieces.

use super::strip::Strip;
use super::talk::Talk;
use super::trees::Trees;
use crate::hydrology::stream_power::catchment::Catchments;
use crate::hydrology::stream_power::links::{EXIT, Link};
use crate::hydrology::stream_power::trees::{Basin, Found};
use std::sync::atomic::Ordering;

/// Where sediment has come to in the part's own rows: what has left the map (quanta), and what is in depressions, in any order.
pub(super) struct Washed {
    pub(super) gone: i64,
    pub(super) kept: Vec<(u32, i64)>,
}

/// Wears the part's own cells. `donors` says which neighbours drain to each.
pub(super) fn wear(
    basin: Basin,
    (strip, links, donors): (&Strip, &[Link], &[u8]),
    found: Found,
    talk: &mut Talk,
) -> Washed {
    let trees = Trees::new(strip, links, donors);
    // Areas, then surfaces, then sediment.
    let mut values = vec![0_u64; trees.cells.len()];
    let came_to =
        |cell: usize, came: &[i64]| strip.place_on_rim(cell).map_or(0, |place| came[place] as u64);

    trees.down(talk, |tree, came| {
        let range = trees.range(tree);
        for k in range.clone() {
            let cell = trees.cells[k] as usize;
            values[k] = basin.catchments.of(cell) + came_to(cell, came);
        }
        for k in range.clone().skip(1).rev() {
            values[trees.parents[k] as usize] += values[k];
        }
        values[range.start] as i64
    });

    trees.up(talk, &mut values, |tree, below, values| {
        let range = trees.range(tree);
        for k in range.clone() {
            let (cell, area) = (trees.cells[k] as usize, values[k]);
            let below = if k == range.start {
                below
            } else {
                Some(values[trees.parents[k] as usize] as i64)
            };
            let (worn, surface) = match below {
                None => basin.wear_root(cell, links[cell], area),
                Some(below) => basin.wear(cell, links[cell], area, below),
            };
            values[k] = surface as u64;
            found.worn[cell].store(worn, Ordering::Relaxed);
            found.area[cell].store(Catchments::in_cells(area).to_bits(), Ordering::Relaxed);
        }
    });

    let mut washed = Washed { gone: 0, kept: Vec::new() };
    trees.down(talk, |tree, came| {
        let range = trees.range(tree);
        for k in range.clone() {
            let cell = trees.cells[k] as usize;
            values[k] = u64::from(found.worn[cell].load(Ordering::Relaxed)) + came_to(cell, came);
        }
        for k in range.clone().rev() {
            let cell = trees.cells[k] as usize;
            if links[cell] & EXIT != 0 && values[k] > 0 {
                let (node, stays) = basin.settles(cell, values[k] as i64);
                washed.kept.push((node, stays));
                values[k] -= stays as u64;
            }
            if k > range.start {
                values[trees.parents[k] as usize] += values[k];
            }
        }
        let (root, rest) = (trees.cells[range.start] as usize, values[range.start] as i64);
        if trees.ends(tree) {
            match basin.keeper(root, links[root]) {
                Some(node) => washed.kept.push((node, rest)),
                None => washed.gone += rest,
            }
        }
        rest
    });
    washed
}
