//! The basins of a bed: every cell drains to its lowest neighbour, and so down to a pit.

use super::grid::Grid;
use crate::parallel;
use crate::scratch::ScratchPool;
use multiversion::multiversion;

/// Where a cell drains to: a place in its 3 × 3 square, row after row from the north-west. A pit
/// drains to itself.
pub(super) type Way = u8;
const PIT: Way = 4;
/// Marks a number of a basin among numbers of cells.
const BASIN: u32 = 1 << 31;

/// How much larger the number of the cell is that a way leads to.
fn offsets(grid: Grid) -> [isize; 9] {
    std::array::from_fn(|way| (way as isize / 3 - 1) * grid.nx as isize + way as isize % 3 - 1)
}

pub(super) fn receiver(grid: Grid, way: Way, cell: usize) -> Option<usize> {
    (way != PIT).then(|| cell + usize::from(way / 3) * grid.nx + usize::from(way % 3) - grid.nx - 1)
}

/// Rows that are followed down together before what leaves them is.
const BAND: usize = 64;

#[derive(Clone, Debug, Default)]
pub(super) struct Basins {
    pub(super) ways: Vec<Way>,
    pub(super) pits: Vec<u32>,
}

impl Basins {
    pub(super) fn find(
        &mut self,
        grid: Grid,
        bed: &[i64],
        label: &mut Vec<u32>,
        scratch: &ScratchPool,
    ) {
        let Self { ways, pits } = self;
        ways.resize(grid.cells(), PIT);
        label.resize(grid.cells(), 0);
        let offsets = offsets(grid);
        parallel::for_each_row_pair(ways, grid.nx, label, grid.nx, |y, ways, label| {
            drain(grid, bed, y, ways);
            receivers(&offsets, y * grid.nx, ways, label);
        });
        list_pits(grid, ways, pits, scratch);
        follow(grid, pits, label, scratch);
    }

    pub(super) fn memory(&self) -> usize {
        self.ways.capacity() * size_of::<Way>() + self.pits.capacity() * size_of::<u32>()
    }
}

fn list_pits(grid: Grid, ways: &[Way], pits: &mut Vec<u32>, scratch: &ScratchPool) {
    let bands = grid.ny.div_ceil(BAND);
    let mut found = scratch.take_many::<Vec<u32>>(bands);
    let found = &mut found[..bands];
    parallel::for_each_item(found, 1, |band, found| {
        let first = band * BAND * grid.nx;
        let ways = ways[first..].iter().take(BAND * grid.nx).enumerate();
        found.clear();
        found.extend(ways.filter(|(_, way)| **way == PIT).map(|(i, _)| (first + i) as u32));
    });
    pits.clear();
    found.iter().for_each(|found| pits.extend_from_slice(found));
}

/// Follows the cells of a map down to their pits. `label` has the receiver of each cell, and gets
/// its basin. Bands of rows are followed by themselves, to a pit or the first cell beyond; then the
/// rims of the bands, then all that leaves a band.
fn follow(grid: Grid, pits: &[u32], label: &mut [u32], scratch: &ScratchPool) {
    let (nx, width) = (grid.nx, BAND * grid.nx);
    let mut rims = scratch.take_many::<[Vec<u32>; 2]>(grid.ny.div_ceil(BAND));
    let rims = &mut rims[..grid.ny.div_ceil(BAND)];
    parallel::for_each_pair(label, width, rims, |band, label, _| {
        let first = (band * width) as u32;
        let own = first..first + label.len() as u32;
        let begin = pits.partition_point(|&pit| pit < own.start);
        for (basin, &pit) in pits.iter().enumerate().skip(begin).take_while(|(_, p)| **p < own.end)
        {
            label[(pit - first) as usize] = BASIN | basin as u32;
        }
        let leads_on = |to: u32| to & BASIN == 0 && own.contains(&to);
        for cell in 0..label.len() {
            let mut end = label[cell];
            while leads_on(end) {
                end = label[(end - first) as usize];
            }
            let mut at = cell;
            while leads_on(label[at]) {
                at = (std::mem::replace(&mut label[at], end) - first) as usize;
            }
        }
    });
    let all: &[u32] = label;
    parallel::for_each_item(rims, 1, |band, rims| {
        let rows = [band * BAND, ((band + 1) * BAND).min(grid.ny) - 1];
        for (rim, y) in rims.iter_mut().zip(rows) {
            rim.clear();
            rim.extend(all[y * nx..][..nx].iter().map(|&end| {
                let mut end = end;
                while end & BASIN == 0 {
                    end = all[end as usize];
                }
                end & !BASIN
            }));
        }
    });
    let rims: &[[Vec<u32>; 2]] = rims;
    parallel::for_each_row(label, nx, |y, row| {
        for end in row {
            *end = if *end & BASIN != 0 {
                *end & !BASIN
            } else {
                // The last row of the band before, or the first of the next.
                let (to_y, to_x) = (*end as usize / nx, *end as usize % nx);
                rims[to_y / BAND][usize::from(to_y < y)][to_x]
            };
        }
    });
}

fn receivers(offsets: &[isize; 9], first: usize, ways: &[Way], to: &mut [u32]) {
    for (i, (&way, to)) in ways.iter().zip(to).enumerate() {
        *to = (first + i).wrapping_add_signed(offsets[usize::from(way)]) as u32;
    }
}

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
            basins.find(grid, bed, &mut label, &ScratchPool::default());
            for (cell, &way) in basins.ways.iter().enumerate() {
                let to = receiver(grid, way, cell);
                prop_assert_eq!(to, grid.receiver(bed, cell));
                match to {
                    Some(to) => prop_assert_eq!(label[cell], label[to]),
                    None => prop_assert_eq!(basins.pits[label[cell] as usize], cell as u32),
                }
            }
        }

        /// Ways that go up and down over several bands.
        #[test]
        fn basins_reach_over_bands(seed in 0..1_000_000_i64, ny in 2 * BAND..4 * BAND + 3) {
            let grid = Grid { nx: 5, ny };
            let along = |y: i64| ((y + seed) as f64 * 0.013).sin() * 1e6;
            let height = |x: i64, y: i64| along(y) as i64 + (x * y * (seed % 71)) % 977;
            let bed: Vec<i64> = (0..grid.cells())
                .map(|cell| { let (x, y) = grid.at(cell); height(x as i64, y as i64) })
                .collect();
            let (mut basins, mut label) = (Basins::default(), Vec::new());
            basins.find(grid, &bed, &mut label, &ScratchPool::default());
            for (cell, &label) in label.iter().enumerate() {
                let mut end = cell;
                while let Some(to) = grid.receiver(&bed, end) {
                    end = to;
                }
                prop_assert_eq!(basins.pits[label as usize], end as u32);
            }
            prop_assert_eq!(label.len(), grid.cells());
            prop_assert!(basins.pits.is_sorted());
        }
    }
}
