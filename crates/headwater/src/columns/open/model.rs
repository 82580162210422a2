//! Implementation of the open-world traits for columns.

use super::chunk::{Chunk, Walls};
use super::edit::distribute_water;
use super::group::{ConnectedColumns, build_walls};
use super::heights::{QUANTA_PER_CELL, quantum_volume};
use crate::columns::layout::wall_grid::WallGrid;
use crate::columns::layout::{Layout, MAX_GRID_HEIGHT};
use crate::columns::params::{Motion, Params};
use crate::columns::sources::source::Source;
use crate::columns::state::snapshot::Snapshot;
use crate::columns::world::{Columns, check_cell_size};
use crate::error::InputError;
use crate::ledger::{Cause, Ledger};
use crate::open::{
    Bounds, CHUNK, ChunkPos, ConnectedChunks, Context, Groups, PendingChanges, PendingTransfers,
    SourcePlaces, Sources, TransferKey,
};
use crate::parameter::Parameters;
use crate::region::Region;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// Water that has left the loaded chunks and waits to enter an unloaded chunk.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Transfer {
    /// Cell of the unloaded chunk in which the water waits, as column and row in the world.
    pub cell: [i64; 2],
    /// Volume of the waiting water (m³ for a world 1 m thick).
    pub volume: f64,
}

/// Identifies a transfer by the index of its cell in the chunk.
impl TransferKey for u16 {
    fn cell_and_substance(self) -> (u16, usize) {
        (self, 0)
    }
}

fn check_source((source, carry): &(Source, f64), name: &str) -> Result<(), InputError> {
    source
        .check()
        .and_then(|()| source.region.validate())
        .map_err(|error| error.with_table_prefix(name))?;
    let out_of_range =
        InputError::invalid_snapshot("the carry of a spring or drain is out of range");
    if carry.abs() < 1.0 { Ok(()) } else { Err(out_of_range) }
}

impl ConnectedChunks for ConnectedColumns {
    const WORLD_FORMAT: &'static str = "columns, an open world";
    const CHUNK_FORMAT: &'static str = "columns, a chunk";
    const MAX_VOLUMES: [i128; 2] = [(1 << 50) - 1, (1 << 80) - 1];
    /// Number of grid cells added on each side of the loaded chunks: one cell that water may enter,
    /// and one wall.
    const MARGIN: usize = 2;
    const MAX_EXTENT: [usize; 2] =
        [256, (MAX_GRID_HEIGHT / QUANTA_PER_CELL as usize - 2 * Self::MARGIN) / CHUNK];
    const CONNECTS_CORNERS: bool = false;

    type Params = Params;
    /// Side length of a cell (m).
    type CellSize = f64;
    type Chunk = Chunk;
    type Volumes = [i64; 1];
    type Ledgers = [Ledger<i128>; 1];
    type Key = u16;
    type Transfer = Transfer;
    type Spring = Source;
    type Drain = Source;
    /// Volume that a spring or drain has not yet applied, because it is less than one height
    /// quantum. It is carried over to the next step.
    type Carry = f64;
    /// Index of a water column.
    type Place = usize;
    type SavedChunks = PendingChanges<Self>;
    type SavedGroups = Vec<(BTreeMap<ChunkPos, Walls>, Snapshot)>;

    fn check_params(params: &Params, cell_size: f64) -> Result<(), InputError> {
        params.validate()?;
        check_cell_size(cell_size)?;
        if params.motion != Motion::Discharge {
            return Err(InputError::new("motion", "`springs`", "`discharge` in an open world"));
        }
        if params.heat.is_some() {
            return Err(InputError::new("heat", "a world with heat", "none in an open world"));
        }
        params.check_stability(cell_size / f64::from(params.columns_per_cell))
    }

    fn set_params(&mut self, params: &Params) -> Result<(), InputError> {
        self.world.set_params(params.clone())
    }

    fn step_limits(params: &Params) -> (f64, u32) {
        (params.step, params.max_steps)
    }

    fn cell_size(saved: f64) -> f64 {
        saved
    }

    fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    fn chunks(&self) -> impl Iterator<Item = ChunkPos> {
        self.chunks.keys().copied()
    }

