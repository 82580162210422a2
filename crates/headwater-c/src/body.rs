//! Bodies, by ids.

use crate::pointer::{described, list, out};
use crate::status::{Done, HwStatus};
use crate::worlds::{HwWorld, on};
use headwater::model::BodyState;
use std::mem::size_of;

/// A body.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HwBody {
    /// `sizeof(HwBody)`.
    pub size: usize,
    /// Its id, where bodies are told; of no matter where one is added or set.
    pub id: u32,
    /// Its middle (m).
    pub position: [f64; 2],
    /// Length and width, or in side view width and height (m).
    pub extent: [f64; 2],
    /// Where it points (radians, clockwise from the east).
    pub heading: f64,
    /// How fast it goes (m/s).
    pub velocity: [f64; 2],
    /// How deep it lies in the water (m).
    pub draft: f64,
}

/// # Safety
/// The pointer is null or leads to a body.
unsafe fn of_caller(body: *const HwBody) -> Done<BodyState> {
    // SAFETY: as the caller says; it is numbers.
    let body = unsafe { described(body, "body", size_of::<HwBody>()) }?;
    Ok(BodyState {
        position: body.position,
        size: body.extent,
        heading: body.heading,
        velocity: body.velocity,
        draft: body.draft,
    })
}

/// Adds a body, and sets `id` to its id.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_add_body(
    world: HwWorld,
    body: *const HwBody,
    id: *mut u32,
) -> HwStatus {
    on(world, |facade| {
        // SAFETY: pointers are the caller's.
        let (body, id) = unsafe { (of_caller(body)?, out(id, "id")?) };
        *id = facade.add_body(body)?;
        Ok(())
    })
}

/// Puts another body in the place of one, or the same elsewhere or with another velocity.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_set_body(world: HwWorld, id: u32, body: *const HwBody) -> HwStatus {
    // SAFETY: pointers are the caller's.
    on(world, |facade| Ok(facade.set_body(id, unsafe { of_caller(body) }?)?))
}

/// Takes a body out.
#[unsafe(no_mangle)]
pub extern "C" fn hw_remove_body(world: HwWorld, id: u32) -> HwStatus {
    on(world, |facade| Ok(facade.remove_body(id)?))
}

/// Tells its bodies as they are now, those of the scene too. `count` (may be null) is set to how many there are, whether they fit or not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_bodies(
    world: HwWorld,
    into: *mut HwBody,
    capacity: usize,
    count: *mut usize,
) -> HwStatus {
    let told = |(id, body): (u32, BodyState)| HwBody {
        size: size_of::<HwBody>(),
        id,
        position: body.position,
        extent: body.size,
        heading: body.heading,
        velocity: body.velocity,
        draft: body.draft,
    };
    on(world, |facade| {
        let all = facade.bodies().into_iter().map(told);
        // SAFETY: pointers are the caller's.
        unsafe { list(all, into, capacity, count, "bodies") }
    })
}
