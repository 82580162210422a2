//! Dispersion filter: a polynomial of the grid's Laplacian that is fitted to the dispersion
//! relation of water waves.

use super::super::params::Params;
use crate::error::InputError;
use crate::lattice::Square;

/// Largest degree of a filter. The degree is also the number of cells on each side of a cell that
/// affect the result, and the number of passes over the grid.
const MAX_DEGREE: usize = 32;
/// Largest allowed relative error of the phase speed, for wavelengths of at least [`SHORTEST_WAVE`]
/// cells.
const MAX_SPEED_ERROR: f64 = 0.025;
/// Shortest wavelength for which [`MAX_SPEED_ERROR`] limits the error of the phase speed (cells).
const SHORTEST_WAVE: f64 = 6.5;
/// Number of intervals between samples. The samples are eigenvalues of the Laplacian at which the
/// filter is fitted and checked.
const SAMPLE_POINTS: usize = 600;

#[derive(Clone, Debug)]
pub(in super::super) struct DispersionFilter {
    /// Coefficients of the Chebyshev polynomials, ordered by degree, starting at degree 0. There
    /// are at least two coefficients.
    pub(super) terms: Vec<f64>,
    /// Largest value of `q = c²t²/d²` for which waves of all lengths are stable, for the wave speed
    /// c, the time step t and the cell size d.
    pub(in super::super) largest_q: f64,
}

/// Returns the exact value `G` that the filter approximates. `s` is an eigenvalue of the grid's
/// negative Laplacian (0 to 8), and `depth` is the water depth (cells). For `s` above 1, where
/// waves are too short for the grid, the function is continued smoothly.
fn exact_filter_value(s: f64, depth: f64) -> f64 {
    if s == 0.0 {
        return 1.0;
    }
    // For a wave along an axis, s = 4·sin²(k/2).
    let squared = |s: f64| {
        let half = libm::asin(0.5 * s.sqrt());
        4.0 * half * half
    };
    let ratio = if s < 1.0 { squared(s) / s } else { squared(1.0) };
    let kh = (ratio * s).sqrt() * depth;
    ratio * libm::tanh(kh) / kh
}

impl DispersionFilter {
    /// Fits the filter for a depth of the water (cells). Returns `None` if no polynomial up to
    /// [`MAX_DEGREE`] is accurate enough.
    fn new(depth: f64) -> Option<Self> {
        (1..=MAX_DEGREE).find_map(|degree| {
            let filter = Self::fit_polynomial(depth, degree)?;
            filter.is_accurate(depth).then_some(filter)
        })
    }

    fn largest_depth() -> f64 {
        let (mut low, mut high) = (1.0, 1024.0);
        while high - low > 0.05 {
            let middle = 0.5 * (low + high);
            if Self::new(middle).is_some() { low = middle } else { high = middle }
        }
        low
    }

    /// Returns the sample points of `s` from 0 to 8. They are denser near 0, where the long waves
    /// are.
    fn sample_points() -> impl Iterator<Item = f64> {
        (0..=SAMPLE_POINTS).map(|i| {
            let part = i as f64 / SAMPLE_POINTS as f64;
            8.0 * part * part * part
        })
    }

    fn largest_resolved_eigenvalue() -> f64 {
        let half = libm::sin(core::f64::consts::PI / SHORTEST_WAVE);
        4.0 * half * half
    }

    /// Fits a polynomial of the given degree to the exact filter for water of depth `depth`
    /// (cells). Minimises the sum of squared relative errors, with full weight on all resolved
    /// waves and a small weight on shorter waves. Returns `None` if the normal equations are
    /// singular.
    fn fit_polynomial(depth: f64, degree: usize) -> Option<Self> {
        let n = degree + 1;
        let mut normal = vec![vec![0.0; n + 1]; n];
        for s in Self::sample_points() {
            let goal = exact_filter_value(s, depth);
            let weight = if s <= Self::largest_resolved_eigenvalue() { 1.0 } else { 0.05 };
            let row: Vec<f64> = chebyshev_values(s).take(n).map(|t| t * weight / goal).collect();
            for i in 0..n {
                for j in 0..n {
                    normal[i][j] += row[i] * row[j];
                }
                normal[i][n] += row[i] * weight;
            }
        }
        let terms = solve_linear_system(normal)?;
        let mut filter = Self { terms, largest_q: 0.0 };
        let stiffest = Self::sample_points().map(|s| s * filter.evaluate(s)).fold(0.0, f64::max);
        // The scheme is stable if q·s·G(s) ≤ 4 for every wave.
        filter.largest_q = 4.0 / stiffest;
        Some(filter)
    }

