//! Constructor and queries of open worlds of columns.

use super::chunk::{Chunk, Walls};
use super::group::ConnectedColumns;
use super::heights::{QUANTA_PER_CELL, quantum_volume};
use crate::columns::params::Params;
use crate::error::InputError;
use crate::field::Field;
use crate::open::{self, CHUNK, ChunkPos, OpenBalance};
use crate::region::Point;

/// An unbounded world of columns, of which only some chunks are loaded and simulated.
///
/// Positions are in metres to the east and down, measured from the top-left corner of the cell `[0,
/// 0]`.
pub type OpenWorld = open::OpenWorld<ConnectedColumns>;

/// Methods of open worlds of columns. Regions are in metres to the east and down, measured from the
/// top-left corner of the cell `[0, 0]`.
impl OpenWorld {
    /// Creates a world without chunks. `cell_size` is the side length of a cell (m).
    ///
    /// # Errors
    /// Returns [`InputError`] if a parameter is out of range, if the cell size is not above 0, if
    /// waves are too fast for the time step, or if the parameters select springs or heat, which
    /// open worlds do not support.
    pub fn new(cell_size: f64, params: Params) -> Result<Self, InputError> {
        Self::empty(params, cell_size)
    }

    /// Adds a new chunk to the world and loads it. The chunk is defined by its walls and by the
    /// fill fractions of its cells (from 0 to 1). Water in walls is ignored. In each vertical run
    /// of air cells, all water is placed on the floor. The ledger records the added water as inflow
    /// through the boundary.
    ///
    /// # Errors
    /// Returns [`InputError`] if the chunk is loaded, or was unloaded and not yet
    /// [forgotten](Self::forget); if a field does not have the size of a chunk, or a fill fraction
    /// is out of range; or if the connected chunks would span more than 256 columns or 15 rows of
    /// chunks. In these cases, nothing changes.
    pub fn insert(
        &mut self,
        chunk: ChunkPos,
        walls: &Field<bool>,
        fill: &Field<f64>,
    ) -> Result<(), InputError> {
        let walls = Walls::from_field(chunk, walls)?;
        let filled = Chunk::from_fill(chunk, walls, fill, self.params.columns_per_cell)?;
        self.insert_new(chunk, filled, "a new chunk")
    }

    /// Returns whether a cell, given by its column and row in the world, is wall. Returns `None` if
    /// the chunk that contains the cell is not loaded.
    pub fn is_wall(&self, cell: [i64; 2]) -> Option<bool> {
        let (chunk, (x, y)) = ChunkPos::locate(cell)?;
        if let Some(data) = self.store.pending.added.get(&chunk) {
            return Some(data.walls.is_wall(x, y));
        }
        Some(self.store.group(chunk)?.chunks.get(&chunk)?.is_wall(x, y))
    }

    /// Returns the fill fractions (from 0 to 1) of the cells in a chunk, or `None` if the chunk is
    /// not loaded.
    pub fn fill_fractions(&self, chunk: ChunkPos) -> Option<Field<f32>> {
        let data = self.store.chunk(chunk)?;
        let mut fill = Field::new(CHUNK, CHUNK, 0.0);
        for (x, rows, columns) in data.runs_with_columns() {
            let n = columns.len() as f32;
            for &depth in &data.depth[columns] {
                for y in rows.clone() {
                    let below = (rows.end - 1 - y) as i32 * QUANTA_PER_CELL;
                    let part =
                        (depth - below).clamp(0, QUANTA_PER_CELL) as f32 / QUANTA_PER_CELL as f32;
                    fill[(x, y)] += part / n;
                }
            }
        }
        Some(fill)
    }

    /// Returns the vertical position of the water surface (m, downward from the top of row 0) in
    /// the column at a point (m). Returns `None` if the chunk is not loaded, if the point is in a
    /// wall, or if the column is dry.
    pub fn surface_at(&self, point: Point) -> Option<f64> {
        let chunk = self.chunk_at(point)?;
        if let Some(data) = self.store.pending.added.get(&chunk) {
            return self.surface_in_chunk(data, chunk, point);
        }
        let (group, [left, top]) = self.group_and_origin(chunk)?;
        Some(group.world.surface_at([point[0] - left, point[1] - top])? + top)
    }

    /// Returns the horizontal velocity of the water (m/s, positive to the east) in the column at a
    /// point (m). Returns `None` if the chunk is not loaded, if the point is in a wall, or if the
    /// column is dry.
    pub fn velocity_at(&self, point: Point) -> Option<f64> {
        let chunk = self.chunk_at(point)?;
        if let Some(data) = self.store.pending.added.get(&chunk) {
            return self.surface_in_chunk(data, chunk, point).map(|_| 0.0);
        }
        let (group, [left, top]) = self.group_and_origin(chunk)?;
        group.world.velocity_at([point[0] - left, point[1] - top])
    }

    fn chunk_at(&self, at: Point) -> Option<ChunkPos> {
        let cell = at.map(|at| (at / self.cell_size).floor());
        let far = cell.iter().any(|at| at.is_nan() || at.abs() > 1e15);
        if far { None } else { ChunkPos::from_cell(cell.map(|at| at as i64)) }
    }

    /// Returns the group of connected chunks that contains a chunk, and the top-left corner of the
    /// group's grid (m).
    fn group_and_origin(&self, chunk: ChunkPos) -> Option<(&ConnectedColumns, Point)> {
        let group = self.store.group(chunk)?;
        Some((group, group.bounds.first.map(|at| at as f64 * self.cell_size)))
    }

    fn surface_in_chunk(&self, data: &Chunk, chunk: ChunkPos, point: Point) -> Option<f64> {
        let [left, top] = chunk.origin().map(|point| point as f64);
        let [x, y] = [point[0] / self.cell_size - left, point[1] / self.cell_size - top];
        let run = |(column, rows, _): &(usize, std::ops::Range<usize>, _)| {
            *column == x as usize && rows.contains(&(y as usize))
        };
        let (_, rows, columns) = data.runs_with_columns().find(run)?;
        let within = (x.fract() * columns.len() as f64) as usize;
        let depth = data.depth[columns.start + within.min(columns.len() - 1)];
        let surface = rows.end as f64 - f64::from(depth) / f64::from(QUANTA_PER_CELL);
        (depth > 0).then(|| (top + surface.max(rows.start as f64)) * self.cell_size)
    }

    /// Returns the balance of water (m³ for a world 1 m thick): the ledger, the volumes in loaded
    /// chunks, in unloaded chunks and in transit, and the residual (total volume minus the volume
    /// expected from the ledger).
    pub fn balance(&self) -> OpenBalance<f64> {
        self.substance_balance(0).scaled(quantum_volume(&self.params, self.cell_size))
    }
}
