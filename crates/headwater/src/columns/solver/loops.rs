//! Inner loops over the columns that one task processes. Outputs are passed as arguments so that
//! the compiler can vectorise the loops. Each function is compiled for several instruction sets,
//! with identical results.

use crate::columns::state::{Extrema, FluxRule};
use multiversion::multiversion;

/// Number of consecutive edges that are tested together. If none of them can reach a limit on the
/// flow, all of them use a simpler formula.
const BLOCK: usize = 128;

/// Computes the flow through each edge between neighbouring columns on a flat floor: its velocity
/// (m/s), and the water that it moves in the step (height quanta of water in one column). Both are
/// positive to the east. `depth` holds the depths of the columns.
#[multiversion(targets = "simd")]
pub(in crate::columns) fn update_flat_fluxes(
    rule: &FluxRule,
    depth: &[i32],
    speed: &mut [f32],
    flux: &mut [i32],
) {
    let n = speed.len();
    let (rule, flux) = (*rule, &mut flux[..n]);
    for (i, (speed, flux)) in speed.chunks_mut(BLOCK).zip(flux.chunks_mut(BLOCK)).enumerate() {
        let from = i * BLOCK;
        update_flat_block(&rule, &depth[from..from + speed.len() + 1], speed, flux);
    }
}

#[multiversion(targets = "simd")]
pub(in crate::columns) fn update_open_fluxes(
    rule: &FluxRule,
    depth: &[i32],
    floor: &[i32],
    speed: &mut [f32],
    flux: &mut [i32],
) {
    let n = speed.len();
    let (rule, flux) = (*rule, &mut flux[..n]);
    for (i, (speed, flux)) in speed.chunks_mut(BLOCK).zip(flux.chunks_mut(BLOCK)).enumerate() {
        let columns = i * BLOCK..i * BLOCK + speed.len() + 1;
        let (depth, floor) = (&depth[columns.clone()], &floor[columns]);
        // Most floors are flat over long stretches.
        if floor.iter().fold(0, |all, here| all | (here ^ floor[0])) == 0 {
            update_flat_block(&rule, depth, speed, flux);
        } else {
            update_open_block(&rule, depth, floor, speed, flux);
        }
    }
}

#[inline(always)]
fn update_flat_block(rule: &FluxRule, depth: &[i32], speed: &mut [f32], flux: &mut [i32]) {
    let n = speed.len();
    let flux = &mut flux[..n];
    let (west, east) = (&depth[..n], &depth[1..=n]);
    if rule.is_calm(&find_extrema(west, east, speed)) {
        for i in 0..n {
            (speed[i], flux[i]) = rule.calm_flux(speed[i], west[i], east[i]);
        }
    } else {
        for i in 0..n {
            (speed[i], flux[i]) = rule.flat_flux(speed[i], west[i], east[i]);
        }
    }
}

#[inline(always)]
fn update_open_block(
    rule: &FluxRule,
    depth: &[i32],
    floor: &[i32],
    speed: &mut [f32],
    flux: &mut [i32],
) {
    let n = speed.len();
    let flux = &mut flux[..n];
    let (west, east) = (&depth[..n], &depth[1..=n]);
    let (floor_west, floor_east) = (&floor[..n], &floor[1..=n]);
    for i in 0..n {
        let (a, b) = (floor_west[i], floor_east[i]);
        (speed[i], flux[i]) = rule.open_flux(speed[i], west[i] + a, east[i] + b, a.max(b));
    }
}

