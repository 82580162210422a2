//! The basins of a bed: every cell drains to its lowest neighbour, and so down to a pit.

use super::grid::Grid;
use crate::parallel;
use multiversion::multiversion;

/// Where a cell drains to: a number of the square of it and its neighbours, row after row from the north-west. A cell that
/// drains to itself is a pit.
pub(super) type Way = u8;
/// The way of a pit.
const PIT: Way = 4;
/// Marks a number of a basin among numbers of cells.
const BASIN: u32 = 1 << 31;

/// How much larger the number of the cell is that a way leads to.
fn offsets(grid: Grid) -> [isize; 9] {
    std::array::from_fn(|way| (way as isize / 3 - 1) * grid.nx as isize + way as isize % 3 - 1)
}

/// The cell that one drains to, if there is one below it.
pub(super) fn receiver(grid: Grid, way: Way, cell: usize) -> Option<usize> {
    (way != PIT).then(|| cell + usize::from(way / 3) * grid.nx + usize::from(way % 3) - grid.nx - 1)
}

/// The basins of a bed.
#[derive(Clone, Debug, Default)]
pub(super) struct Basins {
    /// Where each cell drains to.
    pub(super) ways: Vec<Way>,
    /// The cell of each basin that drains nowhere.
    pub(super) pits: Vec<u32>,
}

impl Basins {
    /// Finds them, and the basin of every cell.
    pub(super) fn find(&mut self, grid: Grid, bed: &[i64], label: &mut Vec<u32>) {
        let Self { ways, pits } = self;
        ways.resize(grid.cells(), PIT);
        label.resize(grid.cells(), 0);
        let offsets = offsets(grid);
        parallel::for_each_row_pair(ways, grid.nx, label, grid.nx, |y, ways, label| {
            drain(grid, bed, y, ways);
            receivers(&offsets, y * grid.nx, ways, label);
        });
        pits.clear();
        for (cell, to) in label.iter_mut().enumerate() {
            if *to == cell as u32 {
                *to = BASIN | pits.len() as u32;
                pits.push(cell as u32);
            }
        }
        for cell in 0..label.len() {
            let mut end = label[cell];
            while end & BASIN == 0 {
                end = label[end as usize];
            }
            let mut at = cell;
            while label[at] & BASIN == 0 {
                at = std::mem::replace(&mut label[at], end) as usize;
            }
        }
        parallel::for_each_row(label, grid.nx, |_, row| {
            row.iter_mut().for_each(|label| *label &= !BASIN);
        });
    }

    /// Memory that they take (bytes).
    pub(super) fn memory(&self) -> usize {
        self.ways.capacity() * size_of::<Way>() + self.pits.capacity() * size_of::<u32>()
    }
}

/// Finds the cells that those of a row drain to, themselves at pits. `ways` lends its memory.
pub(super) fn drain_to(grid: Grid, bed: &[i64], y: usize, ways: &mut Vec<Way>, to: &mut [u32]) {
    ways.resize(grid.nx, PIT);
    drain(grid, bed, y, ways);
    receivers(&offsets(grid), y * grid.nx, ways, to);
}

/// The cells to which ways lead from cells in a row.
fn receivers(offsets: &[isize; 9], first: usize, ways: &[Way], to: &mut [u32]) {
    for (i, (&way, to)) in ways.iter().zip(to).enumerate() {
        *to = (first + i).wrapping_add_signed(offsets[usize::from(way)]) as u32;
    }
}

/// Finds where the cells of a row drain to.
fn drain(grid: Grid, bed: &[i64], y: usize, ways: &mut [Way]) {
    let nx = grid.nx;
    let inside = if y > 0 && y + 1 < grid.ny { 1..nx - 1 } else { 0..0 };
    if !inside.is_empty() {
        let rows = [y - 1, y, y + 1].map(|y| &bed[y * nx..][..nx]);
        lowest(rows, &mut ways[inside.clone()]);
    }
    for x in (0..nx).filter(|x| !inside.contains(x)) {
        ways[x] = way_of(grid, bed, (x, y));
    }
}

/// Where a cell drains to, by the plain rule.
fn way_of(grid: Grid, bed: &[i64], (x, y): (usize, usize)) -> Way {
    let Some(to) = grid.receiver(bed, y * grid.nx + x) else { return PIT };
    let (to_x, to_y) = grid.at(to);
    (3 * (to_y + 1 - y) + to_x + 1 - x) as Way
}

/// Where the cells inside a row drain to, of three rows.
#[multiversion(targets = "simd")]
fn lowest(rows: [&[i64]; 3], ways: &mut [Way]) {
    let n = ways.len();
    let [north, own, south] = rows;
    let (nw, n_, ne) = (&north[..n], &north[1..][..n], &north[2..][..n]);
    let (w, o, e) = (&own[..n], &own[1..][..n], &own[2..][..n]);
    let (sw, s, se) = (&south[..n], &south[1..][..n], &south[2..][..n]);
    for i in 0..n {
        // Of equal heights that of the lower number comes first.
        let around = [nw[i], n_[i], ne[i], w[i], o[i], e[i], sw[i], s[i], se[i]];
        let (mut low, mut way) = (around[0], 0_i64);
        let mut k = 1;
        while k < 9 {
            way = if around[k] < low { k as i64 } else { way };
            low = if around[k] < low { around[k] } else { low };
            k += 1;
        }
        ways[i] = way as Way;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rows_drain_as_cells_do(
            (nx, ny) in (3..50_usize, 3..7_usize),
            heights in prop::collection::vec(prop_oneof![-2..3_i64, -1 << 40..1_i64 << 40], 350),
        ) {
            let grid = Grid { nx, ny };
            let bed = &heights[..grid.cells()];
            let (mut basins, mut label) = (Basins::default(), Vec::new());
            basins.find(grid, bed, &mut label);
            for (cell, &way) in basins.ways.iter().enumerate() {
                let to = receiver(grid, way, cell);
                prop_assert_eq!(to, grid.receiver(bed, cell));
                match to {
                    Some(to) => prop_assert_eq!(label[cell], label[to]),
                    None => prop_assert_eq!(basins.pits[label[cell] as usize], cell as u32),
                }
            }
        }
    }
}
