//! Status codes of the C functions, the last error of each thread, and the barrier that stops
//! panics from unwinding into C.

use headwater_scene::facade::{ErrorKind, FacadeError};
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Result of a call.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HwStatus {
    /// Success.
    Ok = 0,
    /// The scene is invalid.
    Scene = 1,
    /// An argument is invalid: a name, number, shape or pointer. Nothing was changed.
    Input = 2,
    /// The bytes are not a snapshot of this world. Nothing was changed.
    Snapshot = 3,
    /// The world cannot continue.
    Broken = 4,
    /// The handle is not that of an existing world.
    NoWorld = 5,
    /// The world is in use by another thread or by the caller of a callback. Nothing was changed.
    Busy = 6,
    /// The buffer is too small; the required size was written to the output that the call
    /// documents.
    TooSmall = 7,
    /// Internal error of the library; the world can only be destroyed.
    Panicked = 8,
}

/// Part of the last error.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HwErrorPart {
    /// Complete message.
    Message = 0,
    /// Key of the invalid value, or a description of the invalid item.
    Key = 1,
    /// Invalid value that was found.
    Found = 2,
    /// Allowed values, with unit.
    Allowed = 3,
}

/// Failure of a call: its status and the parts of its message.
pub(crate) struct Failure {
    pub(crate) status: HwStatus,
    parts: [String; 4],
}

/// Result of an internal operation, before its conversion to a status.
pub(crate) type CallResult<T = ()> = Result<T, Failure>;

impl Failure {
    pub(crate) fn new(status: HwStatus, message: impl Into<String>) -> Self {
        Self { status, parts: [message.into(), String::new(), String::new(), String::new()] }
    }

    pub(crate) fn too_small(what: &str, capacity: usize, needed: usize) -> Self {
        let error = FacadeError::input(what, capacity, format!("{needed} or more"));
        Self { status: HwStatus::TooSmall, ..error.into() }
    }
}

impl From<FacadeError> for Failure {
    fn from(error: FacadeError) -> Self {
        let status = match error.kind {
            ErrorKind::Scene => HwStatus::Scene,
            ErrorKind::Snapshot => HwStatus::Snapshot,
            ErrorKind::Broken => HwStatus::Broken,
            _ => HwStatus::Input,
        };
        let [key, found, allowed] =
            [error.key, error.found, error.allowed].map(Option::unwrap_or_default);
        Self { status, parts: [error.message, key, found, allowed] }
    }
}

thread_local! {
    pub(crate) static LAST_ERROR: RefCell<[String; 4]> = const { RefCell::new([const { String::new() }; 4]) };
}

/// Runs `work` and returns its status. Records a failure as the last error of this thread, and
/// stops panics from unwinding into C.
pub(crate) fn guard(work: impl FnOnce() -> CallResult) -> HwStatus {
    let failure = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => return HwStatus::Ok,
        Ok(Err(failure)) => failure,
        Err(panic) => {
            let message = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
            let message = message.or_else(|| panic.downcast_ref::<String>().cloned());
            let message = message.unwrap_or_else(|| "no message".into());
            // Dropping the panic payload could panic again.
            std::mem::forget(panic);
            Failure::new(HwStatus::Panicked, format!("internal error of the library: {message}"))
        }
    };
    LAST_ERROR.with(|last| *last.borrow_mut() = failure.parts);
    failure.status
}

/// Returns the ABI version of the library. If it differs from `HW_ABI_VERSION` of the header that a
/// program was compiled with, the program must not call any other function.
#[unsafe(no_mangle)]
pub extern "C" fn hw_abi_version() -> u32 {
    HW_ABI_VERSION
}

/// ABI version of this header.
pub const HW_ABI_VERSION: u32 = 1;
