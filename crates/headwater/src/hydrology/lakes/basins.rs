//! Drainage basins of a terrain. Every cell drains to its lowest neighbour. Following these
//! directions downhill ends in a pit, which is a cell lower than all its neighbours.

use crate::hydrology::state::grid::Grid;
use crate::parallel;
use crate::scratch::ScratchPool;
use multiversion::multiversion;

/// Drainage direction of a cell, as an index into the 3 × 3 square around the cell, row by row from
/// the north-west. The direction of a pit is the square's centre.
pub(in crate::hydrology) type FlowDirection = u8;
const PIT: FlowDirection = 4;
/// Flag bit of a cell's label. If it is set, the label contains the index of a drainage basin.
/// Otherwise, the label is the index of a cell farther downhill.
const BASIN_FLAG: u32 = 1 << 31;

/// Returns, for each drainage direction, the index of the neighbour in this direction minus the
/// index of the cell itself.
fn direction_offsets(grid: Grid) -> [isize; 9] {
    std::array::from_fn(|direction| {
        (direction as isize / 3 - 1) * grid.nx as isize + direction as isize % 3 - 1
    })
}

pub(in crate::hydrology) fn receiver(
    grid: Grid,
    direction: FlowDirection,
    cell: usize,
) -> Option<usize> {
    (direction != PIT).then(|| {
        cell + usize::from(direction / 3) * grid.nx + usize::from(direction % 3) - grid.nx - 1
    })
}

/// Number of rows per band. Bands are processed in parallel: each thread first follows the flow
/// paths within one band.
const ROWS_PER_BAND: usize = 64;

#[derive(Clone, Debug, Default)]
pub(in crate::hydrology) struct Basins {
    pub(in crate::hydrology) directions: Vec<FlowDirection>,
    pub(in crate::hydrology) pits: Vec<u32>,
}

impl Basins {
    pub(in crate::hydrology) fn find_basins(
        &mut self,
        grid: Grid,
        bed: &[i64],
        label: &mut Vec<u32>,
        scratch: &ScratchPool,
    ) {
        let Self { directions, pits } = self;
        directions.resize(grid.cell_count(), PIT);
        label.resize(grid.cell_count(), 0);
        let offsets = direction_offsets(grid);
        parallel::for_each_row_pair(directions, grid.nx, label, grid.nx, |y, directions, label| {
            find_directions(grid, bed, y, directions);
            write_receivers(&offsets, y * grid.nx, directions, label);
        });
        find_pits(grid, directions, pits, scratch);
        resolve_basins(grid, pits, label, scratch);
    }

    pub(in crate::hydrology) fn memory(&self) -> usize {
        self.directions.capacity() * size_of::<FlowDirection>()
            + self.pits.capacity() * size_of::<u32>()
    }
}

fn find_pits(grid: Grid, directions: &[FlowDirection], pits: &mut Vec<u32>, scratch: &ScratchPool) {
    let bands = grid.ny.div_ceil(ROWS_PER_BAND);
    let mut found = scratch.take_at_least::<Vec<u32>>(bands);
    let found = &mut found[..bands];
    parallel::for_each_item(found, 1, |band, found| {
        let first = band * ROWS_PER_BAND * grid.nx;
        let directions = directions[first..].iter().take(ROWS_PER_BAND * grid.nx).enumerate();
        found.clear();
        found.extend(
            directions.filter(|(_, direction)| **direction == PIT).map(|(i, _)| (first + i) as u32),
        );
    });
    pits.clear();
    found.iter().for_each(|found| pits.extend_from_slice(found));
}

/// Replaces each cell's receiver in `label` by the index of the basin that the cell drains to.
///
/// Paths are first followed within bands of rows, until they reach a pit or leave the band. Next,
/// the paths of all cells in the first and last row of each band are followed to their basins.
/// Finally, every cell whose path leaves its band gets the basin of the cell at which the path
/// enters the adjacent band.
fn resolve_basins(grid: Grid, pits: &[u32], label: &mut [u32], scratch: &ScratchPool) {
    let (nx, width) = (grid.nx, ROWS_PER_BAND * grid.nx);
    let mut rims = scratch.take_at_least::<[Vec<u32>; 2]>(grid.ny.div_ceil(ROWS_PER_BAND));
    let rims = &mut rims[..grid.ny.div_ceil(ROWS_PER_BAND)];
    parallel::for_each_chunk_with_item(label, width, rims, |band, label, _| {
        let first = (band * width) as u32;
        let own = first..first + label.len() as u32;
        let begin = pits.partition_point(|&pit| pit < own.start);
        for (basin, &pit) in pits.iter().enumerate().skip(begin).take_while(|(_, p)| **p < own.end)
        {
            label[(pit - first) as usize] = BASIN_FLAG | basin as u32;
        }
        let is_inside = |to: u32| to & BASIN_FLAG == 0 && own.contains(&to);
        for cell in 0..label.len() {
            let mut end = label[cell];
            while is_inside(end) {
                end = label[(end - first) as usize];
            }
            let mut at = cell;
            while is_inside(label[at]) {
                at = (std::mem::replace(&mut label[at], end) - first) as usize;
            }
        }
    });
    let all: &[u32] = label;
    parallel::for_each_item(rims, 1, |band, rims| {
        let rows = [band * ROWS_PER_BAND, ((band + 1) * ROWS_PER_BAND).min(grid.ny) - 1];
        for (rim, y) in rims.iter_mut().zip(rows) {
            rim.clear();
            rim.extend(all[y * nx..][..nx].iter().map(|&end| {
                let mut end = end;
                while end & BASIN_FLAG == 0 {
                    end = all[end as usize];
                }
                end & !BASIN_FLAG
            }));
        }
    });
    let rims: &[[Vec<u32>; 2]] = rims;
    parallel::for_each_row(label, nx, |y, row| {
        for end in row {
            *end = if *end & BASIN_FLAG != 0 {
                *end & !BASIN_FLAG
            } else {
                // The cell is in the last row of the previous band or in the first row of the next
                // band.
                let (to_y, to_x) = (*end as usize / nx, *end as usize % nx);
                rims[to_y / ROWS_PER_BAND][usize::from(to_y < y)][to_x]
            };
        }
    });
}

