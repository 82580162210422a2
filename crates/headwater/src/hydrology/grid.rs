//! Cells by number, row after row, and their eight neighbours.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    pub(super) nx: usize,
    pub(super) ny: usize,
}

/// The eight directions out of a cell (columns, rows), clockwise from the east.
pub(super) const DIRECTIONS: [(isize, isize); 8] =
    [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];

impl Grid {
    pub(super) fn cells(self) -> usize {
        self.nx * self.ny
    }

    pub(super) fn at(self, cell: usize) -> (usize, usize) {
        (cell % self.nx, cell / self.nx)
    }

    pub(super) fn is_inside(self, x: usize, y: usize) -> bool {
        x > 0 && y > 0 && x + 1 < self.nx && y + 1 < self.ny
    }

    /// The neighbour that lies `way` from a cell, unless that is off the map.
    pub(super) fn beside(self, (x, y): (usize, usize), way: (isize, isize)) -> Option<usize> {
        let (x, y) = (x.checked_add_signed(way.0)?, y.checked_add_signed(way.1)?);
        (x < self.nx && y < self.ny).then(|| y * self.nx + x)
    }

    /// The cells at the corners of the square of a cell and its neighbours; on the map's edge, fewer are apart.
    pub(super) fn corners(self, x: usize, y: usize) -> [(usize, usize); 4] {
        let (west, north) = (x.saturating_sub(1), y.saturating_sub(1));
        let (east, south) = ((x + 1).min(self.nx - 1), (y + 1).min(self.ny - 1));
        [(west, north), (east, north), (west, south), (east, south)]
    }

    pub(super) fn neighbours(self, cell: usize) -> impl Iterator<Item = usize> {
        let place = self.at(cell);
        DIRECTIONS.into_iter().filter_map(move |way| self.beside(place, way))
    }

    pub(super) fn way(self, from: usize, to: usize) -> (isize, isize) {
        debug_assert!(self.nx > 2);
        let far = to as isize - from as isize;
        let down = isize::from(far > 1) - isize::from(far < -1);
        (far - down * self.nx as isize, down)
    }

    pub(super) fn distance(self, a: usize, b: usize) -> f32 {
        let between = a.abs_diff(b);
        // On maps of two columns, that would be a corner's as well.
        debug_assert!(self.nx > 2);
        if between == 1 || between == self.nx { 1.0 } else { std::f32::consts::SQRT_2 }
    }

    /// The lowest neighbour of a cell, if below the cell itself; ties go by number.
    pub(super) fn receiver(self, bed: &[i64], cell: usize) -> Option<usize> {
        let lowest = self.lowest(bed, cell);
        (lowest < (bed[cell], cell)).then_some(lowest.1)
    }

    fn lowest(self, bed: &[i64], cell: usize) -> (i64, usize) {
        let (x, y) = self.at(cell);
        if self.is_inside(x, y) {
            let n = self.nx;
            let around =
                [cell - n - 1, cell - n, cell - n + 1, cell - 1, cell + 1, cell + n - 1, cell + n];
            let last = cell + n + 1;
            return around.iter().fold((bed[last], last), |low, &i| low.min((bed[i], i)));
        }
        let around = self.neighbours(cell).map(|i| (bed[i], i));
        around.min().unwrap_or((i64::MAX, cell))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_lead_to_neighbours() {
        for nx in [3, 4, 9] {
            let grid = Grid { nx, ny: 3 };
            for x in 1..nx - 1 {
                for (k, &way) in DIRECTIONS.iter().enumerate() {
                    let (cell, to) = (nx + x, grid.beside((x, 1), way).expect("all are inside"));
                    assert_eq!(grid.way(cell, to), way);
                    let length = if k % 2 == 0 { 1.0 } else { std::f32::consts::SQRT_2 };
                    assert_eq!(grid.distance(cell, to), length);
                }
            }
        }
    }
}
