//! Materials of walls: textures of earth, stones and bricks.

use super::canvas::ArtPixel;
use super::style::Walls;
use crate::color::{Rgb, hash_to_unit_interval, mix, rgb_from_hex, scale, value_noise};

/// Material of a wall in a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WallMaterial {
    Earth,
    Stone,
    Brick,
    /// Wall added during the run, or solidified lava.
    New,
}

/// Mean thickness of the earth layer above the rock (cells).
const EARTH_DEPTH: f32 = 9.0;

impl WallMaterial {
    /// Returns the material of the original walls at an art pixel (square of the pixel art).
    /// `skyline` contains the first row below the open sky for each column.
    pub(super) fn original_material_at(walls: Walls, skyline: &[usize], pixel: ArtPixel) -> Self {
        match walls {
            Walls::Brick => WallMaterial::Brick,
            Walls::Rock => WallMaterial::Stone,
            Walls::Earth => {
                let at = |cell: usize, part: usize| {
                    cell as f32 + part as f32 / pixel.art_pixels_per_cell as f32
                };
                let (x, y) = (at(pixel.x, pixel.u), at(pixel.y, pixel.v));
                let depth = y - skyline[pixel.x] as f32;
                let border = EARTH_DEPTH
                    + 5.0 * value_noise(x / 11.0, 0.5, 71)
                    + 1.6 * value_noise(x / 2.3, y / 2.3, 72);
                let pocket =
                    value_noise(x / 10.0, y / 7.0, 73) + 0.3 * value_noise(x / 2.5, y / 2.5, 74);
                if depth < border || pocket > 0.62 {
                    WallMaterial::Earth
                } else {
                    WallMaterial::Stone
                }
            }
        }
    }
}

/// Returns one of the four shades in `ramp` for an art pixel (square of the pixel art).
/// Neighbouring art pixels tend to have the same shade, so the shades form random blotches.
pub(super) fn pick_shade(ramp: [Rgb; 4], pixel: ArtPixel, seed: u32) -> Rgb {
    let (px, py) = (pixel.px as f32, pixel.py as f32);
    let blot = 0.62 * value_noise(px / 3.7, py / 3.1, seed)
        + 0.5 * value_noise(px / 1.4, py / 1.4, seed + 1);
    let shade = ((blot + 0.72) / 1.44 * 4.0).clamp(0.0, 3.0);
    ramp[shade as usize]
}

/// Texture of a stone wall at one art pixel (square of the pixel art).
pub(super) struct StonePixel {
    /// Whether the art pixel is between two stones.
    is_crack: bool,
    tone: f32,
}

impl StonePixel {
    /// Returns the colour of the art pixel. Cracks between stones have the darkest of the four
    /// shades in `ramp`; a stone has one of the other three, depending on its tone.
    pub(super) fn color(&self, ramp: [Rgb; 4]) -> Rgb {
        if self.is_crack { ramp[0] } else { ramp[1 + (self.tone * 2.999) as usize] }
    }
}

/// Size of a stone (art pixels, the squares of the pixel art) at a relative size of 1.
const STONE_SIZE: f32 = 8.0;

/// Returns the texture of a wall of irregular stones at an art pixel (square of the pixel art). The
/// stones are the Voronoi cells of scattered points; `size` is their size relative to
/// [`STONE_SIZE`].
pub(super) fn stone_texture(pixel: ArtPixel, size: f32, seed: u32) -> StonePixel {
    let across = STONE_SIZE * size;
    let (fx, fy) = (pixel.px as f32 / across, pixel.py as f32 / (0.8 * across));
    let (ix, iy) = (fx.floor() as i32, fy.floor() as i32);
    // Squared distances to the nearest and the second-nearest point.
    let (mut first, mut second, mut key_of_first) = (f32::MAX, f32::MAX, 0);
    for (jx, jy) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (ix + dx, iy + dy))) {
        let key =
            (jx as u32).wrapping_mul(0x1F12_3BB5) ^ (jy as u32).wrapping_mul(0x5F35_6495) ^ seed;
        let (cx, cy) = (
            jx as f32 + hash_to_unit_interval(key),
            jy as f32 + hash_to_unit_interval(key ^ 0x9E37),
        );
        let distance = (cx - fx) * (cx - fx) + (cy - fy) * (cy - fy);
        if distance < first {
            (second, first, key_of_first) = (first, distance, key);
        } else {
            second = second.min(distance);
        }
    }
    let speck = 0.45 * value_noise(pixel.px as f32 / 1.6, pixel.py as f32 / 1.6, seed + 3);
    let tone = (hash_to_unit_interval(key_of_first ^ 0xC0DE) * 0.8 + 0.1 + speck).clamp(0.0, 1.0);
    StonePixel { is_crack: second.sqrt() - first.sqrt() < 0.75 / across, tone }
}

/// Returns the colour of a brick wall with mortar joints. Bricks are 8 × 4 art pixels (squares of
/// the pixel art), or 4 × 2 art pixels if cells are small.
pub(super) fn brick_color(pixel: ArtPixel) -> Rgb {
    let (wide, high) = if pixel.art_pixels_per_cell >= 4 { (8, 4) } else { (4, 2) };
    let row = pixel.py / high;
    let shifted = pixel.px + if row.is_multiple_of(2) { 0 } else { wide / 2 };
    let (u, v) = (shifted % wide, pixel.py % high);
    let tone = hash_to_unit_interval((shifted / wide) as u32 * 6151 + row as u32 * 92_821);
    let base = mix(rgb_from_hex(0x667284), rgb_from_hex(0x7A8698), (tone * 4.0).floor() / 3.0);
    match (u, v) {
        _ if high == 2 => base,
        (_, v) if v + 1 == high => rgb_from_hex(0x434C5B),
        (0, _) => rgb_from_hex(0x434C5B),
        (_, 0) => scale(base, 1.1),
        (1, _) => scale(base, 1.04),
        _ => base,
    }
}
