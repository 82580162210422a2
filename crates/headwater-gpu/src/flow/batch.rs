//! Time and step count of the world on the device, and batches of steps in flight.

use crate::buffer::Pending;
use headwater::flow::Flow;

/// State of the device's clock and double buffers.
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

/// A submitted batch of steps whose outcome is not read back yet.
#[derive(Debug)]
pub(super) struct Batch {
    /// Summaries of the states after each step.
    pub(super) summaries: Pending<u32>,
    /// The steps of the batch, and the clock after each of them.
    pub(super) plan: Vec<PlannedStep>,
    pub(super) clocks: Vec<Clock>,
    /// True if the caller fixed the step, so that an unstable step is an error.
    pub(super) fixed_step: bool,
}

/// Start, length and end of a planned step (s).
#[derive(Clone, Copy, Debug)]
pub(super) struct PlannedStep {
    pub(super) start: f64,
    pub(super) dt: f64,
    pub(super) end: f64,
}
