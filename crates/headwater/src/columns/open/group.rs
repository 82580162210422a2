//! Groups of connected chunks. Each group is simulated as one [`Columns`] world. On the grid of
//! this world, cells of unloaded chunks are walls, or ghost cells that water may enter.

use super::chunk::{Chunk, Flow, Walls};
use super::heights::{CHUNK_HEIGHT, QUANTA_PER_CELL, chunk_bottom, grid_bottom, row_above};
use crate::columns::layout::Layout;
use crate::columns::layout::wall_grid::WallGrid;
use crate::columns::network::SEPARATE;
use crate::columns::state::State;
use crate::columns::walls::{FaceSpeed, assign_speeds, for_each_opening};
use crate::columns::world::Columns;
use crate::field::Field;
use crate::open::{Borders, Bounds, CHUNK, ChunkPos, Context, PendingTransfers};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Ghost cell: a cell of an unloaded chunk that water may enter. The tuple consists of the position
/// of the chunk, the index of the cell in the chunk, and the column and row of the cell in the
/// group's grid.
pub(super) type GhostCell = (ChunkPos, u16, (usize, usize));

/// A set of connected loaded chunks that are simulated as one world.
#[derive(Clone, Debug)]
pub struct ConnectedColumns {
    pub(super) world: Columns,
    pub(super) bounds: Bounds,
    pub(super) chunks: BTreeMap<ChunkPos, Walls>,
    /// Ghost cells (cells of unloaded chunks that water may enter), each with its range of water
    /// columns.
    ghosts: Vec<(GhostCell, Range<usize>)>,
    /// Chunks in which water has moved since the last query for changes.
    pub(super) changed: BTreeSet<ChunkPos>,
}

/// Number of the side of a neighbouring chunk that faces this chunk, for the neighbours in the
/// order of [`ChunkPos::edge_neighbours`].
const FACING: [usize; 4] = [1, 0, 3, 2];

/// Returns the walls of the grid for a group of chunks, and the ghost cells of this grid (cells of
/// unloaded chunks that water may enter).
pub(super) fn build_walls(
    chunks: &BTreeMap<ChunkPos, Walls>,
    bounds: &Bounds,
    borders: &Borders<[i64; 1]>,
) -> (Field<bool>, Vec<GhostCell>) {
    let mut grid = Field::new(bounds.size[0], bounds.size[1], true);
    let mut ghosts = Vec::new();
    for (&chunk, walls) in chunks {
        let (left, top) = bounds.local_cell(chunk.origin());
        for (x, rows) in walls.air_runs() {
            rows.for_each(|y| grid[(left + x, top + y)] = false);
        }
        let around = chunk.edge_neighbours().into_iter().zip(FACING);
        for (ghost, side) in around.filter_map(|(ghost, side)| Some((ghost?, side))) {
            if chunks.contains_key(&ghost) {
                continue;
            }
            let Some(edges) = borders.open_edges(ghost) else { continue };
            let [left, top] = ghost.origin();
            for (x, y) in edges.air_cells(side) {
                let place = bounds.local_cell([left + x as i64, top + y as i64]);
                grid[place] = false;
                ghosts.push((ghost, (y * CHUNK + x) as u16, place));
            }
        }
    }
    ghosts.sort_unstable();
    ghosts.dedup();
    (grid, ghosts)
}

impl ConnectedColumns {
    /// Creates a group from the contents of chunks. A pool that is the same as in one of
    /// `old_groups`, and whose chunks are not listed in `changed`, keeps its state.
    pub(super) fn from_chunks(
        loaded: BTreeMap<ChunkPos, Chunk>,
        bounds: Bounds,
        context: &Context<Self>,
        old_groups: &[Self],
        changed: &BTreeSet<ChunkPos>,
    ) -> Self {
        let walls = |(chunk, data): (&ChunkPos, &Chunk)| (*chunk, data.walls.clone());
        let chunks: BTreeMap<_, _> = loaded.iter().map(walls).collect();
        let (grid, ghosts) = build_walls(&chunks, &bounds, context.borders);
        let per_cell = context.params.columns_per_cell as usize;
        let layout = Layout::with_quanta_per_cell(
            WallGrid::new(&grid),
            context.cell_size,
            per_cell,
            QUANTA_PER_CELL as usize,
        );
        let mut depth = vec![0; layout.column_count()];
        let mut foam = vec![0.0_f32; layout.column_count()];
        let mut speeds = Vec::new();
        for (&chunk, data) in &loaded {
            let (left, top) = bounds.local_cell(chunk.origin());
            for (x, rows, from) in data.runs_with_columns() {
                let columns = layout.columns_of_cell(left + x, top + rows.end - 1);
                for (c, i) in columns.zip(from) {
                    depth[c] += data.depth[i];
                    foam[c] = foam[c].max(data.foam[i]);
                }
            }
            let up = (chunk_bottom(chunk) - grid_bottom(&bounds)) as i32;
            speeds.extend(data.flows.iter().map(|flow| FaceSpeed {
                x: left * per_cell + usize::from(flow.x),
                sill: up + flow.sill,
                lintel: up + flow.lintel,
                speed: flow.speed,
                carried_height: SEPARATE,
            }));
        }
        let mut state = State::new(depth, &layout, false);
        state.foam = foam;
        assign_speeds(&layout, &mut state, speeds);
        let excess = vec![0; layout.column_count()];
        let mut world = Columns::from_state(context.params.clone(), layout, state, excess);
        world.steps = context.steps;
        let mut group = Self::new(world, bounds, chunks, ghosts);
        group.inherit_pools(old_groups, changed);
        group
    }

