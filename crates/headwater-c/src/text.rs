//! Conversion of strings between Rust and C, where strings are UTF-8 with a terminating NUL.

use crate::pointer::{output_slice, write_optional};
use crate::status::{CallResult, Failure};
use headwater_scene::facade::FacadeError;
use std::ffi::{CStr, c_char};

/// Converts a required string argument of the C caller. A null pointer is an error, whose message
/// contains `argument_name` as the name of the argument.
///
/// # Safety
/// `pointer` is null, or points to a NUL-terminated string that does not change during the call.
pub(crate) unsafe fn read_text<'a>(
    pointer: *const c_char,
    argument_name: &str,
) -> CallResult<&'a str> {
    // SAFETY: guaranteed by the caller.
    let text = unsafe { read_optional_text(pointer, argument_name) }?;
    text.ok_or_else(|| FacadeError::invalid_argument(argument_name, "null", "a text").into())
}

/// Converts an optional string argument of the C caller; `None` for a null pointer. `argument_name`
/// names the argument in the error message.
///
/// # Safety
/// `pointer` is null, or points to a NUL-terminated string that does not change during the call.
pub(crate) unsafe fn read_optional_text<'a>(
    pointer: *const c_char,
    argument_name: &str,
) -> CallResult<Option<&'a str>> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: guaranteed by the caller.
    let bytes = unsafe { CStr::from_ptr(pointer) };
    let text = bytes.to_str().map_err(|error| {
        let found = format!("a byte that is no UTF-8 at {}", error.valid_up_to());
        Failure::from(FacadeError::invalid_argument(argument_name, found, "a text in UTF-8"))
    })?;
    Ok(Some(text))
}

/// Copies a string with a terminating NUL to the caller's buffer. Truncates a string that does not
/// fit, like `snprintf`. `length` receives the length of the whole string in bytes, without the
/// NUL. A null buffer is treated as a buffer with a capacity of 0.
///
/// # Errors
/// Returns [`HwStatus::TooSmall`](crate::HwStatus::TooSmall) if the string does not fit.
///
/// # Safety
/// `buffer` is null or valid for writes of `capacity` bytes; `length` is null or valid for writes.
pub(crate) unsafe fn write_text(
    text: &str,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> CallResult {
    let needed = text.len() + 1;
    let capacity = if buffer.is_null() { 0 } else { capacity };
    // SAFETY: guaranteed by the caller.
    unsafe { write_optional(length, text.len(), "a place for a length") }?;
    // SAFETY: guaranteed by the caller.
    let buffer = unsafe { output_slice(buffer, capacity.min(needed), "a buffer for a text") }?;
    fill_buffer(buffer, text);
    if capacity < needed {
        return Err(Failure::buffer_too_small("a buffer for a text", capacity, needed));
    }
    Ok(())
}

/// Converts a string to a fixed-size array that ends with a NUL. Truncates a string that is too
/// long.
pub(crate) fn to_fixed_array<const N: usize>(text: &str) -> [c_char; N] {
    let mut field = [0; N];
    fill_buffer(&mut field, text);
    field
}

/// Copies as many characters as fit to `buffer` and appends a NUL. Does nothing if `buffer` is
/// empty.
fn fill_buffer(buffer: &mut [c_char], text: &str) {
    let end = text.floor_char_boundary(buffer.len().saturating_sub(1));
    let bytes = text[..end].bytes().chain([0]);
    buffer.iter_mut().zip(bytes).for_each(|(into, byte)| *into = byte as c_char);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_truncated_between_characters() {
        let field: [c_char; 4] = to_fixed_array("m³/s");
        assert_eq!(field.map(|c| c as u8), *b"m\xc2\xb3\0");
        let field: [c_char; 3] = to_fixed_array("m³/s");
        assert_eq!(field.map(|c| c as u8), *b"m\0\0");
    }
}
