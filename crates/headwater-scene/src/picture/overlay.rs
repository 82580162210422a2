//! What is drawn over the water: arrows along the flow, drifting particles, and structures.

use super::color::{Rgb, blend, hex, smoothstep};
use super::grid::{Flow, Ground};
use super::shore::WaterScale;
use super::strokes::Stroke;
use super::view::Particle;
use crate::picture::Picture;

/// Particles' streaks at the fast speed (pixels at 960 pixels' width).
const STREAK: f32 = 15.0;

/// A line whose thickness changes from end to end.
struct Taper {
    from: [f32; 2],
    to: [f32; 2],
    /// Half the thickness at both ends (pixels).
    radius: [f32; 2],
    /// Ends square rather than round.
    square: bool,
}

impl Taper {
    /// Blends the line into the picture, antialiased.
    fn draw(&self, picture: &mut Picture, color: Rgb, opacity: f32) {
        let stroke = Stroke { from: self.from, to: self.to };
        let reach = self.radius[0].max(self.radius[1]) + 1.0;
        let overrun = 0.5 / stroke.length();
        let size = [picture.nx(), picture.ny()];
        stroke.pixels(reach, size, |[x, y], way, aside| {
            if self.square && (way < -overrun || way > 1.0 + overrun) {
                return;
            }
            let t = way.clamp(0.0, 1.0);
            let radius = self.radius[0] + (self.radius[1] - self.radius[0]) * t;
            let cover = (radius + 0.5 - aside).clamp(0.0, 1.0);
            if cover > 0.0 {
                blend(&mut picture[(x, y)], color, opacity * cover);
            }
        });
    }
}

/// Draws arrows on a fixed sparse grid, so that they do not dance from frame to frame.
pub(super) fn arrows(picture: &mut Picture, ground: &Ground, flow: &Flow, scale: &WaterScale) {
    let Some((east, south)) = &flow.velocity else { return };
    let (width, height) = (picture.nx() as f32, picture.ny() as f32);
    let unit = (width.max(height) / 960.0).max(0.4);
    let spacing = 27.0 * unit;
    let cell = [width / ground.nx as f32, height / ground.ny as f32];
    for j in 0..(height / spacing) as usize {
        for i in 0..(width / spacing) as usize {
            // Every other row stands half a step aside, which looks less like a fence.
            let aside = if j % 2 == 0 { 0.25 } else { 0.75 };
            let at = [(i as f32 + aside) * spacing, (j as f32 + 0.5) * spacing];
            let x = ((at[0] / cell[0]) as usize).min(ground.nx - 1);
            let y = ((at[1] / cell[1]) as usize).min(ground.ny - 1);
            let k = y * ground.nx + x;
            let dry = flow.depth[k] <= 5.0 * scale.wet;
            let speed = east[k].hypot(south[k]);
            let share = (speed / scale.fast).sqrt().min(1.0);
            if dry || share < 0.12 || ground.is_closed(k) || ground.is_void(k) {
                continue;
            }
            // Velocities are metres; a cell's metres need not be square on the picture.
            let toward = [east[k] / ground.cell[0] * cell[0], south[k] / ground.cell[1] * cell[1]];
            let pixels = toward[0].hypot(toward[1]).max(1e-12);
            let direction = toward.map(|v| v / pixels);
            arrow(picture, at, direction, (0.25 + 0.75 * share) * 0.95 * spacing, share, unit);
        }
    }
}

fn arrow(
    picture: &mut Picture,
    at: [f32; 2],
    direction: [f32; 2],
    length: f32,
    share: f32,
    unit: f32,
) {
    const DARK: Rgb = hex(0x0B2238);
    const LIGHT: Rgb = hex(0xFFFFFF);
    let along = |t: f32| [at[0] + direction[0] * t, at[1] + direction[1] * t];
    let head = (0.38 * length).min(8.5 * unit);
    let (tail, neck, tip) = (along(-0.5 * length), along(0.5 * length - head), along(0.5 * length));
    for (color, wider, opacity) in [(DARK, 0.8, 0.22), (LIGHT, 0.0, 1.0)] {
        let opacity = opacity * (0.4 + 0.55 * share);
        let wider = wider * unit;
        let shaft = [0.15 * unit + wider, 0.85 * unit + wider];
        Taper { from: tail, to: neck, radius: shaft, square: true }.draw(picture, color, opacity);
        let barb = [0.36 * head + wider, wider];
        Taper { from: neck, to: tip, radius: barb, square: true }.draw(picture, color, opacity);
    }
}

/// Draws each structure, `per_metre` pixels a metre, as a bar between its mouths, with a round end on each.
pub(super) fn structures(picture: &mut Picture, per_metre: [f64; 2], structures: &[[[f64; 2]; 2]]) {
    const DARK: Rgb = hex(0x2B2119);
    const LIGHT: Rgb = hex(0xF2B84B);
    let unit = (picture.nx().max(picture.ny()) as f32 / 960.0).max(0.4);
    for ends in structures {
        let [from, to] = ends.map(|end| [0, 1].map(|i| (end[i] * per_metre[i]) as f32));
        if from.iter().chain(&to).any(|v| !v.is_finite()) {
            continue;
        }
        for (color, wider) in [(DARK, 1.2), (LIGHT, 0.0)] {
            let mut bar = |from, to, thick: f32| {
                let radius = [(thick + wider) * unit; 2];
                Taper { from, to, radius, square: false }.draw(picture, color, 0.95);
            };
            bar(from, to, 1.3);
            bar(from, from, 2.6);
            bar(to, to, 2.6);
        }
    }
}

/// Draws each particle, `per_metre` pixels a metre, as a streak that ends where it is, fading in at birth and out with age. Slow
/// ones are faint: on still water they would look like snow.
pub(super) fn particles(
    picture: &mut Picture,
    per_metre: [f64; 2],
    particles: &[Particle],
    scale: &WaterScale,
    color: Rgb,
) {
    let unit = (picture.nx().max(picture.ny()) as f32 / 960.0).max(0.4);
    for particle in particles {
        let at = [0, 1].map(|i| (particle.position[i] * per_metre[i]) as f32);
        let velocity = [0, 1].map(|i| (particle.velocity[i] * per_metre[i]) as f32);
        let speed = (particle.velocity[0].hypot(particle.velocity[1])) as f32;
        let pixels = velocity[0].hypot(velocity[1]);
        let numbers = [at[0], at[1], pixels, speed, particle.age];
        if numbers.iter().any(|v| !v.is_finite()) {
            continue;
        }
        let quick = (speed / scale.fast).sqrt().min(1.5);
        let length = STREAK * unit * quick;
        let back = length / pixels.max(1e-12);
        let tail = [at[0] - velocity[0] * back, at[1] - velocity[1] * back];
        let age = particle.age.clamp(0.0, 1.0);
        let opacity =
            smoothstep(0.05, 0.4, quick) * 0.8 * (age * 8.0).min(1.0) * (1.0 - age).sqrt();
        let radius = [0.1 * unit, 0.95 * unit];
        Taper { from: tail, to: at, radius, square: false }.draw(picture, color, opacity);
    }
}
