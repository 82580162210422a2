//! Loops over a row of a filter without its first and last cell, each compiled for several
//! instruction sets.

use multiversion::multiversion;

/// Three rows of a field: that on the north, the row itself with a cell more at each end, that on the south.
type Three<'a> = [&'a [f32]; 3];

/// Gains of the faces of a row: on the west with one more, on the north, on the south.
type Gains<'a> = [&'a [f32]; 3];

/// T₁ = z + ¼·L·z, the mean of the neighbours, and what both count so far.
#[multiversion(targets = "simd")]
pub(super) fn first(z: Three, terms: [f32; 2], t: &mut [f32], sum: &mut [f32]) {
    let n = t.len();
    let [north, own, south] = [&z[0][..n], &z[1][..n + 2], &z[2][..n]];
    let sum = &mut sum[..n];
    for i in 0..n {
        t[i] = 0.25 * ((own[i] + own[i + 2]) + (north[i] + south[i]));
        sum[i] = terms[0] * own[i + 1] + terms[1] * t[i];
    }
}

/// T₊ = 2·(T + ¼·L·T) − T₋, added to the sum.
#[multiversion(targets = "simd")]
pub(super) fn next(now: Three, before: &[f32], term: f32, t: &mut [f32], sum: &mut [f32]) {
    let n = t.len();
    let [north, own, south] = [&now[0][..n], &now[1][..n + 2], &now[2][..n]];
    let (before, sum) = (&before[..n], &mut sum[..n]);
    for i in 0..n {
        t[i] = 0.5 * ((own[i] + own[i + 2]) + (north[i] + south[i])) - before[i];
        sum[i] += term * t[i];
    }
}

/// What stands behind a face, if it is open, else what stands before it.
#[inline(always)]
fn open(gain: f32, behind: f32, before: f32) -> f32 {
    if gain > 0.0 { behind } else { before }
}

/// [`first`] where some faces are closed.
#[multiversion(targets = "simd")]
pub(super) fn first_through(
    gains: Gains,
    z: Three,
    terms: [f32; 2],
    t: &mut [f32],
    sum: &mut [f32],
) {
    let n = t.len();
    let [gains_x, gains_n, gains_s] = [&gains[0][..=n], &gains[1][..n], &gains[2][..n]];
    let [north, own, south] = [&z[0][..n], &z[1][..n + 2], &z[2][..n]];
    let sum = &mut sum[..n];
    for i in 0..n {
        let here = own[i + 1];
        let across = open(gains_x[i], own[i], here) + open(gains_x[i + 1], own[i + 2], here);
        let along = open(gains_n[i], north[i], here) + open(gains_s[i], south[i], here);
        t[i] = 0.25 * (across + along);
        sum[i] = terms[0] * own[i + 1] + terms[1] * t[i];
    }
}

/// [`next`] where some faces are closed.
#[multiversion(targets = "simd")]
pub(super) fn next_through(
    gains: Gains,
    now: Three,
    before: &[f32],
    term: f32,
    t: &mut [f32],
    sum: &mut [f32],
) {
    let n = t.len();
    let [gains_x, gains_n, gains_s] = [&gains[0][..=n], &gains[1][..n], &gains[2][..n]];
    let [north, own, south] = [&now[0][..n], &now[1][..n + 2], &now[2][..n]];
    let (before, sum) = (&before[..n], &mut sum[..n]);
    for i in 0..n {
        let here = own[i + 1];
        let across = open(gains_x[i], own[i], here) + open(gains_x[i + 1], own[i + 2], here);
        let along = open(gains_n[i], north[i], here) + open(gains_s[i], south[i], here);
        t[i] = 0.5 * (across + along) - before[i];
        sum[i] += term * t[i];
    }
}
