//! The caller's pointers as references, checked as far as they can be.

use crate::status::{Done, Failure, HwStatus};
use headwater_scene::facade::FacadeError;
use std::mem::size_of;

fn null(what: &str) -> Failure {
    FacadeError::input(what, "null", "a pointer").into()
}

/// Where a result goes.
///
/// # Safety
/// `pointer` is null, or may be written as a `T` as long as the call lasts.
pub(crate) unsafe fn out<'a, T>(pointer: *mut T, what: &str) -> Done<&'a mut T> {
    check_aligned(pointer, what)?;
    // SAFETY: as the caller says.
    unsafe { pointer.as_mut() }.ok_or_else(|| null(what))
}

/// Writes a result, if it is asked for.
///
/// # Safety
/// As of [`out`].
pub(crate) unsafe fn set<T>(pointer: *mut T, value: T, what: &str) -> Done {
    check_aligned(pointer, what)?;
    if !pointer.is_null() {
        // SAFETY: as the caller says.
        unsafe { pointer.write(value) };
    }
    Ok(())
}

/// So many things of the caller's; null may stand for none.
///
/// # Safety
/// `pointer` is null, or leads to `count` things that stay as they are as long as the call lasts.
pub(crate) unsafe fn slice<'a, T>(pointer: *const T, count: usize, what: &str) -> Done<&'a [T]> {
    check_room::<T>(pointer, count, what)?;
    if count == 0 {
        return Ok(&[]);
    }
    // SAFETY: as the caller says, and it is neither null nor longer than memory.
    Ok(unsafe { std::slice::from_raw_parts(pointer, count) })
}

/// Room for so many things; null may stand for none.
///
/// # Safety
/// `pointer` is null, or leads to room for `count` things that nobody else reads or writes as long as the call lasts.
pub(crate) unsafe fn room<'a, T>(pointer: *mut T, count: usize, what: &str) -> Done<&'a mut [T]> {
    check_room::<T>(pointer, count, what)?;
    if count == 0 {
        return Ok(&mut []);
    }
    // SAFETY: as the caller says, and it is neither null nor longer than memory.
    Ok(unsafe { std::slice::from_raw_parts_mut(pointer, count) })
}

/// Copies a list into a caller's room: `count` is set to how many there are, whether they fit or not.
///
/// # Safety
/// As of [`room`], and `count` is null or may be written.
pub(crate) unsafe fn list<T>(
    all: impl ExactSizeIterator<Item = T>,
    into: *mut T,
    capacity: usize,
    count: *mut usize,
    what: &str,
) -> Done {
    let many = all.len();
    // SAFETY: as the caller says.
    unsafe { set(count, many, "a place for a count") }?;
    if many > capacity {
        return Err(Failure::too_small(what, capacity, many));
    }
    // SAFETY: as the caller says.
    let room = unsafe { room(into, many, what) }?;
    room.iter_mut().zip(all).for_each(|(room, one)| *room = one);
    Ok(())
}

/// A description whose first field is its size, which may be that of an older header with fewer fields: what is not there is zero.
///
/// # Safety
/// `pointer` is null, or leads to as many bytes as its first field, a `usize`, says; zeros are a good `T`.
pub(crate) unsafe fn described<T: Copy>(pointer: *const T, what: &str, least: usize) -> Done<T> {
    check_aligned(pointer, what)?;
    if pointer.is_null() {
        return Err(null(what));
    }
    // SAFETY: it has a size at least, as the caller says.
    let size = unsafe { pointer.cast::<usize>().read() };
    // A size that ends within a field would leave half a pointer.
    if !(least..=1 << 16).contains(&size) || !size.is_multiple_of(align_of::<T>()) {
        let step = align_of::<T>();
        let allowed = format!("{least} or more, a multiple of {step}: set it to `sizeof`");
        return Err(FacadeError::input(format!("size of {what}"), size, allowed).into());
    }
    // SAFETY: zeros are a good `T`; as many bytes are read as there are and as fit.
    unsafe {
        let mut whole = std::mem::zeroed::<T>();
        let bytes = size.min(size_of::<T>());
        std::ptr::copy_nonoverlapping(pointer.cast::<u8>(), (&raw mut whole).cast(), bytes);
        Ok(whole)
    }
}

fn check_aligned<T>(pointer: *const T, what: &str) -> Done {
    if pointer.is_aligned() {
        return Ok(());
    }
    Err(Failure::new(HwStatus::Input, format!("{what}: found a pointer that is not aligned")))
}

fn check_room<T>(pointer: *const T, count: usize, what: &str) -> Done {
    check_aligned(pointer, what)?;
    if pointer.is_null() && count > 0 {
        return Err(null(what));
    }
    if count > isize::MAX as usize / size_of::<T>().max(1) {
        return Err(FacadeError::input(what, count, "as many as memory has room for").into());
    }
    Ok(())
}
