//! C functions that add, replace, remove and list springs and drains. Each spring and drain has an
//! id.

use crate::place::{HwPlace, read_place};
use crate::pointer::{output_mut, write_list};
use crate::status::HwStatus;
use crate::worlds::{HwWorld, call_with_world};
use headwater_scene::facade::{Facade, FacadeError, Place};

/// Adds a spring or drain and writes its id to `id`. `add` is the facade method for springs or the
/// one for drains.
///
/// # Safety
/// `at` is null or points to a place. `id` is null or valid for writes.
unsafe fn add_outlet(
    world: HwWorld,
    at: *const HwPlace,
    rate: f64,
    id: *mut u32,
    add: impl FnOnce(&mut Facade, &Place, f64) -> Result<u32, FacadeError>,
) -> HwStatus {
    call_with_world(world, |facade| {
        // SAFETY: guaranteed by the caller.
        let (place, id) = unsafe { (read_place(at)?, output_mut(id, "id")?) };
        *id = add(facade, &place, rate)?;
        Ok(())
    })
}

/// Replaces a spring or drain. `set` is the facade method for springs or the one for drains.
///
/// # Safety
/// `at` is null or points to a place.
unsafe fn set_outlet(
    world: HwWorld,
    id: u32,
    at: *const HwPlace,
    rate: f64,
    set: impl FnOnce(&mut Facade, u32, &Place, f64) -> Result<(), FacadeError>,
) -> HwStatus {
    call_with_world(world, |facade| {
        // SAFETY: guaranteed by the caller.
        let place = unsafe { read_place(at) }?;
        Ok(set(facade, id, &place, rate)?)
    })
}

/// Adds a spring with the discharge `rate` and writes the id of the spring to `id`. The unit of
/// `rate` is m³/s; for blocks, cells/s; for hydrology, m³ per unit of model time, which is one rain
/// drop per cell.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_add_spring(
    world: HwWorld,
    at: *const HwPlace,
    rate: f64,
    id: *mut u32,
) -> HwStatus {
    // SAFETY: the caller guarantees its pointers.
    unsafe { add_outlet(world, at, rate, id, Facade::add_spring) }
}

/// Replaces the place and the discharge of a spring. `rate` has the unit of `hw_add_spring`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_set_spring(
    world: HwWorld,
    id: u32,
    at: *const HwPlace,
    rate: f64,
) -> HwStatus {
    // SAFETY: the caller guarantees its pointers.
    unsafe { set_outlet(world, id, at, rate, Facade::set_spring) }
}

/// Removes the spring with the given id.
#[unsafe(no_mangle)]
pub extern "C" fn hw_remove_spring(world: HwWorld, id: u32) -> HwStatus {
    call_with_world(world, |facade| Ok(facade.remove_spring(id)?))
}

/// Writes to `into` the ids of all springs, including those of the scene. `count` (may be null)
/// receives the number of springs, even if they do not fit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_springs(
    world: HwWorld,
    into: *mut u32,
    capacity: usize,
    count: *mut usize,
) -> HwStatus {
    call_with_world(world, |facade| {
        // SAFETY: the caller guarantees its pointers.
        unsafe { write_list(facade.springs().into_iter(), into, capacity, count, "springs") }
    })
}

/// Adds a drain with the maximum discharge `rate` (in the unit of `hw_add_spring`), and writes the
/// id of the drain to `id`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_add_drain(
    world: HwWorld,
    at: *const HwPlace,
    rate: f64,
    id: *mut u32,
) -> HwStatus {
    // SAFETY: the caller guarantees its pointers.
    unsafe { add_outlet(world, at, rate, id, Facade::add_drain) }
}

/// Replaces the place and the maximum discharge of a drain. `rate` has the unit of `hw_add_spring`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_set_drain(
    world: HwWorld,
    id: u32,
    at: *const HwPlace,
    rate: f64,
) -> HwStatus {
    // SAFETY: the caller guarantees its pointers.
    unsafe { set_outlet(world, id, at, rate, Facade::set_drain) }
}

/// Removes the drain with the given id.
#[unsafe(no_mangle)]
pub extern "C" fn hw_remove_drain(world: HwWorld, id: u32) -> HwStatus {
    call_with_world(world, |facade| Ok(facade.remove_drain(id)?))
}

/// Writes to `into` the ids of all drains, including those of the scene. `count` (may be null)
/// receives the number of drains, even if they do not fit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_drains(
    world: HwWorld,
    into: *mut u32,
    capacity: usize,
    count: *mut usize,
) -> HwStatus {
    call_with_world(world, |facade| {
        // SAFETY: the caller guarantees its pointers.
        unsafe { write_list(facade.drains().into_iter(), into, capacity, count, "drains") }
    })
}
