//! C functions that return properties of a world: model, name, grid, time and steps.

use crate::status::HwStatus;
use crate::text::{to_fixed_array, write_text};
use crate::worlds::{HwWorld, call_with_world, write_result};
use headwater_scene::facade::Facade;
use std::ffi::c_char;

/// Shape and size of a world's grid of cells.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HwGrid {
    /// Number of columns.
    pub nx: usize,
    /// Number of rows; row 0 is the northernmost or top row.
    pub ny: usize,
    /// Distances between the centres of adjacent columns and of adjacent rows, in this order (m; 1
    /// for blocks).
    pub cell: [f64; 2],
    /// Shape of the cells: `square` or `hex`.
    pub lattice: [c_char; 16],
}

/// Writes the name of the model to `buffer`: `flow`, `waves`, `blocks`, `columns` or `hydrology`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_model(
    world: HwWorld,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> HwStatus {
    // SAFETY: the caller guarantees its pointers.
    call_with_world(world, |facade| unsafe { write_text(facade.model(), buffer, capacity, length) })
}

/// Writes the name of the scene to `buffer`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_name(
    world: HwWorld,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> HwStatus {
    // SAFETY: the caller guarantees its pointers.
    call_with_world(world, |facade| unsafe { write_text(facade.name(), buffer, capacity, length) })
}

/// Writes the unit of the simulated time to `buffer`: `s`, or `drops per cell` for hydrology.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_time_unit(
    world: HwWorld,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> HwStatus {
    // SAFETY: the caller guarantees its pointers.
    call_with_world(world, |facade| unsafe {
        write_text(facade.time_unit(), buffer, capacity, length)
    })
}

/// Writes notices about the scene, such as assumed values and limitations, to `buffer`, one per
/// line.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_notices(
    world: HwWorld,
    buffer: *mut c_char,
    capacity: usize,
    length: *mut usize,
) -> HwStatus {
    call_with_world(world, |facade| {
        let lines = facade.notices().join("\n");
        // SAFETY: the caller guarantees its pointers.
        unsafe { write_text(&lines, buffer, capacity, length) }
    })
}

/// Writes the shape and size of the world's grid to `grid`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_grid(world: HwWorld, grid: *mut HwGrid) -> HwStatus {
    let to_c = |facade: &mut Facade| {
        let found = facade.grid();
        let lattice = to_fixed_array(found.lattice);
        HwGrid { nx: found.nx, ny: found.ny, cell: found.cell, lattice }
    };
    // SAFETY: the caller guarantees its pointers.
    unsafe { write_result(world, grid, "grid", to_c) }
}

/// Writes the position of the centre of a cell to `point`, an array of two numbers. They are
/// measured from the top-left corner, in m; in the model `blocks`, in cells.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_center(
    world: HwWorld,
    column: usize,
    row: usize,
    point: *mut f64,
) -> HwStatus {
    let point = point.cast::<[f64; 2]>();
    // SAFETY: the caller guarantees its pointers.
    unsafe { write_result(world, point, "point", |facade| facade.center(column, row)) }
}

/// Writes the simulated time since the start to `time`, in the unit that `hw_time_unit` returns.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_time(world: HwWorld, time: *mut f64) -> HwStatus {
    // SAFETY: the caller guarantees its pointers.
    unsafe { write_result(world, time, "time", |facade| facade.time()) }
}

/// Writes the number of time steps since the start to `steps`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_steps(world: HwWorld, steps: *mut u64) -> HwStatus {
    // SAFETY: the caller guarantees its pointers.
    unsafe { write_result(world, steps, "steps", |facade| facade.steps()) }
}

/// Writes the length of the current time step to `length`, in the unit that `hw_time_unit` returns.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_step_length(world: HwWorld, length: *mut f64) -> HwStatus {
    // SAFETY: the caller guarantees its pointers.
    unsafe { write_result(world, length, "length", |facade| facade.step_length()) }
}

/// Writes 1 to `settling` while the world is still relaxing to its initial steady state,
/// otherwise 0. The simulated time starts when the relaxation ends.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_is_settling(world: HwWorld, settling: *mut i32) -> HwStatus {
    // SAFETY: the caller guarantees its pointers.
    unsafe { write_result(world, settling, "settling", |facade| facade.is_settling().into()) }
}