fn write_receivers(
    offsets: &[isize; 9],
    first: usize,
    directions: &[FlowDirection],
    to: &mut [u32],
) {
    for (i, (&direction, to)) in directions.iter().zip(to).enumerate() {
        *to = (first + i).wrapping_add_signed(offsets[usize::from(direction)]) as u32;
    }
}

fn find_directions(grid: Grid, bed: &[i64], y: usize, directions: &mut [FlowDirection]) {
    let nx = grid.nx;
    let inside = if y > 0 && y + 1 < grid.ny { 1..nx - 1 } else { 0..0 };
    if !inside.is_empty() {
        let rows = [y - 1, y, y + 1].map(|y| &bed[y * nx..][..nx]);
        write_lowest_directions(rows, &mut directions[inside.clone()]);
    }
    for x in (0..nx).filter(|x| !inside.contains(x)) {
        directions[x] = drainage_direction(grid, bed, (x, y));
    }
}

fn drainage_direction(grid: Grid, bed: &[i64], (x, y): (usize, usize)) -> FlowDirection {
    let Some(to) = grid.receiver(bed, y * grid.nx + x) else { return PIT };
    let (to_x, to_y) = grid.column_and_row(to);
    (3 * (to_y + 1 - y) + to_x + 1 - x) as FlowDirection
}

/// Writes the drainage directions of the inner cells of a row. `rows` holds the heights of the row
/// to the north, of the row itself and of the row to the south.
#[multiversion(targets = "simd")]
fn write_lowest_directions(rows: [&[i64]; 3], directions: &mut [FlowDirection]) {
    let n = directions.len();
    let [north, own, south] = rows;
    let (nw, n_, ne) = (&north[..n], &north[1..][..n], &north[2..][..n]);
    let (w, o, e) = (&own[..n], &own[1..][..n], &own[2..][..n]);
    let (sw, s, se) = (&south[..n], &south[1..][..n], &south[2..][..n]);
    for i in 0..n {
        // Equal heights are resolved in favour of the lower cell number.
        let heights = [nw[i], n_[i], ne[i], w[i], o[i], e[i], sw[i], s[i], se[i]];
        let (mut low, mut direction) = (heights[0], 0_i64);
        let mut k = 1;
        while k < 9 {
            direction = if heights[k] < low { k as i64 } else { direction };
            low = if heights[k] < low { heights[k] } else { low };
            k += 1;
        }
        directions[i] = direction as FlowDirection;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn row_directions_match_cell_directions(
            (nx, ny) in (3..50_usize, 3..7_usize),
            heights in prop::collection::vec(prop_oneof![-2..3_i64, -1 << 40..1_i64 << 40], 350),
        ) {
            let grid = Grid { nx, ny };
            let bed = &heights[..grid.cell_count()];
            let (mut basins, mut label) = (Basins::default(), Vec::new());
            basins.find_basins(grid, bed, &mut label, &ScratchPool::default());
            for (cell, &direction) in basins.directions.iter().enumerate() {
                let to = receiver(grid, direction, cell);
                prop_assert_eq!(to, grid.receiver(bed, cell));
                match to {
                    Some(to) => prop_assert_eq!(label[cell], label[to]),
                    None => prop_assert_eq!(basins.pits[label[cell] as usize], cell as u32),
                }
            }
        }

        /// Checks that basins are resolved correctly if flow paths cross several bands of rows in
        /// both directions.
        #[test]
        fn basins_span_several_bands(seed in 0..1_000_000_i64, ny in 2 * ROWS_PER_BAND..4 * ROWS_PER_BAND + 3) {
            let grid = Grid { nx: 5, ny };
            let along = |y: i64| ((y + seed) as f64 * 0.013).sin() * 1e6;
            let height = |x: i64, y: i64| along(y) as i64 + (x * y * (seed % 71)) % 977;
            let bed: Vec<i64> = (0..grid.cell_count())
                .map(|cell| { let (x, y) = grid.column_and_row(cell); height(x as i64, y as i64) })
                .collect();
            let (mut basins, mut label) = (Basins::default(), Vec::new());
            basins.find_basins(grid, &bed, &mut label, &ScratchPool::default());
            for (cell, &label) in label.iter().enumerate() {
                let mut end = cell;
                while let Some(to) = grid.receiver(&bed, end) {
                    end = to;
                }
                prop_assert_eq!(basins.pits[label as usize], end as u32);
            }
            prop_assert_eq!(label.len(), grid.cell_count());
            prop_assert!(basins.pits.is_sorted());
        }
    }
}
