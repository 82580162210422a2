//! Sprites of floating bodies (boats, logs, crates and buoys) seen from above, at their true size
//! and heading, each with a small shadow on the water.

use super::body_kinds::BodyKind;
use crate::Picture;
use crate::color::light::Sun;
use crate::color::palette::paint;
use crate::color::{Rgb, blend, mix, rgb_from_hex, scale};
use headwater::flow::Body;

/// Floating body to draw in a picture, seen from above.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodySprite {
    /// Kind of the body. It determines the outline and the colours.
    pub kind: BodyKind,
    /// Position of the body's centre (m east and m south of the top-left corner of the world).
    pub position: [f64; 2],
    /// Heading of the long axis (rad), measured clockwise from east.
    pub heading: f64,
    /// Length and width of the body (m).
    pub size: [f64; 2],
    /// Height of the body (m) above the water or the ground. It determines the length of the
    /// shadow.
    pub height: f64,
}

impl BodySprite {
    /// Creates the sprite of a body of the flow model from its current state.
    pub fn new(body: &Body, kind: BodyKind) -> Self {
        let height = if body.aground { body.height } else { body.height - body.draft };
        Self {
            kind,
            position: body.position,
            heading: body.heading,
            size: body.size(),
            height: height.max(0.0),
        }
    }

    /// Returns true if all values are finite. Sprites with NaN or infinite values are not drawn.
    pub fn is_finite(&self) -> bool {
        let numbers = [self.heading, self.height, self.size[0], self.size[1]];
        numbers.iter().chain(&self.position).all(|number| number.is_finite())
    }
}

/// Returns the half-width of a boat's hull as a fraction of the largest half-width. The argument
/// `u` is the position along the hull, from −1 (stern) to 1 (bow).
pub fn hull_half_width(u: f64) -> f64 {
    if u < -0.1 {
        1.0 - 0.28 * (u + 0.1) * (u + 0.1) / 0.81
    } else {
        1.0 - ((u + 0.1) / 1.1).powi(2)
    }
}

/// Number of antialiasing samples per pixel along each axis.
const SAMPLES: usize = 4;
/// Minimum drawn width of a body (pixels), so that small bodies stay visible.
const MIN_WIDTH: f64 = 2.5;
/// Minimum length of a shadow (pixels), so that small bodies keep a visible shadow.
const MIN_SHADOW: f64 = 1.2;

/// Draws the sprites of all bodies with their shadows; `scale` is the number of pixels per metre
/// along x and y.
pub(crate) fn draw_sprites(
    picture: &mut Picture,
    sprites: &[BodySprite],
    scale: [f64; 2],
    sun: &Sun,
) {
    let [east, south, up] = sun.direction.map(f64::from);
    let level = (east * east + south * south).sqrt().max(1e-6);
    let mean = (scale[0] * scale[1]).sqrt();
    let shadow_offset = |sprite: &BodySprite| {
        let length = (sprite.height * level / up.max(0.1) * mean)
            .clamp(MIN_SHADOW, 0.5 * mean * sprite.size[1] + MIN_SHADOW);
        [-east / level * length, -south / level * length]
    };
    for sprite in sprites.iter().filter(|sprite| sprite.is_finite()) {
        blend_sprite(picture, sprite, scale, shadow_offset(sprite), |_, _| {
            (rgb_from_hex(0x0B2238), 0.38)
        });
    }
    for sprite in sprites.iter().filter(|sprite| sprite.is_finite()) {
        // Component of the sun direction that points to the left of the body's heading.
        let (sin, cos) = sprite.heading.sin_cos();
        let side = ((south * cos - east * sin) / level) as f32;
        blend_sprite(picture, sprite, scale, [0.0; 2], |at, size| {
            (body_color_at(sprite.kind, at, size, side), 1.0)
        });
    }
}

/// Samples the pixels around a sprite, calls `paint` at each sample, and blends the mean of the
/// returned colours and opacities into the picture. The arguments of `paint` are the position along
/// and across the body (−1 to 1 inside the body's rectangle) and the size of the body (m).
fn blend_sprite(
    picture: &mut Picture,
    sprite: &BodySprite,
    scale: [f64; 2],
    shift: [f64; 2],
    paint: impl Fn([f32; 2], [f32; 2]) -> (Rgb, f32),
) {
    let mean = (scale[0] * scale[1]).sqrt();
    let drawn_size = sprite.size.map(|size| size.max(MIN_WIDTH / mean));
    let half = drawn_size.map(|size| 0.5 * size);
    let (sin, cos) = sprite.heading.sin_cos();
    let middle = [0, 1].map(|i| sprite.position[i] * scale[i] + shift[i]);
    let reach = (half[0] * half[0] + half[1] * half[1]).sqrt();
    let range = |i: usize, size: usize| {
        let low = (middle[i] - reach * scale[i] - 1.0).clamp(0.0, size as f64);
        let high = (middle[i] + reach * scale[i] + 2.0).clamp(0.0, size as f64);
        low as usize..high as usize
    };
    for y in range(1, picture.ny()) {
        for x in range(0, picture.nx()) {
            let (mut sum, mut cover, mut opacity) = ([0.0_f32; 3], 0, 0.0);
            for k in 0..SAMPLES * SAMPLES {
                let offset = |i: usize| (i as f64 + 0.5) / SAMPLES as f64;
                let px = (x as f64 + offset(k % SAMPLES) - middle[0]) / scale[0];
                let py = (y as f64 + offset(k / SAMPLES) - middle[1]) / scale[1];
                let at = [(px * cos + py * sin) / half[0], (py * cos - px * sin) / half[1]];
                if at[0].abs() > 1.0
                    || at[1].abs() > 1.0
                    || !is_inside_outline(sprite.kind, at, drawn_size)
                {
                    continue;
                }
                let (color, opaque) = paint(at.map(|v| v as f32), drawn_size.map(|v| v as f32));
                sum = [0, 1, 2].map(|i| sum[i] + color[i]);
                cover += 1;
                opacity += opaque;
            }
            if cover > 0 {
                let color = sum.map(|v| v / cover as f32);
                let opacity = opacity / (SAMPLES * SAMPLES) as f32;
                blend(&mut picture[(x, y)], color, opacity);
            }
        }
    }
}

