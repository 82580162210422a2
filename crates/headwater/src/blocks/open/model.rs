//! Implementation of the open-world model for blocks: chunk formats, transfers and regrouping.

use super::cells::{CellRuns, WALLS};
use super::group::{ConnectedBlocks, chunk_index, chunk_of};
use crate::blocks::params::{Bottom, Params, Rule, Side};
use crate::blocks::sources::exchange::{self, Drain, Spring};
use crate::blocks::stages::level::Workspace;
use crate::blocks::state::cell::{FULL, Kind, Liquid, PackedCell};
use crate::blocks::state::chunk::KINDS;
use crate::blocks::state::grid::{Grid, MovedChunks};
use crate::blocks::state::label::SIDE;
use crate::blocks::state::ledgers::Ledgers;
use crate::blocks::step;
use crate::changes::{Changes, Tile};
use crate::error::InputError;
use crate::open::{
    Bounds, CHUNK, ChunkPos, ConnectedChunks, Context, Groups, PendingChanges, PendingTransfers,
    SourcePlaces, Sources, StoredChunk, TransferKey,
};
use crate::region::Region;
use crate::scratch::ScratchPool;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Liquid that has left the loaded chunks and waits to enter an unloaded chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Transfer {
    /// Cell of the unloaded chunk in which the liquid waits, as column and row in the world.
    pub cell: [i64; 2],
    /// Kind of the waiting liquid.
    pub liquid: Liquid,
    /// Volume of the waiting liquid (256ths of a cell).
    pub amount: u64,
}

/// Identifies a transfer by the index of its cell in the chunk and by the kind of liquid.
impl TransferKey for (u16, Kind) {
    fn cell_and_substance(self) -> (u16, usize) {
        (self.0, usize::from(self.1).wrapping_sub(1))
    }
}

impl ConnectedChunks for ConnectedBlocks {
    const WORLD_FORMAT: &'static str = "blocks, an open world";
    const CHUNK_FORMAT: &'static str = "blocks, a chunk";
    const MAX_VOLUMES: [i128; 2] = [(CHUNK * CHUNK) as i128 * FULL as i128, (1 << 56) - 1];
    const MARGIN: usize = SIDE;
    const MAX_EXTENT: [usize; 2] = [508; 2];
    const CONNECTS_CORNERS: bool = true;

    type Params = Params;
    type CellSize = ();
    type Chunk = CellRuns;
    type Volumes = [u32; KINDS];
    type Ledgers = Ledgers;
    type Key = (u16, Kind);
    type Transfer = Transfer;
    type Spring = Spring;
    type Drain = Drain;
    type Carry = ();
    type Place = (usize, usize);
    type SavedChunks = BTreeMap<ChunkPos, CellRuns>;
    type SavedGroups = ();

    /// Rejects the whole-block rule, trapped air and open sides, because their results depend on
    /// where the world ends.
    ///
    /// # Errors
    /// Returns [`InputError`] if a parameter is out of range or not supported.
    fn check_params(params: &Params, (): ()) -> Result<(), InputError> {
        params.validate()?;
        if params.rule != Rule::Fill {
            return Err(InputError::new("rule", "`whole-blocks`", "`fill` in an open world"));
        }
        if params.trapped_air {
            return Err(InputError::new("trapped_air", true, "false in an open world"));
        }
        let open_sides = [
            ("west", params.west != Side::Wall),
            ("east", params.east != Side::Wall),
            ("bottom", params.bottom != Bottom::Wall),
        ];
        if let Some((key, _)) = open_sides.into_iter().find(|(_, is_open)| *is_open) {
            let allowed = "`wall` in an open world, whose chunks have borders instead";
            return Err(InputError::new(key, "an open side", allowed));
        }
        Ok(())
    }

    /// Marks all chunks as active, because cells at rest may move under the new parameters.
    fn set_params(&mut self, _: &Params) -> Result<(), InputError> {
        self.grid.wake_all();
        Ok(())
    }

