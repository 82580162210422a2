//! What there is to see.

use crate::pointer::{list, out, room, slice};
use crate::status::{Done, HwStatus};
use crate::text::{fixed, text};
use crate::worlds::{HwWorld, on};
use headwater::Layer;
use headwater::changes::Tile;
use headwater_scene::facade::Grid;
use headwater_scene::live::ProbeValue;
use std::ffi::c_char;

/// A layer: `ny` rows of `nx` floats, row 0 in the north or at the top.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HwLayer {
    /// The name to ask for it by.
    pub name: [c_char; 32],
    /// The unit of its values.
    pub unit: [c_char; 32],
    /// What it shows.
    pub meaning: [c_char; 256],
    /// Columns.
    pub nx: usize,
    /// Rows.
    pub ny: usize,
}

/// Cells: columns `x` to `x + nx - 1`, rows `y` to `y + ny - 1`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HwTile {
    /// Its first column.
    pub x: usize,
    /// Its first row.
    pub y: usize,
    /// Columns.
    pub nx: usize,
    /// Rows.
    pub ny: usize,
}

/// A moment in the life of a world, to ask what has changed since. Zeros are the one before everything.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HwStamp {
    /// Nobody's concern.
    pub numbers: [u64; 2],
}

/// What is at a point.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HwSample {
    /// What it is: mostly the name of a layer.
    pub name: [c_char; 32],
    /// Its unit; empty for none.
    pub unit: [c_char; 32],
    /// What it is in a word, where a number says little: the kind of a plant, a liquid; else empty.
    pub word: [c_char; 64],
    /// How much.
    pub value: f64,
}

fn told(layer: &Layer, grid: &Grid) -> HwLayer {
    HwLayer {
        name: fixed(layer.name),
        unit: fixed(layer.unit),
        meaning: fixed(layer.meaning),
        nx: grid.nx,
        ny: grid.ny,
    }
}

/// Tells the layers that the world can show. `count` (may be null) is set to how many there are, whether they fit or not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_layers(
    world: HwWorld,
    into: *mut HwLayer,
    capacity: usize,
    count: *mut usize,
) -> HwStatus {
    on(world, |facade| {
        let grid = facade.grid();
        let all = facade.layers().iter().map(|layer| told(layer, &grid));
        // SAFETY: pointers are the caller's.
        unsafe { list(all, into, capacity, count, "layers") }
    })
}

/// Tells what there is to know of a layer, by name.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_layer(
    world: HwWorld,
    name: *const c_char,
    layer: *mut HwLayer,
) -> HwStatus {
    on(world, |facade| {
        // SAFETY: pointers are the caller's.
        let (name, into) = unsafe { (text(name, "layer")?, out(layer, "layer")?) };
        // It knows best how it refuses one.
        facade.changed(name, [0; 2])?;
        let grid = facade.grid();
        let found = facade.layers().iter().find(|layer| layer.name == name);
        found.into_iter().for_each(|found| *into = told(found, &grid));
        Ok(())
    })
}

/// Copies a layer into an array of `length` = `nx * ny` floats, row after row; of it only what lies in some tiles, if `tiles` is not null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_read_layer(
    world: HwWorld,
    name: *const c_char,
    tiles: *const HwTile,
    tile_count: usize,
    into: *mut f32,
    length: usize,
) -> HwStatus {
    on(world, |facade| {
        // SAFETY: pointers are the caller's.
        let (name, into) = unsafe { (text(name, "layer")?, room(into, length, "layer")?) };
        // SAFETY: the same.
        let tiles = (!tiles.is_null()).then(|| unsafe { of_caller(tiles, tile_count) });
        Ok(facade.read_layer(name, tiles.transpose()?.as_deref(), into)?)
    })
}

/// # Safety
/// The pointer leads to so many tiles.
unsafe fn of_caller(tiles: *const HwTile, count: usize) -> Done<Vec<Tile>> {
    // SAFETY: as the caller says.
    let tiles = unsafe { slice(tiles, count, "tiles") }?;
    Ok(tiles.iter().map(|&HwTile { x, y, nx, ny }| Tile { x, y, nx, ny }).collect())
}

/// Tells the tiles in which a layer may have changed since a stamp, which is brought up to date. `count` (may be null) is set to how many there
/// are, whether they fit or not; if they do not, the stamp stays.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_changed(
    world: HwWorld,
    name: *const c_char,
    stamp: *mut HwStamp,
    into: *mut HwTile,
    capacity: usize,
    count: *mut usize,
) -> HwStatus {
    on(world, |facade| {
        // SAFETY: pointers are the caller's.
        let (name, stamp) = unsafe { (text(name, "layer")?, out(stamp, "stamp")?) };
        let (tiles, now) = facade.changed(name, stamp.numbers)?;
        let all = tiles.into_iter().map(|Tile { x, y, nx, ny }| HwTile { x, y, nx, ny });
        // SAFETY: the same.
        unsafe { list(all, into, capacity, count, "tiles") }?;
        stamp.numbers = now;
        Ok(())
    })
}

/// Tells what is at a point (m from the top-left corner; of blocks, cells); nothing off the grid. `count` (may be null) is set to how many things
/// there are, whether they fit or not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_at(
    world: HwWorld,
    x: f64,
    y: f64,
    into: *mut HwSample,
    capacity: usize,
    count: *mut usize,
) -> HwStatus {
    let told = |one: ProbeValue| HwSample {
        name: fixed(one.name),
        unit: fixed(one.unit),
        word: fixed(one.word.as_deref().unwrap_or_default()),
        value: one.value,
    };
    on(world, |facade| {
        let all = facade.at([x, y])?.into_iter().map(told);
        // SAFETY: pointers are the caller's.
        unsafe { list(all, into, capacity, count, "samples") }
    })
}
