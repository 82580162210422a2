//! Pools as they look: a bright line along the surface, foam, light that plays below, and falls.

use super::super::canvas::{Spot, stepped};
use super::super::liquid::{DEEP, deep_water};
use super::sheet::{Sheet, Span};
use crate::picture::color::{Rgb, grain, hex, mix, random};

/// The least foam that is seen.
const FOAM: f32 = 0.04;

/// The colour of water at a pixel, so many cells deep.
pub(super) fn color(span: &Span, spot: Spot, deep: f32, beat: f32, behind: Rgb) -> Rgb {
    let below = spot.py as f32 + 0.5 - span.top;
    let line = spot.art.div_ceil(8) as f32;
    let body = deep_water(spot, deep / DEEP, beat, behind);
    if span.is_roofed {
        return body;
    }
    if let Some(foam) = foam(span, spot, below, beat) {
        return mix(body, hex(0xF6FCFF), foam);
    }
    if below < line {
        // Where the surface turns to the light, which comes from the north-west, it is brighter.
        let light = stepped((0.5 - 1.2 * span.slope).clamp(0.0, 1.0), 4.0, spot);
        return mix(hex(0x9FDDFB), hex(0xE4F8FF), light);
    }
    if below < 2.0 * line { mix(behind, hex(0x6CC3F2), 0.88) } else { body }
}

/// Foam: a band along the surface, and bubbles below it. How opaque it is.
fn foam(span: &Span, spot: Spot, below: f32, beat: f32) -> Option<f32> {
    if span.foam < FOAM {
        return None;
    }
    let pixels = spot.art as f32 / 8.0;
    let thick = pixels * (1.0 + 3.0 * span.foam);
    let speck = random(spot.px as u32 * 7919 + spot.py as u32 * 104_729 + (beat * 2.0) as u32 * 31);
    if below < thick {
        let holes = 0.5 + 0.5 * grain(spot.px as f32 / 2.5, spot.py as f32 / 1.5 - beat, 66);
        return (holes < 0.55 + span.foam).then_some(0.65 + 0.3 * speck);
    }
    let bubbles = 0.5 * span.foam * (-(below - thick) / (7.0 * pixels)).exp();
    (speck < bubbles).then_some(0.55)
}

/// Drops above a surface that foams.
pub(super) fn spray(sheet: &Sheet, spot: Spot, beat: f32) -> Option<f32> {
    let reach = spot.art as f32;
    let span = sheet.below(spot.px, spot.py, reach).filter(|span| span.foam > 0.35)?;
    let high = (span.top - spot.py as f32 - 0.5) / reach;
    let speck = random(spot.px as u32 * 613 + spot.py as u32 * 9973 + beat as u32 * 131);
    (speck < 0.22 * (span.foam - 0.35) * (1.0 - high)).then_some(0.8)
}
