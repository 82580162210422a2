//! C functions that return layers, changed tiles and values at points.

use crate::pointer::{input_slice, output_mut, output_slice, write_list};
use crate::status::{CallResult, HwStatus};
use crate::text::{read_text, to_fixed_array};
use crate::worlds::{HwWorld, call_with_world};
use headwater::Layer;
use headwater::changes::Tile;
use headwater_scene::facade::Grid;
use headwater_scene::live::ProbeValue;
use std::ffi::c_char;

/// Description of a layer. The values of the layer form `ny` rows of `nx` floats. Row 0 is the
/// northernmost or top row.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HwLayer {
    /// Name of the layer, to be passed to `hw_read_layer`.
    pub name: [c_char; 32],
    /// Unit of the layer's values.
    pub unit: [c_char; 32],
    /// Description of the layer's values.
    pub meaning: [c_char; 256],
    /// Number of columns.
    pub nx: usize,
    /// Number of rows.
    pub ny: usize,
}

/// Rectangle of cells: columns `x` to `x + nx - 1`, rows `y` to `y + ny - 1`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HwTile {
    /// First column.
    pub x: usize,
    /// First row.
    pub y: usize,
    /// Number of columns.
    pub nx: usize,
    /// Number of rows.
    pub ny: usize,
}

/// Stamp that marks a point in the change history of a world. `hw_changed` returns the tiles that
/// have changed since a stamp. A stamp of zeros precedes all changes.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HwStamp {
    /// Opaque contents of the stamp; initialize them with zeros.
    pub numbers: [u64; 2],
}

/// Value of a layer or of another quantity at a point.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HwSample {
    /// Name of the quantity, usually the name of a layer.
    pub name: [c_char; 32],
    /// Unit of the value; empty if the value is dimensionless.
    pub unit: [c_char; 32],
    /// Name of the category that the value stands for, such as the kind of a liquid or plant; empty
    /// if the quantity has no categories.
    pub word: [c_char; 64],
    /// Numerical value in `unit`.
    pub value: f64,
}

fn layer_to_c(layer: &Layer, grid: &Grid) -> HwLayer {
    HwLayer {
        name: to_fixed_array(layer.name),
        unit: to_fixed_array(layer.unit),
        meaning: to_fixed_array(layer.meaning),
        nx: grid.nx,
        ny: grid.ny,
    }
}

/// Writes to `into` the descriptions of the layers that the world can output. `count` (may be null)
/// receives the number of layers, even if they do not fit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_layers(
    world: HwWorld,
    into: *mut HwLayer,
    capacity: usize,
    count: *mut usize,
) -> HwStatus {
    call_with_world(world, |facade| {
        let grid = facade.grid();
        let all = facade.layers().iter().map(|layer| layer_to_c(layer, &grid));
        // SAFETY: the caller guarantees its pointers.
        unsafe { write_list(all, into, capacity, count, "layers") }
    })
}

/// Writes the description of the layer with the given name to `layer`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_layer(
    world: HwWorld,
    name: *const c_char,
    layer: *mut HwLayer,
) -> HwStatus {
    call_with_world(world, |facade| {
        // SAFETY: the caller guarantees its pointers.
        let (name, into) = unsafe { (read_text(name, "layer")?, output_mut(layer, "layer")?) };
        // This call reports an unknown layer.
        facade.changed(name, [0; 2])?;
        let grid = facade.grid();
        let found = facade.layers().iter().find(|layer| layer.name == name);
        found.into_iter().for_each(|found| *into = layer_to_c(found, &grid));
        Ok(())
    })
}

/// Copies the values of a layer, row by row, to the array `into` of `length` = `nx * ny` floats. If
/// `tiles` is not null, only the cells in these tiles are written. If `tiles` is null, all cells
/// are written, and `tile_count` must be 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_read_layer(
    world: HwWorld,
    name: *const c_char,
    tiles: *const HwTile,
    tile_count: usize,
    into: *mut f32,
    length: usize,
) -> HwStatus {
    call_with_world(world, |facade| {
        // SAFETY: the caller guarantees its pointers.
        let (name, into) =
            unsafe { (read_text(name, "layer")?, output_slice(into, length, "layer")?) };
        // SAFETY: as above.
        let list = unsafe { read_tiles(tiles, tile_count) }?;
        Ok(facade.read_layer(name, (!tiles.is_null()).then_some(&*list), into)?)
    })
}

/// Copies the caller's list of tiles.
///
/// # Safety
/// `tiles` is null, or valid for reads of `count` tiles.
unsafe fn read_tiles(tiles: *const HwTile, count: usize) -> CallResult<Vec<Tile>> {
    // SAFETY: guaranteed by the caller.
    let tiles = unsafe { input_slice(tiles, count, "tiles") }?;
    Ok(tiles.iter().map(|&HwTile { x, y, nx, ny }| Tile { x, y, nx, ny }).collect())
}

/// Writes to `into` the tiles in which a layer may have changed after `stamp`, and updates the
/// stamp. `count` (may be null) receives the number of tiles, even if they do not fit; in that case
/// the stamp is unchanged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_changed(
    world: HwWorld,
    name: *const c_char,
    stamp: *mut HwStamp,
    into: *mut HwTile,
    capacity: usize,
    count: *mut usize,
) -> HwStatus {
    call_with_world(world, |facade| {
        // SAFETY: the caller guarantees its pointers.
        let (name, stamp) = unsafe { (read_text(name, "layer")?, output_mut(stamp, "stamp")?) };
        let (tiles, now) = facade.changed(name, stamp.numbers)?;
        let all = tiles.into_iter().map(|Tile { x, y, nx, ny }| HwTile { x, y, nx, ny });
        // SAFETY: as above.
        unsafe { write_list(all, into, capacity, count, "tiles") }?;
        stamp.numbers = now;
        Ok(())
    })
}

/// Writes to `into` the values of layers and other quantities at a point. The coordinates of the
/// point are distances from the top-left corner (m; for blocks, in cells). `count` (may be null)
/// receives the number of values, even if they do not fit. The number is 0 if the point is off the
/// grid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_at(
    world: HwWorld,
    x: f64,
    y: f64,
    into: *mut HwSample,
    capacity: usize,
    count: *mut usize,
) -> HwStatus {
    let to_c = |one: ProbeValue| HwSample {
        name: to_fixed_array(one.name),
        unit: to_fixed_array(one.unit),
        word: to_fixed_array(one.category.as_deref().unwrap_or_default()),
        value: one.value,
    };
    call_with_world(world, |facade| {
        let all = facade.at([x, y])?.into_iter().map(to_c);
        // SAFETY: the caller guarantees its pointers.
        unsafe { write_list(all, into, capacity, count, "samples") }
    })
}

/// Writes the values of a layer at `count` points to `into`. `points` holds two coordinates per
/// point, measured from the top-left corner (m; for blocks, in cells). A value is NaN if the point
/// is off the grid, or if the layer has no value there, such as `surface` on dry ground.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_sample_many(
    world: HwWorld,
    name: *const c_char,
    points: *const f64,
    count: usize,
    into: *mut f32,
) -> HwStatus {
    call_with_world(world, |facade| {
        // SAFETY: the caller guarantees its pointers.
        let (name, points, into) = unsafe {
            let points = input_slice(points.cast::<[f64; 2]>(), count, "points")?;
            (read_text(name, "layer")?, points, output_slice(into, count, "samples")?)
        };
        Ok(facade.sample_many(name, points, into)?)
    })
}
