//! Time goes on.

use crate::pointer::set;
use crate::status::HwStatus;
use crate::worlds::{HwWorld, on};
use headwater_scene::facade::{AdvanceOutcome, Progress};
use std::ffi::c_void;

/// What came of an advance.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HwArrived {
    /// Steps done.
    pub steps: u64,
    /// Simulated time now.
    pub time: f64,
    /// 1 if it came to its end, 0 if it was stopped.
    pub done: i32,
}

/// Is told every few steps how far an advance is: the simulated time, the steps since the start, the part that is done (0 to 1). It gives 0 to
/// stop there, else to go on. It must not throw, and calls about the same world are refused in it as `HW_STATUS_BUSY`.
pub type HwGoesOn =
    Option<unsafe extern "C" fn(user: *mut c_void, time: f64, steps: u64, part: f64) -> i32>;

/// Advances by a time. A world rests after whole steps: at the time asked for so far, or less than a step from it, which the next advance
/// takes into account. `goes_on` and `arrived` may be null; `user` is handed to `goes_on`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_advance(
    world: HwWorld,
    time: f64,
    goes_on: HwGoesOn,
    user: *mut c_void,
    arrived: *mut HwArrived,
) -> HwStatus {
    on(world, |facade| {
        // SAFETY: pointers are the caller's.
        let mut ask = |at| unsafe { asked(goes_on, user, at) };
        let found = facade.advance(time, &mut ask)?;
        // SAFETY: the same.
        unsafe { set(arrived, told(found), "arrived") }
    })
}

/// Does so many steps, with all events that are due. `goes_on` and `arrived` may be null; `user` is handed to `goes_on`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_step(
    world: HwWorld,
    count: u64,
    goes_on: HwGoesOn,
    user: *mut c_void,
    arrived: *mut HwArrived,
) -> HwStatus {
    on(world, |facade| {
        // SAFETY: pointers are the caller's.
        let mut ask = |at| unsafe { asked(goes_on, user, at) };
        let found = facade.step(count, &mut ask)?;
        // SAFETY: the same.
        unsafe { set(arrived, told(found), "arrived") }
    })
}

/// # Safety
/// The function can be called with the pointer.
unsafe fn asked(goes_on: HwGoesOn, user: *mut c_void, at: Progress) -> bool {
    // SAFETY: as the caller says.
    goes_on.is_none_or(|ask| unsafe { ask(user, at.time, at.steps, at.part) } != 0)
}

fn told(arrived: AdvanceOutcome) -> HwArrived {
    HwArrived { steps: arrived.steps, time: arrived.time, done: arrived.done.into() }
}
