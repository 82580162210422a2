//! Springs and drains of an open world. They stand at places, and act where these are loaded.

use super::island::Island;
use crate::blocks::exchange::{self, Drain, Spring};
use crate::blocks::ledgers::Ledgers;
use crate::error::InputError;
use crate::ids::IdList;
use crate::lattice::Square;
use crate::open::{CHUNK, ChunkPos};
use crate::region::Region;
use std::collections::BTreeMap;

/// Springs and drains, and the cells in loaded chunks that they act on.
#[derive(Clone, Debug, Default)]
pub(super) struct Sources {
    pub(super) springs: IdList<Spring>,
    pub(super) drains: IdList<Drain>,
    /// Chunks in which there are any.
    chunks: BTreeMap<ChunkPos, InChunk>,
}

/// Cells of a chunk, by column and row.
type Cells = Vec<(usize, usize)>;

/// In the order in which they were added.
#[derive(Clone, Debug, Default)]
struct InChunk {
    springs: Vec<(Spring, Cells)>,
    drains: Vec<(Drain, Cells)>,
}

/// The cells of a chunk whose middles lie in a region, by their columns and rows in the chunk.
///
/// # Errors
/// [`InputError`] if the region makes no sense.
pub(super) fn cells_in(chunk: ChunkPos, region: &Region) -> Result<Cells, InputError> {
    let from = chunk.origin().map(|at| at as f64);
    let lattice = Square::new(CHUNK, CHUNK, 1.0, 1.0)?;
    let cells = region.seen_from(from).cells(lattice).into_iter();
    Ok(cells.map(|(x, y, _)| (x, y)).collect())
}

impl Sources {
    /// Finds the cells in a chunk that has been loaded, or in which springs and drains are others now.
    pub(super) fn find_in(&mut self, chunk: ChunkPos) {
        let cells =
            |region: &Region| cells_in(chunk, region).ok().filter(|cells| !cells.is_empty());
        let springs = self.springs.iter().filter_map(|s| Some((s.clone(), cells(&s.region)?)));
        let drains = self.drains.iter().filter_map(|d| Some((d.clone(), cells(&d.region)?)));
        let found = InChunk { springs: springs.collect(), drains: drains.collect() };
        if found.springs.is_empty() && found.drains.is_empty() {
            self.chunks.remove(&chunk);
        } else {
            self.chunks.insert(chunk, found);
        }
    }

    /// A chunk has been unloaded.
    pub(super) fn leave(&mut self, chunk: ChunkPos) {
        self.chunks.remove(&chunk);
    }

    /// What they do in an island in a step.
    pub(super) fn act(&self, island: &mut Island, ledgers: &mut Ledgers) {
        if self.chunks.is_empty() {
            return;
        }
        let Island { grid, tract, loaded, .. } = island;
        let here = || {
            let chunks = self.chunks.iter().filter(|(chunk, _)| loaded.contains(chunk));
            chunks.map(|(chunk, found)| (tract.cell(chunk.origin()), found))
        };
        let at = |(left, top): (usize, usize), cells: &Cells| -> Vec<_> {
            cells.iter().map(|(x, y)| (left + x, top + y)).collect()
        };
        for (origin, found) in here() {
            for (spring, cells) in &found.springs {
                exchange::give(grid, spring, at(origin, cells), ledgers);
            }
        }
        for (origin, found) in here() {
            for (drain, cells) in &found.drains {
                exchange::take(grid, drain, at(origin, cells), ledgers);
            }
        }
    }
}
