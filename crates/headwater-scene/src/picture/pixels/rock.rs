//! Walls: earth with grass on it, rock, bricks, and the dark stone of walls that came later. A rim of light
//! runs along what borders on air, and rock fades into darkness behind it.

use super::backdrop::{Backdrop, shade_of};
use super::scene::Scene;
use super::{Spot, Walls, stepped};
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
/// Cells behind the rim where rock is darkest.
const DARK: f32 = 6.0;

impl Rock {
    /// The rock at a place, as it was at the start.
    pub(super) fn of(backdrop: &Backdrop, spot: Spot) -> Self {
        match backdrop.walls {
            Walls::Brick => Rock::Brick,
            Walls::Rock => Rock::Stone,
            Walls::Earth => {
                let at = |cell: usize, part: usize| cell as f32 + part as f32 / spot.art as f32;
                let (x, y) = (at(spot.x, spot.u), at(spot.y, spot.v));
                let deep = y - backdrop.skyline[spot.x] as f32;
                let border =
                    EARTH + 5.0 * grain(x / 11.0, 0.5, 71) + 1.6 * grain(x / 2.3, y / 2.3, 72);
                let pocket = grain(x / 10.0, y / 7.0, 73) + 0.3 * grain(x / 2.5, y / 2.5, 74);
                if deep < border || pocket > 0.62 { Rock::Earth } else { Rock::Stone }
            }
        }
    }
}

/// The colour of a wall's pixel.
pub(super) fn color(backdrop: &Backdrop, scene: &Scene, spot: Spot) -> Rgb {
    let was_wall = backdrop.first_walls[(spot.x, spot.y)];
    let rock = if was_wall { Rock::of(backdrop, spot) } else { Rock::New };
    let base = match rock {
        Rock::Earth => shade_of([0x6B4630, 0x7B5237, 0x875C3E, 0x956A49].map(hex), spot, 81),
        Rock::Stone => {
            stones(spot, 1.0, 82).color([0x5A6170, 0x656D7C, 0x6C7584, 0x757E8E].map(hex))
        }
        Rock::Brick => bricks(spot),
        Rock::New => stones(spot, 0.8, 83).color([0x2B2731, 0x3B3541, 0x463F4C, 0x544C59].map(hex)),
    };
    let deep = ((scene.depth_in_rock.at(spot) - 0.8) / DARK).clamp(0.0, 1.0);
    let dark = if rock == Rock::Brick { 0.35 } else { 0.66 };
    let shaded = mix(base, scale(hex(0x2A2A38), 0.55), dark * stepped(deep, 10.0, spot));
    let color = rim(scene, spot, shaded);
    turf(backdrop, scene, spot).unwrap_or(color)
}

/// Light on the edges that face up and sideways, shade on those that face down.
fn rim(scene: &Scene, spot: Spot, color: Rgb) -> Rgb {
    let Spot { x, y, u, v, art, .. } = spot;
    if art < 3 {
        return color;
    }
    let open = |east, down| !scene.beside(x, y, east, down).is_wall();
    let last = art - 1;
    let thick = art.div_ceil(8);
    let near = |distance: usize| distance < thick;
    let next = |distance: usize| art >= 6 && distance < 2 * thick;
    const LIGHT: Rgb = hex(0xF4E3C4);
    const SHADE: Rgb = hex(0x1A1622);
    if open(0, -1) && near(v) {
        mix(color, LIGHT, 0.42)
    } else if open(0, 1) && near(last - v) {
        mix(color, SHADE, 0.5)
    } else if (open(-1, 0) && near(u)) || (open(1, 0) && near(last - u)) {
        mix(color, LIGHT, 0.2)
    } else if open(0, -1) && next(v) {
        mix(color, LIGHT, 0.14)
    } else if open(0, 1) && next(last - v) {
        mix(color, SHADE, 0.22)
    } else {
        color
    }
}

/// Whether a pixel is the corner of a wall that stands out into air: corners are round.
pub(super) fn is_rounded_off(scene: &Scene, spot: Spot) -> bool {
    let Spot { x, y, u, v, art, .. } = spot;
    if art < 4 || !(u == 0 || u == art - 1) || !(v == 0 || v == art - 1) {
        return false;
    }
    let east = if u == 0 { -1 } else { 1 };
    let down = if v == 0 { -1 } else { 1 };
    [(east, 0), (0, down), (east, down)].into_iter().all(|(east, down)| {
        let cell = scene.beside(x, y, east, down);
        !cell.is_wall() && cell.liquid().is_none()
    })
}

/// Whether grass grows on a wall.
fn has_grass(backdrop: &Backdrop, scene: &Scene, x: usize, y: usize) -> bool {
    let above = scene.beside(x, y, 0, -1);
    backdrop.walls == Walls::Earth
        && y == backdrop.skyline[x]
        && y > 0
        && backdrop.first_walls[(x, y)]
        && scene.cell(x, y).is_wall()
        && !above.is_wall()
        && above.liquid().is_none()
}

const GRASS: [u32; 4] = [0x3E7A36, 0x4F9440, 0x67AE4C, 0x8CCB5E];

/// The grass on top of a wall, with roots of uneven length.
fn turf(backdrop: &Backdrop, scene: &Scene, spot: Spot) -> Option<Rgb> {
    let Spot { x, y, v, art, px, .. } = spot;
    if !has_grass(backdrop, scene, x, y) {
        return None;
    }
    let long = art as f32 * (0.22 + 0.2 * random(px as u32 ^ 0x51));
    let shade = match v {
        0 => 3,
        _ if v as f32 + 1.0 > long => 0,
        _ => 1 + (random((px * 31 + v) as u32) > 0.6) as usize,
    };
    ((v as f32) < long.max(1.0)).then(|| hex(GRASS[shade]))
}

/// A blade of grass that reaches into the air above.
pub(super) fn grass_blade(backdrop: &Backdrop, scene: &Scene, spot: Spot) -> Option<Rgb> {
    let Spot { x, y, v, art, px, .. } = spot;
    if art < 4 || y + 1 >= scene.ny || !has_grass(backdrop, scene, x, y + 1) {
        return None;
    }
    let tall = (random(px as u32 ^ 0xB1AD) * 3.4 - 1.3) * art as f32 / 8.0;
    let height = (art - v) as f32;
    (height <= tall).then(|| hex(GRASS[if height + 1.0 > tall { 3 } else { 2 }]))
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
fn bricks(spot: Spot) -> Rgb {
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
