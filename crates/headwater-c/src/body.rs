//! C functions that add, replace, remove and list floating bodies. Each body has an id.

use crate::pointer::{output_mut, read_sized, write_list};
use crate::status::{CallResult, HwStatus};
use crate::worlds::{HwWorld, call_with_world};
use headwater::model::BodyState;
use std::mem::size_of;

/// State of a floating body.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HwBody {
    /// Size of the struct as compiled into the caller: `sizeof(HwBody)`.
    pub size: usize,
    /// Id of the body. Ignored when a body is added or replaced.
    pub id: u32,
    /// Position of the centre (m from the top-left corner).
    pub position: [f64; 2],
    /// Length and width of the body (m); in models in side view, width and height.
    pub extent: [f64; 2],
    /// Heading of the body (radians, clockwise from east).
    pub heading: f64,
    /// Eastward and southward velocity (m/s).
    pub velocity: [f64; 2],
    /// Draft: depth of the body's lowest point below the water surface (m).
    pub draft: f64,
}

/// Converts a floating body given by the C caller to a [`BodyState`].
///
/// # Safety
/// `body` is null or points to an `HwBody`.
unsafe fn read_body(body: *const HwBody) -> CallResult<BodyState> {
    // SAFETY: guaranteed by the caller; all bit patterns of its numbers are valid.
    let body = unsafe { read_sized(body, "body", size_of::<HwBody>()) }?;
    Ok(BodyState {
        position: body.position,
        size: body.extent,
        heading: body.heading,
        velocity: body.velocity,
        draft: body.draft,
    })
}

/// Adds a floating body and writes the id of the new body to `id`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_add_body(
    world: HwWorld,
    body: *const HwBody,
    id: *mut u32,
) -> HwStatus {
    call_with_world(world, |facade| {
        // SAFETY: the caller guarantees its pointers.
        let (body, id) = unsafe { (read_body(body)?, output_mut(id, "id")?) };
        *id = facade.add_body(body)?;
        Ok(())
    })
}

/// Replaces the state of a floating body, for example to change its position or velocity.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_set_body(world: HwWorld, id: u32, body: *const HwBody) -> HwStatus {
    // SAFETY: the caller guarantees its pointers.
    call_with_world(world, |facade| Ok(facade.set_body(id, unsafe { read_body(body) }?)?))
}

/// Removes the floating body with the given id.
#[unsafe(no_mangle)]
pub extern "C" fn hw_remove_body(world: HwWorld, id: u32) -> HwStatus {
    call_with_world(world, |facade| Ok(facade.remove_body(id)?))
}

/// Writes to `into` the current states of all floating bodies, including those of the scene.
/// `count` (may be null) receives the number of bodies, even if they do not fit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_bodies(
    world: HwWorld,
    into: *mut HwBody,
    capacity: usize,
    count: *mut usize,
) -> HwStatus {
    let to_c = |(id, body): (u32, BodyState)| HwBody {
        size: size_of::<HwBody>(),
        id,
        position: body.position,
        extent: body.size,
        heading: body.heading,
        velocity: body.velocity,
        draft: body.draft,
    };
    call_with_world(world, |facade| {
        let all = facade.bodies().into_iter().map(to_c);
        // SAFETY: the caller guarantees its pointers.
        unsafe { write_list(all, into, capacity, count, "bodies") }
    })
}