    /// Creates a group from a world and the ghost cells of its grid.
    pub(super) fn new(
        world: Columns,
        bounds: Bounds,
        chunks: BTreeMap<ChunkPos, Walls>,
        ghosts: Vec<GhostCell>,
    ) -> Self {
        let (empty, changed) = (Vec::new(), BTreeSet::new());
        let mut group = Self { world, bounds, chunks, ghosts: empty, changed };
        group.place_ghosts(ghosts);
        group
    }

    fn place_ghosts(&mut self, ghosts: Vec<GhostCell>) {
        let layout = &self.world.layout;
        let place = |ghost: GhostCell| (ghost, layout.columns_of_cell(ghost.2.0, ghost.2.1));
        self.ghosts = ghosts.into_iter().map(place).collect();
    }

    /// Rebuilds the world after walls have been edited.
    pub(super) fn rebuild(&mut self, borders: &Borders<[i64; 1]>) {
        let (grid, ghosts) = build_walls(&self.chunks, &self.bounds, borders);
        self.world.set_wall_grid(&grid);
        self.place_ghosts(ghosts);
    }

    /// Returns the position of the chunk at a column of grid cells and a height in the group's grid
    /// (in height quanta). Returns `None` if the chunk is outside the range of chunk positions.
    fn chunk_at(&self, x: usize, height: i32) -> Option<ChunkPos> {
        let row = row_above(grid_bottom(&self.bounds) + i64::from(height));
        ChunkPos::from_cell([self.bounds.world_cell(x, 0)[0], row])
    }

    pub(super) fn is_loaded(&self, x: usize, height: i32) -> bool {
        self.chunk_at(x, height).is_some_and(|chunk| self.chunks.contains_key(&chunk))
    }

    /// Returns the loaded chunks that contain parts of a pool. A chunk may occur more than once.
    pub(super) fn chunks_of(&self, pool: usize) -> impl Iterator<Item = ChunkPos> {
        let layout = &self.world.layout;
        let pool = &layout.pools[pool];
        let mut last = None;
        let ends = pool.columns.clone().step_by(layout.per_cell).filter_map(move |c| {
            let x = (pool.x0 + c - pool.columns.start) / layout.per_cell;
            let ends = [layout.ceiling[c] - 1, layout.floor[c]].map(|at| self.chunk_at(x, at));
            (last.replace(ends) != Some(ends)).then_some((ends[0]?, ends[1]?))
        });
        let all =
            ends.flat_map(|(top, bottom)| (top.y..=bottom.y).map(move |y| ChunkPos::new(top.x, y)));
        all.filter(|chunk| self.chunks.contains_key(chunk))
    }

    /// Returns the flows through all edges between water columns in a chunk.
    pub(super) fn flows_in(&self, chunk: ChunkPos) -> Vec<Flow> {
        let Columns { layout, state, .. } = &self.world;
        let first = self.bounds.local_cell(chunk.origin()).0 * layout.per_cell;
        let columns = first..first + CHUNK * layout.per_cell;
        let low = (chunk_bottom(chunk) - grid_bottom(&self.bounds)) as i32;
        let mut flows = Vec::new();
        for_each_opening(layout, columns.clone(), |opening, which| {
            let speed = which.speed(state);
            let lintel = opening.water_surface_height(layout, state).min(low + CHUNK_HEIGHT);
            let sill = opening.sill.max(low);
            if speed != 0.0 && lintel > sill {
                let x = (opening.x - columns.start) as u16;
                flows.push(Flow { x, sill: sill - low, lintel: lintel - low, speed });
            }
        });
        flows.sort_unstable_by_key(|flow| (flow.x, flow.sill));
        flows
    }

    /// Marks all chunks that contain parts of awake pools as changed.
    pub(super) fn mark_awake_chunks(&mut self) {
        let awake = self.world.sleep.awake.iter();
        let chunks: Vec<_> = awake.flat_map(|&pool| self.chunks_of(pool as usize)).collect();
        self.changed.extend(chunks);
    }

    /// Moves the water in ghost cells to `waiting`, which holds the water that waits to enter
    /// unloaded chunks.
    pub(super) fn collect_ghost_water(&mut self, waiting: &mut PendingTransfers<u16>) {
        let mut taken: Vec<(usize, i32)> = Vec::new();
        for ((chunk, number, (_, row)), columns) in &self.ghosts {
            let floor = (self.bounds.size[1] - 1 - row) as i32 * QUANTA_PER_CELL;
            let mut all = 0;
            for c in columns.clone() {
                let above = self.world.state.depth[c] - (floor - self.world.layout.floor[c]);
                let quanta = above.clamp(0, QUANTA_PER_CELL);
                if quanta > 0 {
                    taken.push((c, quanta));
                    all += quanta as u64;
                }
            }
            if all > 0 {
                waiting.add(*chunk, *number, all);
            }
        }
        // Water above a ghost cell comes down in the next step.
        for (c, quanta) in taken {
            self.world.add_water_from_outside(&[c], -i64::from(quanta));
        }
    }
}