    fn chunk(&self, chunk: ChunkPos) -> Option<Chunk> {
        let walls = self.chunks.get(&chunk)?;
        let (layout, state) = (&self.world.layout, &self.world.state);
        let (left, top) = self.bounds.local_cell(chunk.origin());
        let (mut depths, mut foam) = (Vec::new(), Vec::new());
        let height = |row: usize| (self.bounds.size[1] - top - row) as i32 * QUANTA_PER_CELL;
        for (x, rows) in walls.air_runs() {
            let columns = layout.columns_of_cell(left + x, top + rows.end - 1);
            let (floor, ceiling) = (height(rows.end), height(rows.start));
            // The unloaded part of a column has no water. Excess water belongs to the uppermost
            // chunk.
            let first = columns.start;
            let mut lowest = layout.floor[first];
            while lowest < floor && !self.is_loaded(left + x, lowest) {
                lowest += QUANTA_PER_CELL;
            }
            let is_uppermost =
                ceiling >= layout.ceiling[first] || !self.is_loaded(left + x, ceiling);
            for c in columns {
                let above = (state.depth[c] - (floor - lowest)).max(0);
                depths.push(if is_uppermost { above } else { above.min(ceiling - floor) });
                foam.push(state.foam[c]);
            }
        }
        let per_cell = layout.per_cell as u32;
        let flows = self.flows_in(chunk);
        Some(Chunk { per_cell, walls: walls.clone(), depth: depths, foam, flows })
    }

    fn volume(&self, _: usize) -> i128 {
        self.world.state.depth.iter().map(|&depth| i128::from(depth)).sum()
    }

    fn regroup(
        old_groups: Vec<Self>,
        mut added: BTreeMap<ChunkPos, Chunk>,
        plans: Vec<(BTreeSet<ChunkPos>, Bounds)>,
        changed: &BTreeSet<ChunkPos>,
        context: &Context<Self>,
    ) -> Vec<Self> {
        for old in &old_groups {
            let kept = old.chunks().filter(|at| !changed.contains(at));
            added.extend(kept.filter_map(|at| Some((at, old.chunk(at)?))));
        }
        let make = |(part, bounds): (BTreeSet<_>, _)| {
            let chunks = part.into_iter().filter_map(|at| Some((at, added.remove(&at)?)));
            Self::from_chunks(chunks.collect(), bounds, context, &old_groups, changed)
        };
        plans.into_iter().map(make).collect()
    }

    fn collect_changed_chunks(&mut self, changed_chunks: &mut BTreeSet<ChunkPos>) {
        changed_chunks.append(&mut self.changed);
    }

    fn places_of_cells(&self, cells: impl Iterator<Item = (usize, usize)>) -> Vec<usize> {
        let columns = cells.flat_map(|(x, y)| self.world.layout.columns_of_cell(x, y));
        columns.collect::<BTreeSet<_>>().into_iter().collect()
    }

    fn step(
        groups: &mut Groups<Self>,
        context: &Context<Self>,
        sources: &mut Sources<Self>,
        places: &SourcePlaces<usize>,
        in_transit: &mut PendingTransfers<u16>,
        [ledger]: &mut [Ledger<i128>; 1],
    ) {
        groups.values_mut().for_each(|group| group.receive_transfers(in_transit));
        let Context { params, cell_size, steps, .. } = *context;
        let (time, unit) = (steps as f64 * params.step, quantum_volume(params, cell_size));
        let springs = (&mut sources.springs, &places[0], 1.0, Cause::Source);
        let drains = (&mut sources.drains, &places[1], -1.0, Cause::Drain);
        for (sources, places, sign, cause) in [springs, drains] {
            for ((source, carry), places) in sources.iter_mut().zip(places) {
                if places.is_empty() {
                    continue;
                }
                let amount = *carry + sign * source.rate.value_at(time) * params.step / unit;
                // Limit the amount to the range of an integer: a column cannot hold more than this.
                let whole = amount.trunc().clamp(-1e9, 1e9);
                *carry = if amount.abs() < 1e9 { amount - whole } else { 0.0 };
                if whole != 0.0 {
                    let added =
                        distribute_water(groups, places, whole as i64, |world, columns, share| {
                            [share, world.add_water_from_outside(columns, share)]
                        });
                    ledger.record(cause, added.into());
                }
            }
        }
        for group in groups.values_mut() {
            group.mark_awake_chunks();
            group.world.step();
            group.collect_ghost_water(in_transit);
            group.mark_awake_chunks();
        }
    }

    fn is_asleep(&self) -> bool {
        self.world.awake_pool_count() == 0
    }

    fn has_room(&self, (x, y): (usize, usize), _: u16) -> bool {
        let (layout, depth) = (&self.world.layout, &self.world.state.depth);
        layout.columns_of_cell(x, y).any(|c| depth[c] < layout.ceiling[c] - layout.floor[c])
    }

