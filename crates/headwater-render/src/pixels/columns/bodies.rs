//! Floating and sunken bodies in pools (crates, barrels, stones and boats). The parts below the
//! water surface are tinted.

use super::super::canvas::PixelScale;
use super::pool_water::PoolWater;
use crate::Picture;
use crate::color::{Rgb, mix, rgb_from_hex, scale as scaled, value_noise};
use headwater::columns::{Columns, Shape};
use serde::{Deserialize, Serialize};

/// Kind of a floating or sunken body in a pool. The kind determines how the body is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum PoolBodyKind {
    /// Crate of planks with a frame.
    #[default]
    Crate,
    /// Barrel of staves with hoops.
    Barrel,
    /// Gray stone.
    Stone,
    /// Boat with a mast and a sail.
    Boat,
}

/// Tint of the submerged parts of bodies.
const WATER_TINT: Rgb = rgb_from_hex(0x2F86D0);

pub(super) fn draw_bodies(
    image: &mut Picture,
    world: &Columns,
    kinds: &[PoolBodyKind],
    pool_water: &PoolWater,
    scale: PixelScale,
) {
    let pixels = scale.art_pixels_per_cell as f64 / (world.cell_size() * scale.cell_stride as f64);
    for (i, body) in world.bodies().iter().enumerate() {
        let kind = kinds.get(i).copied().unwrap_or_default();
        let (center, half, is_round) = match body.shape {
            Shape::Box { center, half } => (center, half, false),
            Shape::Disc { center, radius } => (center, [radius; 2], true),
        };
        let [cx, cy] = center.map(|v| (v * pixels) as f32);
        let [w, h] = half.map(|v| ((v * pixels) as f32).max(1.0));
        let mast = if kind == PoolBodyKind::Boat { 2.2 * h + w } else { 0.0 };
        let left = (cx - w).floor().max(0.0) as usize;
        let top = (cy - h - mast).floor().max(0.0) as usize;
        for py in top..(cy + h).ceil().max(0.0) as usize {
            for px in left..(cx + w).ceil().max(0.0) as usize {
                let [u, v] = [(px as f32 + 0.5 - cx) / w, (py as f32 + 0.5 - cy) / h];
                let Some(mut color) = color_at(kind, [u, v], [w, h], is_round) else { continue };
                if px < pool_water.width() && pool_water.span_at(px, py).is_some() {
                    color = mix(color, WATER_TINT, 0.45);
                }
                scale.blend_art_pixel(image, [px, py], color, 1.0);
            }
        }
    }
}

/// Returns the colour at a point of a body, or `None` if the point is outside the body's outline.
/// `u` and `v` run from −1 to 1 across and down the body. `half_size` is half the width and half
/// the height of the body (art pixels, the squares of the pixel art). `is_round` is true for a
/// disc, false for a rectangle.
fn color_at(
    kind: PoolBodyKind,
    [u, v]: [f32; 2],
    half_size: [f32; 2],
    is_round: bool,
) -> Option<Rgb> {
    if kind == PoolBodyKind::Boat {
        return boat_color_at([u, v], half_size);
    }
    if v.abs() > 1.0 || u.abs() > 1.0 || is_round && u.hypot(v) > 1.0 {
        return None;
    }
    let [x, y] = [u * half_size[0], v * half_size[1]];
    let edge = [half_size[0] - x.abs(), half_size[1] - y.abs()];
    let line = (0.16 * half_size[0].min(half_size[1])).clamp(1.0, 3.0);
    // Light comes from the upper left.
    let light = 1.0 - 0.13 * (u + v);
    let color = match kind {
        PoolBodyKind::Stone => {
            let tone = 0.5 + 0.5 * value_noise(x / 3.0, y / 3.0, 141);
            mix(rgb_from_hex(0x5E646E), rgb_from_hex(0x8D949E), tone)
        }
        PoolBodyKind::Barrel => {
            let rim = if is_round { (1.0 - u.hypot(v)) * half_size[0] } else { edge[1] };
            let is_hoop =
                rim < line || is_round && (0.45..0.45 + line / half_size[0]).contains(&u.hypot(v));
            if is_hoop { rgb_from_hex(0x4A4E57) } else { rgb_from_hex(0x9A6234) }
        }
        _ if is_round => rgb_from_hex(0xA9713C),
        _ => {
            let is_frame = edge[0] < line || edge[1] < line;
            let is_brace =
                (x / half_size[0] - y / half_size[1]).abs() * half_size[0].min(half_size[1]) < line;
            let is_gap = (y / (2.0 * line)).fract().abs() < 0.18;
            match () {
                () if is_frame => rgb_from_hex(0x8A5A2B),
                () if is_brace => rgb_from_hex(0x98652F),
                () if is_gap => rgb_from_hex(0x7C4F25),
                () => rgb_from_hex(0xC08A4C),
            }
        }
    };
    Some(scaled(color, light))
}

/// Returns the colour at a point of a boat with mast and sail, or `None` if the point is outside
/// the boat's outline. `u` and `v` run from −1 to 1 across and down the boat; `half` is half its
/// width and half its height (art pixels, the squares of the pixel art).
fn boat_color_at([u, v]: [f32; 2], half: [f32; 2]) -> Option<Rgb> {
    let [x, y] = [u * half[0], v * half[1]];
    if (-1.0..=1.0).contains(&v) {
        // The hull narrows toward the keel.
        let wide = 1.0 - 0.35 * (0.5 + 0.5 * v).powi(2);
        let is_rail = half[1] + y < (0.2 * half[1]).max(1.0);
        return (u.abs() <= wide)
            .then(|| if is_rail { rgb_from_hex(0xE9DCC0) } else { rgb_from_hex(0x7A3B26) });
    }
    let up = -(y + half[1]);
    let high = 1.2 * half[1] + half[0];
    if v > 1.0 || up > high {
        return None;
    }
    if x.abs() <= (0.04 * half[0]).max(0.5) {
        return Some(rgb_from_hex(0x5B3A22));
    }
    let sail = 0.8 * half[0] * (1.0 - up / high);
    let is_sail = up > 0.12 * high && x > 0.0 && x < sail;
    is_sail.then(|| mix(rgb_from_hex(0xFFFFFF), rgb_from_hex(0xDADFE6), up / high))
}
