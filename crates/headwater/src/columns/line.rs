//! A symmetric system on chains with a few couplings across: one elimination along the chains, and where they
//! are coupled, conjugate gradients with that elimination as preconditioner.

/// Two rows that a joint couples.
#[derive(Clone, Copy, Debug)]
pub(super) struct Coupling {
    pub(super) a: usize,
    pub(super) b: usize,
    pub(super) conductance: f64,
}

/// `diagonal·p + along·p_next + along_before·p_before − Σ conductance·p_across = right`.
#[derive(Clone, Debug)]
pub(super) struct System {
    pub(super) diagonal: Vec<f64>,
    /// Between a row and the next; 0 where chains end.
    pub(super) along: Vec<f64>,
    pub(super) across: Vec<Coupling>,
    pub(super) right: Vec<f64>,
    /// A first guess, then the solution.
    pub(super) heads: Vec<f64>,
    /// How large a residual may stay in any row.
    small: f64,
}

/// The most rounds in one step. The next goes on from where it ends.
const MOST: usize = 100;

impl System {
    pub(super) fn new(rows: usize, small: f64) -> Self {
        Self {
            diagonal: vec![0.0; rows],
            along: vec![0.0; rows],
            across: Vec::new(),
            right: vec![0.0; rows],
            heads: vec![0.0; rows],
            small,
        }
    }

    /// Solves the system.
    pub(super) fn solve(mut self) -> Vec<f64> {
        let chain = Chain::new(&self.diagonal, &self.along);
        if self.across.is_empty() {
            return chain.solve(&self.right);
        }
        let mut x = std::mem::take(&mut self.heads);
        let product = self.times(&x);
        let mut residual: Vec<f64> = self.right.iter().zip(product).map(|(b, ax)| b - ax).collect();
        let mut towards = chain.solve(&residual);
        let mut direction = towards.clone();
        let mut energy = dot(&residual, &towards);
        // As many as there are couplings would do without rounding.
        for _ in 0..(2 * self.across.len() + 8).min(MOST) {
            if residual.iter().all(|r| r.abs() <= self.small) || energy <= 0.0 {
                break;
            }
            let product = self.times(&direction);
            let curvature = dot(&direction, &product);
            if curvature <= 0.0 {
                break;
            }
            let length = energy / curvature;
            for ((x, residual), (d, ad)) in
                x.iter_mut().zip(&mut residual).zip(direction.iter().zip(&product))
            {
                *x += length * d;
                *residual -= length * ad;
            }
            towards = chain.solve(&residual);
            let new = dot(&residual, &towards);
            for (d, t) in direction.iter_mut().zip(&towards) {
                *d = t + new / energy * *d;
            }
            energy = new;
        }
        x
    }

    fn times(&self, x: &[f64]) -> Vec<f64> {
        let mut product: Vec<f64> = self.diagonal.iter().zip(x).map(|(d, x)| d * x).collect();
        for i in 0..x.len().saturating_sub(1) {
            product[i] += self.along[i] * x[i + 1];
            product[i + 1] += self.along[i] * x[i];
        }
        for &Coupling { a, b, conductance } in &self.across {
            product[a] -= conductance * x[b];
            product[b] -= conductance * x[a];
        }
        product
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A tridiagonal system, eliminated once.
struct Chain {
    /// One over what is left of the diagonal, and the part of a row that goes to the next.
    pivots: Vec<f64>,
    parts: Vec<f64>,
    along: Vec<f64>,
}

impl Chain {
    fn new(diagonal: &[f64], along: &[f64]) -> Self {
        let mut chain = Self {
            pivots: diagonal.to_vec(),
            parts: vec![0.0; diagonal.len()],
            along: along.to_vec(),
        };
        for i in 0..diagonal.len() {
            if i > 0 {
                chain.parts[i] = along[i - 1] * chain.pivots[i - 1];
                chain.pivots[i] = diagonal[i] - chain.parts[i] * along[i - 1];
            }
            chain.pivots[i] = 1.0 / chain.pivots[i].max(f64::MIN_POSITIVE);
        }
        chain
    }

    fn solve(&self, right: &[f64]) -> Vec<f64> {
        let mut x = right.to_vec();
        for i in 1..x.len() {
            x[i] -= self.parts[i] * x[i - 1];
        }
        for i in (0..x.len()).rev() {
            let next = if i + 1 < x.len() { self.along[i] * x[i + 1] } else { 0.0 };
            x[i] = (x[i] - next) * self.pivots[i];
        }
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_of_chains_is_solved() {
        let n = 60;
        let mut system = System::new(n, 1e-12);
        system.right = (0..n).map(|i| (i % 5) as f64 - 2.0).collect();
        let along = |i: usize| {
            let ends = i % 20 == 19;
            if ends { 0.0 } else { -(1.0 + (i % 3) as f64) }
        };
        system.along = (0..n).map(along).collect();
        for (a, b) in [(19, 20), (39, 40), (59, 0), (19, 40)] {
            system.across.push(Coupling { a, b, conductance: 2.5 });
        }
        let across = system.across.clone();
        let diagonal = |i: usize| {
            let grounded = if i.is_multiple_of(7) { 0.3 } else { 0.0 };
            let before = if i > 0 { along(i - 1) } else { 0.0 };
            let across = across.iter().filter(|c| c.a == i || c.b == i);
            grounded - along(i) - before + across.map(|c| c.conductance).sum::<f64>()
        };
        system.diagonal = (0..n).map(diagonal).collect();
        let again = system.clone();
        let x = system.solve();
        for (found, right) in again.times(&x).iter().zip(&again.right) {
            assert!((found - right).abs() < 1e-8, "{found} {right}");
        }
    }
}
