//! Dispersion: long waves outrun short ones.
//!
//! Waves on water of depth h run at `ω² = g·k·tanh(k·h)` (Airy). That is the wave equation with
//! `c² = g·h`, in which not the surface z pushes but a smoothed one, `G·z`, with
//! `G(k) = tanh(k·h)/(k·h)`. Here G is a polynomial in the grid's own Laplacian: a sum of Chebyshev
//! polynomials, fitted when a world is made. So it knows shores and edges, it is symmetric (the energy
//! stays), and fluxes still add up to nothing (the mean stays). It reaches as far as its degree.

use super::medium::Medium;
use super::params::{EdgeKind, Edges, Params};
use crate::error::InputError;
use crate::field::Field;
use crate::lattice::{Edge, Square};
use crate::parallel;

/// The highest degree of a filter, which is also its reach in cells and its cost in passes.
const MOST_TERMS: usize = 32;
/// How far a filter may be off, in phase speed, on waves of [`SHORTEST`] cells and more.
const CLOSE_ENOUGH: f64 = 0.025;
/// The shortest waves (cells) that are held to that.
const SHORTEST: f64 = 6.5;
/// Points at which a filter is fitted and checked.
const POINTS: usize = 600;

/// The filter G.
#[derive(Clone, Debug)]
pub(super) struct Filter {
    /// What each Chebyshev polynomial counts, from degree 0.
    terms: Vec<f64>,
    /// The largest q for which waves of all lengths are stable.
    pub(super) largest_q: f64,
}

/// Fields for the passes of a filter, kept from step to step to save their allocation.
#[derive(Clone, Debug, Default)]
pub(super) struct Workspace {
    /// `G·z`, once a filter has been applied.
    pub(super) smooth: Option<Field<f32>>,
    now: Option<Field<f32>>,
    before: Option<Field<f32>>,
}

/// `G` for the eigenvalue `s` (0 to 8) of the grid's negative Laplacian, in water `depth` cells deep:
/// what makes the wave with that eigenvalue run at its true speed. Beyond s = 1 there are only waves
/// too short for the grid, and a smooth continuation.
fn wanted(s: f64, depth: f64) -> f64 {
    if s == 0.0 {
        return 1.0;
    }
    // Of a wave along an axis: s = 4·sin²(k/2).
    let squared = |s: f64| {
        let half = libm::asin(0.5 * s.sqrt());
        4.0 * half * half
    };
    let ratio = if s < 1.0 { squared(s) / s } else { squared(1.0) };
    let kh = (ratio * s).sqrt() * depth;
    ratio * libm::tanh(kh) / kh
}

impl Filter {
    /// The filter for water `depth` cells deep, or `None` if no polynomial of the highest degree comes
    /// close enough.
    pub(super) fn new(depth: f64) -> Option<Self> {
        (1..=MOST_TERMS).find_map(|degree| {
            let filter = Self::fitted(depth, degree)?;
            filter.is_good(depth).then_some(filter)
        })
    }

    /// The largest depth (cells) for which there is a filter.
    pub(super) fn deepest() -> f64 {
        let (mut low, mut high) = (1.0, 1024.0);
        while high - low > 0.05 {
            let middle = 0.5 * (low + high);
            if Self::new(middle).is_some() { low = middle } else { high = middle }
        }
        low
    }

    /// Points of `s` from 0 to 8, dense near 0, where long waves are.
    fn points() -> impl Iterator<Item = f64> {
        (0..=POINTS).map(|i| {
            let part = i as f64 / POINTS as f64;
            8.0 * part * part * part
        })
    }

    fn resolved() -> f64 {
        let half = libm::sin(core::f64::consts::PI / SHORTEST);
        4.0 * half * half
    }

    /// Least squares of the relative error, all resolved waves alike, the others a little.
    fn fitted(depth: f64, degree: usize) -> Option<Self> {
        let n = degree + 1;
        let mut normal = vec![vec![0.0; n + 1]; n];
        for s in Self::points() {
            let goal = wanted(s, depth);
            let weight = if s <= Self::resolved() { 1.0 } else { 0.05 };
            let row: Vec<f64> = chebyshev(s).take(n).map(|t| t * weight / goal).collect();
            for i in 0..n {
                for j in 0..n {
                    normal[i][j] += row[i] * row[j];
                }
                normal[i][n] += row[i] * weight;
            }
        }
        let terms = solve(normal)?;
        let mut filter = Self { terms, largest_q: 0.0 };
        let stiffest = Self::points().map(|s| s * filter.value(s)).fold(0.0, f64::max);
        // Stable while q·s·G(s) ≤ 4 for every wave.
        filter.largest_q = 4.0 / stiffest;
        Some(filter)
    }

