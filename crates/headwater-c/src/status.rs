//! Status codes, what went wrong last, and the border that nothing unwinds across.

use headwater_scene::facade::{ErrorKind, FacadeError};
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What came of a call.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HwStatus {
    /// It is done.
    Ok = 0,
    /// The scene cannot be used.
    Scene = 1,
    /// A name, a number, a shape or a pointer that was handed over cannot be worked with. Nothing was done.
    Input = 2,
    /// The bytes are no snapshot of this world. Nothing was done.
    Snapshot = 3,
    /// The world cannot go on.
    Broken = 4,
    /// There is no world of that handle: it was destroyed, or never was.
    NoWorld = 5,
    /// Another thread, or a callback's caller, is at work in this world. Nothing was done.
    Busy = 6,
    /// The buffer is too small; how large it has to be was written where the call says.
    TooSmall = 7,
    /// A fault of this library; the world is not to be used any more, but to be destroyed.
    Panicked = 8,
}

/// A part of what went wrong last.
#[repr(i32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HwErrorPart {
    /// All of it in words.
    Message = 0,
    /// The key, or the thing in words.
    Key = 1,
    /// What was found.
    Found = 2,
    /// What is allowed, with its unit.
    Allowed = 3,
}

/// A call that failed.
pub(crate) struct Failure {
    pub(crate) status: HwStatus,
    parts: [String; 4],
}

/// What functions do inside.
pub(crate) type Done<T = ()> = Result<T, Failure>;

impl Failure {
    pub(crate) fn new(status: HwStatus, message: impl Into<String>) -> Self {
        Self { status, parts: [message.into(), String::new(), String::new(), String::new()] }
    }

    pub(crate) fn too_small(what: &str, room: usize, needed: usize) -> Self {
        let error = FacadeError::input(what, room, format!("{needed} or more"));
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
    pub(crate) static LAST: RefCell<[String; 4]> = const { RefCell::new([const { String::new() }; 4]) };
}

/// Does something whose failure becomes a status, and what went wrong last in this thread. Nothing unwinds out of it.
pub(crate) fn guard(work: impl FnOnce() -> Done) -> HwStatus {
    let failure = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => return HwStatus::Ok,
        Ok(Err(failure)) => failure,
        Err(panic) => {
            let said = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
            let said = said.or_else(|| panic.downcast_ref::<String>().cloned());
            let said = said.unwrap_or_else(|| "it did not say why".into());
            // What was thrown may throw again as it goes.
            std::mem::forget(panic);
            Failure::new(HwStatus::Panicked, format!("a fault of the library: {said}"))
        }
    };
    LAST.with(|last| *last.borrow_mut() = failure.parts);
    failure.status
}

/// The number of this interface. A program compares it with the `HW_ABI_VERSION` of the header that it was compiled with: where they differ, it
/// must not call anything else.
#[unsafe(no_mangle)]
pub extern "C" fn hw_abi_version() -> u32 {
    HW_ABI_VERSION
}

/// The number of the interface in this header.
pub const HW_ABI_VERSION: u32 = 1;
