//! Mesh view of pools. The triangles and the bounding box of each pool have their own colour,
//! dimmed if the pool sleeps (is not stepped). Openings between pools and anchors (points that
//! define the initial water or trapped air) are drawn as symbols.

use super::super::canvas::{ArtPixel, PixelScale};
use super::super::lines::{self, Pen};
use super::super::scene::PixelScene;
use crate::Picture;
use crate::color::{Rgb, mix, rgb_from_hex, scale as scaled};
use headwater::columns::{Anchor, AnchorKind, Columns};

const COLORS: [u32; 8] =
    [0x4FB3FF, 0xFFB347, 0x7FE08A, 0xE58BFF, 0xFFE066, 0x5FE0D8, 0xFF8A8A, 0xB0A8FF];
const OPENING_COLOR: Rgb = rgb_from_hex(0xFFFFFF);
const LEVEL_COLOR: Rgb = rgb_from_hex(0x37D67A);
const BUBBLE_COLOR: Rgb = rgb_from_hex(0xFFC14D);
const IGNORED_COLOR: Rgb = rgb_from_hex(0xFF4D5E);

fn pool_color(pool: usize) -> Rgb {
    rgb_from_hex(COLORS[pool % COLORS.len()])
}

/// Returns the colour of a wall or of air, over which the mesh lines are drawn.
pub(super) fn background_color(scene: &PixelScene, pixel: ArtPixel) -> Rgb {
    let wall = scene.cell(pixel.x, pixel.y).is_wall();
    let on_line = pixel.art_pixels_per_cell >= 6 && (pixel.u == 0 || pixel.v == 0);
    let base = rgb_from_hex(if wall { 0x3A4250 } else { 0x12161D });
    if on_line { scaled(base, if wall { 1.12 } else { 1.5 }) } else { base }
}

/// Draws the meshes of all pools and the openings between them.
pub(super) fn draw_meshes(image: &mut Picture, world: &Columns, scale: PixelScale) {
    let pixels =
        scale.pixels_per_cell() as f32 / (world.cell_size() as f32 * scale.cell_stride as f32);
    let at = |point: [f64; 2]| point.map(|v| v as f32 * pixels);
    let thin = 0.35 + 0.05 * scale.zoom as f32;
    for pool in 0..world.pool_count() {
        let brightness = if world.is_awake(pool) { 1.0 } else { 0.45 };
        let pen = |opacity: f32, half_width: f32| Pen {
            color: pool_color(pool),
            opacity: opacity * brightness,
            half_width,
        };
        for outline in world.outlines(pool) {
            let points: Vec<[f32; 2]> =
                outline.points.iter().map(|p| p.map(|v| v * pixels)).collect();
            draw_triangle_strip(image, &points, pen(1.0, 0.0), thin);
        }
        if let Some(bounds) = world.pool_bounds(pool) {
            let pen = pen(0.55, thin);
            lines::draw_rectangle(image, at(bounds.min), at(bounds.max), pen);
        }
    }
    for opening in world.openings() {
        let (top, bottom) = (at(opening.top), at(opening.bottom));
        lines::draw_line(
            image,
            top,
            bottom,
            Pen { color: OPENING_COLOR, opacity: 0.9, half_width: 2.0 * thin },
        );
        for (end, pool) in [(-1.0, opening.pools[0]), (1.0, opening.pools[1])] {
            let middle = [bottom[0] + end * 4.0 * thin, 0.5 * (top[1] + bottom[1])];
            let pen = Pen { color: pool_color(pool), opacity: 1.0, half_width: 0.0 };
            lines::fill_disc(image, middle, 3.0 * thin, pen);
        }
    }
}

/// Draws a strip of triangles between a water surface and a floor. Inner lines are pale, the floor
/// line is more visible, and the surface line is bright.
fn draw_triangle_strip(image: &mut Picture, points: &[[f32; 2]], pen: Pen, line_half_width: f32) {
    let inner = Pen { opacity: 0.16 * pen.opacity, half_width: line_half_width, ..pen };
    for i in (0..points.len().saturating_sub(1)).step_by(2) {
        lines::draw_line(image, points[i], points[i + 1], inner);
        if let Some(&next) = points.get(i + 3) {
            lines::draw_line(image, points[i], next, inner);
        }
        if let (Some(&surface), Some(&floor)) = (points.get(i + 2), points.get(i + 3)) {
            let bright = Pen {
                color: mix(pen.color, OPENING_COLOR, 0.4),
                half_width: 2.0 * line_half_width,
                ..pen
            };
            lines::draw_line(image, points[i], surface, bright);
            lines::draw_line(
                image,
                points[i + 1],
                floor,
                Pen { half_width: line_half_width, ..pen },
            );
        }
    }
}

/// Draws the anchors of a world (points that define the initial water or trapped air). A level
/// anchor is a flag on a line at its level, and a bubble anchor is a ring. Anchors that the model
/// ignores are crossed out.
pub(super) fn draw_anchors(
    image: &mut Picture,
    world: &Columns,
    anchors: &[Anchor],
    scale: PixelScale,
) {
    let pixels =
        scale.pixels_per_cell() as f32 / (world.cell_size() as f32 * scale.cell_stride as f32);
    let size = 0.45 * scale.pixels_per_cell() as f32;
    for (i, anchor) in anchors.iter().enumerate() {
        let [x, y] = anchor.at.map(|v| v as f32 * pixels);
        let pen = |color| Pen { color, opacity: 1.0, half_width: 0.08 * size + 0.4 };
        match anchor.kind {
            AnchorKind::Level => {
                lines::draw_line(image, [x - size, y], [x + size, y], pen(LEVEL_COLOR));
                lines::draw_line(image, [x - 0.5 * size, y - 0.8 * size], [x, y], pen(LEVEL_COLOR));
                lines::draw_line(image, [x + 0.5 * size, y - 0.8 * size], [x, y], pen(LEVEL_COLOR));
                let top = [[x - 0.5 * size, y - 0.8 * size], [x + 0.5 * size, y - 0.8 * size]];
                lines::draw_line(image, top[0], top[1], pen(LEVEL_COLOR));
            }
            AnchorKind::Bubble => {
                let corner = |turn: usize| {
                    let angle = turn as f32 * std::f32::consts::TAU / 16.0;
                    [x + 0.7 * size * angle.cos(), y + 0.7 * size * angle.sin()]
                };
                for turn in 0..16 {
                    lines::draw_line(image, corner(turn), corner(turn + 1), pen(BUBBLE_COLOR));
                }
            }
        }
        if world.ignored_anchors().iter().any(|ignored| ignored.index == i) {
            for sign in [-1.0, 1.0] {
                let (from, to) = ([x - size, y - sign * size], [x + size, y + sign * size]);
                lines::draw_line(image, from, to, pen(IGNORED_COLOR));
            }
        }
    }
}
