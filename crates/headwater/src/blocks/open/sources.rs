//! Springs and drains of an open world.

use super::group::Group;
use super::store::Store;
use crate::blocks::exchange::{self, Drain, Spring};
use crate::blocks::ledgers::Ledgers;
use crate::open::{ChunkPos, Sources};
use crate::region::Region;
use std::collections::BTreeMap;

/// Cells of a chunk, by column and row.
type Cells = Vec<(usize, usize)>;

/// The springs and drains that act in a chunk, in the order in which they were added.
#[derive(Clone, Debug, Default)]
pub(super) struct ChunkSources {
    springs: Vec<(Spring, Cells)>,
    drains: Vec<(Drain, Cells)>,
}

impl ChunkSources {
    /// The springs and drains in a chunk; `None` if there are none.
    pub(super) fn new(sources: &Sources<Store>, chunk: ChunkPos) -> Option<Self> {
        let cells =
            |region: &Region| chunk.cells_in(1.0, region).ok().filter(|cells| !cells.is_empty());
        let springs = sources.springs.iter().map(|outlet| &outlet.source);
        let drains = sources.drains.iter().map(|outlet| &outlet.source);
        let found = Self {
            springs: springs.filter_map(|s| Some((s.clone(), cells(&s.region)?))).collect(),
            drains: drains.filter_map(|d| Some((d.clone(), cells(&d.region)?))).collect(),
        };
        (!found.springs.is_empty() || !found.drains.is_empty()).then_some(found)
    }
}

/// Applies springs, then drains, to the chunks of a group.
pub(super) fn apply(
    sources: &BTreeMap<ChunkPos, ChunkSources>,
    group: &mut Group,
    ledgers: &mut Ledgers,
) {
    let Group { grid, bounds, loaded, .. } = group;
    let here = || sources.iter().filter(|(chunk, _)| loaded.contains(chunk));
    let in_grid = |chunk: &ChunkPos, cells: &Cells| -> Vec<_> {
        let (left, top) = bounds.cell(chunk.origin());
        cells.iter().map(|(x, y)| (left + x, top + y)).collect()
    };
    for (chunk, found) in here() {
        for (spring, cells) in &found.springs {
            exchange::give(grid, spring, in_grid(chunk, cells), ledgers);
        }
    }
    for (chunk, found) in here() {
        for (drain, cells) in &found.drains {
            exchange::take(grid, drain, in_grid(chunk, cells), ledgers);
        }
    }
}
