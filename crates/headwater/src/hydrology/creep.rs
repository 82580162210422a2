//! Ground that moves by itself: soil creeps down every slope, slides where it lies steeper than its angle of
//! repose, and comes from weathered rock; rock falls where it is steeper than it bears, as the banks of a stream are that
//! has cut into it.

use super::banks::Bed;
use super::grid::{DIRECTIONS, Grid};
use crate::parallel;

/// How soil moves in a round.
pub(super) struct Creep<'a> {
    pub(super) grid: Grid,
    /// How much of a difference in height goes over to a neighbour (65536ths).
    pub(super) rate: i64,
    /// Differences in height (quanta) that soil bears to a side and to a corner.
    pub(super) repose: [i64; 2],
    /// Those that rock bears.
    pub(super) rock_repose: [i64; 2],
    /// The beds of rivers wider than a cell; none at all if there are none.
    pub(super) beds: &'a [Bed],
    /// Rock (quanta) that weathers where it is bare.
    pub(super) weathering: i64,
    /// Thickness of soil (quanta) that halves it.
    pub(super) shelter: i64,
}

/// Of what is too steep, the part that goes to one neighbour in a round: with all eight below, a cell gives
/// half.
const SLIDE: i64 = 16;

impl Creep<'_> {
    /// What goes from a cell to a lower one (quanta). A neighbour gets no more than an eighth of the soil,
    /// so that none is given twice; of rock, what is too steep.
    fn flux(&self, z: &[i64], cell: usize, beside: usize, soil: i64, corner: usize) -> i64 {
        let drop = z[cell] - z[beside];
        let creeping = (drop * self.rate) >> (16 + corner);
        let sliding = (drop - self.repose[corner]).max(0) / SLIDE;
        let falling = (drop - self.rock_repose[corner]).max(0) / SLIDE;
        let flux = (creeping + sliding).min(drop / SLIDE).min(soil / 8).max(falling);
        // In a river's bed there are no banks.
        let Some(bed) = self.beds.get(cell) else { return flux };
        flux.max(z[cell].saturating_sub(bed.level(z).max(z[beside])).max(0) / SLIDE)
    }

    /// One round. `change` lends its memory.
    pub(super) fn run(&self, bed: &mut [i64], soil: &mut [i64], change: &mut Vec<i64>) {
        let grid = self.grid;
        change.resize(grid.cells(), 0);
        let (z, loose): (&[i64], &[i64]) = (bed, soil);
        parallel::for_each_row(change, grid.nx, |y, row| {
            for (x, change) in row.iter_mut().enumerate() {
                let cell = y * grid.nx + x;
                *change = 0;
                let inside = grid.is_inside(x, y);
                for (k, &way) in DIRECTIONS.iter().enumerate() {
                    let beside = if inside {
                        cell.wrapping_add_signed(way.1 * grid.nx as isize + way.0)
                    } else if let Some(beside) = grid.beside((x, y), way) {
                        beside
                    } else {
                        continue;
                    };
                    *change += if z[cell] > z[beside] {
                        -self.flux(z, cell, beside, loose[cell], k % 2)
                    } else {
                        self.flux(z, beside, cell, loose[beside], k % 2)
                    };
                }
            }
        });
        let change: &[i64] = change;
        parallel::for_each_row_pair(bed, grid.nx, soil, grid.nx, |y, bed, soil| {
            let change = &change[y * grid.nx..];
            for ((bed, soil), &change) in bed.iter_mut().zip(soil).zip(change) {
                *bed += change;
                // Soil goes first, then rock.
                *soil = (*soil + change).max(0);
                // Rock turns to soil where it lies: the height stays.
                *soil += self.weathering >> (*soil / self.shelter).min(62);
            }
        });
    }
}
