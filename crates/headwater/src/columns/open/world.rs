//! Creation and queries of an open world of columns.

use super::chunk::{Chunk, Walls};
use super::group::ColumnsGroup;
use super::heights::{QUANTA_PER_CELL, quantum_volume};
use crate::columns::params::Params;
use crate::error::InputError;
use crate::field::Field;
use crate::open::{self, CHUNK, ChunkPos, OpenBalance};
use crate::region::Point;

/// Unbounded world of columns, in which only loaded chunks are simulated.
///
/// Positions are in metres to the east and down from the corner of the cell `[0, 0]`.
pub type OpenWorld = open::OpenWorld<ColumnsGroup>;

/// Open worlds of columns. Regions are in metres to the east and down from the corner of the cell
/// `[0, 0]`.
impl OpenWorld {
    /// Creates a world without chunks; `cell_size` is the size of a cell (m).
    ///
    /// # Errors
    /// Returns [`InputError`] if a parameter is out of range, the size of a cell is not above 0,
    /// waves are too fast for the step, or the parameters choose springs or heat, which open worlds
    /// do not support.
    pub fn new(cell_size: f64, params: Params) -> Result<Self, InputError> {
        Self::empty(params, cell_size)
    }

    /// Loads a new chunk from its walls and the fill fractions of its cells (0 to 1). Water in
    /// walls is ignored. In each vertical run of air cells, all water lies on the floor. The ledger
    /// records the added water as inflow through the boundary.
    ///
    /// # Errors
    /// Returns [`InputError`] if the chunk is loaded, or was unloaded and not forgotten; if a field
    /// has another size than a chunk, or a fill is out of its range; if more chunks are connected
    /// than fit on a board (256 columns, 15 rows). The world is then unchanged.
    pub fn insert(
        &mut self,
        chunk: ChunkPos,
        walls: &Field<bool>,
        fill: &Field<f64>,
    ) -> Result<(), InputError> {
        let walls = Walls::from_field(chunk, walls)?;
        let filled = Chunk::filled(chunk, walls, fill, self.params.columns_per_cell)?;
        self.insert_new(chunk, filled, "a new chunk")
    }

    /// Returns whether a cell, given by its column and row, is wall; `None` if its chunk is not
    /// loaded.
    pub fn is_wall(&self, cell: [i64; 2]) -> Option<bool> {
        let (chunk, (x, y)) = ChunkPos::locate(cell)?;
        if let Some(data) = self.store.pending.added.get(&chunk) {
            return Some(data.walls.is_wall(x, y));
        }
        Some(self.store.group(chunk)?.chunks.get(&chunk)?.is_wall(x, y))
    }

    /// Returns the fill fractions (0 to 1) of the cells in a chunk; `None` if the chunk is not
    /// loaded.
    pub fn fill(&self, chunk: ChunkPos) -> Option<Field<f32>> {
        let data = self.store.chunk(chunk)?;
        let mut fill = Field::new(CHUNK, CHUNK, 0.0);
        for (x, rows, columns) in data.columns() {
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

    /// Returns the height of the water surface (m downward from the top of row 0) in the column
    /// that contains a point (m); `None` if the column is dry, in a wall or not loaded.
    pub fn surface_at(&self, at: Point) -> Option<f64> {
        let chunk = self.chunk_at(at)?;
        if let Some(data) = self.store.pending.added.get(&chunk) {
            return self.surface_in(data, chunk, at);
        }
        let (group, [left, top]) = self.group_at(chunk)?;
        Some(group.world.surface_at([at[0] - left, at[1] - top])? + top)
    }

    /// Returns the velocity of the water (m/s, positive to the east) in the column that contains a
    /// point (m); `None` if the column is dry, in a wall or not loaded.
    pub fn velocity_at(&self, at: Point) -> Option<f64> {
        let chunk = self.chunk_at(at)?;
        if let Some(data) = self.store.pending.added.get(&chunk) {
            return self.surface_in(data, chunk, at).map(|_| 0.0);
        }
        let (group, [left, top]) = self.group_at(chunk)?;
        group.world.velocity_at([at[0] - left, at[1] - top])
    }

    fn chunk_at(&self, at: Point) -> Option<ChunkPos> {
        let cell = at.map(|at| (at / self.cell_size).floor());
        let far = cell.iter().any(|at| at.is_nan() || at.abs() > 1e15);
        if far { None } else { ChunkPos::of(cell.map(|at| at as i64)) }
    }

    /// Returns the group that contains a chunk, and the corner of its board (m).
    fn group_at(&self, chunk: ChunkPos) -> Option<(&ColumnsGroup, Point)> {
        let group = self.store.group(chunk)?;
        Some((group, group.bounds.first.map(|at| at as f64 * self.cell_size)))
    }

    fn surface_in(&self, data: &Chunk, chunk: ChunkPos, at: Point) -> Option<f64> {
        let [left, top] = chunk.origin().map(|at| at as f64);
        let [x, y] = [at[0] / self.cell_size - left, at[1] / self.cell_size - top];
        let run = |(column, rows, _): &(usize, std::ops::Range<usize>, _)| {
            *column == x as usize && rows.contains(&(y as usize))
        };
        let (_, rows, columns) = data.columns().find(run)?;
        let within = (x.fract() * columns.len() as f64) as usize;
        let depth = data.depth[columns.start + within.min(columns.len() - 1)];
        let surface = rows.end as f64 - f64::from(depth) / f64::from(QUANTA_PER_CELL);
        (depth > 0).then(|| (top + surface.max(rows.start as f64)) * self.cell_size)
    }

    /// Compares the ledger with the volume (m³ for a world 1 m thick) in loaded columns, in
    /// unloaded chunks and in transit.
    pub fn balance(&self) -> OpenBalance<f64> {
        self.substance_balance(0).scaled(quantum_volume(&self.params, self.cell_size))
    }
}
