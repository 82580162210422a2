//! Questions to an open world. Chunks that were loaded since the last step are answered for as they lie by themselves.

use super::books::OpenBalance;
use super::island::Island;
use super::passed::{Passed, comes_in, told};
use super::piece::Piece;
use super::place::PER_HEIGHT;
use super::world::OpenWorld;
use crate::field::Field;
use crate::ledger::Ledger;
use crate::open::{CHUNK, ChunkPos};
use crate::region::Point;

impl OpenWorld {
    /// Whether a chunk is loaded.
    pub fn is_loaded(&self, chunk: ChunkPos) -> bool {
        self.land.is_loaded(chunk)
    }

    /// The chunks that are loaded, in the order of their columns.
    pub fn loaded(&self) -> impl ExactSizeIterator<Item = ChunkPos> + use<> {
        self.land.loaded()
    }

    /// Whether a chunk was unloaded and not forgotten: it is on the books, and its bytes can be loaded again.
    pub fn is_unloaded(&self, chunk: ChunkPos) -> bool {
        self.beyond.records.contains_key(&chunk)
    }

    /// Whether a cell is wall, by its column and row; `None` where nothing is loaded.
    pub fn is_wall(&self, cell: [i64; 2]) -> Option<bool> {
        let chunk = ChunkPos::of(cell)?;
        let [x, y] = [0, 1].map(|i| (cell[i] - chunk.origin()[i]) as usize);
        if let Some(piece) = self.land.fresh.get(&chunk) {
            return Some(piece.walls.is_wall(x, y));
        }
        Some(self.land.island(chunk)?.chunks.get(&chunk)?.is_wall(x, y))
    }

    /// How full the cells of a chunk are, 0 to 1; `None` if it is not loaded.
    pub fn fill(&self, chunk: ChunkPos) -> Option<Field<f32>> {
        let piece = self.land.piece(chunk)?;
        let mut fill = Field::new(CHUNK, CHUNK, 0.0);
        for (x, rows, columns) in piece.columns() {
            let n = columns.len() as f32;
            for &depth in &piece.depth[columns] {
                for y in rows.clone() {
                    let below = (rows.end - 1 - y) as i32 * PER_HEIGHT;
                    let part = (depth - below).clamp(0, PER_HEIGHT) as f32 / PER_HEIGHT as f32;
                    fill[(x, y)] += part / n;
                }
            }
        }
        Some(fill)
    }

    /// Where the water's surface is in the column that holds a point (m): from the top of row 0 downward, as places are. `None` where
    /// it is dry, in a wall or nothing is loaded.
    pub fn surface_at(&self, at: Point) -> Option<f64> {
        let chunk = self.chunk_at(at)?;
        if let Some(piece) = self.land.fresh.get(&chunk) {
            return self.surface_in(piece, chunk, at);
        }
        let (island, local) = self.seen_from_island(chunk, at)?;
        Some(island.world.surface_at(local)? + island.tract.corner(self.cell)[1])
    }

    /// The velocity of the water (m/s, to the east) in the column that holds a point; `None` where it is dry, in a wall or
    /// nothing is loaded.
    pub fn velocity_at(&self, at: Point) -> Option<f64> {
        let chunk = self.chunk_at(at)?;
        if let Some(piece) = self.land.fresh.get(&chunk) {
            return self.surface_in(piece, chunk, at).map(|_| 0.0);
        }
        let (island, local) = self.seen_from_island(chunk, at)?;
        island.world.velocity_at(local)
    }

    /// Whether a point is under water.
    pub fn is_under_water(&self, at: Point) -> bool {
        self.surface_at(at).is_some_and(|surface| at[1] > surface)
    }

    fn chunk_at(&self, at: Point) -> Option<ChunkPos> {
        let cell = at.map(|at| (at / self.cell).floor());
        let far = cell.iter().any(|at| at.is_nan() || at.abs() > 1e15);
        if far { None } else { ChunkPos::of(cell.map(|at| at as i64)) }
    }

    fn seen_from_island(&self, chunk: ChunkPos, at: Point) -> Option<(&Island, Point)> {
        let island = self.land.island(chunk)?;
        let corner = island.tract.corner(self.cell);
        Some((island, [at[0] - corner[0], at[1] - corner[1]]))
    }

    fn surface_in(&self, piece: &Piece, chunk: ChunkPos, at: Point) -> Option<f64> {
        let [left, top] = chunk.origin().map(|at| at as f64);
        let [x, y] = [at[0] / self.cell - left, at[1] / self.cell - top];
        let run = |(column, rows, _): &(usize, std::ops::Range<usize>, _)| {
            *column == x as usize && rows.contains(&(y as usize))
        };
        let (_, rows, columns) = piece.columns().find(run)?;
        let within = (x.fract() * columns.len() as f64) as usize;
        let depth = piece.depth[columns.start + within.min(columns.len() - 1)];
        let surface = rows.end as f64 - f64::from(depth) / f64::from(PER_HEIGHT);
        (depth > 0).then(|| (top + surface.max(rows.start as f64)) * self.cell)
    }

    /// The chunks in which water has moved or walls have changed since this was last called, or since they were loaded, in the order
    /// of their columns: for those who draw the world or send it over a network.
    pub fn take_changed(&mut self) -> Vec<ChunkPos> {
        let changed = std::mem::take(&mut self.changed);
        changed.into_iter().filter(|&chunk| self.land.is_loaded(chunk)).collect()
    }

    /// What came and went, by cause (m³ for a world 1 m thick).
    pub fn ledger(&self) -> Ledger {
        self.ledger.scaled(self.quantum_volume())
    }

    /// The volume of all water that is loaded (m³ for a world 1 m thick). Exact: depths are whole quanta.
    pub fn volume(&self) -> f64 {
        self.land.volume() as f64 * self.quantum_volume()
    }

    /// The books held against where the water is. It looks at every loaded column, and at what is remembered of every chunk that was
    /// unloaded.
    pub fn balance(&self) -> OpenBalance {
        let unit = self.quantum_volume();
        let loaded = i128::from(self.land.volume());
        let records = self.beyond.records.values();
        let unloaded: i128 = records.map(|record| i128::from(record.volume)).sum();
        let all = self.waiting.values().flat_map(|cells| cells.values());
        let passed: i128 = all.map(|&amount| i128::from(amount)).sum();
        let closed = self.ledger.balance(loaded + unloaded + passed).scaled(unit);
        let [loaded, unloaded, passed] = [loaded, unloaded, passed].map(|all| all as f64 * unit);
        OpenBalance { ledger: closed.ledger, loaded, unloaded, passed, residual: closed.residual }
    }

    /// What has passed into a chunk and waits to be brought in, from its top row down.
    pub fn passed(&self, chunk: ChunkPos) -> impl Iterator<Item = Passed> {
        let unit = self.quantum_volume();
        self.waiting.get(&chunk).into_iter().flat_map(move |cells| told(chunk, cells, unit))
    }

    /// Whether all that is loaded is asleep: nothing will move until something is edited, loaded or unloaded, apart from springs and
    /// drains.
    pub fn is_asleep(&self) -> bool {
        !self.land.is_unsettled()
            && self
                .land
                .islands
                .values()
                .all(|island| island.world.awake() == 0 && !comes_in(island, &self.waiting))
    }
}
