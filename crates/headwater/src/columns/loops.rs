//! The loops over a chunk of columns that take the time, with their outputs as arguments: then the compiler knows
//! that they lie apart from the inputs, and vectorises it. Each is compiled for several instruction sets, of
//! which the machine's widest runs; none of them rounds otherwise than the others.

use super::state::Rule;
use multiversion::multiversion;

/// Velocities and fluxes (quanta, to the east) over the edges between columns of `depth` on a floor that is flat.
#[multiversion(targets = "simd")]
pub(super) fn flux_flat(rule: &Rule, depth: &[i32], speed: &mut [f32], flux: &mut [i32]) {
    let n = speed.len();
    let (rule, flux) = (*rule, &mut flux[..n]);
    let (west, east) = (&depth[..n], &depth[1..=n]);
    for i in 0..n {
        (speed[i], flux[i]) = rule.flat(speed[i], west[i], east[i]);
    }
}

/// The same where floors differ.
#[multiversion(targets = "simd")]
pub(super) fn flux_open(
    rule: &Rule,
    depth: &[i32],
    floor: &[i32],
    speed: &mut [f32],
    flux: &mut [i32],
) {
    let n = speed.len();
    let (rule, flux) = (*rule, &mut flux[..n]);
    let (west, east) = (&depth[..n], &depth[1..=n]);
    let (floor_west, floor_east) = (&floor[..n], &floor[1..=n]);
    for i in 0..n {
        let (a, b) = (floor_west[i], floor_east[i]);
        (speed[i], flux[i]) = rule.open(speed[i], west[i] + a, east[i] + b, a.max(b));
    }
}

/// The depth update: columns change by the fluxes on the west of each and of the one after the last.
#[multiversion(targets = "simd")]
pub(super) fn update_depths(flux: &[i32], depth: &mut [i32]) {
    let n = depth.len();
    let (west, east) = (&flux[..n], &flux[1..=n]);
    for i in 0..n {
        depth[i] += west[i] - east[i];
    }
}
