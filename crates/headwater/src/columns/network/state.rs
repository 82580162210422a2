//! State that a network carries from one step to the next, so that a change of its extent adds no
//! energy.

use serde::{Deserialize, Serialize};

/// By edge: the height of the opening that carried. By column: the collective rise of its water.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(in super::super) struct NetworkState {
    /// By pool: true if any part of it belonged to a network in the last step.
    pub(in super::super) linked: Vec<bool>,
    /// Height (m) that carried over each column's eastern edge and each joint; [`SEPARATE`] for
    /// edges outside networks, [`UNKNOWN`] after the walls changed.
    #[serde(with = "crate::numbers")]
    pub(in super::super) edge: Vec<f32>,
    #[serde(with = "crate::numbers")]
    pub(in super::super) joint: Vec<f32>,
    /// Velocity (m/s) at which the water of each column rises as a whole, and the height (m) that
    /// takes part.
    #[serde(with = "crate::numbers")]
    pub(in super::super) rise: Vec<f32>,
    #[serde(with = "crate::numbers")]
    pub(in super::super) mass: Vec<f32>,
}

/// Height that is not known: the next step uses its own.
pub(in super::super) const UNKNOWN: f32 = -1.0;

/// Height of an edge that was in no network.
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
