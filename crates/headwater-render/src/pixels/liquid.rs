//! Drawing of liquids in block worlds. Standing liquid fills its cell up to the fill fraction; it
//! is bright along the surface and darker with increasing depth. Falling liquid is a streak whose
//! width shows the fill fraction.

use super::canvas::{ArtPixel, quantise_dithered};
use super::scene::{PixelScene, SceneCell};
use crate::color::{Rgb, hash_to_unit_interval, mix, rgb_from_hex, value_noise};
use headwater::blocks::Liquid;

/// Minimum pressure head (cells) at which liquid is drawn in the deepest colour.
pub(super) const DEEP_HEAD: f32 = 22.0;

/// Liquid that covers an art pixel, if any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coverage {
    None,
    /// Standing liquid. The value is the number of art pixels (squares of the pixel art) between
    /// the surface and this art pixel.
    Body(usize),
    /// Falling liquid, drawn as a streak.
    Falling {
        is_edge: bool,
    },
}

/// Returns the colour of an art pixel (square of the pixel art) that is not in a wall. `background`
/// is the background colour.
pub(super) fn open_cell_color(scene: &PixelScene, pixel: ArtPixel, background: Rgb) -> Rgb {
    // Cells with a rounded-off wall corner contain no liquid.
    let Some(liquid) = scene.cell(pixel.x, pixel.y).liquid() else { return background };
    match coverage(scene, pixel) {
        Coverage::None => background,
        Coverage::Falling { is_edge } => falling_color(scene, pixel, liquid, is_edge, background),
        Coverage::Body(below) => body_color(scene, pixel, liquid, below, background),
    }
}

/// Returns the liquid that covers an art pixel (square of the pixel art): standing, falling or
/// none.
pub(super) fn coverage(scene: &PixelScene, pixel: ArtPixel) -> Coverage {
    let ArtPixel { x, y, u, v, art_pixels_per_cell: art, .. } = pixel;
    let here = scene.cell(x, y);
    let to_pixels = |part: f32| ((part * art as f32).ceil() as usize).clamp(1, art);
    let landing = scene.landing(x, y);
    // Number of art pixels between the surface beside a stream and this art pixel.
    let below = landing.map(|landing| pixel.py as isize - (landing.surface * art as f32) as isize);
    if let Some(below) = below.filter(|below| *below >= 0) {
        return Coverage::Body(below as usize);
    }
    if landing.is_some() || !scene.is_standing(x, y) {
        let part = landing.map_or(here.fill_fraction(), |landing| landing.fill_fraction);
        let wide = to_pixels(part * 0.85);
        // An odd remaining pixel goes to alternating sides.
        let left = (art - wide + x % 2) / 2;
        if !(left..left + wide).contains(&u) {
            return Coverage::None;
        }
        let is_edge = wide > 3 && (u == left || u + 1 == left + wide);
        return Coverage::Falling { is_edge };
    }
    let above = scene.cell_at_offset(x, y, 0, -1);
    let is_covered = above.liquid() == here.liquid() && y > 0 && scene.is_standing(x, y - 1);
    if is_covered {
        return Coverage::Body(usize::MAX);
    }
    // A lighter liquid on top visually fills the rest of the cell.
    let high = if above.liquid().is_some() && y > 0 && scene.is_standing(x, y - 1) {
        art
    } else {
        to_pixels(here.fill_fraction())
    };
    if v + high < art { Coverage::None } else { Coverage::Body(v + high - art) }
}

fn falling_color(
    scene: &PixelScene,
    pixel: ArtPixel,
    liquid: Liquid,
    is_edge: bool,
    background: Rgb,
) -> Rgb {
    let ArtPixel { px, py, art_pixels_per_cell: art, .. } = pixel;
    // Streaks move down by one cell per tick.
    let run = (py as f32 - (scene.ticks as f32 * art as f32) % 65_536.0) / (1.3 * art as f32);
    let streak = value_noise(px as f32 / 1.1, run, 61);
    match liquid {
        Liquid::Lava => lava_color(scene, pixel, if is_edge { 1 } else { 9 }),
        Liquid::Oil => {
            mix(background, rgb_from_hex(if streak > 0.2 { 0xC79A3A } else { 0x8A6420 }), 0.85)
        }
        Liquid::Water => {
            let tone = match streak {
                _ if is_edge => 0x58AEE4,
                s if s > 0.25 => 0xCFF0FF,
                s if s > -0.2 => 0x8FD3F7,
                _ => 0x67BCEC,
            };
            mix(background, rgb_from_hex(tone), if is_edge { 0.65 } else { 0.85 })
        }
    }
}

