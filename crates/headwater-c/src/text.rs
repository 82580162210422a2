//! Texts in and out: UTF-8 that ends with a NUL.

use crate::pointer::{room, set};
use crate::status::{Done, Failure};
use headwater_scene::facade::FacadeError;
use std::ffi::{CStr, c_char};

/// A text of the caller's.
///
/// # Safety
/// `pointer` is null, or leads to a text with a NUL that stays as it is as long as the call lasts.
pub(crate) unsafe fn text<'a>(pointer: *const c_char, what: &str) -> Done<&'a str> {
    // SAFETY: as the caller says.
    let text = unsafe { text_or_none(pointer, what) }?;
    text.ok_or_else(|| FacadeError::input(what, "null", "a text").into())
}

/// The same, or none for null.
///
/// # Safety
/// As of [`text`].
pub(crate) unsafe fn text_or_none<'a>(pointer: *const c_char, what: &str) -> Done<Option<&'a str>> {
    if pointer.is_null() {
        return Ok(None);
    }
    // SAFETY: as the caller says.
    let bytes = unsafe { CStr::from_ptr(pointer) };
    let text = bytes.to_str().map_err(|error| {
        let found = format!("a byte that is no UTF-8 at {}", error.valid_up_to());
        Failure::from(FacadeError::input(what, found, "a text in UTF-8"))
    })?;
    Ok(Some(text))
}

/// Copies a text with its NUL to a caller's buffer: `length` is set to its bytes without the NUL, whether it fits or not.
///
/// # Safety
/// `buffer` is null or has room for `capacity` bytes, `length` is null or may be written.
pub(crate) unsafe fn put(
    text: &str,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> Done {
    // SAFETY: as the caller says.
    unsafe { set(length, text.len(), "a place for a length") }?;
    if text.len() >= capacity {
        return Err(Failure::too_small("a buffer for a text", capacity, text.len() + 1));
    }
    // SAFETY: as the caller says.
    let buffer = unsafe { room(buffer, text.len() + 1, "a buffer for a text") }?;
    fill(buffer, text);
    Ok(())
}

/// A text in a field of fixed size: what does not fit is left out, and a NUL ends it.
pub(crate) fn fixed<const N: usize>(text: &str) -> [c_char; N] {
    let mut end = text.len().min(N - 1);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let mut field = [0; N];
    fill(&mut field, &text[..end]);
    field
}

fn fill(buffer: &mut [c_char], text: &str) {
    let bytes = text.bytes().chain([0]);
    buffer.iter_mut().zip(bytes).for_each(|(into, byte)| *into = byte as c_char);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_between_letters() {
        let field: [c_char; 4] = fixed("m³/s");
        assert_eq!(field.map(|c| c as u8), *b"m\xc2\xb3\0");
        let field: [c_char; 3] = fixed("m³/s");
        assert_eq!(field.map(|c| c as u8), *b"m\0\0");
    }
}
