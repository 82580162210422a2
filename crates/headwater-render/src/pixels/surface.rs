//! Free surfaces of liquids in block worlds, for drawing reflection and refraction.

use super::canvas::ArtPixel;
use super::liquid::{self, Coverage};
use super::mirror::{FreeSurface, MAX_DEPTH};
use super::scene::PixelScene;
use headwater::blocks::Liquid;

/// Horizontal shift (cells) of the refracted ray per cell of depth at a surface slope of 1. For
/// water, Snell's law gives 1 − 1/1.33.
const REFRACTION: f32 = 0.25;

/// Returns the free surface above an art pixel (square of the pixel art) of water or oil. Returns
/// `None` if the art pixel is too deep below the surface, or if the liquid touches a ceiling or
/// lies under another liquid.
pub(super) fn free_surface(scene: &PixelScene, pixel: ArtPixel) -> Option<FreeSurface> {
    let ArtPixel { x, y, py, art_pixels_per_cell: art, .. } = pixel;
    let liquid = scene.cell(x, y).liquid().filter(|liquid| *liquid != Liquid::Lava)?;
    if !matches!(liquid::coverage(scene, pixel), Coverage::Body(_)) {
        return None;
    }
    let row = topmost_row(scene, (x, y), liquid)?;
    let top = surface_height(scene, (x, row), art)?;
    let above = scene.cell_at_offset(x, row, 0, -1);
    // Falling liquid disturbs the surface.
    let calmness = if above.liquid().is_some() { 0.0 } else { 1.0 };
    let is_open = |row: &usize| !scene.cell(x, *row).is_wall();
    let open = (0..row).rev().take(MAX_DEPTH + 1).take_while(is_open).count();
    let ceiling = if open > MAX_DEPTH { 0.0 } else { ((row - open) * art) as f32 };
    let below = (py as f32 + 0.5 - top) / art as f32;
    let slope = slope(scene, (x, row), liquid, art);
    Some(FreeSurface { top, ceiling, calmness, shift: 2.0 * slope * below })
}

/// Returns the art pixel (square of the pixel art) that a viewer sees at `pixel` through the water
/// surface above it. Refraction at the sloping surface shifts the view sideways. `nx` is the number
/// of drawn cells per row.
pub(super) fn refracted_pixel(surface: FreeSurface, pixel: ArtPixel, nx: usize) -> ArtPixel {
    if surface.shift == 0.0 {
        return pixel;
    }
    let shift = REFRACTION / 2.0 * surface.shift * pixel.art_pixels_per_cell as f32;
    let last = (nx * pixel.art_pixels_per_cell - 1) as f32;
    let px = (pixel.px as f32 + shift).round().clamp(0.0, last) as usize;
    ArtPixel { px, x: px / pixel.art_pixels_per_cell, u: px % pixel.art_pixels_per_cell, ..pixel }
}

/// Returns the row of the topmost cell in the vertical column of liquid that contains the cell `(x,
/// y)`. Returns `None` if that cell is more than [`MAX_DEPTH`] cells above `(x, y)`.
fn topmost_row(scene: &PixelScene, (x, y): (usize, usize), liquid: Liquid) -> Option<usize> {
    let goes_on = |row: usize| {
        row > 0 && scene.cell(x, row - 1).liquid() == Some(liquid) && scene.is_standing(x, row - 1)
    };
    (0..=MAX_DEPTH.min(y)).map(|up| y - up).find(|row| !goes_on(*row))
}

/// Returns the vertical position of the liquid surface in a cell (art pixels below the top of the
/// picture; an art pixel is one square of the pixel art), or `None` if the surface is not free.
fn surface_height(
    scene: &PixelScene,
    (x, row): (usize, usize),
    art_pixels_per_cell: usize,
) -> Option<f32> {
    if let Some(landing) = scene.landing(x, row) {
        return Some((landing.surface * art_pixels_per_cell as f32).floor());
    }
    let above = scene.cell_at_offset(x, row, 0, -1);
    let part = scene.cell(x, row).fill_fraction();
    let is_covered = above.liquid().is_some() && row > 0 && scene.is_standing(x, row - 1);
    let pixels = (part * art_pixels_per_cell as f32).ceil();
    let is_closed = is_covered || above.is_wall() && part == 1.0;
    (!is_closed).then_some(((row + 1) * art_pixels_per_cell) as f32 - pixels)
}

/// Returns the slope of a liquid surface by central differences, positive where the surface falls
/// to the east. Returns 0 if a neighbouring cell has no surface.
fn slope(
    scene: &PixelScene,
    (x, row): (usize, usize),
    liquid: Liquid,
    art_pixels_per_cell: usize,
) -> f32 {
    let height_of = |x: usize| {
        let is_there = |row: usize| {
            row < scene.ny
                && scene.cell(x, row).liquid() == Some(liquid)
                && scene.is_standing(x, row)
        };
        let row = [row.wrapping_sub(1), row, row + 1].into_iter().find(|row| is_there(*row))?;
        surface_height(scene, (x, row), art_pixels_per_cell)
    };
    let sides = (x > 0 && x + 1 < scene.nx).then(|| (height_of(x - 1), height_of(x + 1)));
    match sides {
        Some((Some(west), Some(east))) => (east - west) / (2.0 * art_pixels_per_cell as f32),
        _ => 0.0,
    }
}