fn body_color(
    scene: &PixelScene,
    pixel: ArtPixel,
    liquid: Liquid,
    below: usize,
    background: Rgb,
) -> Rgb {
    let ArtPixel { x, y, art_pixels_per_cell: art, .. } = pixel;
    let line = art.div_ceil(8);
    let above = scene.cell_at_offset(x, y, 0, -1);
    // A surface against a ceiling has no highlight.
    let is_free = below < 2 * line && !(above.is_wall() && scene.cell(x, y).fill_fraction() == 1.0);
    let depth = (scene.head[(x, y)] + 0.5) / DEEP_HEAD;
    match liquid {
        Liquid::Lava => lava_color(scene, pixel, if is_free { below / line } else { 9 }),
        Liquid::Oil => {
            let tone = match below {
                _ if is_free && below < line => rgb_from_hex(0xF2CF74),
                _ if is_free => rgb_from_hex(0xA97C2C),
                _ => mix(
                    rgb_from_hex(0x7C5519),
                    rgb_from_hex(0x3A2208),
                    quantise_dithered(depth.min(1.0), 8.0, pixel),
                ),
            };
            mix(background, tone, 0.88)
        }
        Liquid::Water => {
            if is_free && below < line {
                return surface_line_color(above, pixel);
            }
            if is_free {
                return mix(background, rgb_from_hex(0x6CC3F2), 0.88);
            }
            submerged_water_color(pixel, depth, (scene.ticks / 6) as f32, background)
        }
    }
}

/// Returns the colour of water below its surface. `depth` is the relative depth, from 0 at the
/// surface to 1 at the depth of the darkest colour. `animation_step` is the time of the animation
/// (steps), with which the caustics move. `background` is the background colour.
pub(super) fn submerged_water_color(
    pixel: ArtPixel,
    depth: f32,
    animation_step: f32,
    background: Rgb,
) -> Rgb {
    let depth = quantise_dithered(depth.sqrt().min(1.0), 10.0, pixel);
    let tone = mix(rgb_from_hex(0x3F9BE0), rgb_from_hex(0x12327E), depth);
    // Caustics: short dashes that come and go.
    let dash =
        value_noise(pixel.px as f32 / 5.0 + 0.23 * animation_step, pixel.py as f32 / 1.3, 64);
    let play = if dash > 0.66 { 0.16 * (1.0 - depth) } else { 0.0 };
    mix(background, mix(tone, rgb_from_hex(0xBFEAFF), play), 0.80 + 0.12 * depth)
}

/// Returns the colour of the line along a water surface. The line is white where water falls into
/// the cell from the cell `above`.
fn surface_line_color(above: SceneCell, pixel: ArtPixel) -> Rgb {
    let is_hit = above.liquid() == Some(Liquid::Water);
    let sparkle = hash_to_unit_interval((pixel.px * 13) as u32) > 0.86;
    rgb_from_hex(if is_hit || sparkle { 0xFFFFFF } else { 0xC4EFFF })
}

/// Returns the colour of lava at an art pixel (square of the pixel art): a bright surface and,
/// below it, slowly moving blotches from yellow to dark red. `depth` is the number of art pixels
/// between the surface and this art pixel.
fn lava_color(scene: &PixelScene, pixel: ArtPixel, depth: usize) -> Rgb {
    let slow = (scene.ticks / 3) as f32 * 0.05;
    let (px, py) = (pixel.px as f32, pixel.py as f32);
    let blot = value_noise(px / 7.0 + slow, py / 4.2, 65)
        + 0.3 * value_noise(px / 2.6, py / 2.0 - slow, 66);
    match depth {
        0 => rgb_from_hex(if blot > -0.5 { 0xFFE98A } else { 0xFFC04A }),
        1 => rgb_from_hex(0xFFB132),
        _ => rgb_from_hex(match blot {
            b if b > 0.62 => 0xFFB63A,
            b if b > 0.22 => 0xFF8A1F,
            b if b > -0.3 => 0xEE6416,
            _ => 0xD14A10,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use headwater::Region;
    use headwater::blocks::{Blocks, Params, Spring};

    #[test]
    fn streams_are_drawn_down_to_the_surface_beside_them() {
        let text = ["#.........#"; 20].join("\n") + "\n#~~~~~~~~~#\n###########";
        let mut world = Blocks::from_text(&text, Params::default()).unwrap();
        let region = Region::rect([2.0, 0.0], [9.0, 1.0]);
        world.add_spring(Spring { region, liquid: Liquid::Water, rate: 140 }).unwrap();
        let mut stream_pixels = 0;
        for _ in 0..30 {
            world.step();
            let scene = PixelScene::new(&world, 1);
            let art = 8;
            let coverage_at = |x: usize, py: usize, u: usize| {
                let (y, v, px) = (py / art, py % art, x * art + u);
                coverage(&scene, ArtPixel { x, y, u, v, px, py, art_pixels_per_cell: art })
            };
            let top = |x, u| {
                (0..21 * art)
                    .find(|&py| matches!(coverage_at(x, py, u), Coverage::Body(_)))
                    .unwrap()
            };
            let beside = top(1, 0);
            for x in 2..9 {
                assert!(top(x, 0).abs_diff(beside) <= 1, "a slab stands under the stream");
                let lowest = coverage_at(x, top(x, art / 2) - 1, art / 2);
                stream_pixels += usize::from(matches!(lowest, Coverage::Falling { .. }));
            }
        }
        assert!(stream_pixels > 50, "no stream reaches the water: {stream_pixels}");
    }
}