/// Returns the extreme values over consecutive edges: the smallest and the largest depth on their
/// two sides, the largest depth difference, and the largest speed.
#[inline(always)]
fn find_extrema(west: &[i32], east: &[i32], speed: &[f32]) -> Extrema {
    let n = speed.len();
    let (west, east) = (&west[..n], &east[..n]);
    let (mut shallowest, mut deepest, mut steepest, mut fastest) = (i32::MAX, 0, 0, 0);
    for i in 0..n {
        shallowest = shallowest.min(west[i]);
        deepest = deepest.max(west[i]);
        steepest = steepest.max((east[i] - west[i]).abs());
        // Without the sign bit, floats are ordered like their bit patterns, and NaN is above all
        // numbers.
        fastest = fastest.max((speed[i].to_bits() & (u32::MAX >> 1)) as i32);
    }
    if let Some(&last) = east.last() {
        (shallowest, deepest) = (shallowest.min(last), deepest.max(last));
    }
    Extrema { shallowest, deepest, steepest, fastest: f32::from_bits(fastest as u32) }
}

#[multiversion(targets = "simd")]
pub(in crate::columns) fn update_depths(flux: &[i32], depth: &mut [i32]) {
    let n = depth.len();
    let (west, east) = (&flux[..n], &flux[1..=n]);
    for i in 0..n {
        depth[i] += west[i] - east[i];
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::layout::Layout;
    use crate::columns::params::Params;
    use crate::field::Field;
    use proptest::prelude::*;

    fn rule_and_quanta_per_cell(params: &Params, rows: usize) -> (FluxRule, i32) {
        let grid =
            crate::columns::layout::wall_grid::WallGrid::new(&Field::from_fn(2, rows, |_, _| {
                false
            }));
        let layout = Layout::new(grid, 0.25, 1);
        (FluxRule::new(params, &layout), layout.quanta_per_cell)
    }

    proptest! {
        #[test]
        fn calm_flux_equals_the_limited_flux_where_no_limit_applies(
            (rows, spread) in (1_usize..12, 0.0..0.01),
            (deep, waves) in (0.0..10.0, 0.0..0.5),
            noise in prop::collection::vec((0.0..1.0, -1.0_f32..1.0), 2..300),
            fast in 0.0_f32..4.0,
        ) {
            let params = Params { spread, ..Params::default() };
            let (rule, cell) = rule_and_quanta_per_cell(&params, rows);
            let depth = |rise: f64| ((deep + waves * rise) * f64::from(cell)) as i32;
            let depth: Vec<i32> = noise.iter().map(|&(rise, _)| depth(rise)).collect();
            let before: Vec<f32> = noise[1..].iter().map(|&(_, speed)| fast * speed).collect();
            let (mut speed, mut flux) = (before.clone(), vec![0; before.len()]);
            update_flat_fluxes(&rule, &depth, &mut speed, &mut flux);
            let floor = vec![0; depth.len()];
            let (mut speeds, mut fluxes) = (before.clone(), flux.clone());
            update_open_fluxes(&rule, &depth, &floor, &mut speeds, &mut fluxes);
            for (i, &before) in before.iter().enumerate() {
                let (wanted, moved) = rule.flat_flux(before, depth[i], depth[i + 1]);
                for (speed, flux) in [(speed[i], flux[i]), (speeds[i], fluxes[i])] {
                    prop_assert_eq!((speed.to_bits(), flux), (wanted.to_bits(), moved));
                }
            }
        }
    }

    #[test]
    fn only_waves_on_deep_water_are_calm() {
        let (rule, cell) = rule_and_quanta_per_cell(&Params::default(), 8);
        let calm = |depth: &[i32], speed: f32| {
            let n = depth.len() - 1;
            rule.is_calm(&find_extrema(&depth[..n], &depth[1..], &vec![speed; n]))
        };
        let deep = [4 * cell, 4 * cell + cell / 10, 4 * cell];
        assert!(calm(&deep, 1.0) && calm(&deep, -1.0));
        assert!(!calm(&deep, 4.0) && !calm(&deep, f32::NAN));
        assert!(!calm(&[4 * cell, 5 * cell], 0.0));
        assert!(!calm(&[4 * cell, 0], 0.0) && !calm(&[0, 0], 0.0));
    }
}
