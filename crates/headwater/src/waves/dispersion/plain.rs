//! Reference implementation of the dispersion filter with plain loops over all cells, for tests and
//! as a baseline of benchmarks.

use super::super::context::StepContext;
use super::super::params::EdgeKind;
use super::filter::DispersionFilter;
use super::neighbours::AdjacentRows;
use crate::field::Field;
use crate::lattice::Edge;

impl DispersionFilter {
    /// Computes the filtered surface `G·z` by the Chebyshev recursion T₀ = z, T₁ = z + ¼·L·z and T₊
    /// = 2·(T + ¼·L·T) − T₋, where L is the Laplacian.
    pub(in super::super) fn filter_surface(
        &self,
        z: &Field<f32>,
        step: &StepContext,
    ) -> Field<f32> {
        let (nx, ny) = (z.nx(), z.ny());
        let terms: Vec<f32> = self.terms.iter().map(|&term| term as f32).collect();
        let (mut before, mut now) = (z.clone(), Field::new(nx, ny, 0.0));
        let mut sum = Field::new(nx, ny, 0.0);
        for y in 0..ny {
            for x in 0..nx {
                let t = 0.25 * rows_around(z, step, y).neighbour_sum(step, x);
                now[(x, y)] = t;
                sum[(x, y)] = terms[0] * z[(x, y)] + terms[1] * t;
            }
        }
        for &term in &terms[2..] {
            for y in 0..ny {
                for x in 0..nx {
                    let next =
                        0.5 * rows_around(&now, step, y).neighbour_sum(step, x) - before[(x, y)];
                    before[(x, y)] = next;
                    sum[(x, y)] += term * next;
                }
            }
            std::mem::swap(&mut now, &mut before);
        }
        sum
    }
}

fn rows_around<'a>(t: &'a Field<f32>, step: &StepContext, y: usize) -> AdjacentRows<'a> {
    let ny = t.ny();
    let across = |edge, y: usize| (step.edges.kind(edge) == EdgeKind::Periodic).then(|| t.row(y));
    AdjacentRows {
        y,
        north: if y > 0 { Some(t.row(y - 1)) } else { across(Edge::North, ny - 1) },
        own: t.row(y),
        south: if y + 1 < ny { Some(t.row(y + 1)) } else { across(Edge::South, 0) },
    }
}
