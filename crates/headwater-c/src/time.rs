//! C functions that advance a world in time.

use crate::pointer::{check_aligned, write_optional};
use crate::status::HwStatus;
use crate::worlds::{HwWorld, call_with_world};
use headwater_scene::facade::{AdvanceOutcome, Facade, FacadeError, Progress};
use std::ffi::c_void;

/// Result of a call of `hw_advance` or `hw_step`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HwAdvanceOutcome {
    /// Number of time steps performed.
    pub steps: u64,
    /// Simulated time at the end of the call, in the world's unit of time.
    pub time: f64,
    /// 1 if the call performed all its steps, 0 if the callback stopped the call early.
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
    // SAFETY: the caller guarantees its pointers.
    unsafe { run_steps(world, time, Facade::advance, progress, user, outcome) }
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
    // SAFETY: the caller guarantees its pointers.
    unsafe { run_steps(world, count, Facade::step, progress, user, outcome) }
}

type ProgressFn<'a> = &'a mut dyn FnMut(Progress) -> bool;

/// Advances a world by calling `run`, a method of the facade. Returns an error before any step if
/// `outcome` is not aligned.
///
/// # Safety
/// If `progress` is given, it must be safe to call with the pointer `user`. `outcome` is null or
/// valid for writes.
unsafe fn run_steps<T>(
    world: HwWorld,
    amount: T,
    run: impl FnOnce(&mut Facade, T, ProgressFn) -> Result<AdvanceOutcome, FacadeError>,
    progress: HwProgressCallback,
    user: *mut c_void,
    outcome: *mut HwAdvanceOutcome,
) -> HwStatus {
    call_with_world(world, |facade| {
        check_aligned(outcome, "outcome")?;
        let found = run(facade, amount, &mut |at| {
            // SAFETY: guaranteed by the caller.
            progress.is_none_or(|call| unsafe { call(user, at.time, at.steps, at.part) } != 0)
        })?;
        let AdvanceOutcome { steps, time, done } = found;
        let found = HwAdvanceOutcome { steps, time, done: done.into() };
        // SAFETY: guaranteed by the caller.
        unsafe { write_optional(outcome, found, "outcome") }
    })
}
