//! Liquids: as high in a cell as it is full, darker with depth, bright along the surface; what falls is a
//! streak as wide as the cell is full.

use super::canvas::{Spot, stepped};
use super::scene::{Scene, SceneCell};
use crate::picture::color::{Rgb, grain, hex, mix, random};
use headwater::blocks::Liquid;

/// The head at which a liquid has its deepest colour (cells).
pub(super) const DEEP: f32 = 22.0;

/// What of a cell a liquid covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cover {
    None,
    /// So many pixels below the surface.
    Body(usize),
    /// The edge, or the middle, of what falls.
    Falling {
        is_edge: bool,
    },
}

/// The colour of a pixel that is no wall.
pub(super) fn color(scene: &Scene, spot: Spot, behind: Rgb) -> Rgb {
    // Where a corner of the wall is rounded off there is none.
    let Some(liquid) = scene.cell(spot.x, spot.y).liquid() else { return behind };
    match cover(scene, spot) {
        Cover::None => behind,
        Cover::Falling { is_edge } => falling(scene, spot, liquid, is_edge, behind),
        Cover::Body(below) => body(scene, spot, liquid, below, behind),
    }
}

/// What of its cell a liquid covers at a pixel.
pub(super) fn cover(scene: &Scene, spot: Spot) -> Cover {
    let Spot { x, y, u, v, art, .. } = spot;
    let here = scene.cell(x, y);
    let pixels = |part: f32| ((part * art as f32).ceil() as usize).clamp(1, art);
    if !scene.stands(x, y) {
        let wide = pixels(here.part() * 0.85);
        // A pixel that is left over is on the side that the column says.
        let left = (art - wide + x % 2) / 2;
        if !(left..left + wide).contains(&u) {
            return Cover::None;
        }
        let is_edge = wide > 3 && (u == left || u + 1 == left + wide);
        return Cover::Falling { is_edge };
    }
    let above = scene.beside(x, y, 0, -1);
    let is_covered = above.liquid() == here.liquid() && y > 0 && scene.stands(x, y - 1);
    if is_covered {
        return Cover::Body(usize::MAX);
    }
    // A lighter liquid on top of it fills the rest of the cell, to the eye.
    let high = if above.liquid().is_some() && y > 0 && scene.stands(x, y - 1) {
        art
    } else {
        pixels(here.part())
    };
    if v + high < art { Cover::None } else { Cover::Body(v + high - art) }
}

fn falling(scene: &Scene, spot: Spot, liquid: Liquid, is_edge: bool, behind: Rgb) -> Rgb {
    let Spot { px, py, art, .. } = spot;
    // Streaks run down by a cell in a tick.
    let run = (py as f32 - (scene.ticks as f32 * art as f32) % 65_536.0) / (1.3 * art as f32);
    let streak = grain(px as f32 / 1.1, run, 61);
    match liquid {
        Liquid::Lava => lava(scene, spot, if is_edge { 1 } else { 9 }),
        Liquid::Oil => mix(behind, hex(if streak > 0.2 { 0xC79A3A } else { 0x8A6420 }), 0.85),
        Liquid::Water => {
            let tone = match streak {
                _ if is_edge => 0x58AEE4,
                s if s > 0.25 => 0xCFF0FF,
                s if s > -0.2 => 0x8FD3F7,
                _ => 0x67BCEC,
            };
            mix(behind, hex(tone), if is_edge { 0.65 } else { 0.85 })
        }
    }
}

fn body(scene: &Scene, spot: Spot, liquid: Liquid, below: usize, behind: Rgb) -> Rgb {
    let Spot { x, y, art, .. } = spot;
    let line = art.div_ceil(8);
    let above = scene.beside(x, y, 0, -1);
    // A surface against the roof does not shine.
    let is_free = below < 2 * line && !(above.is_wall() && scene.cell(x, y).part() == 1.0);
    let deep = (scene.head[(x, y)] + 0.5) / DEEP;
    match liquid {
        Liquid::Lava => lava(scene, spot, if is_free { below / line } else { 9 }),
        Liquid::Oil => {
            let tone = match below {
                _ if is_free && below < line => hex(0xF2CF74),
                _ if is_free => hex(0xA97C2C),
                _ => mix(hex(0x7C5519), hex(0x3A2208), stepped(deep.min(1.0), 8.0, spot)),
            };
            mix(behind, tone, 0.88)
        }
        Liquid::Water => {
            if is_free && below < line {
                return foam(above, spot);
            }
            if is_free {
                return mix(behind, hex(0x6CC3F2), 0.88);
            }
            deep_water(spot, deep, (scene.ticks / 6) as f32, behind)
        }
    }
}

/// Water below its surface: `deep` is 1 where it is darkest, `beat` moves the light that plays in it.
pub(super) fn deep_water(spot: Spot, deep: f32, beat: f32, behind: Rgb) -> Rgb {
    let deep = stepped(deep.sqrt().min(1.0), 10.0, spot);
    let tone = mix(hex(0x3F9BE0), hex(0x12327E), deep);
    // Light that plays in it: short dashes that come and go.
    let dash = grain(spot.px as f32 / 5.0 + 0.23 * beat, spot.py as f32 / 1.3, 64);
    let play = if dash > 0.66 { 0.16 * (1.0 - deep) } else { 0.0 };
    mix(behind, mix(tone, hex(0xBFEAFF), play), 0.80 + 0.12 * deep)
}

/// The line along a surface of water: white where something falls in.
fn foam(above: SceneCell, spot: Spot) -> Rgb {
    let is_hit = above.liquid() == Some(Liquid::Water);
    let sparkle = random((spot.px * 13) as u32) > 0.86;
    hex(if is_hit || sparkle { 0xFFFFFF } else { 0xC4EFFF })
}

/// Lava: a bright skin, then slow blots from yellow to dark red.
fn lava(scene: &Scene, spot: Spot, below: usize) -> Rgb {
    let slow = (scene.ticks / 3) as f32 * 0.05;
    let (px, py) = (spot.px as f32, spot.py as f32);
    let blot = grain(px / 7.0 + slow, py / 4.2, 65) + 0.3 * grain(px / 2.6, py / 2.0 - slow, 66);
    match below {
        0 => hex(if blot > -0.5 { 0xFFE98A } else { 0xFFC04A }),
        1 => hex(0xFFB132),
        _ => hex(match blot {
            b if b > 0.62 => 0xFFB63A,
            b if b > 0.22 => 0xFF8A1F,
            b if b > -0.3 => 0xEE6416,
            _ => 0xD14A10,
        }),
    }
}
