//! The loops over a chunk of columns that take the time, with their outputs as arguments: then the compiler knows
//! that they lie apart from the inputs, and vectorises it. Each is compiled for several instruction sets, of
//! which the machine's widest runs; none of them rounds otherwise than the others.

use super::state::Rule;
use multiversion::multiversion;

/// Pushes the edges between columns of `depth` on a floor that is flat: `moved` (quanta) goes east.
#[multiversion(targets = "simd")]
pub(super) fn push_flat(rule: &Rule, depth: &[i32], speed: &mut [f32], moved: &mut [i32]) {
    let n = speed.len();
    let (rule, moved) = (*rule, &mut moved[..n]);
    let (west, east) = (&depth[..n], &depth[1..=n]);
    for i in 0..n {
        (speed[i], moved[i]) = rule.flat(speed[i], west[i], east[i]);
    }
}

/// The same where floors differ.
#[multiversion(targets = "simd")]
pub(super) fn push_open(
    rule: &Rule,
    depth: &[i32],
    floor: &[i32],
    speed: &mut [f32],
    moved: &mut [i32],
) {
    let n = speed.len();
    let (rule, moved) = (*rule, &mut moved[..n]);
    let (west, east) = (&depth[..n], &depth[1..=n]);
    let (floor_west, floor_east) = (&floor[..n], &floor[1..=n]);
    for i in 0..n {
        let (a, b) = (floor_west[i], floor_east[i]);
        (speed[i], moved[i]) = rule.open(speed[i], west[i] + a, east[i] + b, a.max(b));
    }
}

/// The depth update: columns change by what went east on the west of each and of the one after the last.
#[multiversion(targets = "simd")]
pub(super) fn update_depths(moved: &[i32], depth: &mut [i32]) {
    let n = depth.len();
    let (west, east) = (&moved[..n], &moved[1..=n]);
    for i in 0..n {
        depth[i] += west[i] - east[i];
    }
}
