//! Status codes of the C functions, the last error of each thread, and the guard that keeps panics
//! from unwinding into C.

use headwater_scene::facade::{ErrorKind, FacadeError};
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Status that a call returns.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HwStatus {
    /// The call succeeded.
    Ok = 0,
    /// The scene is invalid.
    Scene = 1,
    /// An argument, such as a name, number, shape or pointer, is invalid. Nothing was changed.
    Input = 2,
    /// The bytes are not a snapshot that this world can restore. Nothing was changed.
    Snapshot = 3,
    /// The model failed, for example because its state contains values that are not finite. The
    /// world can no longer be stepped. A child process that was forked after the library was used
    /// also receives this status from every call.
    Broken = 4,
    /// The handle does not belong to an existing world.
    NoWorld = 5,
    /// The world is in use: by another thread, or by the call whose callback is running. Nothing
    /// was changed.
    Busy = 6,
    /// The buffer is too small. Strings are truncated to fit. The required size was written to an
    /// output parameter of the function, usually `length` or `count`.
    TooSmall = 7,
    /// Internal error of the library. The only call that the world still accepts is `hw_destroy`.
    Panicked = 8,
}

/// Part of the message of the last error.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HwErrorPart {
    /// Complete error message.
    Message = 0,
    /// Key of the invalid value, or a description of the invalid input.
    Key = 1,
    /// Invalid value that was found.
    Found = 2,
    /// Description of the allowed values, with their unit.
    Allowed = 3,
}

/// Failure of a call: the status to return and the parts of the error message.
pub(crate) struct Failure {
    pub(crate) status: HwStatus,
    parts: [String; 4],
}

/// Result of an internal function. It is converted to a status before it is returned to C.
pub(crate) type CallResult<T = ()> = Result<T, Failure>;

impl Failure {
    pub(crate) fn new(status: HwStatus, message: impl Into<String>) -> Self {
        Self { status, parts: [message.into(), String::new(), String::new(), String::new()] }
    }

    pub(crate) fn buffer_too_small(argument_name: &str, capacity: usize, needed: usize) -> Self {
        let error =
            FacadeError::invalid_argument(argument_name, capacity, format!("{needed} or more"));
        Self::from(error).with_status(HwStatus::TooSmall)
    }

    pub(crate) fn with_status(self, status: HwStatus) -> Self {
        Self { status, ..self }
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
/// keeps panics from unwinding into C.
pub(crate) fn catch_panics(work: impl FnOnce() -> CallResult) -> HwStatus {
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

/// Returns the version of the library's binary interface. A program must not call any other
/// function if this version differs from the `HW_ABI_VERSION` with which the program was compiled.
#[unsafe(no_mangle)]
pub extern "C" fn hw_abi_version() -> u32 {
    HW_ABI_VERSION
}

/// Version of the binary interface that this header declares.
pub const HW_ABI_VERSION: u32 = 1;
