//! Drawing of walls: earth with grass, rock, bricks, and dark stone for walls added during the run.
//! Edges next to air have a rim of light, and rock darkens away from the edges.

use super::backdrop::Backdrop;
use super::canvas::{ArtPixel, quantise_dithered};
use super::scene::PixelScene;
use super::stone::{WallMaterial, brick_color, pick_shade, stone_texture};
use super::style::Walls;
use crate::color::{Rgb, hash_to_unit_interval, mix, rgb_from_hex, scale};

/// Minimum depth inside rock (cells) at which the rock is drawn in its darkest colour.
const DARK_DEPTH: f32 = 6.0;

/// Returns the colour of an art pixel (square of the pixel art) in a wall.
pub(super) fn wall_color(backdrop: &Backdrop, scene: &PixelScene, pixel: ArtPixel) -> Rgb {
    let was_wall = backdrop.initial_walls[(pixel.x, pixel.y)];
    let rock = if was_wall {
        WallMaterial::original_material_at(backdrop.walls, &backdrop.skyline, pixel)
    } else {
        WallMaterial::New
    };
    let base = match rock {
        WallMaterial::Earth => {
            pick_shade([0x6B4630, 0x7B5237, 0x875C3E, 0x956A49].map(rgb_from_hex), pixel, 81)
        }
        WallMaterial::Stone => stone_texture(pixel, 1.0, 82)
            .color([0x5A6170, 0x656D7C, 0x6C7584, 0x757E8E].map(rgb_from_hex)),
        WallMaterial::Brick => brick_color(pixel),
        WallMaterial::New => stone_texture(pixel, 0.8, 83)
            .color([0x2B2731, 0x3B3541, 0x463F4C, 0x544C59].map(rgb_from_hex)),
    };
    let depth = ((scene.depth_in_rock.interpolate_at(pixel) - 0.8) / DARK_DEPTH).clamp(0.0, 1.0);
    let dark = if rock == WallMaterial::Brick { 0.35 } else { 0.66 };
    let shaded = mix(
        base,
        scale(rgb_from_hex(0x2A2A38), 0.55),
        dark * quantise_dithered(depth, 10.0, pixel),
    );
    let color = shade_edges(scene, pixel, shaded);
    turf_color(backdrop, scene, pixel).unwrap_or(color)
}

/// Lightens the colour of a wall along edges that face up or sideways, and darkens the colour along
/// edges that face down.
fn shade_edges(scene: &PixelScene, pixel: ArtPixel, color: Rgb) -> Rgb {
    let ArtPixel { x, y, u, v, art_pixels_per_cell: art, .. } = pixel;
    if art < 3 {
        return color;
    }
    let open = |east, down| !scene.cell_at_offset(x, y, east, down).is_wall();
    let last = art - 1;
    let thick = art.div_ceil(8);
    let near = |distance: usize| distance < thick;
    let next = |distance: usize| art >= 6 && distance < 2 * thick;
    const LIGHT: Rgb = rgb_from_hex(0xF4E3C4);
    const SHADE: Rgb = rgb_from_hex(0x1A1622);
    if open(0, -1) && near(v) {
        mix(color, LIGHT, 0.42)
    } else if open(0, 1) && near(last - v) {
        mix(color, SHADE, 0.5)
    } else if (open(-1, 0) && near(u)) || (open(1, 0) && near(last - u)) {
        mix(color, LIGHT, 0.2)
    } else if open(0, -1) && next(v) {
        mix(color, LIGHT, 0.14)
    } else if open(0, 1) && next(last - v) {
        mix(color, SHADE, 0.22)
    } else {
        color
    }
}

/// Returns true if the art pixel (square of the pixel art) is the corner of a wall that protrudes
/// into air. Such corners are rounded.
pub(super) fn is_rounded_off(scene: &PixelScene, pixel: ArtPixel) -> bool {
    let ArtPixel { x, y, u, v, art_pixels_per_cell: art, .. } = pixel;
    if art < 4 || !(u == 0 || u == art - 1) || !(v == 0 || v == art - 1) {
        return false;
    }
    let east = if u == 0 { -1 } else { 1 };
    let down = if v == 0 { -1 } else { 1 };
    [(east, 0), (0, down), (east, down)].into_iter().all(|(east, down)| {
        let cell = scene.cell_at_offset(x, y, east, down);
        !cell.is_wall() && cell.liquid().is_none()
    })
}

/// Returns true if grass grows on top of the wall cell in column `x` and row `y`.
fn has_grass(backdrop: &Backdrop, scene: &PixelScene, x: usize, y: usize) -> bool {
    let above = scene.cell_at_offset(x, y, 0, -1);
    backdrop.walls == Walls::Earth
        && y == backdrop.skyline[x]
        && y > 0
        && backdrop.initial_walls[(x, y)]
        && scene.cell(x, y).is_wall()
        && !above.is_wall()
        && above.liquid().is_none()
}

const GRASS: [u32; 4] = [0x3E7A36, 0x4F9440, 0x67AE4C, 0x8CCB5E];

/// Returns the colour of the grass on top of a wall, with roots of varying length, at an art pixel
/// (square of the pixel art). Returns `None` if the art pixel is not in the grass.
fn turf_color(backdrop: &Backdrop, scene: &PixelScene, pixel: ArtPixel) -> Option<Rgb> {
    let ArtPixel { x, y, v, art_pixels_per_cell: art, px, .. } = pixel;
    if !has_grass(backdrop, scene, x, y) {
        return None;
    }
    let long = art as f32 * (0.22 + 0.2 * hash_to_unit_interval(px as u32 ^ 0x51));
    let shade = match v {
        0 => 3,
        _ if v as f32 + 1.0 > long => 0,
        _ => 1 + (hash_to_unit_interval((px * 31 + v) as u32) > 0.6) as usize,
    };
    ((v as f32) < long.max(1.0)).then(|| rgb_from_hex(GRASS[shade]))
}

/// Returns the colour of a blade of grass that extends into the air above a wall. Returns `None` if
/// there is no blade of grass at the art pixel (square of the pixel art).
pub(super) fn grass_blade_color(
    backdrop: &Backdrop,
    scene: &PixelScene,
    pixel: ArtPixel,
) -> Option<Rgb> {
    let ArtPixel { x, y, v, art_pixels_per_cell: art, px, .. } = pixel;
    if art < 4 || y + 1 >= scene.ny || !has_grass(backdrop, scene, x, y + 1) {
        return None;
    }
    let tall = (hash_to_unit_interval(px as u32 ^ 0xB1AD) * 3.4 - 1.3) * art as f32 / 8.0;
    let height = (art - v) as f32;
    (height <= tall).then(|| rgb_from_hex(GRASS[if height + 1.0 > tall { 3 } else { 2 }]))
}
