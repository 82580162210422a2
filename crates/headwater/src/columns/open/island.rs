//! [`Island`]: chunks that hang together, on one board. What is not loaded there is wall, or a cell by which water passes.

use super::beyond::Beyond;
use super::piece::{Flow, Piece, Walls, edge};
use super::place::{PER_HEIGHT, TALL, bottom, row_above};
use super::tract::Tract;
use crate::columns::board::Board;
use crate::columns::layout::Layout;
use crate::columns::params::Params;
use crate::columns::state::State;
use crate::columns::walls::{Speed, for_each_opening, give_speeds};
use crate::columns::world::Columns;
use crate::error::InputError;
use crate::field::Field;
use crate::open::{CHUNK, ChunkPos};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A cell beyond the border of what is loaded, by which water gets into a chunk.
#[derive(Clone, Debug)]
pub(super) struct Ghost {
    pub(super) chunk: ChunkPos,
    /// Its number in that chunk, row by row from the top.
    pub(super) number: u16,
    /// Its columns of water, and how high its floor is on the board (quanta).
    pub(super) columns: Range<usize>,
    pub(super) floor: i32,
}

/// Chunks that hang together.
#[derive(Clone, Debug)]
pub(super) struct Island {
    pub(super) world: Columns,
    pub(super) tract: Tract,
    pub(super) chunks: BTreeMap<ChunkPos, Walls>,
    pub(super) ghosts: Vec<Ghost>,
}

/// The chunks that share an edge with one: to the west, to the east, above, below.
pub(super) fn beside(chunk: ChunkPos) -> [Option<ChunkPos>; 4] {
    [(-1, 0), (1, 0), (0, -1), (0, 1)].map(|(x, y)| {
        let (x, y) = (chunk.x.checked_add(x)?, chunk.y.checked_add(y)?);
        Some(ChunkPos::new(x, y))
    })
}

/// The edge of each of those that faces it.
const FACING: [usize; 4] = [1, 0, 3, 2];

/// What all islands of a world have in common.
#[derive(Clone, Copy)]
pub(super) struct Common<'a> {
    pub(super) params: &'a Params,
    /// Size of a cell (m).
    pub(super) cell: f64,
    pub(super) steps: u64,
    pub(super) beyond: &'a Beyond,
}

/// The walls of a board, and the cells of it by which water passes: their chunks, numbers, columns and rows.
type Pieced = (Field<bool>, Vec<(ChunkPos, u16, (usize, usize))>);

/// The board of some chunks.
pub(super) fn board(chunks: &BTreeMap<ChunkPos, Walls>, tract: &Tract, beyond: &Beyond) -> Pieced {
    let mut board = Field::new(tract.size[0], tract.size[1], true);
    let mut ghosts = Vec::new();
    for (&chunk, walls) in chunks {
        let (left, top) = tract.cell(chunk.origin());
        for (x, rows) in walls.all_runs() {
            rows.for_each(|y| board[(left + x, top + y)] = false);
        }
        let around = beside(chunk).into_iter().zip(FACING);
        for (ghost, side) in around.filter_map(|(ghost, side)| Some((ghost?, side))) {
            if chunks.contains_key(&ghost) {
                continue;
            }
            let Some(edges) = beyond.open_edges(ghost) else { continue };
            let [left, top] = ghost.origin();
            for (at, (x, y)) in edge(side).enumerate() {
                if edges.0[side] >> at & 1 == 1 {
                    let place = tract.cell([left + x as i64, top + y as i64]);
                    board[place] = false;
                    ghosts.push((ghost, (y * CHUNK + x) as u16, place));
                }
            }
        }
    }
    ghosts.sort_unstable();
    ghosts.dedup();
    (board, ghosts)
}

impl Island {
    /// Puts chunks together.
    ///
    /// # Errors
    /// [`InputError`] if no board has them all.
    pub(super) fn assemble(
        pieces: BTreeMap<ChunkPos, Piece>,
        common: Common,
        olds: &[Self],
        changed: &BTreeSet<ChunkPos>,
    ) -> Result<Self, InputError> {
        let tract = Tract::around(pieces.keys().copied())?;
        let walls = |(chunk, piece): (&ChunkPos, &Piece)| (*chunk, piece.walls.clone());
        let chunks: BTreeMap<_, _> = pieces.iter().map(walls).collect();
        let (board, ghosts) = board(&chunks, &tract, common.beyond);
        let per_cell = common.params.columns_per_cell as usize;
        let layout =
            Layout::with_height(Board::new(&board), common.cell, per_cell, PER_HEIGHT as usize);
        let mut depth = vec![0; layout.columns()];
        let mut foam = vec![0.0_f32; layout.columns()];
        let mut speeds = Vec::new();
        for (&chunk, piece) in &pieces {
            let (left, top) = tract.cell(chunk.origin());
            for (x, rows, from) in piece.columns() {
                let columns = layout.columns_of_cell(left + x, top + rows.end - 1);
                for (c, i) in columns.zip(from) {
                    depth[c] += piece.depth[i];
                    foam[c] = foam[c].max(piece.foam[i]);
                }
            }
            let up = (bottom(chunk) - tract.bottom()) as i32;
            speeds.extend(piece.flows.iter().map(|flow| Speed {
                x: left * per_cell + usize::from(flow.x),
                sill: up + flow.sill,
                lintel: up + flow.lintel,
                speed: flow.speed,
            }));
        }
        let mut state = State::new(depth, &layout, false);
        state.foam = foam;
        give_speeds(&layout, &mut state, speeds);
        let excess = vec![0; layout.columns()];
        let mut world = Columns::of_state(common.params.clone(), layout, state, excess);
        world.steps = common.steps;
        let mut island = Self { world, tract, chunks, ghosts: Vec::new() };
        island.place_ghosts(ghosts);
        island.inherit(olds, changed);
        Ok(island)
    }

