//! What walls are made of: earth, stones, bricks, and where which of them is.

use super::canvas::Spot;
use super::style::Walls;
use crate::picture::color::{Rgb, grain, hex, mix, random, scale};

/// What a wall looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rock {
    Earth,
    Stone,
    Brick,
    /// Built, or lava that has met water.
    New,
}

/// Cells of earth above the rock, on average.
const EARTH: f32 = 9.0;
impl Rock {
    /// The rock at a place, as it was at the start.
    pub(super) fn of(walls: Walls, skyline: &[usize], spot: Spot) -> Self {
        match walls {
            Walls::Brick => Rock::Brick,
            Walls::Rock => Rock::Stone,
            Walls::Earth => {
                let at = |cell: usize, part: usize| cell as f32 + part as f32 / spot.art as f32;
                let (x, y) = (at(spot.x, spot.u), at(spot.y, spot.v));
                let deep = y - skyline[spot.x] as f32;
                let border =
                    EARTH + 5.0 * grain(x / 11.0, 0.5, 71) + 1.6 * grain(x / 2.3, y / 2.3, 72);
                let pocket = grain(x / 10.0, y / 7.0, 73) + 0.3 * grain(x / 2.5, y / 2.5, 74);
                if deep < border || pocket > 0.62 { Rock::Earth } else { Rock::Stone }
            }
        }
    }
}

/// One of four shades, in blots.
pub(super) fn shade_of(ramp: [Rgb; 4], spot: Spot, seed: u32) -> Rgb {
    let (px, py) = (spot.px as f32, spot.py as f32);
    let blot = 0.62 * grain(px / 3.7, py / 3.1, seed) + 0.5 * grain(px / 1.4, py / 1.4, seed + 1);
    let shade = ((blot + 0.72) / 1.44 * 4.0).clamp(0.0, 3.0);
    ramp[shade as usize]
}

/// A pixel of a wall of stones.
pub(super) struct Stones {
    /// Whether it lies between two of them.
    is_crack: bool,
    tone: f32,
}

impl Stones {
    /// The crack in the darkest shade, the stones in the others.
    pub(super) fn color(&self, ramp: [Rgb; 4]) -> Rgb {
        if self.is_crack { ramp[0] } else { ramp[1 + (self.tone * 2.999) as usize] }
    }
}

/// Pixels across a stone, at a size of 1.
const STONE: f32 = 8.0;

/// Stones around scattered points.
pub(super) fn stones(spot: Spot, size: f32, seed: u32) -> Stones {
    let across = STONE * size;
    let (fx, fy) = (spot.px as f32 / across, spot.py as f32 / (0.8 * across));
    let (ix, iy) = (fx.floor() as i32, fy.floor() as i32);
    // Squares of distances.
    let (mut first, mut second, mut key_of_first) = (f32::MAX, f32::MAX, 0);
    for (jx, jy) in (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (ix + dx, iy + dy))) {
        let key =
            (jx as u32).wrapping_mul(0x1F12_3BB5) ^ (jy as u32).wrapping_mul(0x5F35_6495) ^ seed;
        let (cx, cy) = (jx as f32 + random(key), jy as f32 + random(key ^ 0x9E37));
        let distance = (cx - fx) * (cx - fx) + (cy - fy) * (cy - fy);
        if distance < first {
            (second, first, key_of_first) = (first, distance, key);
        } else {
            second = second.min(distance);
        }
    }
    let speck = 0.45 * grain(spot.px as f32 / 1.6, spot.py as f32 / 1.6, seed + 3);
    let tone = (random(key_of_first ^ 0xC0DE) * 0.8 + 0.1 + speck).clamp(0.0, 1.0);
    Stones { is_crack: second.sqrt() - first.sqrt() < 0.75 / across, tone }
}

/// Bricks of eight by four pixels, with mortar between.
pub(super) fn bricks(spot: Spot) -> Rgb {
    let (wide, high) = if spot.art >= 4 { (8, 4) } else { (4, 2) };
    let row = spot.py / high;
    let shifted = spot.px + if row.is_multiple_of(2) { 0 } else { wide / 2 };
    let (u, v) = (shifted % wide, spot.py % high);
    let tone = random((shifted / wide) as u32 * 6151 + row as u32 * 92_821);
    let base = mix(hex(0x667284), hex(0x7A8698), (tone * 4.0).floor() / 3.0);
    match (u, v) {
        _ if high == 2 => base,
        (_, v) if v + 1 == high => hex(0x434C5B),
        (0, _) => hex(0x434C5B),
        (_, 0) => scale(base, 1.1),
        (1, _) => scale(base, 1.04),
        _ => base,
    }
}