    fn step_limits(params: &Params) -> (f64, u32) {
        (params.tick, u32::MAX)
    }

    fn cell_size((): ()) -> f64 {
        1.0
    }

    fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    fn chunks(&self) -> impl Iterator<Item = ChunkPos> {
        self.chunks.iter().copied()
    }

    fn chunk(&self, position: ChunkPos) -> Option<CellRuns> {
        Some(CellRuns::new(self.cells(position).iter().flatten().copied()))
    }

    fn volume(&self, substance: usize) -> i128 {
        let chunks = self.chunks().filter_map(|chunk| self.chunk(chunk));
        chunks.map(|runs| i128::from(runs.volumes()[substance])).sum()
    }

    fn regroup(
        old_groups: Vec<Self>,
        mut added: BTreeMap<ChunkPos, CellRuns>,
        plans: Vec<(BTreeSet<ChunkPos>, Bounds)>,
        changed: &BTreeSet<ChunkPos>,
        context: &Context<Self>,
    ) -> Vec<Self> {
        let (mut all, mut present) = (BTreeMap::new(), [false; KINDS]);
        for mut old in old_groups {
            // The labels of adjacent chunks must equal those of a new grid, which starts as wall.
            let removed = old.chunks.intersection(changed).chain(&old.ghosts).copied();
            removed.collect::<Vec<_>>().into_iter().for_each(|at| old.replace_cells(at, &WALLS));
            old.grid.update_labels(&old.scratch);
            let Self { grid, bounds, chunks, .. } = old;
            let kept = |index| chunk_of(&bounds, index).filter(|at| chunks.contains(at));
            let moved_chunks = grid.into_chunks(|index| kept(index).is_some());
            let placed = moved_chunks.placed.into_iter();
            all.extend(placed.filter_map(|(index, moved_chunk)| Some((kept(index)?, moved_chunk))));
            present
                .iter_mut()
                .zip(moved_chunks.present)
                .for_each(|(present, more)| *present |= more);
        }
        let make = |(chunks, bounds): (BTreeSet<ChunkPos>, Bounds)| {
            let old = chunks.iter().filter(|at| !changed.contains(at));
            let moved_chunk = |at: &ChunkPos| Some((chunk_index(&bounds, *at), all.remove(at)?));
            let moved_chunks =
                MovedChunks { placed: old.filter_map(moved_chunk).collect(), present };
            let scratch = ScratchPool::default();
            let grid =
                Grid::from_chunks(bounds.size.map(|cells| cells / SIDE), moved_chunks, &scratch);
            let (ghosts, workspace) = (BTreeSet::new(), Workspace::default());
            let changes = Changes::default();
            let mut group = Self { grid, bounds, chunks, ghosts, workspace, scratch, changes };
            for at in group.chunks.clone() {
                if let Some(runs) = added.remove(&at) {
                    group.replace_cells(at, &runs.cells());
                }
            }
            group.set_ghosts(context.borders);
            // Regrouping changes no cells.
            group.collect_changed_chunks(&mut BTreeSet::new());
            group
        };
        plans.into_iter().map(make).collect()
    }

    fn collect_changed_chunks(&mut self, changed_chunks: &mut BTreeSet<ChunkPos>) {
        let Self { grid, bounds, chunks, scratch, changes, .. } = self;
        grid.update_labels(scratch);
        grid.update_changes(changes);
        let tiles = changes.tiles.iter();
        let of = |tile: &Tile| ChunkPos::from_cell(bounds.world_cell(tile.x, tile.y));
        changed_chunks.extend(tiles.filter_map(of).filter(|at| chunks.contains(at)));
    }

    fn places_of_cells(&self, cells: impl Iterator<Item = (usize, usize)>) -> Vec<(usize, usize)> {
        cells.collect()
    }