    /// The island of a world whose board is that of its chunks.
    pub(super) fn of_world(
        world: Columns,
        tract: Tract,
        chunks: BTreeMap<ChunkPos, Walls>,
        beyond: &Beyond,
    ) -> Self {
        let (_, ghosts) = board(&chunks, &tract, beyond);
        let mut island = Self { world, tract, chunks, ghosts: Vec::new() };
        island.place_ghosts(ghosts);
        island
    }

    fn place_ghosts(&mut self, ghosts: Vec<(ChunkPos, u16, (usize, usize))>) {
        let layout = &self.world.layout;
        let place = |(chunk, number, (x, y))| Ghost {
            chunk,
            number,
            columns: layout.columns_of_cell(x, y),
            floor: (self.tract.size[1] - 1 - y) as i32 * PER_HEIGHT,
        };
        self.ghosts = ghosts.into_iter().map(place).collect();
    }

    /// Takes over the walls of chunks in which some were dug or built.
    pub(super) fn rebuild(&mut self, beyond: &Beyond) {
        let (board, ghosts) = board(&self.chunks, &self.tract, beyond);
        self.world.set_board(&board);
        self.place_ghosts(ghosts);
    }

    /// Whether a height of the board (quanta) lies in a loaded chunk, in a column of cells.
    fn is_loaded(&self, x: usize, height: i32) -> bool {
        let row = row_above(self.tract.bottom() + i64::from(height));
        let cell = [self.tract.cell_of(x, 0)[0], row];
        ChunkPos::of(cell).is_some_and(|chunk| self.chunks.contains_key(&chunk))
    }

    /// All its water (quanta).
    pub(super) fn volume(&self) -> i64 {
        self.world.state.depth.iter().map(|&depth| i64::from(depth)).sum()
    }

    /// A chunk of it as it is now; `None` if it has it not.
    pub(super) fn piece(&self, chunk: ChunkPos) -> Option<Piece> {
        let walls = self.chunks.get(&chunk)?;
        let (layout, state) = (&self.world.layout, &self.world.state);
        let (left, top) = self.tract.cell(chunk.origin());
        let (mut depths, mut foam) = (Vec::new(), Vec::new());
        let height = |row: usize| (self.tract.size[1] - top - row) as i32 * PER_HEIGHT;
        for (x, rows) in walls.all_runs() {
            let columns = layout.columns_of_cell(left + x, top + rows.end - 1);
            let (floor, ceiling) = (height(rows.end), height(rows.start));
            // What of a column is not loaded has no water, and what stands higher than fits is uppermost.
            let first = columns.start;
            let mut lowest = layout.floor[first];
            while lowest < floor && !self.is_loaded(left + x, lowest) {
                lowest += PER_HEIGHT;
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
        Some(Piece { per_cell, walls: walls.clone(), depth: depths, foam, flows })
    }

    /// Calls with the loaded chunks that a pool may reach; with some more than once.
    pub(super) fn for_each_chunk_of(&self, pool: usize, mut work: impl FnMut(ChunkPos)) {
        let layout = &self.world.layout;
        let pool = &layout.pools[pool];
        let mut last = None;
        for c in pool.columns.clone().step_by(layout.per_cell) {
            let x = (pool.x0 + c - pool.columns.start) / layout.per_cell;
            let ends = [layout.ceiling[c] - 1, layout.floor[c]].map(|height| {
                let row = row_above(self.tract.bottom() + i64::from(height));
                ChunkPos::of([self.tract.cell_of(x, 0)[0], row])
            });
            let [Some(top), Some(bottom)] = ends else { continue };
            if last.replace((top, bottom)) != Some((top, bottom)) {
                let all = (top.y..=bottom.y).map(|y| ChunkPos::new(top.x, y));
                all.filter(|chunk| self.chunks.contains_key(chunk)).for_each(&mut work);
            }
        }
    }

    /// What moves in a chunk.
    fn flows_in(&self, chunk: ChunkPos) -> Vec<Flow> {
        let Columns { layout, state, .. } = &self.world;
        let first = self.tract.cell(chunk.origin()).0 * layout.per_cell;
        let columns = first..first + CHUNK * layout.per_cell;
        let low = (bottom(chunk) - self.tract.bottom()) as i32;
        let mut flows = Vec::new();
        for_each_opening(layout, columns.clone(), |opening, which| {
            let speed = which.speed(state);
            let lintel = opening.reached(layout, state).min(low + TALL);
            let sill = opening.sill.max(low);
            if speed != 0.0 && lintel > sill {
                let x = (opening.x - columns.start) as u16;
                flows.push(Flow { x, sill: sill - low, lintel: lintel - low, speed });
            }
        });
        flows.sort_unstable_by_key(|flow| (flow.x, flow.sill));
        flows
    }
}
