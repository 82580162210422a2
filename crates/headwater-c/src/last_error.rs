//! C function that returns details of the last error in a thread.

use crate::status::{HwStatus, LAST_ERROR};
use crate::text::write_text;
use std::ffi::c_char;
use std::panic::catch_unwind;

/// Writes one part of the message of this thread's last error to `buffer`. `part` is a value of
/// `HwErrorPart`. If the message does not have this part, an empty string is written. `length` (may
/// be null) receives the length of the whole string in bytes, without the terminating NUL.
///
/// Returns `HW_STATUS_TOO_SMALL` if the string was truncated. Errors of this function itself are
/// not recorded.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_last_error(
    part: i32,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> HwStatus {
    let result = catch_unwind(|| {
        LAST_ERROR.with(|last| {
            let last = last.borrow();
            let text = usize::try_from(part).ok().and_then(|part| last.get(part));
            // SAFETY: the caller guarantees the size of its buffer.
            text.map(|text| unsafe { write_text(text, buffer, capacity, length) })
        })
    });
    match result {
        Ok(Some(Ok(()))) => HwStatus::Ok,
        Ok(Some(Err(failure))) => failure.status,
        Ok(None) => HwStatus::Input,
        Err(_) => HwStatus::Panicked,
    }
}
