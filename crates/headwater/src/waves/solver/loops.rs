//! Inner loops over the cells of a row. Outputs are passed as arguments so that the compiler
//! vectorises the loops. Each function is compiled for several instruction sets, and all of them
//! give identical results.

use super::rule::WaveCoefficients;
use multiversion::multiversion;

#[multiversion(targets = "simd")]
pub(in crate::waves) fn update_fluxes(
    rule: &WaveCoefficients,
    gain: f32,
    before: &[f32],
    after: &[f32],
    flux: &mut [f32],
) {
    let n = flux.len();
    let (rule, before, after) = (*rule, &before[..n], &after[..n]);
    for i in 0..n {
        flux[i] = rule.new_flux(flux[i], before[i], after[i], gain);
    }
}

#[multiversion(targets = "simd")]
pub(in crate::waves) fn update_fluxes_with_gains(
    rule: &WaveCoefficients,
    gains: &[f32],
    before: &[f32],
    after: &[f32],
    flux: &mut [f32],
) {
    let n = flux.len();
    let (rule, before, after, gains) = (*rule, &before[..n], &after[..n], &gains[..n]);
    for i in 0..n {
        flux[i] = rule.new_flux(flux[i], before[i], after[i], gains[i]);
    }
}

#[multiversion(targets = "simd")]
pub(in crate::waves) fn update_heights(
    rule: &WaveCoefficients,
    flux_x: &[f32],
    north: &[f32],
    south: &[f32],
    height: &mut [f32],
) {
    let n = height.len();
    let (rule, west, east) = (*rule, &flux_x[..n], &flux_x[1..=n]);
    let (north, south) = (&north[..n], &south[..n]);
    for i in 0..n {
        height[i] = rule.new_height(height[i], west[i], east[i], north[i], south[i]);
    }
}

/// Advances adjacent cells of a row by one step. Updates their eastern and southern faces first,
/// then their heights. `west` is the flux through the western face of the first cell, and `north`
/// holds the fluxes through all northern faces. `height` has one more cell at its eastern end.
#[expect(clippy::too_many_arguments, reason = "separate output arguments, see above")]
#[multiversion(targets = "simd")]
pub(in crate::waves) fn step_cells(
    rule: &WaveCoefficients,
    gain: f32,
    west: f32,
    north: &[f32],
    next: &[f32],
    flux_x: &mut [f32],
    south: &mut [f32],
    height: &mut [f32],
) {
    let n = flux_x.len();
    let (rule, north, next) = (*rule, &north[..n], &next[..n]);
    let (south, height) = (&mut south[..n], &mut height[..=n]);
    let mut west = rule.quantize(west);
    for i in 0..n {
        let here = height[i];
        flux_x[i] = rule.new_flux(flux_x[i], here, height[i + 1], rule.gain);
        south[i] = rule.new_flux(south[i], here, next[i], gain);
        let east = rule.quantize(flux_x[i]);
        height[i] = here + ((west - east) + (rule.quantize(north[i]) - rule.quantize(south[i])));
        west = east;
    }
}

#[expect(clippy::too_many_arguments, reason = "separate output arguments, see above")]
#[multiversion(targets = "simd")]
pub(in crate::waves) fn step_cells_with_gains(
    rule: &WaveCoefficients,
    [gains_x, gains_y]: [&[f32]; 2],
    west: f32,
    north: &[f32],
    next: &[f32],
    flux_x: &mut [f32],
    south: &mut [f32],
    height: &mut [f32],
) {
    let n = flux_x.len();
    let (rule, north, next) = (*rule, &north[..n], &next[..n]);
    let (gains_x, gains_y) = (&gains_x[..n], &gains_y[..n]);
    let (south, height) = (&mut south[..n], &mut height[..=n]);
    let mut west = rule.quantize(west);
    for i in 0..n {
        let here = height[i];
        flux_x[i] = rule.new_flux(flux_x[i], here, height[i + 1], gains_x[i]);
        south[i] = rule.new_flux(south[i], here, next[i], gains_y[i]);
        let east = rule.quantize(flux_x[i]);
        height[i] = here + ((west - east) + (rule.quantize(north[i]) - rule.quantize(south[i])));
        west = east;
    }
}

#[multiversion(targets = "simd")]
pub(in crate::waves) fn any_nonzero(faces: &[f32]) -> bool {
    faces.iter().fold(0, |bits, face| bits | (face.to_bits() << 1)) != 0
}
