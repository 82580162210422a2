//! Simulated time and step count of a world on the device, and batches of steps that have been
//! submitted but not completed.

use crate::buffer::Pending;
use headwater::flow::Flow;

/// Simulated time (s) and step count of the world on the device. Also contains, for each double
/// buffer, the index (0 or 1) of the half that holds the current values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Clock {
    pub(super) time: f64,
    pub(super) steps: u64,
    pub(super) last_dt: f32,
    pub(super) buffer_h: u32,
    pub(super) buffer_q: u32,
}

impl Clock {
    pub(super) fn from_flow(flow: &Flow) -> Self {
        let last_dt = flow.device_view().last_dt();
        Self { time: flow.time(), steps: flow.steps(), last_dt, buffer_h: 0, buffer_q: 0 }
    }
}

/// Submitted batch of steps whose outcome has not been read back yet.
#[derive(Debug)]
pub(super) struct Batch {
    /// Summaries of the states after each step of the batch, in order. A summary contains the
    /// numbers that determine the stable time step.
    pub(super) summaries: Pending<u32>,
    /// Planned steps of the batch, in order.
    pub(super) plan: Vec<PlannedStep>,
    /// Simulated time and step count after each step of the batch.
    pub(super) clocks: Vec<Clock>,
    /// Whether the caller chose the step length. If so, an unstable step is an error.
    pub(super) fixed_step: bool,
}

/// Start time, length and end time of a step that the CPU has planned (s).
#[derive(Clone, Copy, Debug)]
pub(super) struct PlannedStep {
    pub(super) start: f64,
    pub(super) dt: f64,
    pub(super) end: f64,
}
