//! What went wrong last in a thread, told.

use crate::status::{HwStatus, LAST};
use crate::text::put;
use std::ffi::c_char;
use std::panic::catch_unwind;

/// Tells a part of what went wrong in the last call of this thread that failed; an empty text if it has no such part. `length` (may be null) is
/// set to the bytes of the text without its NUL, whether it fits or not.
///
/// Returns `HW_STATUS_TOO_SMALL` if it does not fit; of this call alone it is not told what went wrong.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_last_error(
    part: i32,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> HwStatus {
    let told = catch_unwind(|| {
        LAST.with(|last| {
            let last = last.borrow();
            let text = usize::try_from(part).ok().and_then(|part| last.get(part));
            // SAFETY: the caller's buffer is as large as it says.
            text.map(|text| unsafe { put(text, buffer, capacity, length) })
        })
    });
    match told {
        Ok(Some(Ok(()))) => HwStatus::Ok,
        Ok(Some(Err(failure))) => failure.status,
        Ok(None) => HwStatus::Input,
        Err(_) => HwStatus::Panicked,
    }
}