/// Returns true if a point is inside the outline of a body. The coordinates `u` and `v` run from −1
/// to 1 along and across the body.
fn is_inside_outline(kind: BodyKind, [u, v]: [f64; 2], size: [f64; 2]) -> bool {
    match kind {
        BodyKind::Crate => true,
        BodyKind::Buoy => u * u + v * v <= 1.0,
        BodyKind::Boat => v.abs() <= hull_half_width(u),
        BodyKind::Log => {
            // The ends are semicircles.
            let round = (0.5 * size[1] / size[0]).min(1.0);
            let beyond = ((u.abs() - (1.0 - round)) / round).max(0.0);
            beyond * beyond + v * v <= 1.0
        }
    }
}

/// Returns the colour at a point of a body. The coordinates `u` and `v` run from −1 to 1 along and
/// across the body. `side` describes the horizontal direction toward the sun: its component across
/// the body, from −1 to 1, positive toward increasing `v`.
fn body_color_at(kind: BodyKind, [u, v]: [f32; 2], [length, width]: [f32; 2], side: f32) -> Rgb {
    match kind {
        BodyKind::Log => {
            // A trunk is lit as a cylinder; its cut ends are pale.
            let light = 0.72 + 0.38 * (v * side).clamp(-1.0, 1.0) + 0.18 * (1.0 - v * v).sqrt();
            let end = (1.0 - u.abs()) * length < 0.22 * width;
            let bark = if (u * length * 1.7 + v * 0.6).sin() > 0.86 { 0.86 } else { 1.0 };
            scale(
                rgb_from_hex(if end { paint::CUT } else { paint::BARK }),
                (light * bark).clamp(0.35, 1.25),
            )
        }
        BodyKind::Boat => {
            let half = hull_half_width(f64::from(u)) as f32;
            let to_side = half - v.abs();
            let cabin = (-0.45..0.12).contains(&u) && v.abs() < 0.55 * half;
            if to_side < 0.22 || u < -0.9 {
                rgb_from_hex(paint::RAIL)
            } else if cabin {
                let front = u > 0.0;
                if front {
                    rgb_from_hex(0x35566B)
                } else {
                    scale(rgb_from_hex(paint::CABIN), 1.0 + 0.12 * (v * side).signum())
                }
            } else {
                rgb_from_hex(paint::DECK)
            }
        }
        BodyKind::Crate => {
            let edge = (1.0 - u.abs()) * length < 0.14 * width || 1.0 - v.abs() < 0.14;
            let brace = (u - v).abs() < 0.16;
            let gap = ((v + 1.0) * 2.5).fract() < 0.12;
            let wood = rgb_from_hex(if edge || brace { 0x9C6B3C } else { paint::CRATE });
            scale(wood, if gap && !edge { 0.78 } else { 1.0 })
        }
        BodyKind::Buoy => {
            let out = (u * u + v * v).sqrt();
            let body =
                rgb_from_hex(if (0.34..0.6).contains(&out) { paint::BAND } else { paint::BUOY });
            mix(scale(body, 0.72), body, (1.1 - 0.5 * out * out).clamp(0.0, 1.0))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_drawn_at_its_position_and_heading() {
        let sun = Sun::new(315.0, 42.0, 1.0);
        let log = BodySprite {
            kind: BodyKind::Log,
            position: [30.0, 20.0],
            heading: std::f64::consts::FRAC_PI_2,
            size: [20.0, 4.0],
            height: 2.0,
        };
        let sea = [20, 80, 160];
        let mut picture = Picture::new(120, 80, sea);
        draw_sprites(&mut picture, &[log], [2.0, 2.0], &sun);
        let brown = |x: usize, y: usize| {
            let [r, _, b] = picture[(x, y)];
            r > b
        };
        assert!(brown(60, 40) && brown(60, 25) && brown(60, 55), "the log points south");
        assert!(!brown(60, 15) && !brown(70, 40) && !brown(50, 40));
        let shade = picture[(65, 45)];
        assert!(shade[2] < 160 && shade[0] < 60, "a shadow to the southeast: {shade:?}");
        assert_eq!(picture[(100, 10)], sea);
    }

    #[test]
    fn sprites_with_nan_values_are_not_drawn() {
        let sun = Sun::new(315.0, 42.0, 1.0);
        let sprite = BodySprite {
            kind: BodyKind::Boat,
            position: [f64::NAN, 1.0],
            heading: 0.0,
            size: [2.0, 1.0],
            height: 1.0,
        };
        let mut picture = Picture::new(16, 16, [0; 3]);
        draw_sprites(&mut picture, &[sprite], [1.0, 1.0], &sun);
        assert!(picture.as_slice().iter().all(|&pixel| pixel == [0; 3]));
    }
}
