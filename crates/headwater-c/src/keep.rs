//! States kept.

use crate::pointer::{room, set, slice};
use crate::status::{Failure, HwStatus};
use crate::text::put;
use crate::worlds::{HwWorld, on, tell};
use std::ffi::c_char;

/// Tells all that the world needs to go on, bit for bit, in bytes. `length` (may be null) is set to how many there are, whether they fit or
/// not. Their number changes as the world goes on: ask for it with a capacity of 0 first.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_snapshot(
    world: HwWorld,
    buffer: *mut u8,
    capacity: usize,
    length: *mut usize,
) -> HwStatus {
    on(world, |facade| {
        let bytes = facade.snapshot()?;
        // SAFETY: pointers are the caller's.
        unsafe { set(length, bytes.len(), "length") }?;
        if bytes.len() > capacity {
            return Err(Failure::too_small("a buffer for bytes", capacity, bytes.len()));
        }
        // SAFETY: the same.
        unsafe { room(buffer, bytes.len(), "a buffer for bytes") }?.copy_from_slice(&bytes);
        Ok(())
    })
}

/// Goes on from a snapshot of a world of the same scene with the same overrides.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_restore(world: HwWorld, bytes: *const u8, length: usize) -> HwStatus {
    on(world, |facade| {
        // SAFETY: pointers are the caller's.
        Ok(facade.restore(unsafe { slice(bytes, length, "bytes") }?)?)
    })
}

/// Tells the scene as it is now, as TOML, with values that were set and events that were done. `length` (may be null) is set to its bytes without
/// the NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_text(
    world: HwWorld,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> HwStatus {
    // SAFETY: pointers are the caller's.
    on(world, |facade| unsafe { put(&facade.text(), buffer, capacity, length) })
}

/// Tells a hash of the state: the same for the same doing on every machine and for any number of threads, and the one that `headwater hash` prints.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_state_hash(world: HwWorld, hash: *mut u64) -> HwStatus {
    // SAFETY: pointers are the caller's.
    unsafe { tell(world, hash, "hash", |facade| facade.state_hash()) }
}
