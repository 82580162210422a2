//! Earlier states: undo of world changes, scrubbing, replay and recording.

pub(super) mod navigation_history;
pub(super) mod recording;
pub(super) mod recording_actions;
pub(super) mod replay;
pub(super) mod time_scrub;
pub(super) mod view_history;
