//! Gravity-driven movement of the ground: soil creep, slides of soil above its angle of repose,
//! collapse of steep rock and river banks, and weathering of rock to soil.

mod rule;
mod weathering;
mod window;

use crate::parallel;
use rule::BedAndSoil;
pub(in crate::hydrology) use rule::CreepRule;
pub(in crate::hydrology) use weathering::Weathering;
use window::{CreepRule32, CreepWindow, WIDTH};

pub(in crate::hydrology) struct Creep<'a> {
    pub(in crate::hydrology) rule: CreepRule<'a>,
    pub(in crate::hydrology) weathering: Weathering,
}

impl Creep<'_> {
    pub(in crate::hydrology) fn run_round(
        &self,
        bed: &mut [i64],
        soil: &mut [i64],
        change: &mut Vec<i64>,
    ) {
        let grid = self.rule.grid;
        change.resize(grid.cell_count(), 0);
        let ground = BedAndSoil { bed, soil };
        parallel::for_each_row(change, grid.nx, |y, row| self.compute_row_changes(ground, y, row));
        let change: &[i64] = change;
        parallel::for_each_row_pair(bed, grid.nx, soil, grid.nx, |y, bed, soil| {
            self.weathering.apply_and_weather_row(bed, soil, &change[y * grid.nx..][..grid.nx]);
        });
    }

    /// Computes the height changes of the cells of row `y` (quanta of 2⁻²⁰ m). Uses vectorised
    /// windows where neighbouring heights are close together, and the scalar rule elsewhere.
    fn compute_row_changes(&self, ground: BedAndSoil, y: usize, change: &mut [i64]) {
        let rule = &self.rule;
        let nx = rule.grid.nx;
        let narrow =
            CreepRule32::new(rule).filter(|_| y > 0 && y + 1 < rule.grid.ny && WIDTH + 2 <= nx);
        let Some(narrow) = narrow else {
            return compute_cell_changes(rule, ground, (0, y), change);
        };
        let mut window = CreepWindow::new();
        for start in (1..nx - 1).step_by(WIDTH) {
            // The last window is shifted to end at the last inner cell.
            let start = start.min(nx - 1 - WIDTH);
            let cells = &mut change[start..start + WIDTH];
            match window.height_changes((rule, narrow), ground, y * nx + start) {
                Some(new) => cells.iter_mut().zip(new).for_each(|(to, new)| *to = new.into()),
                None => compute_cell_changes(rule, ground, (start, y), cells),
            }
        }
        compute_cell_changes(rule, ground, (0, y), &mut change[..1]);
        compute_cell_changes(rule, ground, (nx - 1, y), &mut change[nx - 1..]);
    }
}

/// Computes the height changes of consecutive cells of a row with the scalar rule (quanta of 2⁻²⁰
/// m). The cells start at column `x` of row `y`.
fn compute_cell_changes(
    rule: &CreepRule,
    ground: BedAndSoil,
    (x, y): (usize, usize),
    change: &mut [i64],
) {
    for (i, change) in change.iter_mut().enumerate() {
        *change = rule.height_change(ground, (x + i, y));
    }
}

#[cfg(test)]
mod tests {
    use super::super::banks::RiverBeds;
    use super::*;
    use crate::hydrology::state::grid::Grid;
    use proptest::prelude::*;

    fn random_bed_and_soil(grid: Grid, rough: i64, seed: u64) -> [Vec<i64>; 2] {
        let chance = |i: usize, salt: u64| {
            let z = (i as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (seed + salt);
            let z = (z ^ (z >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            ((z ^ (z >> 32)) >> 20) as i64
        };
        let bed = (0..grid.cell_count()).map(|i| chance(i, 0) % rough - rough / 2).collect();
        let soil =
            (0..grid.cell_count()).map(|i| (chance(i, 7) % rough - rough / 4).max(0)).collect();
        [bed, soil]
    }

    proptest! {
        #[test]
        fn windows_match_the_plain_rule(
            (nx, seed) in (3..220_usize, 0..1_u64 << 40),
            roughness in prop_oneof![2..200_i64, 1 << 10..1_i64 << 31, 1 << 32..1_i64 << 36],
            rate in prop_oneof![0..200_i64, 0..1_i64 << 17],
            repose in 0..1_i64 << 24,
            rock_repose in prop_oneof![0..1_i64 << 26, Just(1 << 40)],
            width in prop_oneof![Just(0.0), 0.1..3.0_f32],
            differs in any::<bool>(),
        ) {
            let grid = Grid { nx, ny: 6 };
            let [bed, soil] = random_bed_and_soil(grid, roughness, seed);
            let mut banks = RiverBeds::default();
            let area: Vec<f32> = soil.iter().map(|&soil| (soil % 113) as f32).collect();
            banks.find_beds(grid, &area, width);
            let rock: Vec<i32> = soil.iter().map(|&soil| (soil >> 3).min(1 << 30) as i32).collect();
            let rule = CreepRule {
                grid,
                rock_limits: if differs { &rock } else { &[] },
                rate,
                repose: [repose, 3 * repose / 2],
                rock_repose: [rock_repose, 3 * rock_repose / 2],
                river_beds: &banks.beds,
            };
            let creep = Creep { rule, weathering: Weathering { bare_rate: 1 << 12, half_thickness: 77 } };
            let ground = BedAndSoil { bed: &bed, soil: &soil };
            let (mut fast, mut slow) = (vec![1; nx], vec![2; nx]);
            for y in 0..grid.ny {
                creep.compute_row_changes(ground, y, &mut fast);
                compute_cell_changes(&rule, ground, (0, y), &mut slow);
                prop_assert_eq!(&fast, &slow);
            }
        }

        #[test]
        fn row_weathering_matches_cells(
            soil in prop::collection::vec(prop_oneof![0..2000_i64, 0..1_i64 << 44], 40),
            change in prop::collection::vec(-2000..2000_i64, 40),
            bare_rate in 0..1_i64 << 40,
            half_thickness in prop_oneof![1..100_i64, 1..1_i64 << 36],
        ) {
            let (mut beds, mut soils) = (vec![5; 40], soil.clone());
            let weathering = Weathering { bare_rate, half_thickness };
            weathering.apply_and_weather_row(&mut beds, &mut soils, &change);
            for i in 0..40 {
                let left = (soil[i] + change[i]).max(0);
                prop_assert_eq!(beds[i], 5 + change[i]);
                prop_assert_eq!(soils[i], left + (bare_rate >> (left / half_thickness).min(62)));
            }
        }
    }

    #[test]
    fn windows_reject_height_differences_beyond_32_bits() {
        let grid = Grid { nx: 66, ny: 3 };
        let [mut bed, soil] = random_bed_and_soil(grid, 1 << 30, 1);
        let rule = CreepRule {
            grid,
            rate: 99,
            repose: [9; 2],
            rock_repose: [99; 2],
            rock_limits: &[],
            river_beds: &[],
        };
        let narrow = CreepRule32::new(&rule).expect("a slow rate fits");
        let fits = |bed: &[i64]| {
            let ground = BedAndSoil { bed, soil: &soil };
            CreepWindow::new().height_changes((&rule, narrow), ground, 67).is_some()
        };
        assert!(fits(&bed));
        bed[190] += 1 << 31;
        assert!(!fits(&bed));
        bed[190] -= 1 << 32;
        assert!(!fits(&bed));
        assert!(CreepRule32::new(&CreepRule { rate: (1 << 15) + 1, ..rule }).is_none());
    }
}
