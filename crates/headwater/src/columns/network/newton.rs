//! Newton's method with a line search for the pressure heads of a network.
//!
//! All equations are monotone and piecewise linear, so the residual decreases along a Newton
//! direction. After a few iterations, each equation is on its final linear piece, and the solution
//! is exact. A fixed-point iteration would extend a region of full columns by one column on each
//! side per iteration. Newton's method can extend it by several columns.

use super::chain::{Chain, LinearSystem};
use super::ends::EndSolver;
use super::link::EdgeFlow;
use super::node::{Node, VesselEquation};

/// Largest number of Newton iterations. Most steps need about 5. The largest number in 240 000
/// steps in cave-like worlds was 88.
const MAX_DIRECTIONS: usize = 400;

/// Largest number of line-search iterations per Newton direction.
const MAX_SEARCH_STEPS: usize = 16;

/// Number of columns on each side of a newly full column that the first Newton iteration fills as
/// well. Later iterations adapt this number.
const INITIAL_STRIDE: usize = 4;

#[derive(Debug, Default)]
pub(super) struct Problem {
    pub(super) nodes: Vec<Node>,
    pub(super) columns: Vec<u32>,
    /// Equations of the vessels (columns whose water moves as one mass). In `heads`, the heads of
    /// the vessels come after the heads of the nodes.
    pub(super) vessels: Vec<VesselEquation>,
    /// For each node, the index in `heads` of the vessel that contains the node. If no vessel
    /// contains it, the index of the last element of `heads`, which belongs to no vessel.
    pub(super) vessel_of: Vec<u32>,
    /// Edges of the network: first those within pools, then the openings between pools.
    pub(super) links: Vec<EdgeFlow>,
    /// Indices in the layout of the joints (openings between two pools) that belong to the network.
    pub(super) joints: Vec<u32>,
    /// Index in `links` of the first opening between pools.
    pub(super) joints_start: usize,
    pub(super) chains: Vec<Chain>,
    /// Indices in `links` of the edges that belong to no [`Chain`] (sequence of neighbouring
    /// columns).
    pub(super) cross_edges: Vec<u32>,
    /// Rise of the water level in each node during this step (m), due only to inflow from outside
    /// the network.
    pub(super) inflow: Vec<f64>,
    /// Rise of a column's water level during one step (m) per m²/s of inflow.
    pub(super) rise_per_flow: f64,
    /// Pressure head (m) of each node and then of each vessel. Holds an initial estimate until the
    /// system is solved.
    pub(super) heads: Vec<f64>,
    /// Water that flows through each edge in the step (height quanta of water in one column,
    /// positive to the east). A height quantum is the integer unit of height.
    pub(super) moved: Vec<i32>,
    pub(super) ends: EndSolver,
    scratch: Scratch,
}

#[derive(Debug, Default)]
struct Scratch {
    /// Residual (m) of each node and each vessel at the current heads.
    residual: Vec<f64>,
    trial: Vec<f64>,
    direction: Vec<f64>,
    from: Vec<f64>,
    /// For each node, whether its column is full.
    filled: Vec<FillState>,
    diagonal: Vec<f64>,
    coupling: Vec<f64>,
    to_vessel: Vec<f64>,
    first: Vec<f64>,
    reduced_couplings: Vec<f64>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum FillState {
    #[default]
    No,
    Now,
    Yes,
}

impl Problem {
    pub(super) fn solve(&mut self, tolerance: f64) {
        let mut scratch = std::mem::take(&mut self.scratch);
        let mut stride = INITIAL_STRIDE;
        self.compute_residuals(&mut scratch.residual, &mut scratch.coupling);
        scratch.filled.clear();
        scratch.filled.resize(self.nodes.len(), FillState::No);
        for _ in 0..MAX_DIRECTIONS {
            if scratch.residual.iter().all(|residual| residual.abs() <= tolerance) {
                break;
            }
            self.update_filled(&mut scratch.filled);
            scratch.direction.clone_from(&scratch.residual);
            self.newton_direction(&mut scratch);
            let step_length = self.line_search(&mut scratch);
            if step_length == 1.0 || !self.update_filled(&mut scratch.filled) {
                continue;
            }
            scratch.from.clone_from(&self.heads);
            self.fill_neighbours(&scratch.filled, stride);
            self.compute_residuals(&mut scratch.direction, &mut scratch.coupling);
            self.newton_direction(&mut scratch);
            for ((direction, head), from) in
                scratch.direction.iter_mut().zip(&mut self.heads).zip(&scratch.from)
            {
                *direction += *head - from;
                *head = *from;
            }
            let step_length = if dot(&scratch.residual, &scratch.direction) > 0.0 {
                self.line_search(&mut scratch)
            } else {
                self.compute_residuals(&mut scratch.residual, &mut scratch.coupling);
                0.0
            };
            stride = if step_length > 0.3 { stride.saturating_mul(2) } else { (stride / 3).max(1) };
        }
        self.scratch = scratch;
    }

