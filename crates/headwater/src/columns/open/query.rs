//! Queries of an open world of columns. Chunks that were loaded after the last regrouping are answered
//! for by themselves.

use super::OpenWorld;
use super::chunk::Chunk;
use super::group::Group;
use super::heights::PER_HEIGHT;
use crate::field::Field;
use crate::ledger::Ledger;
use crate::open::{CHUNK, ChunkPos, ChunkStore, OpenBalance};
use crate::region::Point;

impl OpenWorld {
    /// Whether a cell is wall, by its column and row; `None` if its chunk is not loaded.
    pub fn is_wall(&self, cell: [i64; 2]) -> Option<bool> {
        let (chunk, (x, y)) = ChunkPos::locate(cell)?;
        if let Some(data) = self.store.pending.added.get(&chunk) {
            return Some(data.walls.is_wall(x, y));
        }
        Some(self.store.group(chunk)?.chunks.get(&chunk)?.is_wall(x, y))
    }

    /// How full the cells of a chunk are, 0 to 1; `None` if it is not loaded.
    pub fn fill(&self, chunk: ChunkPos) -> Option<Field<f32>> {
        let data = self.store.chunk(chunk)?;
        let mut fill = Field::new(CHUNK, CHUNK, 0.0);
        for (x, rows, columns) in data.columns() {
            let n = columns.len() as f32;
            for &depth in &data.depth[columns] {
                for y in rows.clone() {
                    let below = (rows.end - 1 - y) as i32 * PER_HEIGHT;
                    let part = (depth - below).clamp(0, PER_HEIGHT) as f32 / PER_HEIGHT as f32;
                    fill[(x, y)] += part / n;
                }
            }
        }
        Some(fill)
    }

    /// The surface of the water in the column that contains a point (m), measured downward from the
    /// top of row 0. `None` if the column is dry, a wall or not loaded.
    pub fn surface_at(&self, at: Point) -> Option<f64> {
        let chunk = self.chunk_at(at)?;
        if let Some(data) = self.store.pending.added.get(&chunk) {
            return self.surface_in(data, chunk, at);
        }
        let (group, local) = self.in_group(chunk, at)?;
        Some(group.world.surface_at(local)? + group.bounds.corner(self.store.cell_size)[1])
    }

    /// The velocity of the water (m/s, to the east) in the column that contains a point; `None` if
    /// the column is dry, a wall or not loaded.
    pub fn velocity_at(&self, at: Point) -> Option<f64> {
        let chunk = self.chunk_at(at)?;
        if let Some(data) = self.store.pending.added.get(&chunk) {
            return self.surface_in(data, chunk, at).map(|_| 0.0);
        }
        let (group, local) = self.in_group(chunk, at)?;
        group.world.velocity_at(local)
    }

    /// Whether a point is under water.
    pub fn is_under_water(&self, at: Point) -> bool {
        self.surface_at(at).is_some_and(|surface| at[1] > surface)
    }

    fn chunk_at(&self, at: Point) -> Option<ChunkPos> {
        let cell = at.map(|at| (at / self.store.cell_size).floor());
        let far = cell.iter().any(|at| at.is_nan() || at.abs() > 1e15);
        if far { None } else { ChunkPos::of(cell.map(|at| at as i64)) }
    }

    fn in_group(&self, chunk: ChunkPos, at: Point) -> Option<(&Group, Point)> {
        let group = self.store.group(chunk)?;
        let corner = group.bounds.corner(self.store.cell_size);
        Some((group, [at[0] - corner[0], at[1] - corner[1]]))
    }

    fn surface_in(&self, data: &Chunk, chunk: ChunkPos, at: Point) -> Option<f64> {
        let [left, top] = chunk.origin().map(|at| at as f64);
        let [x, y] = [at[0] / self.store.cell_size - left, at[1] / self.store.cell_size - top];
        let run = |(column, rows, _): &(usize, std::ops::Range<usize>, _)| {
            *column == x as usize && rows.contains(&(y as usize))
        };
        let (_, rows, columns) = data.columns().find(run)?;
        let within = (x.fract() * columns.len() as f64) as usize;
        let depth = data.depth[columns.start + within.min(columns.len() - 1)];
        let surface = rows.end as f64 - f64::from(depth) / f64::from(PER_HEIGHT);
        (depth > 0).then(|| (top + surface.max(rows.start as f64)) * self.store.cell_size)
    }

    /// The chunks whose water or walls have changed since the last call, or that have been loaded
    /// since, ordered by column, then by row: those to draw or to send over a network.
    pub fn take_changed(&mut self) -> Vec<ChunkPos> {
        let changed = std::mem::take(&mut self.store.changed);
        changed.into_iter().filter(|&chunk| self.is_loaded(chunk)).collect()
    }

    /// The ledger by cause (m³ for a world 1 m thick).
    pub fn ledger(&self) -> Ledger {
        self.ledgers[0].scaled(self.quantum_volume())
    }

    /// The volume of all loaded water (m³ for a world 1 m thick). Exact: depths are whole quanta.
    pub fn volume(&self) -> f64 {
        self.store.volume(0) as f64 * self.quantum_volume()
    }

    /// The ledger compared with the volume (m³ for a world 1 m thick) in all loaded columns, in
    /// unloaded chunks and in transit.
    pub fn balance(&self) -> OpenBalance<f64> {
        self.substance_balance(0).scaled(self.quantum_volume())
    }
}