    /// `G(s)`.
    fn value(&self, s: f64) -> f64 {
        chebyshev(s).zip(&self.terms).map(|(t, term)| t * term).sum()
    }

    /// True if it is close enough for waves that the grid resolves, and positive for all others, so
    /// that none of them grows or stands still.
    fn is_good(&self, depth: f64) -> bool {
        Self::points().all(|s| {
            let ratio = self.value(s) / wanted(s, depth);
            let off = (ratio.max(0.0).sqrt() - 1.0).abs();
            if s <= Self::resolved() { off <= CLOSE_ENOUGH } else { (0.2..1.2).contains(&ratio) }
        })
    }
}

/// The Chebyshev polynomials of `1 − s/4`, from degree 0.
fn chebyshev(s: f64) -> impl Iterator<Item = f64> {
    let x = 1.0 - 0.25 * s;
    std::iter::successors(Some((1.0, x)), move |&(t, next)| Some((next, 2.0 * x * next - t)))
        .map(|pair| pair.0)
}

/// Solves linear equations, a row each with its right-hand side last, by elimination.
fn solve(mut rows: Vec<Vec<f64>>) -> Option<Vec<f64>> {
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

/// What is around a cell.
struct Around<'a> {
    medium: &'a Medium,
    edges: &'a Edges,
    nx: usize,
    ny: usize,
}

impl Around<'_> {
    /// A quarter of the Laplacian at a cell: what its neighbours are higher, from face to face. The
    /// sums are such that mirrored worlds get mirrored bits.
    #[inline(always)]
    fn quarter(&self, t: &Field<f32>, x: usize, y: usize) -> f32 {
        let own = t[(x, y)];
        let open = |gain: f32, value: f32| if gain > 0.0 { value - own } else { 0.0 };
        let (gx, gy) = match &self.medium.map {
            None => ([1.0; 2], [1.0; 2]),
            Some(gains) => {
                ([gains.x[(x, y)], gains.x[(x + 1, y)]], [gains.y[(x, y)], gains.y[(x, y + 1)]])
            }
        };
        let across = |edge, at: (usize, usize)| match self.edges.kind(edge) {
            EdgeKind::Periodic => t[at] - own,
            EdgeKind::Pinned => -own,
            EdgeKind::Reflecting | EdgeKind::Absorbing => 0.0,
        };
        let closed = |gain: f32, rise: f32| if gain > 0.0 { rise } else { 0.0 };
        let west = if x > 0 {
            open(gx[0], t[(x - 1, y)])
        } else {
            closed(gx[0], across(Edge::West, (self.nx - 1, y)))
        };
        let east = if x + 1 < self.nx {
            open(gx[1], t[(x + 1, y)])
        } else {
            closed(gx[1], across(Edge::East, (0, y)))
        };
        let north = if y > 0 {
            open(gy[0], t[(x, y - 1)])
        } else {
            closed(gy[0], across(Edge::North, (x, self.ny - 1)))
        };
        let south = if y + 1 < self.ny {
            open(gy[1], t[(x, y + 1)])
        } else {
            closed(gy[1], across(Edge::South, (x, 0)))
        };
        0.25 * ((west + east) + (north + south))
    }

    /// True if the inner cells of row `y` have neighbours on all sides.
    fn is_inner(&self, y: usize) -> bool {
        0 < y && y + 1 < self.ny && self.nx > 2
    }
}

impl Filter {
    /// Writes `G·z` to `workspace.smooth`. With `in_rows`, rows go over threads and vectorise; the bits are
    /// the same.
    pub(super) fn apply(
        &self,
        z: &Field<f32>,
        workspace: &mut Workspace,
        medium: &Medium,
        edges: &Edges,
        in_rows: bool,
    ) {
        let (nx, ny) = (z.nx(), z.ny());
        let around = Around { medium, edges, nx, ny };
        let fit = |field: &mut Option<Field<f32>>| match field.take() {
            Some(field) if field.same_shape(z) => field,
            _ => Field::new(nx, ny, 0.0),
        };
        let (mut sum, mut now, mut before) =
            (fit(&mut workspace.smooth), fit(&mut workspace.now), fit(&mut workspace.before));
        // T₀ = z; T₁ = z + ¼·L·z; T₊ = 2·(T + ¼·L·T) − T₋.
        before.clone_from(z);
        let first = [self.terms[0] as f32, self.terms.get(1).map_or(0.0, |&t| t as f32)];
        pass(&mut now, &mut sum, in_rows, |y, now, sum| {
            around.each(z, y, in_rows, |x, t| {
                now[x] = t;
                sum[x] = first[0] * z[(x, y)] + first[1] * t;
            });
        });
        for &term in self.terms.iter().skip(2) {
            let term = term as f32;
            let t = &now;
            pass(&mut before, &mut sum, in_rows, |y, before, sum| {
                around.each(t, y, in_rows, |x, smooth| {
                    let next = 2.0 * smooth - before[x];
                    before[x] = next;
                    sum[x] += term * next;
                });
            });
            std::mem::swap(&mut now, &mut before);
        }
        *workspace = Workspace { smooth: Some(sum), now: Some(now), before: Some(before) };
    }
}

