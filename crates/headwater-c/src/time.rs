//! C functions that advance a world in time.

use crate::pointer::write_optional;
use crate::status::HwStatus;
use crate::worlds::{HwWorld, call_with_world};
use headwater_scene::facade::{AdvanceOutcome, Progress};
use std::ffi::c_void;

/// Result of a call of `hw_advance` or `hw_step`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HwAdvanceOutcome {
    /// Number of time steps performed.
    pub steps: u64,
    /// Simulated time at the end of the call, in the world's unit of time.
    pub time: f64,
    /// 1 if the call performed all its steps, 0 if the callback stopped it.
    pub done: i32,
}

/// Callback that `hw_advance` and `hw_step` call every few steps. The arguments are the pointer
/// `user`, the simulated time, the number of steps since the start, and the completed fraction of
/// the call (0 to 1). The callback returns 0 to stop, and any other value to continue. It must not
/// throw. Within the callback, calls for the same world fail with `HW_STATUS_BUSY`.
pub type HwProgressCallback =
    Option<unsafe extern "C" fn(user: *mut c_void, time: f64, steps: u64, part: f64) -> i32>;

/// Advances the world by a duration, in whole time steps. The reached time differs from the
/// requested time by less than one step; the next call compensates for the difference. `progress`
/// and `outcome` may be null; `user` is passed to `progress`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_advance(
    world: HwWorld,
    time: f64,
    progress: HwProgressCallback,
    user: *mut c_void,
    outcome: *mut HwAdvanceOutcome,
) -> HwStatus {
    call_with_world(world, |facade| {
        // SAFETY: the caller guarantees its pointers.
        let mut progress = |at| unsafe { report_progress(progress, user, at) };
        let found = facade.advance(time, &mut progress)?;
        // SAFETY: as above.
        unsafe { write_optional(outcome, outcome_to_c(found), "outcome") }
    })
}

/// Performs `count` time steps and applies all events that are due during these steps. `progress`
/// and `outcome` may be null; `user` is passed to `progress`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_step(
    world: HwWorld,
    count: u64,
    progress: HwProgressCallback,
    user: *mut c_void,
    outcome: *mut HwAdvanceOutcome,
) -> HwStatus {
    call_with_world(world, |facade| {
        // SAFETY: the caller guarantees its pointers.
        let mut progress = |at| unsafe { report_progress(progress, user, at) };
        let found = facade.step(count, &mut progress)?;
        // SAFETY: as above.
        unsafe { write_optional(outcome, outcome_to_c(found), "outcome") }
    })
}

/// Calls the progress callback, if there is one. Returns whether the run should continue.
///
/// # Safety
/// If `progress` is given, it must be safe to call with the pointer `user`.
unsafe fn report_progress(progress: HwProgressCallback, user: *mut c_void, at: Progress) -> bool {
    // SAFETY: guaranteed by the caller.
    progress.is_none_or(|callback| unsafe { callback(user, at.time, at.steps, at.part) } != 0)
}

fn outcome_to_c(outcome: AdvanceOutcome) -> HwAdvanceOutcome {
    HwAdvanceOutcome { steps: outcome.steps, time: outcome.time, done: outcome.done.into() }
}
