//! Questions to an open world.

use super::books::OpenBalance;
use super::passed::{Passed, comes_in, told};
use super::stored::volumes;
use super::world::OpenWorld;
use crate::blocks::bodies::NONE;
use crate::blocks::cell::{Cell, FULL, Liquid};
use crate::blocks::labelled::Labelled;
use crate::ledger::Ledger;
use crate::open::ChunkPos;

impl OpenWorld {
    /// Whether a chunk is loaded.
    pub fn is_loaded(&self, chunk: ChunkPos) -> bool {
        self.land.is_loaded(chunk)
    }

    /// The chunks that are loaded, in the order of their columns.
    pub fn loaded(&self) -> impl ExactSizeIterator<Item = ChunkPos> {
        self.land.loaded()
    }

    /// Whether a chunk was unloaded and not forgotten: it is on the books, and its bytes can be loaded again.
    pub fn is_unloaded(&self, chunk: ChunkPos) -> bool {
        self.beyond.records.contains_key(&chunk)
    }

    /// What is in a cell, by its column and row; `None` where nothing is loaded.
    pub fn cell(&self, cell: [i64; 2]) -> Option<Cell> {
        let chunk = ChunkPos::of(cell)?;
        let (origin, cells) = (chunk.origin(), self.land.cells(chunk)?);
        let [x, y] = [cell[0] - origin[0], cell[1] - origin[1]].map(|at| at as usize);
        Some(cells[y][x].into())
    }

    /// How much of a cell is filled (256ths); `None` where nothing is loaded.
    pub fn fill_at(&self, cell: [i64; 2]) -> Option<u16> {
        self.cell(cell).map(Cell::fill)
    }

    /// How high the body at a cell stands: cells above the top of row 0, below 0 if it is lower. `None` where nothing is loaded
    /// or no body is.
    pub fn level(&mut self, cell: [i64; 2]) -> Option<f64> {
        let island = self.land.island_mut(ChunkPos::of(cell)?)?;
        island.grid.refresh(&island.spare);
        let (x, y) = island.tract.cell(cell);
        let body = island.grid.body(x as u32, y as u32);
        let top = (body != NONE).then(|| island.grid.top_of_body(body))?;
        Some(f64::from(top) / f64::from(FULL) - island.tract.bottom() as f64)
    }

    /// The chunks in which cells have changed since this was last called, or since they were loaded, in the order of their
    /// columns: for those who draw the world or send it over a network.
    pub fn take_changed(&mut self) -> Vec<ChunkPos> {
        self.land.take_changed()
    }

    /// What came and went of a liquid, by cause, in 256ths of a cell.
    pub fn ledger(&self, liquid: Liquid) -> &Ledger<i128> {
        &self.ledgers[liquid as usize]
    }

    /// A liquid's books held against where it is. It looks at every loaded cell, and at what is remembered of every chunk that
    /// was unloaded.
    pub fn balance(&self, liquid: Liquid) -> OpenBalance {
        let kind = liquid as usize;
        let cells = self.land.loaded().filter_map(|chunk| self.land.cells(chunk));
        let loaded: i128 = cells.map(|cells| i128::from(volumes(cells)[kind])).sum();
        let unloaded: i128 =
            self.beyond.records.values().map(|record| i128::from(record.volumes[kind])).sum();
        let all = self.waiting.values().flatten();
        let of_kind = all.filter(|((_, waits), _)| usize::from(*waits) == kind + 1);
        let passed: i128 = of_kind.map(|(_, amount)| i128::from(*amount)).sum();
        let closed = self.ledger(liquid).balance(loaded + unloaded + passed);
        OpenBalance { ledger: closed.ledger, loaded, unloaded, passed, residual: closed.residual }
    }

    /// What has passed into a chunk and waits to be brought in, from its top row down.
    pub fn passed(&self, chunk: ChunkPos) -> impl Iterator<Item = Passed> {
        self.waiting.get(&chunk).into_iter().flat_map(move |cells| told(chunk, cells))
    }

    /// Whether all that is loaded is asleep: nothing will move until something is edited, loaded or unloaded, apart from springs,
    /// drains and drying.
    pub fn is_asleep(&self) -> bool {
        self.land.islands().all(|island| {
            let grid = &island.grid;
            let quiet = grid.restless.is_empty() && grid.loose.is_empty() && !grid.has_changed();
            quiet && !comes_in(island, &self.waiting)
        })
    }
}