    /// Computes the Newton direction. On entry, `direction` in the scratch buffers holds the
    /// residuals, and `coupling` the derivatives of the flows; on return, `direction` holds the
    /// direction.
    fn newton_direction(&mut self, scratch: &mut Scratch) {
        let n = self.heads.len();
        scratch.diagonal.resize(n, 0.0);
        scratch.to_vessel.resize(n, 0.0);
        scratch.first.resize(n, 0.0);
        self.compute_derivatives(&mut scratch.diagonal, &mut scratch.to_vessel, &scratch.coupling);
        let mut system = LinearSystem {
            chains: &self.chains,
            cross: &self.cross_edges,
            diagonal: &mut scratch.diagonal,
            coupling: &scratch.coupling,
            to_vessel: &mut scratch.to_vessel,
            rhs: &mut scratch.direction,
            first: &mut scratch.first,
            reduced_couplings: &mut scratch.reduced_couplings,
        };
        system.solve(&mut self.ends);
        scratch.direction[n - 1] = 0.0;
    }

    /// Searches along the Newton direction until the projection of the residual onto the direction
    /// is small, and returns the step length.
    fn line_search(&mut self, scratch: &mut Scratch) -> f64 {
        let Scratch { residual, trial, direction, from, coupling, .. } = scratch;
        from.clone_from(&self.heads);
        let start = dot(residual, direction);
        let (mut low, mut high) = ((0.0, start), None);
        let mut part = 1.0;
        for _ in 0..MAX_SEARCH_STEPS {
            for ((head, from), direction) in
                self.heads.iter_mut().zip(from.iter()).zip(direction.iter())
            {
                *head = from + part * direction;
            }
            self.compute_residuals(trial, coupling);
            let now = dot(trial, direction);
            if now >= -0.5 * start && (high.is_none() || now <= 0.5 * start) {
                break;
            }
            // Regula falsi, with the weight of the retained end halved each time (Illinois
            // algorithm).
            let far = match (now > 0.0, high) {
                (true, Some((far, beyond))) => {
                    low = (part, now);
                    (far, 0.5 * beyond)
                }
                _ => {
                    low.1 *= if high.is_some() { 0.5 } else { 1.0 };
                    (part, now)
                }
            };
            high = Some(far);
            part = low.0 + (far.0 - low.0) * low.1 / (low.1 - far.1);
        }
        std::mem::swap(residual, trial);
        part
    }

    /// Updates which columns are full. Returns whether any column became full.
    fn update_filled(&self, filled: &mut [FillState]) -> bool {
        let mut any = false;
        for (i, filled) in filled.iter_mut().enumerate() {
            *filled = match (self.rise(i).2, *filled) {
                (false, _) => FillState::No,
                (true, FillState::No) => FillState::Now,
                (true, _) => FillState::Yes,
            };
            any |= *filled == FillState::Now;
        }
        any
    }

    /// Raises the heads of up to `count` columns on each side of newly full columns, to the head at
    /// which they become full.
    fn fill_neighbours(&mut self, filled: &[FillState], count: usize) {
        for chain in 0..self.chains.len() {
            let nodes = self.chains[chain].nodes.clone();
            let mut remaining = 0;
            nodes
                .clone()
                .for_each(|i| remaining = self.fill_neighbour(filled[i], i, remaining, count));
            remaining = 0;
            nodes
                .rev()
                .for_each(|i| remaining = self.fill_neighbour(filled[i], i, remaining, count));
        }
    }