    fn add_liquid(&mut self, (x, y): (usize, usize), _: u16, amount: u64) -> u64 {
        let columns: Vec<_> = self.world.layout.columns_of_cell(x, y).collect();
        let capacity = QUANTA_PER_CELL as u64 * columns.len() as u64;
        self.world.add_water_from_outside(&columns, amount.min(capacity) as i64) as u64
    }

    fn build_transfer(context: &Context<Self>, cell: [i64; 2], _: u16, amount: u64) -> Transfer {
        let unit = quantum_volume(context.params, context.cell_size);
        Transfer { cell, volume: amount as f64 * unit }
    }

    fn check_spring(spring: &(Source, f64)) -> Result<(), InputError> {
        check_source(spring, "source")
    }

    fn check_drain(drain: &(Source, f64)) -> Result<(), InputError> {
        check_source(drain, "drain")
    }

    fn source_regions(sources: &Sources<Self>) -> [Vec<&Region>; 2] {
        [&sources.springs, &sources.drains]
            .map(|sources| sources.iter().map(|(source, _)| &source.region).collect())
    }

    fn save_chunks(_: &Groups<Self>, pending: &PendingChanges<Self>) -> PendingChanges<Self> {
        pending.clone()
    }

    fn save_groups(groups: &Groups<Self>) -> Self::SavedGroups {
        let groups = groups.values();
        groups.map(|group| (group.chunks.clone(), group.world.snapshot())).collect()
    }

    fn group_hashes(groups: &Groups<Self>) -> impl Serialize {
        let groups = groups.iter();
        groups.map(|(&first, group)| (first, group.world.state_hash())).collect::<Vec<_>>()
    }

    fn restore(
        pending: PendingChanges<Self>,
        groups: Self::SavedGroups,
        context: &Context<Self>,
    ) -> Result<(Vec<Self>, PendingChanges<Self>), InputError> {
        let group = |(chunks, snapshot)| restore_group(chunks, snapshot, context);
        Ok((groups.into_iter().map(group).collect::<Result<_, _>>()?, pending))
    }
}

/// Restores a group of connected chunks from the walls of the chunks and a snapshot of the world
/// that simulates them.
///
/// # Errors
/// Returns [`InputError`] if the snapshot is inconsistent or does not match the world.
fn restore_group(
    chunks: BTreeMap<ChunkPos, Walls>,
    snapshot: Snapshot,
    context: &Context<ConnectedColumns>,
) -> Result<ConnectedColumns, InputError> {
    let refuse = |problem| Err(InputError::invalid_snapshot(problem));
    if chunks.is_empty() || !chunks.values().all(Walls::is_valid) {
        return refuse("a group without chunks");
    }
    let bounds = Bounds::enclosing_chunks(
        chunks.keys().copied(),
        ConnectedColumns::MARGIN,
        ConnectedColumns::MAX_EXTENT,
    )?;
    let is_ours = snapshot.params == *context.params
        && snapshot.cell.to_bits() == context.cell_size.to_bits();
    // The grid is stored, not derived from the chunks, because borders may have changed since the
    // last step.
    let size = [snapshot.walls.nx(), snapshot.walls.ny()];
    let fits = size == bounds.size
        && chunks.iter().all(|(chunk, walls)| {
            let (left, top) = bounds.local_cell(chunk.origin());
            let mut cells = (0..CHUNK).flat_map(|x| (0..CHUNK).map(move |y| (x, y)));
            cells.all(|(x, y)| snapshot.walls[(left + x, top + y)] == walls.is_wall(x, y))
        });
    if !is_ours || !fits {
        return refuse("a group of another world");
    }
    let per_cell = context.params.columns_per_cell as usize;
    let layout = Layout::with_quanta_per_cell(
        WallGrid::new(&snapshot.walls),
        context.cell_size,
        per_cell,
        QUANTA_PER_CELL as usize,
    );
    let world = Columns::restore_on(layout, snapshot)?;
    let bare = world.bodies.is_empty() && world.bubbles.is_empty();
    if !bare || world.steps != context.steps || world.exchange.outlets().next().is_some() {
        return refuse("a group with bodies, bubbles, springs or drains, or of another time");
    }
    let (_, ghosts) = build_walls(&chunks, &bounds, context.borders);
    Ok(ConnectedColumns::new(world, bounds, chunks, ghosts))
}
