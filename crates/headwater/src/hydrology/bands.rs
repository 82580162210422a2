//! Bands of rows, that a batch is taken into on several threads.

use super::grid::Grid;

/// The most of them. Notes are sorted into bands, so a chunk has its part of its notes for each.
pub(super) const BANDS: usize = 32;
/// Bits of a reciprocal below 1: exact for cell numbers below 2²⁶.
const BITS: u32 = 52;

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bands {
    pub(super) cells: usize,
    /// 1 over that, rounded up.
    reciprocal: u64,
}

impl Bands {
    pub(super) fn of(grid: Grid) -> Self {
        let cells = grid.ny.div_ceil(BANDS) * grid.nx;
        Self { cells, reciprocal: (1 << BITS) / cells as u64 + 1 }
    }

    pub(super) fn band(self, cell: u32) -> usize {
        ((u64::from(cell) * self.reciprocal) >> BITS) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hydrology::fixed::MAX_CELLS;

    #[test]
    fn cells_are_in_the_band_that_a_division_says() {
        let widest = MAX_CELLS / 3;
        for (nx, ny) in [(3, 3), (3, 40), (256, 256), (1000, 777), (3, widest), (widest, 3)] {
            let bands = Bands::of(Grid { nx, ny });
            let edges = (0..=BANDS).flat_map(|band| {
                let first = band * bands.cells;
                first.saturating_sub(2)..first + 2
            });
            for cell in edges.chain([nx * ny / 2]).filter(|&cell| cell < nx * ny) {
                assert_eq!(bands.band(cell as u32), cell / bands.cells, "{cell} of {nx} × {ny}");
            }
        }
    }
}