    /// Fills column `i` if it is not full and `remaining`, the number of columns still to be
    /// filled, is above 0: raises the head of the column to the value at which it becomes full.
    /// Returns the value of `remaining` for the next column: `count` if column `i` has just become
    /// full in this iteration, `remaining` − 1 if its head was raised, otherwise 0.
    fn fill_neighbour(
        &mut self,
        filled: FillState,
        i: usize,
        remaining: usize,
        count: usize,
    ) -> usize {
        let filling = self.nodes[i].filling_head(self.heads[self.vessel_of[i] as usize]);
        match filled {
            FillState::Now => count,
            FillState::No if remaining > 0 && filling.is_finite() => {
                self.heads[i] = self.heads[i].max(filling);
                remaining - 1
            }
            _ => 0,
        }
    }

    /// Returns three values for a node: the rise of its water level during the step (m), the
    /// derivative of the rise with respect to the head, and whether the node is full.
    #[inline(always)]
    pub(super) fn rise(&self, i: usize) -> (f64, f64, bool) {
        self.nodes[i].rise(self.heads[i], self.heads[self.vessel_of[i] as usize])
    }

    /// Computes the residuals (m). The residual of a column is its net inflow, as a height of
    /// water, minus the rise of its water level. The residual of a vessel (columns whose water
    /// moves as one mass) is the sum of the rises of its columns, without inflow from outside,
    /// minus the rise according to its [`VesselEquation`]. `coupling` receives, for each edge, the
    /// decrease in the rise of its eastern end per metre of head difference.
    fn compute_residuals(&self, residual: &mut Vec<f64>, coupling: &mut Vec<f64>) {
        residual.clear();
        residual.extend_from_slice(&self.inflow);
        residual.resize(self.heads.len(), 0.0);
        for chain in &self.chains {
            let nodes = chain.nodes.clone();
            let vessel_head = chain.vessel.map_or(0.0, |vessel| self.heads[vessel]);
            let equations = self.nodes[nodes.clone()].iter().zip(&self.heads[nodes.clone()]);
            for (residual, (node, &head)) in residual[nodes.clone()].iter_mut().zip(equations) {
                *residual -= node.rise(head, vessel_head).0;
            }
            if let Some(vessel) = chain.vessel {
                // Inflow from above does not pass the foot of the column, so it does not lift the
                // water.
                let lifted = nodes.map(|i| self.rise(i).0 - self.inflow[i]);
                lifted.for_each(|rise| residual[vessel] += rise);
            }
        }
        for (vessel, place) in self.vessels.iter().zip(self.nodes.len()..) {
            residual[place] -= vessel.total_rise(self.heads[place]);
        }
        coupling.resize(self.links.len(), 0.0);
        let edges = self.links.iter().zip(coupling).map(|(link, coupling)| {
            let (flow, slope) = link.discharge(link.head_difference(&self.heads));
            let brought = self.rise_per_flow * flow;
            *coupling = self.rise_per_flow * slope;
            (link.ends, [-brought, brought])
        });
        add_at_ends(residual, edges);
    }

    fn compute_derivatives(&self, diagonal: &mut [f64], to_vessel: &mut [f64], coupling: &[f64]) {
        for (diagonal, vessel) in diagonal[self.nodes.len()..].iter_mut().zip(&self.vessels) {
            *diagonal = vessel.slope;
        }
        for chain in &self.chains {
            for i in chain.nodes.clone() {
                let (_, slope, full) = self.rise(i);
                diagonal[i] = slope;
                to_vessel[i] = 0.0;
                if let Some(vessel) = chain.vessel.filter(|_| !full) {
                    to_vessel[i] = slope;
                    diagonal[vessel] += slope;
                }
            }
        }
        let ends = self.links.iter().map(|link| link.ends);
        add_at_ends(diagonal, ends.zip(coupling.iter().map(|&coupling| [coupling; 2])));
    }
}

/// Adds the two values of each edge to the sums at its western and its eastern node. `edges` yields
/// the indices of the two nodes and the two values.
fn add_at_ends(sums: &mut [f64], edges: impl Iterator<Item = ([u32; 2], [f64; 2])>) {
    // The next edge usually begins where the last one ends, so the sum there is kept in a register.
    let (mut node, mut sum) = (0, sums[0]);
    for (ends, [to_west, to_east]) in edges {
        let [west, east] = ends.map(|end| end as usize);
        if west != node {
            sums[node] = sum;
            sum = sums[west];
        }
        sums[west] = sum + to_west;
        (node, sum) = (east, sums[east] + to_east);
    }
    sums[node] = sum;
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
