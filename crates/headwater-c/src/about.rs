//! What a world is, and how far it is.

use crate::pointer::out;
use crate::status::HwStatus;
use crate::text::{fixed, put};
use crate::worlds::{HwWorld, on, tell};
use std::ffi::c_char;

/// The cells of a world.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HwGrid {
    /// Columns.
    pub nx: usize,
    /// Rows; row 0 is the northern one, or the top one.
    pub ny: usize,
    /// Distance of columns and of rows (m; of blocks, 1).
    pub cell: [f64; 2],
    /// Kind of the cells: `square` or `hex`.
    pub lattice: [c_char; 16],
}

/// Tells the model's name: `flow`, `waves`, `blocks`, `columns` or `hydrology`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_model(
    world: HwWorld,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> HwStatus {
    // SAFETY: pointers are the caller's.
    on(world, |facade| unsafe { put(facade.model(), buffer, capacity, length) })
}

/// Tells what the scene is called.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_name(
    world: HwWorld,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> HwStatus {
    // SAFETY: pointers are the caller's.
    on(world, |facade| unsafe { put(facade.name(), buffer, capacity, length) })
}

/// Tells what time is counted in: `s`, or of hydrology `drops per cell`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_time_unit(
    world: HwWorld,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> HwStatus {
    // SAFETY: pointers are the caller's.
    on(world, |facade| unsafe { put(facade.time_unit(), buffer, capacity, length) })
}

/// Tells what was decided for lack of better knowledge, or fell short, a line each.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_notices(
    world: HwWorld,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> HwStatus {
    on(world, |facade| {
        let lines = facade.notices().join("\n");
        // SAFETY: pointers are the caller's.
        unsafe { put(&lines, buffer, capacity, length) }
    })
}

/// Tells the cells.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_grid(world: HwWorld, grid: *mut HwGrid) -> HwStatus {
    on(world, |facade| {
        let found = facade.grid();
        // SAFETY: pointers are the caller's.
        *unsafe { out(grid, "grid") }? =
            HwGrid { nx: found.nx, ny: found.ny, cell: found.cell, lattice: fixed(found.lattice) };
        Ok(())
    })
}

/// Tells the middle of a cell by its column and row (m from the top-left corner; of blocks, cells). `point` has room for two numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_center(
    world: HwWorld,
    column: usize,
    row: usize,
    point: *mut f64,
) -> HwStatus {
    on(world, |facade| {
        // SAFETY: pointers are the caller's.
        *unsafe { out(point.cast::<[f64; 2]>(), "point") }? = facade.center(column, row);
        Ok(())
    })
}

/// Tells the simulated time since the start.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_time(world: HwWorld, time: *mut f64) -> HwStatus {
    // SAFETY: pointers are the caller's.
    unsafe { tell(world, time, "time", |facade| facade.time()) }
}

/// Tells the steps done since the start.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_steps(world: HwWorld, steps: *mut u64) -> HwStatus {
    // SAFETY: pointers are the caller's.
    unsafe { tell(world, steps, "steps", |facade| facade.steps()) }
}

/// Tells how long a step is now, in the unit of time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_step_length(world: HwWorld, length: *mut f64) -> HwStatus {
    // SAFETY: pointers are the caller's.
    unsafe { tell(world, length, "length", |facade| facade.step_length()) }
}

/// Tells whether it still comes to a steady state, before its clock starts: 1 or 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_is_settling(world: HwWorld, settling: *mut i32) -> HwStatus {
    // SAFETY: pointers are the caller's.
    unsafe { tell(world, settling, "settling", |facade| facade.is_settling().into()) }
}
