//! Cells of chunks in open worlds: their run-length encoding, and the cells that stand in for
//! unloaded chunks. These are walls, or cells that accept liquid from loaded chunks.

use crate::blocks::params::Params;
use crate::blocks::state::cell::PackedCell;
use crate::blocks::state::chunk::{KINDS, Row};
use crate::open::{CHUNK, Edges, StoredChunk};
use serde::{Deserialize, Serialize};

/// Cells of one chunk, as an array of rows.
pub(super) type ChunkCells = [Row; CHUNK];

/// Cells of an unloaded chunk that accepts no liquid. All of them are walls.
pub(super) static WALLS: ChunkCells = [[PackedCell::WALL; CHUNK]; CHUNK];

/// Run-length encoded cells of one chunk, in row-major order from the top. Each run consists of a
/// cell and its number of repetitions.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CellRuns(Vec<(PackedCell, u16)>);

impl CellRuns {
    pub(super) fn new(cells: impl IntoIterator<Item = PackedCell>) -> Self {
        let mut runs: Vec<(PackedCell, u16)> = Vec::new();
        for cell in cells {
            match runs.last_mut() {
                Some((last, count)) if *last == cell => *count += 1,
                _ => runs.push((cell, 1)),
            }
        }
        Self(runs)
    }

    /// Returns an iterator over the decoded cells in row-major order.
    pub(super) fn iter(&self) -> impl Iterator<Item = PackedCell> {
        self.0.iter().flat_map(|&(cell, count)| (0..count).map(move |_| cell))
    }

    /// Returns the decoded cells as an array of rows.
    pub(super) fn cells(&self) -> Box<ChunkCells> {
        let mut cells = Box::new([[PackedCell::AIR; CHUNK]; CHUNK]);
        cells.iter_mut().flatten().zip(self.iter()).for_each(|(cell, stored)| *cell = stored);
        cells
    }
}

impl StoredChunk<Params, [u32; KINDS]> for CellRuns {
    /// Checks the number of cells and the content of each cell. Returns `None` if they are valid.
    /// Otherwise, returns a description of the invalid value and a description of the allowed
    /// values.
    fn validation_error(&self, _: &Params) -> Option<[String; 2]> {
        let count: u64 = self.0.iter().map(|run| u64::from(run.1)).sum();
        let invalid = || self.0.iter().find(|(cell, _)| !cell.is_valid());
        let found = if count == (CHUNK * CHUNK) as u64 {
            format!("a cell of the bits {:#06x}", invalid()?.0.0)
        } else {
            format!("{count} cells")
        };
        Some([found, format!("{CHUNK} × {CHUNK} cells of wall, air and liquids")])
    }

    /// Returns the volume of each liquid in the chunk (256ths of a cell), lightest liquid first.
    fn volumes(&self) -> [u32; KINDS] {
        let mut sums = [0; KINDS];
        for (cell, count) in self.0.iter().filter(|(cell, _)| cell.is_liquid()) {
            sums[usize::from(cell.kind()) - 1] += u32::from(cell.fill()) * u32::from(*count);
        }
        sums
    }

    fn edges(&self) -> Edges {
        let cells = self.cells();
        Edges::new(|x, y| cells[y][x] == PackedCell::AIR)
    }
}

/// Returns the cells of a ghost chunk. Such a chunk stands for an unloaded chunk and accepts
/// liquids from adjacent loaded chunks. Returns `None` if liquids cannot enter from any loaded
/// chunk.
///
/// A cell on the border is air if liquid can enter it from a loaded chunk; all other cells are
/// wall. So liquid cannot spread inside the ghost chunk, and the result does not depend on other
/// chunks of the grid.
pub(super) fn ghost_cells(edges: Edges, is_loaded: [bool; 4]) -> Option<Box<ChunkCells>> {
    let open: Vec<_> = (0..4).filter(|&i| is_loaded[i]).flat_map(|i| edges.air_cells(i)).collect();
    let mut cells = Box::new(WALLS);
    open.iter().for_each(|&(x, y)| cells[y][x] = PackedCell::AIR);
    (!open.is_empty()).then_some(cells)
}
