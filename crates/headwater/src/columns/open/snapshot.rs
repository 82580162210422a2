//! Restoring the chunks of an open world from a snapshot.

use super::OpenWorld;
use super::chunk::Walls;
use super::group::Group;
use super::heights::PER_HEIGHT;
use super::store::{Pending, Store};
use crate::columns::board::Board;
use crate::columns::layout::Layout;
use crate::columns::snapshot::Snapshot;
use crate::columns::world::Columns;
use crate::error::InputError;
use crate::open::{Bounds, CHUNK, ChunkPos, ChunkStore, StoredChunk};
use std::collections::BTreeMap;

impl OpenWorld {
    pub(super) fn restore_chunks(
        &mut self,
        pending: Pending,
        groups: <Store as ChunkStore>::SavedGroups,
    ) -> Result<(), InputError> {
        let refuse = |problem| Err(InputError::snapshot(problem));
        let [most, _] = Store::MAX_VOLUMES;
        let mut removed = pending.removed.values();
        if !removed.all(|removed| (0..=most).contains(&removed.volume.into())) {
            return refuse("a chunk of an impossible volume");
        }
        if pending.added.values().any(|chunk| chunk.fault(&self.params).is_some()) {
            return refuse("a chunk that cannot be");
        }
        for (chunks, snapshot) in groups {
            let group = self.restore_group(chunks, snapshot)?;
            self.store.insert_group(group);
        }
        self.store.pending = pending;
        if self.store.is_sound() { Ok(()) } else { refuse("chunks that are loaded and unloaded") }
    }

    /// A group from its chunks and its board.
    fn restore_group(
        &self,
        chunks: BTreeMap<ChunkPos, Walls>,
        snapshot: Snapshot,
    ) -> Result<Group, InputError> {
        let refuse = |problem| Err(InputError::snapshot(problem));
        if chunks.is_empty() || !chunks.values().all(Walls::is_sound) {
            return refuse("a group without chunks");
        }
        let bounds = Bounds::of_board(chunks.keys().copied())?;
        let is_ours = snapshot.params == self.params
            && snapshot.cell.to_bits() == self.store.cell_size.to_bits();
        // The board is not derived from the chunks, because borders may have changed since the last
        // step.
        let size = [snapshot.walls.nx(), snapshot.walls.ny()];
        let fits = size == bounds.size
            && chunks.iter().all(|(chunk, walls)| {
                let (left, top) = bounds.cell(chunk.origin());
                let cells = (0..CHUNK).flat_map(|x| (0..CHUNK).map(move |y| (x, y)));
                cells
                    .into_iter()
                    .all(|(x, y)| snapshot.walls[(left + x, top + y)] == walls.is_wall(x, y))
            });
        if !is_ours || !fits {
            return refuse("a group of another world");
        }
        let board = Board::new(&snapshot.walls);
        let per_cell = self.params.columns_per_cell as usize;
        let layout =
            Layout::with_height(board, self.store.cell_size, per_cell, PER_HEIGHT as usize);
        let world = Columns::restore_on(layout, snapshot)?;
        let bare = world.bodies.is_empty() && world.bubbles.is_empty();
        if !bare || world.steps != self.steps || world.exchange.both().next().is_some() {
            return refuse("a group with what no open world has");
        }
        Ok(Group::of_world(world, bounds, chunks, &self.borders))
    }
}
