//! C functions that save and restore snapshots, and return the scene and the state hash.

use crate::pointer::{input_slice, write_list};
use crate::status::HwStatus;
use crate::text::write_text;
use crate::worlds::{HwWorld, call_with_world, write_result};
use std::ffi::c_char;

/// Writes a snapshot of the world to `buffer`. A snapshot contains the complete state, so that a
/// restored world continues bit for bit. `length` (may be null) receives the size of the snapshot
/// in bytes, even if the snapshot does not fit. To query the size, pass a capacity of 0; the size
/// changes as the world runs.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_snapshot(
    world: HwWorld,
    buffer: *mut u8,
    capacity: usize,
    length: *mut usize,
) -> HwStatus {
    call_with_world(world, |facade| {
        let bytes = facade.snapshot()?;
        // SAFETY: the caller guarantees its pointers.
        unsafe { write_list(bytes.into_iter(), buffer, capacity, length, "a buffer for bytes") }
    })
}

/// Restores the state of the world from a snapshot. The snapshot must be from a world with the same
/// scene and the same overrides.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_restore(world: HwWorld, bytes: *const u8, length: usize) -> HwStatus {
    call_with_world(world, |facade| {
        // SAFETY: the caller guarantees its pointers.
        Ok(facade.restore(unsafe { input_slice(bytes, length, "bytes") }?)?)
    })
}

/// Writes the current scene as a TOML string to `buffer`, including changed values and applied
/// events. `length` (may be null) receives the length of the string in bytes, without the
/// terminating NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_text(
    world: HwWorld,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> HwStatus {
    // SAFETY: the caller guarantees its pointers.
    call_with_world(world, |facade| unsafe { write_text(&facade.text(), buffer, capacity, length) })
}

/// Writes a hash of the state to `hash`. The hash is the same on every machine and for any number
/// of threads, and equals the output of `headwater hash`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_state_hash(world: HwWorld, hash: *mut u64) -> HwStatus {
    // SAFETY: the caller guarantees its pointers.
    unsafe { write_result(world, hash, "hash", |facade| facade.state_hash()) }
}
