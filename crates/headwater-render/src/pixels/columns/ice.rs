//! Ice of pools: pale ice with a white crust and cracks, darker at the bottom.

use super::super::canvas::{ArtPixel, quantise_dithered};
use super::super::scene::PixelScene;
use super::pool_water::WaterSpan;
use crate::color::{Rgb, mix, rgb_from_hex, value_noise};

/// Minimum thickness of drawn ice (art pixels, the squares of the pixel art).
const MIN_THICKNESS: f32 = 0.25;

/// Colour of ice below the water surface.
const SUBMERGED_COLOR: Rgb = rgb_from_hex(0x9CCBE6);

/// Returns the colour of the ice at an art pixel (square of the pixel art), or `None` if there is
/// no ice.
pub(super) fn ice_color(span: &WaterSpan, pixel: ArtPixel, scene: &PixelScene) -> Option<Rgb> {
    let below = pixel.py as f32 + 0.5 - span.surface_y;
    let line = pixel.art_pixels_per_cell.div_ceil(8) as f32;
    let middle = pixel.py as f32 + 0.5;
    let is_in =
        |[top, bottom]: [f32; 2]| bottom - top > MIN_THICKNESS && top <= middle && middle < bottom;
    if span.submerged.into_iter().any(is_in) {
        let cloud = 0.5 + 0.5 * value_noise(pixel.px as f32 / 7.0, pixel.py as f32 / 5.0, 122);
        return Some(mix(SUBMERGED_COLOR, rgb_from_hex(0x86BEDF), cloud));
    }
    // Ice thinner than a pixel is drawn one pixel thick.
    if span.ice < MIN_THICKNESS || below > span.ice.max(line) {
        return None;
    }
    let is_free = pixel.y == 0 || !scene.cell_at_offset(pixel.x, pixel.y, 0, -1).is_wall();
    if below < line && is_free && !span.is_roofed {
        return Some(rgb_from_hex(0xFBFEFF));
    }
    let (px, py) = (pixel.px as f32, pixel.py as f32);
    let crack = value_noise(px / 6.0 + 0.35 * py / 3.0, py / 9.0, 121).abs();
    if crack < 0.035 && span.ice > 3.0 * line {
        return Some(rgb_from_hex(0xF4FBFF));
    }
    let depth = quantise_dithered((below / span.ice.max(1.0)).clamp(0.0, 1.0), 6.0, pixel);
    let cloud = 0.5 + 0.5 * value_noise(px / 7.0, py / 5.0, 122);
    Some(mix(
        mix(rgb_from_hex(0xD6F0FB), rgb_from_hex(0xC4E6F6), cloud),
        rgb_from_hex(0x86BEDF),
        0.85 * depth,
    ))
}
