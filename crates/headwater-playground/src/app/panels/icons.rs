//! Icons of the tools, drawn as lines so that they are sharp at any size.

use eframe::egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, pos2};
use headwater_scene::live::ToolKind;

const EARTH: Color32 = Color32::from_rgb(0xB8, 0x86, 0x52);
const WATER: Color32 = Color32::from_rgb(0x42, 0xA5, 0xD8);
const STONE: Color32 = Color32::from_rgb(0x8F, 0x98, 0x9E);
const FIRE: Color32 = Color32::from_rgb(0xE8, 0x6A, 0x33);
const LEAF: Color32 = Color32::from_rgb(0x58, 0xA0, 0x56);

/// Painter of an icon. Coordinates are fractions of the icon's side.
struct Pen<'a> {
    painter: &'a Painter,
    rect: Rect,
    /// Colour of the parts of the icon that have no material colour, such as lines and arrows.
    ink: Color32,
}

type IconPoint = [f32; 2];

impl Pen<'_> {
    fn to_screen(&self, [x, y]: IconPoint) -> Pos2 {
        pos2(self.rect.left() + x * self.rect.width(), self.rect.top() + y * self.rect.height())
    }

    fn draw_line(&self, points: &[IconPoint], color: Color32) {
        let points = points.iter().map(|&point| self.to_screen(point)).collect();
        self.painter.add(Shape::line(points, Stroke::new(self.rect.width() * 0.09, color)));
    }

    /// Fills a convex polygon with a colour.
    fn fill_polygon(&self, points: &[IconPoint], color: Color32) {
        let points = points.iter().map(|&point| self.to_screen(point)).collect();
        self.painter.add(Shape::convex_polygon(points, color, Stroke::NONE));
    }

    fn draw_dot(&self, at: IconPoint, radius: f32, color: Color32) {
        self.painter.circle_filled(self.to_screen(at), radius * self.rect.width(), color);
    }

    fn draw_arrow(&self, from: IconPoint, to: IconPoint) {
        let [dx, dy] = [0, 1].map(|i| to[i] - from[i]);
        let length = dx.hypot(dy).max(1e-3);
        let [ux, uy] = [0.17 * dx / length, 0.17 * dy / length];
        self.draw_line(&[from, to], self.ink);
        let side = |turn: f32| [to[0] - ux - turn * uy, to[1] - uy + turn * ux];
        self.draw_line(&[side(1.0), to, side(-1.0)], self.ink);
    }

    fn draw_drop(&self, [x, y]: IconPoint, size: f32, color: Color32) {
        self.draw_dot([x, y + 0.3 * size], 0.55 * size, color);
        self.fill_polygon(
            &[
                [x, y - 0.8 * size],
                [x + 0.5 * size, y + 0.1 * size],
                [x - 0.5 * size, y + 0.1 * size],
            ],
            color,
        );
    }

    fn draw_wave(&self, y: f32, color: Color32) {
        let point = |i: usize| {
            let x = 0.06 + 0.88 * i as f32 / 16.0;
            [x, y + 0.06 * (i as f32 * 0.9).sin()]
        };
        self.draw_line(&(0..=16).map(point).collect::<Vec<_>>(), color);
    }

    fn draw_bricks(&self) {
        for (x, y) in [(0.08, 0.2), (0.54, 0.2), (0.31, 0.42), (0.08, 0.64), (0.54, 0.64)] {
            let (right, low) = (x + 0.4, y + 0.17);
            self.fill_polygon(&[[x, y], [right, y], [right, low], [x, low]], STONE);
        }
    }
}

