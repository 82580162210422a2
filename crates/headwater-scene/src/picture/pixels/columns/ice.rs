//! Ice: pale, with a white crust and cracks, darker below.

use super::super::canvas::{Spot, stepped};
use super::super::scene::Scene;
use super::sheet::Span;
use crate::picture::color::{Rgb, grain, hex, mix};

/// The thinnest ice that is seen (pixels of pixel art).
const THIN: f32 = 0.25;

/// The colour of ice below water.
const DROWNED: Rgb = hex(0x9CCBE6);

/// The colour of ice at a pixel, if it is ice.
pub(super) fn color(span: &Span, spot: Spot, scene: &Scene) -> Option<Rgb> {
    let below = spot.py as f32 + 0.5 - span.top;
    let line = spot.art.div_ceil(8) as f32;
    let middle = spot.py as f32 + 0.5;
    let is_in = |[top, bottom]: [f32; 2]| bottom - top > THIN && top <= middle && middle < bottom;
    if span.drowned.into_iter().any(is_in) {
        let cloud = 0.5 + 0.5 * grain(spot.px as f32 / 7.0, spot.py as f32 / 5.0, 122);
        return Some(mix(DROWNED, hex(0x86BEDF), cloud));
    }
    // What is thinner than a pixel is a pixel all the same.
    if span.ice < THIN || below > span.ice.max(line) {
        return None;
    }
    let is_free = spot.y == 0 || !scene.beside(spot.x, spot.y, 0, -1).is_wall();
    if below < line && is_free && !span.is_roofed {
        return Some(hex(0xFBFEFF));
    }
    let (px, py) = (spot.px as f32, spot.py as f32);
    let crack = grain(px / 6.0 + 0.35 * py / 3.0, py / 9.0, 121).abs();
    if crack < 0.035 && span.ice > 3.0 * line {
        return Some(hex(0xF4FBFF));
    }
    let deep = stepped((below / span.ice.max(1.0)).clamp(0.0, 1.0), 6.0, spot);
    let cloud = 0.5 + 0.5 * grain(px / 7.0, py / 5.0, 122);
    Some(mix(mix(hex(0xD6F0FB), hex(0xC4E6F6), cloud), hex(0x86BEDF), 0.85 * deep))
}
