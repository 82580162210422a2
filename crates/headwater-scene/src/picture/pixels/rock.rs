//! Walls: earth with grass on it, rock, bricks, and the dark stone of walls that came later. A rim of light
//! runs along what borders on air, and rock fades into darkness behind it.

use super::backdrop::Backdrop;
use super::canvas::{Spot, stepped};
use super::scene::Scene;
use super::stone::{Rock, bricks, shade_of, stones};
use super::style::Walls;
use crate::picture::color::{Rgb, hex, mix, random, scale};

/// Cells behind the rim where rock is darkest.
const DARK: f32 = 6.0;

/// The colour of a wall's pixel.
pub(super) fn color(backdrop: &Backdrop, scene: &Scene, spot: Spot) -> Rgb {
    let was_wall = backdrop.first_walls[(spot.x, spot.y)];
    let rock = if was_wall { Rock::of(backdrop.walls, &backdrop.skyline, spot) } else { Rock::New };
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
