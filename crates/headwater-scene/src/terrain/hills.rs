//! Hills generated from octaves of SuperSimplex noise. (Of the generators in the `noise` crate,
//! `OpenSimplex` is discontinuous at triangle edges and `Perlin` shows its grid.)
//!
//! Heights use only sums, products, square roots and the generator's table, so they are
//! bit-identical on all platforms.

use super::{Island, Noise, NoiseKind};
use crate::parallel::*;
use headwater::{Field, Lattice, Point};
use noise::{NoiseFn, SuperSimplex};

/// Adds the hills of the scene to `heights` (m). Row 0 of `heights` is row `first_row` of the
/// world.
pub(super) fn add_hills(
    noise: &Noise,
    seed: u32,
    lattice: &Lattice,
    first_row: usize,
    heights: &mut Field<f64>,
) {
    let hills = Hills::new(noise, seed, lattice);
    let nx = lattice.nx();
    heights.as_mut_slice().par_chunks_mut(nx).enumerate().for_each(|(y, row)| {
        for (x, height) in row.iter_mut().enumerate() {
            *height = hills.height_with_hills(*height, lattice.center(x, first_row + y));
        }
    });
}

struct Hills {
    kind: NoiseKind,
    height: f64,
    scale: f64,
    octaves: Vec<Octave>,
    warp: f64,
    warps: [SuperSimplex; 2],
    island: Option<IslandMask>,
}

struct Octave {
    generator: SuperSimplex,
    /// Frequency of this octave as a multiple of that of the first octave, at least 1.
    frequency: f64,
    /// Amplitude of this octave as a fraction of the sum of the amplitudes of all octaves.
    amplitude: f64,
}

/// Factor that scales the sum of the octaves to the range of about 0 to 1. The sum rarely reaches
/// its bounds, because octaves seldom peak at the same point.
const RELIEF_SCALE: f64 = 0.75;

impl Hills {
    fn new(noise: &Noise, seed: u32, lattice: &Lattice) -> Self {
        let longer = lattice.width().max(lattice.height());
        let scale = noise.scale.unwrap_or(0.6 * longer);
        // Seeds of octaves must not overlap those of the next scene seed.
        let generator = |i: u32| SuperSimplex::new(seed.wrapping_mul(64).wrapping_add(i));
        let finest = 2.0 * lattice.dx().max(lattice.dy());
        let (mut frequency, mut amplitude) = (1.0, 1.0);
        let mut octaves = Vec::new();
        for i in 0..noise.octaves {
            if i > 0 && scale / frequency < finest {
                break;
            }
            octaves.push(Octave { generator: generator(i), frequency, amplitude });
            frequency *= noise.lacunarity;
            amplitude *= noise.persistence;
        }
        let sum: f64 = octaves.iter().map(|octave| octave.amplitude).sum();
        for octave in &mut octaves {
            octave.amplitude /= sum;
        }
        Self {
            kind: noise.kind,
            height: noise.height.unwrap_or(scale / 10.0),
            scale,
            octaves,
            warp: noise.warp,
            warps: [generator(62), generator(63)],
            island: noise.island.map(|island| IslandMask::new(island, lattice)),
        }
    }

    /// Returns the ground elevation (m) at `point`: the elevation `plane` (m) of the inclined plane
    /// plus the height of the hills.
    fn height_with_hills(&self, plane: f64, point: Point) -> f64 {
        let relief = self.relief(self.warp_point(point));
        let hill = plane + self.height * relief;
        match &self.island {
            Some(mask) => {
                let floor = plane - mask.island.depth;
                floor + (hill - floor) * mask.falloff(relief, point)
            }
            None => hill,
        }
    }

    /// Converts a point (m) to units of the noise's length scale and displaces it by domain
    /// warping.
    fn warp_point(&self, [x, y]: Point) -> Point {
        let [x, y] = [x / self.scale, y / self.scale];
        if self.warp == 0.0 {
            return [x, y];
        }
        let displacement = self.warps.each_ref().map(|noise| self.warp * noise.get([x, y]));
        [x + displacement[0], y + displacement[1]]
    }

    /// Returns the height of the hills at a point as a fraction of their maximum height, about 0
    /// to 1.
    fn relief(&self, point: Point) -> f64 {
        match self.kind {
            NoiseKind::Fractal => self.fractal_noise(point),
            NoiseKind::Ridged => self.ridged_noise(point),
        }
    }

    /// Returns fractional Brownian motion noise at a point. The noise is rougher at high places
    /// than in basins.
    fn fractal_noise(&self, mut point: Point) -> f64 {
        let (mut height, mut roughness) = (0.5, 1.0);
        for octave in &self.octaves {
            height += RELIEF_SCALE * octave.amplitude * roughness * octave.noise_at(point);
            roughness = (0.2 + height).clamp(0.2, 1.2);
            point = rotate(point);
        }
        height
    }

    /// Returns Musgrave's ridged multifractal noise at a point. Creases of the noise become ridges,
    /// and finer octaves are weighted by coarser ones, so that valleys stay smooth.
    fn ridged_noise(&self, mut point: Point) -> f64 {
        let (mut sum, mut weight) = (0.0, 1.0);
        for octave in &self.octaves {
            let crease = 1.0 - octave.noise_at(point).abs().min(1.0);
            let ridge = crease * crease * weight;
            sum += octave.amplitude * ridge;
            weight = (2.0 * ridge).clamp(0.0, 1.0);
            point = rotate(point);
        }
        sum
    }
}

impl Octave {
    /// Returns the noise of the octave at a point, from about −1 to 1.
    fn noise_at(&self, [x, y]: Point) -> f64 {
        self.generator.get([x * self.frequency, y * self.frequency])
    }
}

/// Rotates a point by an angle of the 3–4–5 triangle and shifts the result, so that the grids of
/// successive octaves do not align.
fn rotate([x, y]: Point) -> Point {
    [0.8 * x - 0.6 * y + 5.3, 0.6 * x + 0.8 * y + 1.7]
}

/// Mask that lowers the hills toward the edges of the world, so that an island remains.
struct IslandMask {
    island: Island,
    half_size: Point,
}

impl IslandMask {
    fn new(island: Island, lattice: &Lattice) -> Self {
        Self { island, half_size: [0.5 * lattice.width(), 0.5 * lattice.height()] }
    }

    /// Returns the weight of the hills at `point` relative to the low ground around the island: 0
    /// at the edge of the world, 1 in the middle. `relief` is the height of the hills at the point
    /// as a fraction of their maximum height. Where hills are high, the weight reaches 1 closer to
    /// the edge, so the shore has bays and capes.
    fn falloff(&self, relief: f64, point: Point) -> f64 {
        let out = [0, 1].map(|i| (point[i] - self.half_size[i]) / self.half_size[i]);
        let distance = (out[0] * out[0] + out[1] * out[1]).sqrt();
        let reach = (0.3 + 1.4 * relief).max(0.0) * (1.0 - distance) / self.island.shore;
        let inside = reach.clamp(0.0, 1.0);
        inside * inside * (3.0 - 2.0 * inside)
    }
}