    fn step(
        groups: &mut Groups<Self>,
        context: &Context<Self>,
        sources: &mut Sources<Self>,
        [springs, drains]: &SourcePlaces<(usize, usize)>,
        in_transit: &mut PendingTransfers<(u16, Kind)>,
        ledgers: &mut Ledgers,
    ) {
        for group in groups.values_mut() {
            // Evaporation depends on labels, so loaded and edited cells are labelled first.
            group.grid.update_labels(&group.scratch);
            group.receive_transfers(in_transit);
        }
        for ((spring, ()), places) in sources.springs.iter().zip(springs) {
            for (home, cells) in places {
                let Some(group) = groups.get_mut(home) else { continue };
                exchange::apply_spring(&mut group.grid, spring, cells.iter().copied(), ledgers);
            }
        }
        for ((drain, ()), places) in sources.drains.iter().zip(drains) {
            for (home, cells) in places {
                let Some(group) = groups.get_mut(home) else { continue };
                exchange::apply_drain(&mut group.grid, drain, cells.iter().copied(), ledgers);
            }
        }
        let Context { params, steps, .. } = *context;
        for group in groups.values_mut() {
            let Self { grid, workspace, scratch, .. } = group;
            exchange::evaporate(grid, params, steps, ledgers, scratch);
            grid.update_labels(scratch);
            step::step_fill_rule(grid, workspace, params, steps, ledgers, scratch);
            group.collect_ghost_liquids(in_transit);
        }
    }

    fn is_asleep(&self) -> bool {
        let grid = &self.grid;
        grid.active.is_empty() && grid.falling.is_empty() && !grid.has_changed()
    }

    fn has_room(&self, cell: (usize, usize), (_, kind): (u16, Kind)) -> bool {
        self.row_with_room(cell, kind).is_some()
    }

    fn add_liquid(&mut self, (x, y): (usize, usize), (_, kind): (u16, Kind), amount: u64) -> u64 {
        let accepted = amount.min(FULL.into()) as u16;
        let mut rest = accepted;
        while rest > 0
            && let Some(y) = self.row_with_room((x, y), kind)
        {
            let here = self.grid.cell_at(x, y);
            let part = rest.min(here.free_space(kind));
            self.grid.set(x, y, PackedCell::new(kind, here.fill() + part));
            rest -= part;
        }
        u64::from(accepted - rest)
    }

    fn build_transfer(
        _: &Context<Self>,
        cell: [i64; 2],
        (_, kind): (u16, Kind),
        amount: u64,
    ) -> Transfer {
        Transfer { cell, liquid: Liquid::ALL[usize::from(kind) - 1], amount }
    }

    fn check_spring((spring, ()): &(Spring, ())) -> Result<(), InputError> {
        spring.region.validate()?;
        spring.check(Rule::Fill)
    }

    fn check_drain((drain, ()): &(Drain, ())) -> Result<(), InputError> {
        drain.region.validate()?;
        drain.check(Rule::Fill)
    }

    fn source_regions(sources: &Sources<Self>) -> [Vec<&Region>; 2] {
        let springs = sources.springs.iter().map(|(spring, ())| &spring.region);
        let drains = sources.drains.iter().map(|(drain, ())| &drain.region);
        [springs.collect(), drains.collect()]
    }

    fn save_chunks(
        groups: &Groups<Self>,
        pending: &PendingChanges<Self>,
    ) -> BTreeMap<ChunkPos, CellRuns> {
        let mut chunks = pending.added.clone();
        for group in groups.values() {
            let kept = group.chunks().filter(|at| !pending.removed.contains_key(at));
            chunks.extend(kept.filter_map(|at| Some((at, group.chunk(at)?))));
        }
        chunks
    }

    fn save_groups(_: &Groups<Self>) {}

    fn group_hashes(_: &Groups<Self>) -> impl Serialize {}

    fn restore(
        added: BTreeMap<ChunkPos, CellRuns>,
        (): (),
        _: &Context<Self>,
    ) -> Result<(Vec<Self>, PendingChanges<Self>), InputError> {
        Ok((Vec::new(), PendingChanges { added, ..PendingChanges::default() }))
    }
}
