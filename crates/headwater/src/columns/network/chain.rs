//! Solver for the linear system of a Newton iteration. The unknowns form chains, which are
//! sequences of neighbouring columns. Different chains are coupled only through their ends.

use super::ends::EndSolver;
use std::ops::Range;

/// Sequence of neighbouring columns whose unknowns are eliminated one after the other. A chain
/// consists of the nodes of the columns, the edges between them, and the node of the vessel
/// (columns whose water moves as one mass) to which they belong, if any.
#[derive(Clone, Debug)]
pub(super) struct Chain {
    pub(super) nodes: Range<usize>,
    pub(super) links: Range<usize>,
    pub(super) vessel: Option<usize>,
}

/// Symmetric linear system: the diagonal and the right-hand side for each node, and the negated
/// off-diagonal coefficient for each edge.
pub(super) struct LinearSystem<'a> {
    pub(super) chains: &'a [Chain],
    /// Indices of the edges that belong to no [`Chain`] (sequence of neighbouring columns).
    pub(super) cross: &'a [u32],
    pub(super) diagonal: &'a mut [f64],
    pub(super) coupling: &'a [f64],
    /// Coupling between each node in a vessel (columns whose water moves as one mass) and the node
    /// of that vessel.
    pub(super) to_vessel: &'a mut [f64],
    pub(super) rhs: &'a mut [f64],
    /// Workspace: for each node, the coupling to the first node of its [`Chain`] during
    /// elimination.
    pub(super) first: &'a mut [f64],
    /// Workspace: couplings that remain after all chains have been eliminated. It holds three
    /// couplings per [`Chain`], followed by the couplings of the edges that belong to no chain.
    pub(super) reduced_couplings: &'a mut Vec<f64>,
}

impl LinearSystem<'_> {
    /// Returns the three pairs of nodes that are still coupled after a chain has been eliminated:
    /// its two ends, its first end with the node of its vessel (columns whose water moves as one
    /// mass), and its last end with that node. A pair that does not exist consists of the same node
    /// twice.
    pub(super) fn reduced_couplings(chain: &Chain) -> [[u32; 2]; 3] {
        let [first, last] = [chain.nodes.start, chain.nodes.end - 1];
        let to_vessel = |end: usize| [end, chain.vessel.unwrap_or(end)];
        // A coupling of a node to itself is skipped.
        let last_to_vessel = if first == last { [first, first] } else { to_vessel(last) };
        [[first, last], to_vessel(first), last_to_vessel].map(|ends| ends.map(|end| end as u32))
    }

    pub(super) fn solve(&mut self, ends: &mut EndSolver) {
        self.reduced_couplings.clear();
        for chain in self.chains {
            let couplings = self.eliminate(chain);
            self.reduced_couplings.extend(couplings);
        }
        self.reduced_couplings.extend(self.cross.iter().map(|&link| self.coupling[link as usize]));
        ends.solve(self.diagonal, self.reduced_couplings, self.rhs);
        for chain in self.chains {
            self.substitute(chain);
        }
    }

    /// Eliminates the unknowns between the two ends of a chain. Returns the remaining couplings:
    /// between the two ends, from the first end to the node of the chain's vessel (columns whose
    /// water moves as one mass), and from the last end to that node.
    fn eliminate(&mut self, chain: &Chain) -> [f64; 3] {
        let (nodes, links) = (chain.nodes.clone(), chain.links.clone());
        let n = nodes.len();
        let (mut vessel_diagonal, mut vessel_rhs) = (0.0, 0.0);
        let diagonal = &mut self.diagonal[nodes.clone()];
        let rhs = &mut self.rhs[nodes.clone()];
        let first = &mut self.first[nodes.clone()];
        let to_vessel = &mut self.to_vessel[nodes];
        if n < 2 {
            return [0.0, to_vessel[0], 0.0];
        }
        let east = &self.coupling[links];
        let mut to_first = east[0];
        // Sums for the first node, and for node `i`. They are kept in registers.
        let (mut first_diagonal, mut first_rhs, mut first_to_vessel) =
            (diagonal[0], rhs[0], to_vessel[0]);
        let (mut pivot, mut value, mut coupling) = (diagonal[1], rhs[1], to_vessel[1]);
        for i in 1..n - 1 {
            let inverse = 1.0 / pivot;
            first[i] = to_first;
            let [west_factor, east_factor, vessel_factor] =
                [to_first, east[i], coupling].map(|coupling| coupling * inverse);
            first_diagonal -= west_factor * to_first;
            first_rhs += west_factor * value;
            first_to_vessel += west_factor * coupling;
            vessel_diagonal += vessel_factor * coupling;
            vessel_rhs += vessel_factor * value;
            (rhs[i], to_vessel[i]) = (value, coupling);
            // The inverse is used again in the back substitution.
            diagonal[i] = inverse;
            to_first = west_factor * east[i];
            pivot = diagonal[i + 1] - east_factor * east[i];
            value = rhs[i + 1] + east_factor * value;
            coupling = to_vessel[i + 1] + east_factor * coupling;
        }
        (diagonal[0], rhs[0], to_vessel[0]) = (first_diagonal, first_rhs, first_to_vessel);
        (diagonal[n - 1], rhs[n - 1], to_vessel[n - 1]) = (pivot, value, coupling);
        let couplings = [to_first, to_vessel[0], to_vessel[n - 1]];
        if let Some(vessel) = chain.vessel {
            self.diagonal[vessel] -= vessel_diagonal;
            self.rhs[vessel] += vessel_rhs;
        }
        couplings
    }

    /// Computes the unknowns between the two ends of a chain by back substitution, after the values
    /// at both ends are known.
    fn substitute(&mut self, chain: &Chain) {
        let (nodes, links) = (chain.nodes.clone(), chain.links.clone());
        let n = nodes.len();
        let vessel_value = chain.vessel.map_or(0.0, |vessel| self.rhs[vessel]);
        let (inverse, first) = (&self.diagonal[nodes.clone()], &self.first[nodes.clone()]);
        let to_vessel = &self.to_vessel[nodes.clone()];
        let x = &mut self.rhs[nodes];
        let east = &self.coupling[links];
        let (west_end, mut east_value) = (x[0], x[n - 1]);
        for i in (1..n.saturating_sub(1)).rev() {
            east_value =
                (x[i] + east[i] * east_value + first[i] * west_end + to_vessel[i] * vessel_value)
                    * inverse[i];
            x[i] = east_value;
        }
    }
}
