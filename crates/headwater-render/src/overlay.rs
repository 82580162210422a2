//! Overlays drawn over the water: drifting particles and structures.

use super::color::{Rgb, blend, rgb_from_hex, smoothstep};
use super::scenery::segments::Segment;
use super::view::Particle;
use super::water::shore::WaterScale;
use crate::Picture;

/// Streak length of a particle that moves at `fast_speed`, the upper end of the speed scale. It is
/// given in pixels of a picture that is 960 pixels wide.
const STREAK_LENGTH: f32 = 15.0;

/// Line whose width changes linearly from one end to the other.
struct TaperedLine {
    from: [f32; 2],
    to: [f32; 2],
    /// Half the line width (pixels) at each end.
    radius: [f32; 2],
}

impl TaperedLine {
    /// Blends the antialiased line into the picture.
    fn draw(&self, picture: &mut Picture, color: Rgb, opacity: f32) {
        let segment = Segment { from: self.from, to: self.to };
        let reach = self.radius[0].max(self.radius[1]) + 1.0;
        let size = [picture.nx(), picture.ny()];
        segment.for_each_pixel(reach, size, |[x, y], along, distance| {
            let t = along.clamp(0.0, 1.0);
            let radius = self.radius[0] + (self.radius[1] - self.radius[0]) * t;
            let coverage = (radius + 0.5 - distance).clamp(0.0, 1.0);
            if coverage > 0.0 {
                blend(&mut picture[(x, y)], color, opacity * coverage);
            }
        });
    }
}

/// Draws each structure (culvert, gate or weir) as a bar with round ends between its two openings.
/// `pixels_per_metre` is the number of pixels per metre along x and y.
pub(super) fn draw_structures(
    picture: &mut Picture,
    pixels_per_metre: [f64; 2],
    structures: &[[[f64; 2]; 2]],
) {
    const DARK: Rgb = rgb_from_hex(0x2B2119);
    const LIGHT: Rgb = rgb_from_hex(0xF2B84B);
    let unit = (picture.nx().max(picture.ny()) as f32 / 960.0).max(0.4);
    for ends in structures {
        let [from, to] = ends.map(|end| [0, 1].map(|i| (end[i] * pixels_per_metre[i]) as f32));
        if from.iter().chain(&to).any(|v| !v.is_finite()) {
            continue;
        }
        for (color, wider) in [(DARK, 1.2), (LIGHT, 0.0)] {
            let mut bar = |from, to, thick: f32| {
                let radius = [(thick + wider) * unit; 2];
                TaperedLine { from, to, radius }.draw(picture, color, 0.95);
            };
            bar(from, to, 1.3);
            bar(from, from, 2.6);
            bar(to, to, 2.6);
        }
    }
}

/// Draws each particle as a streak that ends at the particle's position and fades as the particle
/// ages. `pixels_per_metre` is the number of pixels per metre along x and y. Slow particles are
/// faint, because bright particles on still water would look like snow.
pub(super) fn draw_particles(
    picture: &mut Picture,
    pixels_per_metre: [f64; 2],
    particles: &[Particle],
    scale: &WaterScale,
    color: Rgb,
) {
    let unit = (picture.nx().max(picture.ny()) as f32 / 960.0).max(0.4);
    for particle in particles {
        let at = [0, 1].map(|i| (particle.position[i] * pixels_per_metre[i]) as f32);
        let velocity = [0, 1].map(|i| (particle.velocity[i] * pixels_per_metre[i]) as f32);
        let speed = (particle.velocity[0].hypot(particle.velocity[1])) as f32;
        let pixels = velocity[0].hypot(velocity[1]);
        let numbers = [at[0], at[1], pixels, speed, particle.age];
        if numbers.iter().any(|v| !v.is_finite()) {
            continue;
        }
        let relative_speed = (speed / scale.max_speed).sqrt().min(1.5);
        let length = STREAK_LENGTH * unit * relative_speed;
        let back = length / pixels.max(1e-12);
        let tail = [at[0] - velocity[0] * back, at[1] - velocity[1] * back];
        let age = particle.age.clamp(0.0, 1.0);
        let opacity =
            smoothstep(0.05, 0.4, relative_speed) * 0.8 * (age * 8.0).min(1.0) * (1.0 - age).sqrt();
        let radius = [0.1 * unit, 0.95 * unit];
        TaperedLine { from: tail, to: at, radius }.draw(picture, color, opacity);
    }
}
