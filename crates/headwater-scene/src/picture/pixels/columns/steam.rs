//! Steam: puffs that rise from hot water.

use super::super::canvas::Scale;
use super::sheet::Sheet;
use crate::picture::Picture;
use crate::picture::color::{grain, hex, smoothstep};
use headwater::columns::Columns;

/// From where on steam is seen (°C), and where it is thickest.
const FIRST: f32 = 60.0;
const MOST: f32 = 99.0;
/// How high it rises (cells).
const HIGH: f32 = 5.0;

/// Draws the steam over every surface under air.
pub(super) fn draw(image: &mut Picture, world: &Columns, sheet: &Sheet, scale: Scale, beat: f32) {
    if world.air().is_none() {
        return;
    }
    let high = HIGH * scale.art as f32;
    for px in 0..image.nx() / scale.zoom {
        for span in sheet.surfaces(px) {
            let hot = smoothstep(FIRST, MOST, span.celsius);
            if hot <= 0.0 || span.is_roofed {
                continue;
            }
            let surface = span.top as usize;
            let ceiling = span.ceiling.max(span.top - high) as usize;
            for py in ceiling..surface {
                let up = (span.top - py as f32) / high;
                let (x, y) = (px as f32, py as f32 + 2.2 * beat);
                let sway = 4.0 * grain(y / 22.0, beat / 15.0, 131) * up;
                let puff = grain((x + sway) / 7.0, y / 9.0, 132)
                    + 0.5 * grain((x + sway) / 3.0, y / 4.0, 133);
                let thick = hot * (1.0 - up) * smoothstep(-0.15, 0.9, puff - 0.5 * up);
                if thick <= 0.02 {
                    continue;
                }
                scale.dot(image, [px, py], hex(0xF3F6F8), 0.75 * thick);
            }
        }
    }
}
