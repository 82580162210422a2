//! Springs and drains, by ids.

use crate::place::{HwPlace, place};
use crate::pointer::{list, out};
use crate::status::HwStatus;
use crate::worlds::{HwWorld, on};
use headwater_scene::facade::{Facade, FacadeError, Place};

/// # Safety
/// The pointers are null, or lead to a place and to room for an id.
unsafe fn add(
    world: HwWorld,
    at: *const HwPlace,
    rate: f64,
    id: *mut u32,
    add: impl FnOnce(&mut Facade, &Place, f64) -> Result<u32, FacadeError>,
) -> HwStatus {
    on(world, |facade| {
        // SAFETY: as the caller says.
        let (place, id) = unsafe { (place(at)?, out(id, "id")?) };
        *id = add(facade, &place, rate)?;
        Ok(())
    })
}

/// # Safety
/// The pointer is null, or leads to a place.
unsafe fn set(
    world: HwWorld,
    id: u32,
    at: *const HwPlace,
    rate: f64,
    set: impl FnOnce(&mut Facade, u32, &Place, f64) -> Result<(), FacadeError>,
) -> HwStatus {
    on(world, |facade| {
        // SAFETY: as the caller says.
        let place = unsafe { place(at) }?;
        Ok(set(facade, id, &place, rate)?)
    })
}

/// Adds a spring, and sets `id` to its id: it gives `rate` (m³/s; of blocks, cells/s; of hydrology, drops per cell of rain).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_add_spring(
    world: HwWorld,
    at: *const HwPlace,
    rate: f64,
    id: *mut u32,
) -> HwStatus {
    // SAFETY: pointers are the caller's.
    unsafe { add(world, at, rate, id, Facade::add_spring) }
}

/// Puts another spring in the place of one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_set_spring(
    world: HwWorld,
    id: u32,
    at: *const HwPlace,
    rate: f64,
) -> HwStatus {
    // SAFETY: pointers are the caller's.
    unsafe { set(world, id, at, rate, Facade::set_spring) }
}

/// Takes a spring out.
#[unsafe(no_mangle)]
pub extern "C" fn hw_remove_spring(world: HwWorld, id: u32) -> HwStatus {
    on(world, |facade| Ok(facade.remove_spring(id)?))
}

/// Tells the ids of its springs, those of the scene too. `count` (may be null) is set to how many there are, whether they fit or not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_springs(
    world: HwWorld,
    into: *mut u32,
    capacity: usize,
    count: *mut usize,
) -> HwStatus {
    on(world, |facade| {
        // SAFETY: pointers are the caller's.
        unsafe { list(facade.springs().into_iter(), into, capacity, count, "springs") }
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
    // SAFETY: pointers are the caller's.
    unsafe { add(world, at, rate, id, Facade::add_drain) }
}

/// Puts another drain in the place of one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_set_drain(
    world: HwWorld,
    id: u32,
    at: *const HwPlace,
    rate: f64,
) -> HwStatus {
    // SAFETY: pointers are the caller's.
    unsafe { set(world, id, at, rate, Facade::set_drain) }
}

/// Takes a drain out.
#[unsafe(no_mangle)]
pub extern "C" fn hw_remove_drain(world: HwWorld, id: u32) -> HwStatus {
    on(world, |facade| Ok(facade.remove_drain(id)?))
}

/// Tells the ids of its drains, those of the scene too. `count` (may be null) is set to how many there are, whether they fit or not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_drains(
    world: HwWorld,
    into: *mut u32,
    capacity: usize,
    count: *mut usize,
) -> HwStatus {
    on(world, |facade| {
        // SAFETY: pointers are the caller's.
        unsafe { list(facade.drains().into_iter(), into, capacity, count, "drains") }
    })
}
