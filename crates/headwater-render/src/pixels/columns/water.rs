//! Drawing of the water in pools: a bright surface line, foam, caustics and spray.

use super::super::canvas::{ArtPixel, quantise_dithered};
use super::super::liquid::{DEEP_HEAD, submerged_water_color};
use super::pool_water::{PoolWater, WaterSpan};
use crate::color::{Rgb, hash_to_unit_interval, mix, rgb_from_hex, value_noise};

/// Minimum amount of foam that is drawn (0 to 1).
const MIN_FOAM: f32 = 0.04;

/// Returns the colour of water at an art pixel (square of the pixel art) that is `depth` cells
/// below the water level, as given by the hydraulic head. `animation_step` is the animation time
/// (in steps of 0.1 s), and `background` is the background colour.
pub(super) fn water_color(
    span: &WaterSpan,
    pixel: ArtPixel,
    depth: f32,
    animation_step: f32,
    background: Rgb,
) -> Rgb {
    let below = pixel.py as f32 + 0.5 - span.surface_y;
    let line = pixel.art_pixels_per_cell.div_ceil(8) as f32;
    let body = submerged_water_color(pixel, depth / DEEP_HEAD, animation_step, background);
    if span.is_roofed {
        return body;
    }
    if let Some(foam) = foam_opacity(span, pixel, below, animation_step) {
        return mix(body, rgb_from_hex(0xF6FCFF), foam);
    }
    if below < line {
        // Surfaces that face the light from the upper left are brighter.
        let light = quantise_dithered((0.5 - 1.2 * span.slope).clamp(0.0, 1.0), 4.0, pixel);
        return mix(rgb_from_hex(0x9FDDFB), rgb_from_hex(0xE4F8FF), light);
    }
    if below < 2.0 * line { mix(background, rgb_from_hex(0x6CC3F2), 0.88) } else { body }
}

/// Returns the opacity of foam at an art pixel (square of the pixel art), or `None` if there is no
/// foam. Foam is a band along the surface with bubbles below it. `depth` is the distance from the
/// surface (art pixels), and `animation_step` is the time of the animation (in steps of 0.1 s).
fn foam_opacity(span: &WaterSpan, pixel: ArtPixel, depth: f32, animation_step: f32) -> Option<f32> {
    if span.foam < MIN_FOAM {
        return None;
    }
    let pixels = pixel.art_pixels_per_cell as f32 / 8.0;
    let thickness = pixels * (1.0 + 3.0 * span.foam);
    let speck = hash_to_unit_interval(
        pixel.px as u32 * 7919 + pixel.py as u32 * 104_729 + (animation_step * 2.0) as u32 * 31,
    );
    if depth < thickness {
        let holes = 0.5
            + 0.5 * value_noise(pixel.px as f32 / 2.5, pixel.py as f32 / 1.5 - animation_step, 66);
        return (holes < 0.55 + span.foam).then_some(0.65 + 0.3 * speck);
    }
    let bubbles = 0.5 * span.foam * (-(depth - thickness) / (7.0 * pixels)).exp();
    (speck < bubbles).then_some(0.55)
}

/// Returns the opacity of the spray above a foaming surface at an art pixel (square of the pixel
/// art), or `None` if there is no spray. `animation_step` is the time of the animation (in steps of
/// 0.1 s).
pub(super) fn spray_opacity(
    pool_water: &PoolWater,
    pixel: ArtPixel,
    animation_step: f32,
) -> Option<f32> {
    let reach = pixel.art_pixels_per_cell as f32;
    let span = pool_water.span_below(pixel.px, pixel.py, reach).filter(|span| span.foam > 0.35)?;
    let high = (span.surface_y - pixel.py as f32 - 0.5) / reach;
    let speck = hash_to_unit_interval(
        pixel.px as u32 * 613 + pixel.py as u32 * 9973 + animation_step as u32 * 131,
    );
    (speck < 0.22 * (span.foam - 0.35) * (1.0 - high)).then_some(0.8)
}
