//! Steam that rises from hot water in pictures of pools.

use super::super::canvas::PixelScale;
use super::pool_water::PoolWater;
use crate::Picture;
use crate::color::{rgb_from_hex, smoothstep, value_noise};
use headwater::columns::Columns;

/// Surface temperature (°C) at which steam becomes visible.
const VISIBLE_CELSIUS: f32 = 60.0;
/// Minimum surface temperature (°C) at which steam is drawn with full opacity.
const FULL_OPACITY_CELSIUS: f32 = 99.0;
/// Height of the steam above the water (cells).
const HEIGHT: f32 = 5.0;

/// Draws steam above every hot water surface that is exposed to air. `animation_step` is the time
/// of the animation (in steps of 0.1 s).
pub(super) fn draw_steam(
    image: &mut Picture,
    world: &Columns,
    pool_water: &PoolWater,
    scale: PixelScale,
    animation_step: f32,
) {
    if world.air_temperature().is_none() {
        return;
    }
    let high = HEIGHT * scale.art_pixels_per_cell as f32;
    for px in 0..image.nx() / scale.zoom {
        for span in pool_water.spans(px) {
            let hot = smoothstep(VISIBLE_CELSIUS, FULL_OPACITY_CELSIUS, span.celsius);
            if hot <= 0.0 || span.is_roofed {
                continue;
            }
            let surface = span.surface_y as usize;
            let ceiling = span.ceiling.max(span.surface_y - high) as usize;
            for py in ceiling..surface {
                let up = (span.surface_y - py as f32) / high;
                let (x, y) = (px as f32, py as f32 + 2.2 * animation_step);
                let sway = 4.0 * value_noise(y / 22.0, animation_step / 15.0, 131) * up;
                let puff = value_noise((x + sway) / 7.0, y / 9.0, 132)
                    + 0.5 * value_noise((x + sway) / 3.0, y / 4.0, 133);
                let thick = hot * (1.0 - up) * smoothstep(-0.15, 0.9, puff - 0.5 * up);
                if thick <= 0.02 {
                    continue;
                }
                scale.blend_art_pixel(image, [px, py], rgb_from_hex(0xF3F6F8), 0.75 * thick);
            }
        }
    }
}
