//! Where the world on the device is in time, and steps that are on their way.

use crate::buffer::Pending;
use headwater::flow::Flow;

#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    pub(super) time: f64,
    pub(super) steps: u64,
    pub(super) last_dt: f32,
    pub(super) side_h: u32,
    pub(super) side_q: u32,
}

impl Moment {
    pub(super) fn of(flow: &Flow) -> Self {
        let last_dt = flow.device_view().last_dt();
        Self { time: flow.time(), steps: flow.steps(), last_dt, side_h: 0, side_q: 0 }
    }
}

#[derive(Debug)]
pub(super) struct Batch {
    /// The notes that its steps leave, after the one that it began with.
    pub(super) notes: Pending<u32>,
    /// Its steps, and where the world is after each of them.
    pub(super) plan: Vec<Planned>,
    pub(super) moments: Vec<Moment>,
    /// True if a step that turned out too long is a fault of whoever asked for it.
    pub(super) asked: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Planned {
    pub(super) start: f64,
    pub(super) dt: f64,
    pub(super) end: f64,
}