    fn evaluate(&self, s: f64) -> f64 {
        chebyshev_values(s).zip(&self.terms).map(|(t, term)| t * term).sum()
    }

    /// Returns whether the filter is accurate for all waves that the grid resolves and positive for
    /// shorter waves. With a positive filter, short waves neither grow nor stand still.
    fn is_accurate(&self, depth: f64) -> bool {
        Self::sample_points().all(|s| {
            let ratio = self.evaluate(s) / exact_filter_value(s, depth);
            let off = (ratio.max(0.0).sqrt() - 1.0).abs();
            if s <= Self::largest_resolved_eigenvalue() {
                off <= MAX_SPEED_ERROR
            } else {
                (0.2..1.2).contains(&ratio)
            }
        })
    }
}

/// Returns the values of the Chebyshev polynomials at `1 − s/4`, ordered by degree, starting at
/// degree 0.
fn chebyshev_values(s: f64) -> impl Iterator<Item = f64> {
    let x = 1.0 - 0.25 * s;
    std::iter::successors(Some((1.0, x)), move |&(t, next)| Some((next, 2.0 * x * next - t)))
        .map(|pair| pair.0)
}

fn solve_linear_system(mut rows: Vec<Vec<f64>>) -> Option<Vec<f64>> {
    let n = rows.len();
    for i in 0..n {
        let pivot = (i..n).max_by(|&a, &b| rows[a][i].abs().total_cmp(&rows[b][i].abs()))?;
        rows.swap(i, pivot);
        if rows[i][i] == 0.0 {
            return None;
        }
        let top = rows[i].clone();
        for row in &mut rows[i + 1..] {
            let part = row[i] / top[i];
            for (value, above) in row.iter_mut().zip(&top).skip(i) {
                *value -= part * above;
            }
        }
    }
    let mut found = vec![0.0; n];
    for i in (0..n).rev() {
        let rest: f64 = (i + 1..n).map(|j| rows[i][j] * found[j]).sum();
        found[i] = (rows[i][n] - rest) / rows[i][i];
    }
    Some(found)
}

/// Returns the dispersion filter for the given parameters, or `None` if dispersion is disabled.
///
/// # Errors
/// Returns [`InputError`] if no filter is accurate enough.
pub(in super::super) fn fit_filter(
    params: &Params,
    lattice: &Square,
) -> Result<Option<DispersionFilter>, InputError> {
    if !params.dispersion {
        return Ok(None);
    }
    let cell = lattice.dx();
    let filter = DispersionFilter::new(params.depth / cell).ok_or_else(|| {
        let found = format!("{} m with `dispersion` on cells of {cell} m", params.depth);
        let deepest = DispersionFilter::largest_depth() * cell;
        InputError::new("depth", found, format!("up to {deepest} m, which its filter reaches"))
    })?;
    Ok(Some(filter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_exist_for_shallow_and_deep_water() {
        for depth in [0.01, 0.5, 1.0, 2.0, 4.0, 8.0] {
            let filter = DispersionFilter::new(depth).unwrap();
            println!("{depth}: {} terms, q up to {}", filter.terms.len(), filter.largest_q);
            assert!(filter.largest_q >= 0.4, "{depth}: {}", filter.largest_q);
        }
        println!("deepest {}", DispersionFilter::largest_depth());
        assert!(DispersionFilter::largest_depth() > 8.0);
        assert!(DispersionFilter::new(1e4).is_none());
    }
}