impl Around<'_> {
    /// Calls `take(x, t + ¼·L·t)` for every cell of row `y`.
    #[inline(always)]
    fn each(&self, t: &Field<f32>, y: usize, in_rows: bool, mut take: impl FnMut(usize, f32)) {
        let nx = self.nx;
        if !(in_rows && self.is_inner(y)) {
            (0..nx).for_each(|x| take(x, t[(x, y)] + self.quarter(t, x, y)));
            return;
        }
        take(0, t[(0, y)] + self.quarter(t, 0, y));
        let n = nx - 2;
        let (row, above, below) = (t.row(y), &t.row(y - 1)[1..=n], &t.row(y + 1)[1..=n]);
        let (west, own, east) = (&row[..n], &row[1..=n], &row[2..]);
        match &self.medium.map {
            None => {
                for x in 0..n {
                    let own = own[x];
                    let across = (west[x] - own) + (east[x] - own);
                    let along = (above[x] - own) + (below[x] - own);
                    take(x + 1, own + 0.25 * (across + along));
                }
            }
            Some(gains) => {
                let (gains_x, open) =
                    (gains.x.row(y), |gain: f32, rise: f32| if gain > 0.0 { rise } else { 0.0 });
                let (gain_w, gain_e) = (&gains_x[1..=n], &gains_x[2..n + 2]);
                let (gain_n, gain_s) = (&gains.y.row(y)[1..=n], &gains.y.row(y + 1)[1..=n]);
                for x in 0..n {
                    let own = own[x];
                    let across = open(gain_w[x], west[x] - own) + open(gain_e[x], east[x] - own);
                    let along = open(gain_n[x], above[x] - own) + open(gain_s[x], below[x] - own);
                    take(x + 1, own + 0.25 * (across + along));
                }
            }
        }
        take(nx - 1, t[(nx - 1, y)] + self.quarter(t, nx - 1, y));
    }
}

/// Works on every row of two fields.
fn pass(
    a: &mut Field<f32>,
    b: &mut Field<f32>,
    in_rows: bool,
    work: impl Fn(usize, &mut [f32], &mut [f32]) + Sync,
) {
    let nx = a.nx();
    if in_rows {
        parallel::for_each_row_pair(a.as_mut_slice(), nx, b.as_mut_slice(), nx, work);
    } else {
        for y in 0..a.ny() {
            work(y, a.row_mut(y), b.row_mut(y));
        }
    }
}

/// The filter for a world, if it has dispersion.
///
/// # Errors
/// [`InputError`] where there is none.
pub(super) fn filter(params: &Params, lattice: &Square) -> Result<Option<Filter>, InputError> {
    if !params.dispersion {
        return Ok(None);
    }
    let cell = lattice.dx();
    let filter = Filter::new(params.depth / cell).ok_or_else(|| {
        let found = format!("{} m with `dispersion` on cells of {cell} m", params.depth);
        let deepest = Filter::deepest() * cell;
        InputError::new("depth", found, format!("up to {deepest} m, which its filter reaches"))
    })?;
    Ok(Some(filter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_filters_for_films_and_for_deep_water() {
        for depth in [0.01, 0.5, 1.0, 2.0, 4.0, 8.0] {
            let filter = Filter::new(depth).unwrap();
            println!("{depth}: {} terms, q up to {}", filter.terms.len(), filter.largest_q);
            assert!(filter.largest_q >= 0.4, "{depth}: {}", filter.largest_q);
        }
        println!("deepest {}", Filter::deepest());
        assert!(Filter::deepest() > 8.0);
        assert!(Filter::new(1e4).is_none());
    }
}
