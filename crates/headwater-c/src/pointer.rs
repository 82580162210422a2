//! Conversion of a C caller's pointers to references and slices, with all possible checks.

use crate::status::{CallResult, Failure, HwStatus};
use headwater_scene::facade::FacadeError;
use std::mem::size_of;

fn null_error(argument_name: &str) -> Failure {
    FacadeError::invalid_argument(argument_name, "null", "a pointer").into()
}

/// Converts the pointer of a required output to a mutable reference. A null pointer is an error,
/// whose message contains `argument_name` as the name of the output.
///
/// # Safety
/// `pointer` is null, or valid for writes of a `T` during the call.
pub(crate) unsafe fn output_mut<'a, T>(
    pointer: *mut T,
    argument_name: &str,
) -> CallResult<&'a mut T> {
    check_aligned(pointer, argument_name)?;
    // SAFETY: guaranteed by the caller.
    unsafe { pointer.as_mut() }.ok_or_else(|| null_error(argument_name))
}

/// Writes a value to an optional output. Does nothing if `pointer` is null.
///
/// # Safety
/// `pointer` is null, or valid for writes of a `T` during the call.
pub(crate) unsafe fn write_optional<T>(
    pointer: *mut T,
    value: T,
    argument_name: &str,
) -> CallResult {
    check_aligned(pointer, argument_name)?;
    if !pointer.is_null() {
        // SAFETY: guaranteed by the caller.
        unsafe { pointer.write(value) };
    }
    Ok(())
}

/// Converts a pointer to the caller's list of `count` values to a slice. The pointer may be null if
/// `count` is 0.
///
/// # Safety
/// `pointer` is null, or valid for reads of `count` values that do not change during the call.
pub(crate) unsafe fn input_slice<'a, T>(
    pointer: *const T,
    count: usize,
    argument_name: &str,
) -> CallResult<&'a [T]> {
    check_slice::<T>(pointer, count, argument_name)?;
    if count == 0 {
        return Ok(&[]);
    }
    // SAFETY: guaranteed by the caller; it is not null, and its size is in range.
    Ok(unsafe { std::slice::from_raw_parts(pointer, count) })
}

/// Converts a pointer to the caller's buffer of `count` values to a mutable slice. The pointer may
/// be null if `count` is 0.
///
/// # Safety
/// `pointer` is null, or valid for reads and writes of `count` values that nothing else accesses
/// during the call.
pub(crate) unsafe fn output_slice<'a, T>(
    pointer: *mut T,
    count: usize,
    argument_name: &str,
) -> CallResult<&'a mut [T]> {
    check_slice::<T>(pointer, count, argument_name)?;
    if count == 0 {
        return Ok(&mut []);
    }
    // SAFETY: guaranteed by the caller; it is not null, and its size is in range.
    Ok(unsafe { std::slice::from_raw_parts_mut(pointer, count) })
}

/// Copies the items of a list to the caller's buffer `into`. `count` receives the number of items,
/// even if they do not fit in the buffer.
///
/// # Safety
/// `into` is null, or valid for reads and writes of `capacity` items that nothing else accesses
/// during the call. `count` is null or valid for writes.
pub(crate) unsafe fn write_list<T>(
    items: impl ExactSizeIterator<Item = T>,
    into: *mut T,
    capacity: usize,
    count: *mut usize,
    argument_name: &str,
) -> CallResult {
    let many = items.len();
    // SAFETY: guaranteed by the caller.
    let buffer = unsafe { output_slice(into, capacity, argument_name) }?;
    // SAFETY: guaranteed by the caller.
    unsafe { write_optional(count, many, "a place for a count") }?;
    if many > capacity {
        return Err(Failure::buffer_too_small(argument_name, capacity, many));
    }
    buffer.iter_mut().zip(items).for_each(|(place, one)| *place = one);
    Ok(())
}

/// Reads a struct whose first field is the struct's size. A caller that was compiled with an older
/// header may give a smaller size; the missing fields are then zero. With a newer header, the size
/// may be larger; the fields that this version lacks must be zero.
///
/// # Safety
/// `pointer` is null, or valid for reads of as many bytes as its first field, a `usize`, states.
/// All zeros is a valid `T`.
pub(crate) unsafe fn read_sized<T: Copy>(
    pointer: *const T,
    argument_name: &str,
    min_size: usize,
) -> CallResult<T> {
    check_aligned(pointer, argument_name)?;
    if pointer.is_null() {
        return Err(null_error(argument_name));
    }
    // SAFETY: the caller guarantees at least the size field.
    let size = unsafe { pointer.cast::<usize>().read() };
    // A size that ends within a field would leave half a pointer.
    if !(min_size..=1 << 16).contains(&size) || !size.is_multiple_of(align_of::<T>()) {
        let step = align_of::<T>();
        let allowed = format!("{min_size} or more, a multiple of {step}: set it to `sizeof`");
        return Err(FacadeError::invalid_argument(
            format!("size of {argument_name}"),
            size,
            allowed,
        )
        .into());
    }
    // SAFETY: the caller guarantees `size` bytes.
    let bytes = unsafe { std::slice::from_raw_parts(pointer.cast::<u8>(), size) };
    let newer_fields = bytes.get(size_of::<T>()..).unwrap_or_default();
    if newer_fields.iter().any(|byte| *byte != 0) {
        let known = size_of::<T>();
        let message = format!(
            "{argument_name}: sets a field after the {known} bytes that this version of the library \
             supports; set it to zero, or use a newer library"
        );
        return Err(Failure::new(HwStatus::Input, message));
    }
    // SAFETY: all zeros is a valid `T`; the copy is limited by both sizes.
    unsafe {
        let mut whole = std::mem::zeroed::<T>();
        let bytes = size.min(size_of::<T>());
        std::ptr::copy_nonoverlapping(pointer.cast::<u8>(), (&raw mut whole).cast(), bytes);
        Ok(whole)
    }
}

/// Returns an error unless the pointer is null or aligned. `argument_name` names the argument in
/// the message.
pub(crate) fn check_aligned<T>(pointer: *const T, argument_name: &str) -> CallResult {
    if pointer.is_aligned() {
        return Ok(());
    }
    Err(Failure::new(
        HwStatus::Input,
        format!("{argument_name}: found a pointer that is not aligned"),
    ))
}

fn check_slice<T>(pointer: *const T, count: usize, argument_name: &str) -> CallResult {
    check_aligned(pointer, argument_name)?;
    if pointer.is_null() && count > 0 {
        return Err(null_error(argument_name));
    }
    if count > isize::MAX as usize / size_of::<T>().max(1) {
        return Err(FacadeError::invalid_argument(
            argument_name,
            count,
            "a count that fits in memory",
        )
        .into());
    }
    Ok(())
}
