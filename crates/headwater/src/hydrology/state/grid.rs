//! Numbering of the cells of a map, row by row, and the eight neighbours of a cell.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::hydrology) struct Grid {
    pub(in crate::hydrology) nx: usize,
    pub(in crate::hydrology) ny: usize,
}

/// Offsets to the eight neighbours of a cell (columns, rows), clockwise from the east.
pub(in crate::hydrology) const DIRECTIONS: [(isize, isize); 8] =
    [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

impl Grid {
    pub(in crate::hydrology) fn cell_count(self) -> usize {
        self.nx * self.ny
    }

    pub(in crate::hydrology) fn column_and_row(self, cell: usize) -> (usize, usize) {
        (cell % self.nx, cell / self.nx)
    }

    pub(in crate::hydrology) fn is_inside(self, x: usize, y: usize) -> bool {
        x > 0 && y > 0 && x + 1 < self.nx && y + 1 < self.ny
    }

    /// Returns the index of the neighbour at an offset (columns, rows), or `None` if the neighbour
    /// would lie off the map.
    pub(in crate::hydrology) fn neighbour(
        self,
        (x, y): (usize, usize),
        offset: (isize, isize),
    ) -> Option<usize> {
        let (x, y) = (x.checked_add_signed(offset.0)?, y.checked_add_signed(offset.1)?);
        (x < self.nx && y < self.ny).then(|| y * self.nx + x)
    }

    /// Returns the column and row of the four corner cells of the 3 × 3 square around a cell,
    /// clamped to the map.
    pub(in crate::hydrology) fn square_corners(self, x: usize, y: usize) -> [(usize, usize); 4] {
        let (west, north) = (x.saturating_sub(1), y.saturating_sub(1));
        let (east, south) = ((x + 1).min(self.nx - 1), (y + 1).min(self.ny - 1));
        [(west, north), (east, north), (west, south), (east, south)]
    }

    pub(in crate::hydrology) fn neighbours(self, cell: usize) -> impl Iterator<Item = usize> {
        let place = self.column_and_row(cell);
        DIRECTIONS.into_iter().filter_map(move |offset| self.neighbour(place, offset))
    }

    pub(in crate::hydrology) fn offset_between(self, from: usize, to: usize) -> (isize, isize) {
        debug_assert!(self.nx > 2);
        let far = to as isize - from as isize;
        let down = isize::from(far > 1) - isize::from(far < -1);
        (far - down * self.nx as isize, down)
    }

    pub(in crate::hydrology) fn distance(self, a: usize, b: usize) -> f32 {
        let between = a.abs_diff(b);
        // On maps of two columns, edge and corner neighbours could not be distinguished by
        // cell numbers.
        debug_assert!(self.nx > 2);
        if between == 1 || between == self.nx { 1.0 } else { std::f32::consts::SQRT_2 }
    }

    /// Returns the lowest neighbour of a cell, or `None` if no neighbour is lower than the cell.
    /// Among equally low neighbours, returns the one with the smallest cell number.
    pub(in crate::hydrology) fn receiver(self, bed: &[i64], cell: usize) -> Option<usize> {
        let lowest = self.lowest_nearby_cell(bed, cell);
        (lowest < (bed[cell], cell)).then_some(lowest.1)
    }

    fn lowest_nearby_cell(self, bed: &[i64], cell: usize) -> (i64, usize) {
        let (x, y) = self.column_and_row(cell);
        if self.is_inside(x, y) {
            let n = self.nx;
            let neighbours =
                [cell - n - 1, cell - n, cell - n + 1, cell - 1, cell + 1, cell + n - 1, cell + n];
            let last = cell + n + 1;
            return neighbours.iter().fold((bed[last], last), |low, &i| low.min((bed[i], i)));
        }
        let neighbours = self.neighbours(cell).map(|i| (bed[i], i));
        neighbours.min().unwrap_or((i64::MAX, cell))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_lead_to_neighbours() {
        for nx in [3, 4, 9] {
            let grid = Grid { nx, ny: 3 };
            for x in 1..nx - 1 {
                for (k, &offset) in DIRECTIONS.iter().enumerate() {
                    let (cell, to) =
                        (nx + x, grid.neighbour((x, 1), offset).expect("all are inside"));
                    assert_eq!(grid.offset_between(cell, to), offset);
                    let length = if k % 2 == 0 { 1.0 } else { std::f32::consts::SQRT_2 };
                    assert_eq!(grid.distance(cell, to), length);
                }
            }
        }
    }
}
