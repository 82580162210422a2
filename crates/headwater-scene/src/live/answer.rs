//! [`Found`]: what a world on a GPU has answered.

use crate::run::ProbeValue;

/// What was found at a place of a world on a GPU.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// The place (m), and what is there.
    pub(super) last: Option<([f64; 2], Vec<ProbeValue>)>,
    /// Whether an answer is on its way.
    pub(super) is_asked: bool,
}