pub(in crate::app) fn paint(painter: &Painter, rect: Rect, kind: ToolKind, ink: Color32) {
    let pen = Pen { painter, rect, ink };
    let hill = [[0.05, 0.9], [0.3, 0.58], [0.5, 0.48], [0.7, 0.58], [0.95, 0.9]];
    match kind {
        ToolKind::Dig => {
            pen.draw_line(
                &[
                    [0.04, 0.55],
                    [0.28, 0.55],
                    [0.42, 0.88],
                    [0.58, 0.88],
                    [0.72, 0.55],
                    [0.96, 0.55],
                ],
                EARTH,
            );
            pen.draw_arrow([0.5, 0.08], [0.5, 0.62]);
        }
        ToolKind::Raise => {
            pen.fill_polygon(&hill, EARTH);
            pen.draw_arrow([0.5, 0.42], [0.5, 0.06]);
        }
        ToolKind::Flatten => {
            pen.draw_line(&[[0.04, 0.72], [0.96, 0.72]], EARTH);
            pen.draw_arrow([0.28, 0.14], [0.28, 0.56]);
            pen.draw_arrow([0.72, 0.14], [0.72, 0.56]);
        }
        ToolKind::Smooth => {
            pen.draw_line(&[[0.04, 0.35], [0.2, 0.2], [0.34, 0.42], [0.5, 0.24]], EARTH);
            pen.draw_wave(0.72, ink);
        }
        ToolKind::Pour => {
            pen.draw_drop([0.5, 0.3], 0.32, WATER);
            pen.draw_wave(0.84, WATER);
        }
        ToolKind::Drain => {
            pen.draw_wave(0.84, WATER);
            pen.draw_arrow([0.5, 0.7], [0.5, 0.12]);
        }
        ToolKind::Spring => {
            for (x, tip) in [(0.18, 0.5), (0.5, 0.16), (0.82, 0.5)] {
                pen.draw_line(&[[0.5, 0.88], [0.5 + 0.6 * (x - 0.5), tip], [x, tip + 0.16]], WATER);
            }
        }
        ToolKind::Sink => {
            pen.draw_line(&[[0.06, 0.3], [0.42, 0.62], [0.42, 0.92]], STONE);
            pen.draw_line(&[[0.94, 0.3], [0.58, 0.62], [0.58, 0.92]], STONE);
            pen.draw_arrow([0.5, 0.06], [0.5, 0.52]);
        }
        ToolKind::Push => {
            pen.draw_wave(0.74, WATER);
            pen.draw_arrow([0.1, 0.36], [0.88, 0.36]);
        }
        ToolKind::Wall => pen.draw_bricks(),
        ToolKind::Unwall => {
            pen.draw_bricks();
            pen.draw_line(&[[0.14, 0.1], [0.86, 0.92]], ink);
            pen.draw_line(&[[0.86, 0.1], [0.14, 0.92]], ink);
        }
        ToolKind::Heat => {
            pen.draw_drop([0.5, 0.52], 0.5, FIRE);
            pen.draw_drop([0.5, 0.68], 0.26, Color32::from_rgb(0xFF, 0xC8, 0x57));
        }
        ToolKind::Rain => {
            for (x, y, r) in [(0.3, 0.34, 0.18), (0.52, 0.26, 0.22), (0.74, 0.36, 0.17)] {
                pen.draw_dot([x, y], r, STONE);
            }
            for x in [0.26, 0.5, 0.74] {
                pen.draw_line(&[[x, 0.6], [x - 0.08, 0.92]], WATER);
            }
        }
        ToolKind::Wind => {
            for (y, right) in [(0.26, 0.72), (0.5, 0.94), (0.74, 0.6)] {
                pen.draw_line(
                    &[[0.06, y], [right, y], [right + 0.05, y - 0.1], [right - 0.05, y - 0.15]],
                    ink,
                );
            }
        }
        ToolKind::Anchor => {
            pen.draw_wave(0.62, WATER);
            pen.fill_polygon(&[[0.3, 0.14], [0.7, 0.14], [0.5, 0.48]], ink);
        }
        ToolKind::Drop => {
            pen.draw_drop([0.5, 0.28], 0.28, WATER);
            pen.draw_line(
                &[
                    [0.14, 0.8],
                    [0.34, 0.7],
                    [0.66, 0.7],
                    [0.86, 0.8],
                    [0.66, 0.9],
                    [0.34, 0.9],
                    [0.14, 0.8],
                ],
                WATER,
            );
        }
        ToolKind::Stroke => {
            pen.draw_line(&[[0.06, 0.2], [0.74, 0.5], [0.06, 0.8]], WATER);
            pen.draw_arrow([0.3, 0.5], [0.94, 0.5]);
        }
        ToolKind::Maker => {
            pen.fill_polygon(&[[0.1, 0.12], [0.24, 0.12], [0.24, 0.9], [0.1, 0.9]], STONE);
            for x in [0.46, 0.66, 0.86] {
                pen.draw_line(&[[x - 0.06, 0.2], [x, 0.5], [x - 0.06, 0.8]], WATER);
            }
        }
        ToolKind::Body => {
            pen.fill_polygon(&[[0.08, 0.56], [0.92, 0.56], [0.74, 0.82], [0.26, 0.82]], EARTH);
            pen.fill_polygon(&[[0.5, 0.08], [0.84, 0.5], [0.5, 0.5]], ink);
            pen.draw_line(&[[0.46, 0.08], [0.46, 0.56]], ink);
        }
        ToolKind::Plant => {
            pen.draw_line(&[[0.5, 0.95], [0.5, 0.5]], EARTH);
            pen.fill_polygon(&[[0.5, 0.04], [0.84, 0.68], [0.16, 0.68]], LEAF);
        }
        ToolKind::Clear => {
            pen.fill_polygon(&[[0.38, 0.72], [0.62, 0.72], [0.66, 0.94], [0.34, 0.94]], EARTH);
            pen.draw_line(&[[0.12, 0.14], [0.88, 0.62]], ink);
            pen.draw_line(&[[0.88, 0.14], [0.12, 0.62]], ink);
        }
        // Tool kinds that were added later have no icon of their own.
        _ => pen.draw_dot([0.5, 0.5], 0.3, ink),
    }
}

pub(in crate::app) fn paint_eye_icon(painter: &Painter, rect: Rect, ink: Color32) {
    let pen = Pen { painter, rect, ink };
    pen.draw_line(
        &[
            [0.04, 0.5],
            [0.28, 0.28],
            [0.72, 0.28],
            [0.96, 0.5],
            [0.72, 0.72],
            [0.28, 0.72],
            [0.04, 0.5],
        ],
        ink,
    );
    pen.draw_dot([0.5, 0.5], 0.16, ink);
}
