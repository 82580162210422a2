//! Springs and drains, by ids.

use crate::place::{HwPlace, place};
use crate::pointer::{list, out};
use crate::status::{HwStatus, guard};
use crate::worlds::{HwWorld, with};

/// Adds a spring, and sets `id` to its id: it gives `rate` (m³/s; of blocks, cells/s; of hydrology, drops per cell of rain).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_add_spring(
    world: HwWorld,
    at: *const HwPlace,
    rate: f64,
    id: *mut u32,
) -> HwStatus {
    guard(|| {
        with(world, |facade| {
            // SAFETY: pointers are the caller's.
            let (place, id) = unsafe { (place(at)?, out(id, "id")?) };
            *id = facade.add_spring(&place, rate)?;
            Ok(())
        })
    })
}

/// Puts another spring in the place of one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_set_spring(
    world: HwWorld,
    id: u32,
    at: *const HwPlace,
    rate: f64,
) -> HwStatus {
    guard(|| {
        with(world, |facade| {
            // SAFETY: pointers are the caller's.
            let place = unsafe { place(at) }?;
            Ok(facade.set_spring(id, &place, rate)?)
        })
    })
}

/// Takes a spring out.
#[unsafe(no_mangle)]
pub extern "C" fn hw_remove_spring(world: HwWorld, id: u32) -> HwStatus {
    guard(|| with(world, |facade| Ok(facade.remove_spring(id)?)))
}

/// Tells the ids of its springs, those of the scene too. `count` (may be null) is set to how many there are, whether they fit or not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_springs(
    world: HwWorld,
    into: *mut u32,
    capacity: usize,
    count: *mut usize,
) -> HwStatus {
    guard(|| {
        with(world, |facade| {
            let all = facade.springs().into_iter();
            // SAFETY: pointers are the caller's.
            unsafe { list(all, into, capacity, count, "springs") }
        })
    })
}

/// Adds a drain, and sets `id` to its id: it takes up to `rate`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_add_drain(
    world: HwWorld,
    at: *const HwPlace,
    rate: f64,
    id: *mut u32,
) -> HwStatus {
    guard(|| {
        with(world, |facade| {
            // SAFETY: pointers are the caller's.
            let (place, id) = unsafe { (place(at)?, out(id, "id")?) };
            *id = facade.add_drain(&place, rate)?;
            Ok(())
        })
    })
}

/// Puts another drain in the place of one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_set_drain(
    world: HwWorld,
    id: u32,
    at: *const HwPlace,
    rate: f64,
) -> HwStatus {
    guard(|| {
        with(world, |facade| {
            // SAFETY: pointers are the caller's.
            let place = unsafe { place(at) }?;
            Ok(facade.set_drain(id, &place, rate)?)
        })
    })
}

/// Takes a drain out.
#[unsafe(no_mangle)]
pub extern "C" fn hw_remove_drain(world: HwWorld, id: u32) -> HwStatus {
    guard(|| with(world, |facade| Ok(facade.remove_drain(id)?)))
}

/// Tells the ids of its drains, those of the scene too. `count` (may be null) is set to how many there are, whether they fit or not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_drains(
    world: HwWorld,
    into: *mut u32,
    capacity: usize,
    count: *mut usize,
) -> HwStatus {
    guard(|| {
        with(world, |facade| {
            let all = facade.drains().into_iter();
            // SAFETY: pointers are the caller's.
            unsafe { list(all, into, capacity, count, "drains") }
        })
    })
}
