//! Water that falls from an edge: a sheet along the path that a jet takes, with spray where it lands.

use super::super::canvas::Scale;
use crate::picture::Picture;
use crate::picture::color::{Rgb, grain, hex, mix, random};
use headwater::columns::{Columns, Fall};

/// The least drop that is drawn (pixels of pixel art).
const LEAST: f32 = 3.0;

/// Draws all falls.
pub(super) fn draw(image: &mut Picture, world: &Columns, scale: Scale, beat: f32) {
    let pixels = scale.art as f32 / (world.cell() as f32 * scale.skip as f32);
    let gravity = world.params().gravity as f32;
    for fall in world.falls(f64::from(LEAST / pixels)) {
        sheet(image, &fall, gravity, pixels, scale, beat);
    }
}

fn sheet(image: &mut Picture, fall: &Fall, gravity: f32, pixels: f32, scale: Scale, beat: f32) {
    let [x, y] = fall.edge.map(|v| v as f32);
    let (velocity, height) = (fall.velocity as f32, fall.height as f32);
    // A trickle is seen as one, and a jet that a model of columns makes too fast stays on the picture.
    let out = velocity.signum() * velocity.abs().clamp(0.3, 4.0);
    let rows = (fall.drop as f32 * pixels).ceil() as usize;
    let mut dot = |px: f32, py: f32, color: Rgb, opacity: f32| {
        if px >= 0.0 && py >= 0.0 {
            scale.dot(image, [px as usize, py as usize], color, opacity);
        }
    };
    for row in 0..rows {
        let down = (row as f32 + 0.5) / pixels;
        let time = (2.0 * down / gravity).sqrt();
        let speed = (out * out + 2.0 * gravity * down).sqrt();
        // The sheet gets thinner as it gets faster.
        let thick = (height * out.abs() / speed * pixels).max(1.0);
        let near = (x + out * time) * pixels;
        for i in 0..thick.ceil() as usize {
            let px = near - out.signum() * (i as f32 + if out > 0.0 { 0.5 } else { -0.5 });
            let py = y * pixels + row as f32;
            let streak = grain(px / 1.1, (py - 9.0 * beat) / 10.0, 61);
            let tone = match streak {
                s if s > 0.25 => 0xCFF0FF,
                s if s > -0.2 => 0x8FD3F7,
                _ => 0x67BCEC,
            };
            dot(px, py, hex(tone), 0.85);
        }
    }
    let land = (x + out * (2.0 * fall.drop as f32 / gravity).sqrt()) * pixels;
    let foot = y * pixels + rows as f32;
    let wide = 2.0 + (4.0 * height * pixels).sqrt();
    let specks = (4.0 * wide) as u32;
    for i in 0..specks {
        let key = i * 2731 + beat as u32 * 97 + fall.edge[0] as u32;
        let aside = (random(key) * 2.0 - 1.0) * wide;
        let up = random(key ^ 0x5BD1) * wide * (1.0 - (aside / wide).abs());
        dot(land + aside, foot - up, mix(hex(0xBFEAFF), hex(0xFFFFFF), random(key ^ 0x77)), 0.7);
    }
}
