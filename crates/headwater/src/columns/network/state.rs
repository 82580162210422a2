//! State that networks (groups of columns coupled by pressure) carry from one step to the next. It
//! ensures that changes in the extent of a network add no energy.

use serde::{Deserialize, Serialize};

/// State of networks between two steps: the thickness of the flowing layer of water at each edge,
/// and the vertical motion of the vessels (columns whose water moves as one mass).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(in super::super) struct NetworkState {
    /// For each pool, whether any part of the pool belonged to a network in the last step.
    pub(in super::super) linked: Vec<bool>,
    /// Thickness (m) of the flowing layer of water at each column's eastern edge. The value is
    /// [`SEPARATE`] if the edge belongs to no network.
    #[serde(with = "crate::numbers")]
    pub(in super::super) edge: Vec<f32>,
    #[serde(with = "crate::numbers")]
    pub(in super::super) joint: Vec<f32>,
    /// For each column, the velocity (m/s, positive upward) at which its water moves as one mass
    /// with that of neighbouring columns. 0 if it moves independently.
    #[serde(with = "crate::numbers")]
    pub(in super::super) rise: Vec<f32>,
    /// For each column, the height (m) of the water that moves as one mass. 0 if there is no such
    /// water.
    #[serde(with = "crate::numbers")]
    pub(in super::super) mass: Vec<f32>,
}

/// Value that marks an edge that belonged to no network in the last step.
pub(in super::super) const SEPARATE: f32 = -2.0;

impl NetworkState {
    pub(in super::super) fn new(columns: usize, pools: usize, joints: usize) -> Self {
        Self {
            linked: vec![false; pools],
            edge: vec![SEPARATE; columns],
            joint: vec![SEPARATE; joints],
            rise: vec![0.0; columns],
            mass: vec![0.0; columns],
        }
    }

    pub(in super::super) fn fits(&self, columns: usize, pools: usize, joints: usize) -> bool {
        let Self { linked, edge, joint, rise, mass } = self;
        let lengths = [edge.len(), rise.len(), mass.len()] == [columns; 3];
        let numbers = [edge, joint, rise, mass].into_iter().flatten().all(|v| v.is_finite());
        lengths
            && numbers
            && linked.len() == pools
            && joint.len() == joints
            && mass.iter().all(|&mass| mass >= 0.0)
    }
}
