//! A symmetric system on chains with a few couplings across: one elimination along the chains, and where they
//! are coupled, conjugate gradients with that elimination as preconditioner.

use crate::spare::{Lent, Spare};

/// Two rows that a joint couples.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coupling {
    pub(super) a: usize,
    pub(super) b: usize,
    pub(super) conductance: f64,
}

/// `diagonal·p + along·p_next + along_before·p_before − Σ conductance·p_across = right`.
pub(super) struct System<'s> {
    pub(super) diagonal: Lent<'s, f64>,
    /// Between a row and the next; 0 where chains end.
    pub(super) along: Lent<'s, f64>,
    pub(super) across: Lent<'s, Coupling>,
    pub(super) right: Lent<'s, f64>,
    /// A first guess, then the solution.
    pub(super) heads: Lent<'s, f64>,
    /// How large a residual may stay in any row.
    small: f64,
    spare: &'s Spare,
}

/// The most rounds in one step. The next goes on from where it ends.
const MOST: usize = 100;

impl<'s> System<'s> {
    pub(super) fn new(rows: usize, small: f64, spare: &'s Spare) -> Self {
        let zeros = || spare.filled(rows, 0.0);
        let [diagonal, along, right, heads] = [zeros(), zeros(), zeros(), zeros()];
        Self { diagonal, along, across: spare.vec(), right, heads, small, spare }
    }

    /// Solves the system.
    pub(super) fn solve(mut self) -> Lent<'s, f64> {
        let spare = self.spare;
        let chain = Chain::new(&self.diagonal, &self.along, spare);
        let mut x = std::mem::replace(&mut self.heads, spare.vec());
        if self.across.is_empty() {
            chain.solve(&self.right, &mut x);
            return x;
        }
        let [mut product, mut towards] = [spare.vec(), spare.vec()];
        self.times(&x, &mut product);
        let mut residual =
            spare.collect(self.right.iter().zip(product.iter()).map(|(b, ax)| b - ax));
        chain.solve(&residual, &mut towards);
        let mut direction = spare.collect(towards.iter().copied());
        let mut energy = dot(&residual, &towards);
        // As many as there are couplings would do without rounding.
        for _ in 0..(2 * self.across.len() + 8).min(MOST) {
            if residual.iter().all(|r| r.abs() <= self.small) || energy <= 0.0 {
                break;
            }
            self.times(&direction, &mut product);
            let curvature = dot(&direction, &product);
            if curvature <= 0.0 {
                break;
            }
            let length = energy / curvature;
            for ((x, residual), (d, ad)) in
                x.iter_mut().zip(residual.iter_mut()).zip(direction.iter().zip(product.iter()))
            {
                *x += length * d;
                *residual -= length * ad;
            }
            chain.solve(&residual, &mut towards);
            let new = dot(&residual, &towards);
            for (d, t) in direction.iter_mut().zip(towards.iter()) {
                *d = t + new / energy * *d;
            }
            energy = new;
        }
        x
    }

    fn times(&self, x: &[f64], product: &mut Vec<f64>) {
        product.clear();
        product.extend(self.diagonal.iter().zip(x).map(|(d, x)| d * x));
        let along: &[f64] = &self.along;
        for i in 0..x.len().saturating_sub(1) {
            product[i] += along[i] * x[i + 1];
            product[i + 1] += along[i] * x[i];
        }
        for &Coupling { a, b, conductance } in self.across.iter() {
            product[a] -= conductance * x[b];
            product[b] -= conductance * x[a];
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A tridiagonal system, eliminated once.
struct Chain<'a> {
    /// One over what is left of the diagonal, and the part of a row that goes to the next.
    pivots: Lent<'a, f64>,
    parts: Lent<'a, f64>,
    along: &'a [f64],
}

impl<'a> Chain<'a> {
    fn new(diagonal: &[f64], along: &'a [f64], spare: &'a Spare) -> Self {
        let mut chain = Self {
            pivots: spare.collect(diagonal.iter().copied()),
            parts: spare.filled(diagonal.len(), 0.0),
            along,
        };
        let (parts, pivots): (&mut [f64], &mut [f64]) = (&mut chain.parts, &mut chain.pivots);
        for i in 0..diagonal.len() {
            if i > 0 {
                parts[i] = along[i - 1] * pivots[i - 1];
                pivots[i] = diagonal[i] - parts[i] * along[i - 1];
            }
            pivots[i] = 1.0 / pivots[i].max(f64::MIN_POSITIVE);
        }
        chain
    }

    fn solve(&self, right: &[f64], x: &mut Vec<f64>) {
        x.clear();
        x.extend_from_slice(right);
        let (parts, pivots): (&[f64], &[f64]) = (&self.parts, &self.pivots);
        for i in 1..x.len() {
            x[i] -= parts[i] * x[i - 1];
        }
        for i in (0..x.len()).rev() {
            let next = if i + 1 < x.len() { self.along[i] * x[i + 1] } else { 0.0 };
            x[i] = (x[i] - next) * pivots[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_of_chains_is_solved() {
        let n = 60;
        let spare = Spare::default();
        let along = |i: usize| {
            let ends = i % 20 == 19;
            if ends { 0.0 } else { -(1.0 + (i % 3) as f64) }
        };
        let across = [(19, 20), (39, 40), (59, 0), (19, 40)].map(|(a, b)| Coupling {
            a,
            b,
            conductance: 2.5,
        });
        let diagonal = |i: usize| {
            let grounded = if i.is_multiple_of(7) { 0.3 } else { 0.0 };
            let before = if i > 0 { along(i - 1) } else { 0.0 };
            let across = across.iter().filter(|c| c.a == i || c.b == i);
            grounded - along(i) - before + across.map(|c| c.conductance).sum::<f64>()
        };
        let system = || System {
            diagonal: spare.collect((0..n).map(diagonal)),
            along: spare.collect((0..n).map(along)),
            across: spare.collect(across),
            right: spare.collect((0..n).map(|i| (i % 5) as f64 - 2.0)),
            ..System::new(n, 1e-12, &spare)
        };
        let mut product = Vec::new();
        system().times(&system().solve(), &mut product);
        for (found, right) in product.iter().zip(system().right.iter()) {
            assert!((found - right).abs() < 1e-8, "{found} {right}");
        }
    }
}
