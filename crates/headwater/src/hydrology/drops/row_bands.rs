//! Division of the map into bands of rows, which threads process in parallel.

use crate::hydrology::state::grid::Grid;

/// Number of bands. Each chunk of drops stores its bed changes by band, as one range of changes per
/// band.
pub(in crate::hydrology) const BAND_COUNT: usize = 32;
/// Number of fraction bits of the field `reciprocal` of [`RowBands`]. Multiplying a cell number
/// below 2²⁶ by this reciprocal gives the exact quotient.
const RECIPROCAL_BITS: u32 = 52;

#[derive(Clone, Copy, Debug, Default)]
pub(in crate::hydrology) struct RowBands {
    pub(in crate::hydrology) cells: usize,
    /// Reciprocal of `cells`, the number of cells per band, as a fixed-point number that is rounded
    /// up.
    reciprocal: u64,
}

impl RowBands {
    pub(in crate::hydrology) fn new(grid: Grid) -> Self {
        let cells = grid.ny.div_ceil(BAND_COUNT) * grid.nx;
        Self { cells, reciprocal: (1 << RECIPROCAL_BITS) / cells as u64 + 1 }
    }

    pub(in crate::hydrology) fn band_of_cell(self, cell: u32) -> usize {
        ((u64::from(cell) * self.reciprocal) >> RECIPROCAL_BITS) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hydrology::state::fixed::MAX_CELLS;

    #[test]
    fn band_index_equals_integer_division_of_the_cell_index() {
        let widest = MAX_CELLS / 3;
        for (nx, ny) in [(3, 3), (3, 40), (256, 256), (1000, 777), (3, widest), (widest, 3)] {
            let bands = RowBands::new(Grid { nx, ny });
            let edges = (0..=BAND_COUNT).flat_map(|band| {
                let first = band * bands.cells;
                first.saturating_sub(2)..first + 2
            });
            for cell in edges.chain([nx * ny / 2]).filter(|&cell| cell < nx * ny) {
                assert_eq!(
                    bands.band_of_cell(cell as u32),
                    cell / bands.cells,
                    "{cell} of {nx} × {ny}"
                );
            }
        }
    }
}
