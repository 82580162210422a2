//! Hills from noise: layers of SuperSimplex noise, each finer and lower than the one before. (Of the
//! generators in the `noise` crate, `OpenSimplex` jumps at its triangles' sides, and `Perlin` shows
//! its squares.)
//!
//! Only sums, products, square roots and the generator's table go into a height, so that it is the
//! same to the last bit on every platform.

use crate::flow::{Island, Noise, NoiseKind};
use crate::parallel::*;
use headwater::{Field, Lattice, Point};
use noise::{NoiseFn, SuperSimplex};

/// Adds hills to `heights`, which are those of the rows from the `first` on.
pub(super) fn add(
    noise: &Noise,
    seed: u32,
    lattice: &Lattice,
    first: usize,
    heights: &mut Field<f64>,
) {
    let hills = Hills::new(noise, seed, lattice);
    let nx = lattice.nx();
    heights.as_mut_slice().par_chunks_mut(nx).enumerate().for_each(|(y, row)| {
        for (x, height) in row.iter_mut().enumerate() {
            *height = hills.raise(*height, lattice.center(x, first + y));
        }
    });
}

struct Hills {
    kind: NoiseKind,
    height: f64,
    scale: f64,
    layers: Vec<Layer>,
    warp: f64,
    benders: [SuperSimplex; 2],
    island: Option<Rim>,
}

struct Layer {
    generator: SuperSimplex,
    /// Relative to the first layer's, ≥ 1.
    frequency: f64,
    /// Relative to the sum of all layers', so that they add up to 1.
    amplitude: f64,
}

/// Layers seldom peak together; this spreads their sum over about 0 to 1.
const SPREAD: f64 = 0.75;

impl Hills {
    fn new(noise: &Noise, seed: u32, lattice: &Lattice) -> Self {
        let longer = lattice.width().max(lattice.height());
        let scale = noise.scale.unwrap_or(0.6 * longer);
        // Seeds of layers must not overlap those of the next scene seed.
        let generator = |i: u32| SuperSimplex::new(seed.wrapping_mul(64).wrapping_add(i));
        let finest = 2.0 * lattice.dx().max(lattice.dy());
        let (mut frequency, mut amplitude) = (1.0, 1.0);
        let mut layers = Vec::new();
        for i in 0..noise.octaves {
            if i > 0 && scale / frequency < finest {
                break;
            }
            layers.push(Layer { generator: generator(i), frequency, amplitude });
            frequency *= noise.lacunarity;
            amplitude *= noise.persistence;
        }
        let sum: f64 = layers.iter().map(|layer| layer.amplitude).sum();
        for layer in &mut layers {
            layer.amplitude /= sum;
        }
        Self {
            kind: noise.kind,
            height: noise.height.unwrap_or(scale / 10.0),
            scale,
            layers,
            warp: noise.warp,
            benders: [generator(62), generator(63)],
            island: noise.island.map(|island| Rim::new(island, lattice)),
        }
    }

    /// The ground at `point`, over a plane of the given height.
    fn raise(&self, plane: f64, point: Point) -> f64 {
        let relief = self.relief(self.bend(point));
        let hill = plane + self.height * relief;
        match &self.island {
            Some(rim) => {
                let floor = plane - rim.island.depth;
                floor + (hill - floor) * rim.share(relief, point)
            }
            None => hill,
        }
    }

    /// A point in units of `scale`, bent out of place.
    fn bend(&self, [x, y]: Point) -> Point {
        let [x, y] = [x / self.scale, y / self.scale];
        if self.warp == 0.0 {
            return [x, y];
        }
        let bend = self.benders.each_ref().map(|bender| self.warp * bender.get([x, y]));
        [x + bend[0], y + bend[1]]
    }

    /// Height in parts of the hills' height, about 0 to 1.
    fn relief(&self, point: Point) -> f64 {
        match self.kind {
            NoiseKind::Fractal => self.fractal(point),
            NoiseKind::Ridged => self.ridged(point),
        }
    }

    /// Fractional Brownian motion, rougher on the heights than in the basins, where soil gathers.
    fn fractal(&self, mut point: Point) -> f64 {
        let (mut height, mut roughness) = (0.5, 1.0);
        for layer in &self.layers {
            height += SPREAD * layer.amplitude * roughness * layer.value(point);
            roughness = (0.2 + height).clamp(0.2, 1.2);
            point = turn(point);
        }
        height
    }

    /// Musgrave's ridged multifractal: creases become ridges, and finer layers show where the
    /// coarser ones are high, so that valleys stay smooth.
    fn ridged(&self, mut point: Point) -> f64 {
        let (mut sum, mut weight) = (0.0, 1.0);
        for layer in &self.layers {
            let crease = 1.0 - layer.value(point).abs().min(1.0);
            let ridge = crease * crease * weight;
            sum += layer.amplitude * ridge;
            weight = (2.0 * ridge).clamp(0.0, 1.0);
            point = turn(point);
        }
        sum
    }
}

impl Layer {
    /// Noise from about −1 to 1.
    fn value(&self, [x, y]: Point) -> f64 {
        self.generator.get([x * self.frequency, y * self.frequency])
    }
}

/// Turns by the angle of the triangle 3–4–5 and shifts, so that the lattices of the layers' noise
/// never line up.
fn turn([x, y]: Point) -> Point {
    [0.8 * x - 0.6 * y + 5.3, 0.6 * x + 0.8 * y + 1.7]
}

/// An island's rim.
struct Rim {
    island: Island,
    half: Point,
}

impl Rim {
    fn new(island: Island, lattice: &Lattice) -> Self {
        Self { island, half: [0.5 * lattice.width(), 0.5 * lattice.height()] }
    }

    /// How much of the hills is left at `point`: 0 on the rim, 1 in the middle. The shore is
    /// nearer to the rim where the hills are high: bays and capes.
    fn share(&self, relief: f64, point: Point) -> f64 {
        let out = [0, 1].map(|i| (point[i] - self.half[i]) / self.half[i]);
        let distance = (out[0] * out[0] + out[1] * out[1]).sqrt();
        let reach = (0.3 + 1.4 * relief).max(0.0) * (1.0 - distance) / self.island.shore;
        let inside = reach.clamp(0.0, 1.0);
        inside * inside * (3.0 - 2.0 * inside)
    }
}
