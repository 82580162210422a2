//! Inner loops of the dispersion filter. They process a row without its first and last cell, and
//! are compiled for several instruction sets.

use multiversion::multiversion;

/// Three rows of a field: a row with its northern and southern neighbours, in the order north,
/// centre, south. The centre row has one additional cell at each end.
type RowTriple<'a> = [&'a [f32]; 3];

/// Flux gains (flux per height difference) of the western, northern and southern faces of the cells
/// in a row, in this order. The western faces include one additional face at the eastern end of the
/// row.
type RowGains<'a> = [&'a [f32]; 3];

/// Computes the Chebyshev term of degree 1, T₁ = z + ¼·L·z, where L is the Laplacian. T₁ is the
/// mean of the four neighbours. Sets `sum` to the weighted sum of the terms of degree 0 and 1.
#[multiversion(targets = "simd")]
pub(super) fn compute_first_degree(z: RowTriple, terms: [f32; 2], t: &mut [f32], sum: &mut [f32]) {
    let n = t.len();
    let [north, own, south] = [&z[0][..n], &z[1][..n + 2], &z[2][..n]];
    let sum = &mut sum[..n];
    for i in 0..n {
        t[i] = 0.25 * ((own[i] + own[i + 2]) + (north[i] + south[i]));
        sum[i] = terms[0] * own[i + 1] + terms[1] * t[i];
    }
}

/// Computes the next Chebyshev term, T₊ = 2·(T + ¼·L·T) − T₋, where L is the Laplacian. Adds the
/// weighted term to `sum`.
#[multiversion(targets = "simd")]
pub(super) fn compute_next_degree(
    now: RowTriple,
    before: &[f32],
    term: f32,
    t: &mut [f32],
    sum: &mut [f32],
) {
    let n = t.len();
    let [north, own, south] = [&now[0][..n], &now[1][..n + 2], &now[2][..n]];
    let (before, sum) = (&before[..n], &mut sum[..n]);
    for i in 0..n {
        t[i] = 0.5 * ((own[i] + own[i + 2]) + (north[i] + south[i])) - before[i];
        sum[i] += term * t[i];
    }
}

/// Returns the value of the cell `behind` a face if the face is open, which means that its gain is
/// not 0. If it is closed, returns the value of the cell `before` the face.
#[inline(always)]
fn value_behind_face(gain: f32, behind: f32, before: f32) -> f32 {
    if gain > 0.0 { behind } else { before }
}

/// Computes the same term as [`compute_first_degree`], for a row in which faces can be closed.
/// `gains` identifies the closed faces: their flux gain is 0.
#[multiversion(targets = "simd")]
pub(super) fn compute_first_degree_with_gains(
    gains: RowGains,
    z: RowTriple,
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
        let across = value_behind_face(gains_x[i], own[i], here)
            + value_behind_face(gains_x[i + 1], own[i + 2], here);
        let along = value_behind_face(gains_n[i], north[i], here)
            + value_behind_face(gains_s[i], south[i], here);
        t[i] = 0.25 * (across + along);
        sum[i] = terms[0] * own[i + 1] + terms[1] * t[i];
    }
}

/// Computes the same term as [`compute_next_degree`], for a row in which faces can be closed.
/// `gains` identifies the closed faces: their flux gain is 0.
#[multiversion(targets = "simd")]
pub(super) fn compute_next_degree_with_gains(
    gains: RowGains,
    now: RowTriple,
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
        let across = value_behind_face(gains_x[i], own[i], here)
            + value_behind_face(gains_x[i + 1], own[i + 2], here);
        let along = value_behind_face(gains_n[i], north[i], here)
            + value_behind_face(gains_s[i], south[i], here);
        t[i] = 0.5 * (across + along) - before[i];
        sum[i] += term * t[i];
    }
}
