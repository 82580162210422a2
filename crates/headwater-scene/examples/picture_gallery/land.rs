//! Land for the gallery: noise, worn down by the water that drains over it. Just enough for pictures;
//! the hydrology model does this properly.

use headwater::Field;
use noise::{Fbm, MultiFractal, NoiseFn, Perlin, RidgedMulti};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Rolling noise between about −1 and 1.
pub(crate) fn hills(seed: u32, frequency: f64, octaves: usize) -> impl Fn(f64, f64) -> f64 {
    let fbm = Fbm::<Perlin>::new(seed).set_frequency(frequency).set_octaves(octaves);
    move |x, y| fbm.get([x, y])
}

/// Noise with crests.
pub(crate) fn ridges(seed: u32, frequency: f64, octaves: usize) -> impl Fn(f64, f64) -> f64 {
    let fbm = RidgedMulti::<Perlin>::new(seed).set_frequency(frequency).set_octaves(octaves);
    // Bent axes: straight ones would show as long arcs.
    let bend = hills(seed + 1, 0.8 * frequency, 4);
    move |x, y| fbm.get([x + 0.12 * bend(x, y), y + 0.12 * bend(y + 5.0, x)])
}

/// From 0 at `low` to 1 at `high`.
pub(crate) fn step(low: f64, high: f64, x: f64) -> f64 {
    let t = ((x - low) / (high - low)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Where water goes on a bed.
pub(crate) struct Drainage {
    /// Cells from the outlets up.
    order: Vec<usize>,
    receiver: Vec<Option<usize>>,
    filled: Field<f32>,
    /// Cells that drain through each cell.
    area: Vec<f64>,
}

impl Drainage {
    /// Cells on the rim and cells below `sea` are outlets.
    pub(crate) fn new(bed: &Field<f32>, sea: f32) -> Self {
        let (nx, ny) = (bed.nx(), bed.ny());
        let key = |z: f32| (f64::from(z) * 1e4) as i64;
        let mut filled = bed.clone();
        let mut receiver = vec![None; nx * ny];
        let mut seen = vec![false; nx * ny];
        let (mut order, mut queue) = (Vec::new(), BinaryHeap::new());
        for (i, seen) in seen.iter_mut().enumerate() {
            let (x, y) = (i % nx, i / nx);
            if x == 0 || y == 0 || x + 1 == nx || y + 1 == ny || bed[(x, y)] < sea {
                *seen = true;
                queue.push(Reverse((key(bed[(x, y)]), i)));
            }
        }
        while let Some(Reverse((level, i))) = queue.pop() {
            order.push(i);
            let (x, y) = (i % nx, i / nx);
            let (west, north) = (x.wrapping_sub(1), y.wrapping_sub(1));
            let sides = [(west, y), (x + 1, y), (x, north), (x, y + 1)];
            let corners = [(west, north), (x + 1, north), (west, y + 1), (x + 1, y + 1)];
            for (u, v) in sides.into_iter().chain(corners).filter(|&(u, v)| u < nx && v < ny) {
                let j = v * nx + u;
                if !seen[j] {
                    seen[j] = true;
                    receiver[j] = Some(i);
                    filled[(u, v)] = filled[(u, v)].max(filled[(x, y)]);
                    queue.push(Reverse((key(bed[(u, v)]).max(level), j)));
                }
            }
        }
        let mut area = vec![1.0f64; nx * ny];
        for &i in order.iter().rev() {
            if let Some(to) = receiver[i] {
                area[to] += area[i];
            }
        }
        Self { order, receiver, filled, area }
    }

    /// Hollows filled to their brims, and on the way down depths that grow with the area.
    pub(crate) fn water(&self, bed: &Field<f32>, film: f64, exponent: f64) -> Field<f32> {
        Field::from_fn(bed.nx(), bed.ny(), |x, y| {
            let running = film * self.area[y * bed.nx() + x].powf(exponent);
            (self.filled[(x, y)] - bed[(x, y)]).max(running as f32)
        })
    }
}

/// Wears a bed down along its streams, and rounds its crests. A little chance each round keeps the
/// streams from following the grid's eight directions.
pub(crate) fn erode(bed: &mut Field<f32>, sea: f32, rounds: usize, strength: f64) {
    let (nx, ny) = (bed.nx(), bed.ny());
    let mut chance = Chance(1);
    for _ in 0..rounds {
        let before = bed.clone();
        for y in 0..ny {
            for x in 0..nx {
                let (u, v) = ((x + 1).min(nx - 1), (y + 1).min(ny - 1));
                let steep =
                    (before[(u, y)] - before[(x, y)]).hypot(before[(x, v)] - before[(x, y)]);
                bed[(x, y)] += 0.8 * steep * (chance.next() - 0.5);
            }
        }
        let drainage = Drainage::new(bed, sea);
        for &i in &drainage.order {
            let Some(to) = drainage.receiver[i] else { continue };
            let (here, below) = (bed.as_slice()[i], bed.as_slice()[to]);
            if here > below {
                let pull = (strength * drainage.area[i].sqrt()) as f32;
                bed.as_mut_slice()[i] = (here + pull * below) / (1.0 + pull);
            }
        }
        let before = bed.clone();
        for y in 0..ny {
            for x in 0..nx {
                let around = before[(x.saturating_sub(1), y)] + before[((x + 1).min(nx - 1), y)];
                let south = before[(x, (y + 1).min(ny - 1))];
                let around = around + before[(x, y.saturating_sub(1))] + south;
                bed[(x, y)] += 0.09 * (around - 4.0 * before[(x, y)]);
            }
        }
    }
}

/// A linear congruential generator: numbers from 0 to 1, the same every time.
struct Chance(u32);

impl Chance {
    fn next(&mut self) -> f32 {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (self.0 >> 16) as f32 / 65536.0
    }
}

/// Lava: drops that run down from `start`, each over what the ones before have left. Returns
/// depths, and the sum of the drops' directions in each cell.
pub(crate) fn pour_lava(bed: &Field<f32>, start: [f64; 2], drops: usize) -> [Field<f32>; 3] {
    let (nx, ny) = (bed.nx(), bed.ny());
    let mut depth = Field::new(nx, ny, 0.0f32);
    let (mut east, mut south) = (Field::new(nx, ny, 0.0f32), Field::new(nx, ny, 0.0f32));
    let mut chance = Chance(7);
    for _ in 0..drops {
        let mut at = start.map(|v| v + 5.0 * f64::from(chance.next() - 0.5));
        let mut way = [0.0f64; 2];
        let reach = 25 + (190.0 * chance.next().powi(2)) as usize;
        for walked in 0..reach {
            let level = |x: f64, y: f64| f64::from(bed.sample(x, y) + depth.sample(x, y));
            let fall = [
                level(at[0] - 1.5, at[1]) - level(at[0] + 1.5, at[1]),
                level(at[0], at[1] - 1.5) - level(at[0], at[1] + 1.5),
            ];
            let steep = fall[0].hypot(fall[1]).max(1e-6);
            way = [0, 1].map(|i| 0.85 * way[i] + 0.15 * fall[i] / steep);
            let length = way[0].hypot(way[1]).max(1e-6);
            at = [0, 1].map(|i| at[i] + 0.8 * way[i] / length);
            let inside = at[0] >= 0.0 && at[1] >= 0.0;
            let cell = (at[0].round() as usize, at[1].round() as usize);
            if !inside || cell.0 >= nx || cell.1 >= ny {
                break;
            }
            east[cell] += (way[0] / length) as f32;
            south[cell] += (way[1] / length) as f32;
            depth[cell] += if walked + 1 == reach { 0.6 } else { 0.008 };
        }
    }
    [depth, east, south].map(|field| soften(soften(soften(field))))
}

fn soften(field: Field<f32>) -> Field<f32> {
    Field::from_fn(field.nx(), field.ny(), |x, y| {
        let (x, y) = (x as f64, y as f64);
        let corners = [(-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)];
        corners.map(|(dx, dy)| field.sample(x + dx, y + dy)).iter().sum::<f32>() / 4.0
    })
}
