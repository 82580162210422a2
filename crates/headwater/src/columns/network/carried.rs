//! What a network remembers of its last step, so that none of its energy comes from a change of what moves.

use serde::{Deserialize, Serialize};

/// By edge, how much of an opening's height moved; by column, how its water rose as a whole.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(in super::super) struct Carried {
    /// By pool: whether any of it was a network's in the last step.
    pub(in super::super) linked: Vec<bool>,
    /// Height (m) that carried over each column's eastern edge and each joint; [`ALONE`] for
    /// separate edges, [`UNKNOWN`] after the walls changed.
    #[serde(with = "crate::numbers")]
    pub(in super::super) edge: Vec<f32>,
    #[serde(with = "crate::numbers")]
    pub(in super::super) joint: Vec<f32>,
    /// How fast the water of each column rises as a whole (m/s), and how much of its height does (m).
    #[serde(with = "crate::numbers")]
    pub(in super::super) rise: Vec<f32>,
    #[serde(with = "crate::numbers")]
    pub(in super::super) mass: Vec<f32>,
}

/// A height that whatever moves next may take as its own.
pub(in super::super) const UNKNOWN: f32 = -1.0;

/// That of an edge that was no network's.
pub(in super::super) const ALONE: f32 = -2.0;

impl Carried {
    pub(in super::super) fn new(columns: usize, pools: usize, joints: usize) -> Self {
        Self {
            linked: vec![false; pools],
            edge: vec![ALONE; columns],
            joint: vec![ALONE; joints],
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
