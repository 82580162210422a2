//! Tracer particles: massless points that move with the water, to show it.

use super::outside::Joined;
use super::random::Random;
use super::state::State;
use super::velocity::{Moving, velocity_at};
use crate::error::InputError;
use crate::lattice::Lattice;
use crate::parameter::{Parameters, Range, parameters};
use crate::region::{Point, Region};
use rand_pcg::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};

parameters! {
    /// How many tracer particles there are, where they begin and how long they last.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Tracers {
        /// The number of particles, kept up as far as there is water to begin in.
        count: usize = 1000; Fixed, "particles", "1", |_| Range::new(0.0, 1e6), [0.0, 1e4];
        /// How long a particle lasts. The first ones get a random age, so that they do not all end at once.
        lifetime: f64 = 30.0; Fixed, "lifetime", "s", |_| Range::above_zero(1e10), [1.0, 1000.0];
    }
    required { count }
    and {
        /// Where particles begin, on wet cells only; an empty list means on any wet cell.
        emitters: Vec<Region> = Vec::new();
        /// Seed of their random beginnings.
        seed: u64 = 0;
    }
}

/// A tracer particle.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Particle {
    /// Where it is (m).
    pub position: Point,
    /// How the water moved it in the last step (m/s).
    pub velocity: [f32; 2],
    /// How long it has been on its way (s).
    pub age: f64,
}

/// Tracers for a device. New ones begin by PCG32 (crate `rand_pcg`): a missing particle tries up to
/// [`TRIES`](Self::TRIES) cells; each try draws a cell (column and row, or an index into `births`
/// with emitters) and a place in it, to the east and south, of `±½` a cell. A wet, open cell gets
/// it; until all have been there once, one more draw is its age.
#[derive(Clone, Copy, Debug)]
pub struct TracersView<'a> {
    /// How many there are to be, and how long they last.
    pub tracers: &'a Tracers,
    /// Cells under the emitters.
    pub births: &'a [(usize, usize)],
    /// Those that are on their way.
    pub particles: &'a [Particle],
    /// State of the generator, and what is added to it from number to number.
    pub random: [u64; 2],
    /// True if all were there once, so that new ones are of age 0.
    pub filled: bool,
}

impl TracersView<'_> {
    /// Tries of a missing particle in each step.
    pub const TRIES: usize = TRIES;

    /// What the generator's state is multiplied by, before its addition, from number to number.
    pub const MULTIPLIER: u64 = Random::MULTIPLIER;
}

/// What has become of tracers on a device.
#[derive(Clone, Debug, PartialEq)]
pub struct TracersProgress {
    /// Those that are on their way.
    pub particles: Vec<Particle>,
    /// State of the generator.
    pub random: u64,
    /// True if all were there once.
    pub filled: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct TracerSet {
    tracers: Tracers,
    births: Vec<(usize, usize)>,
    particles: Vec<Particle>,
    random: Random,
    filled: bool,
}

/// Tries to find a wet cell for a new particle before it waits for the next step.
const TRIES: usize = 16;

impl TracerSet {
    pub(super) fn new(tracers: Tracers, lattice: &Lattice) -> Result<Self, InputError> {
        tracers.check().map_err(|error| error.under("particles"))?;
        let mut births = Vec::new();
        for region in &tracers.emitters {
            region.validate()?;
            births.extend(region.cells(lattice).into_iter().map(|(x, y, _)| (x, y)));
        }
        let random = Random::seed_from_u64(tracers.seed);
        Ok(Self { tracers, births, particles: Vec::new(), random, filled: false })
    }

    pub(super) fn particles(&self) -> &[Particle] {
        &self.particles
    }

    pub(super) fn fits(&self, lattice: &Lattice) -> bool {
        self.births.iter().all(|&(x, y)| x < lattice.nx() && y < lattice.ny())
            && self.particles.len() <= self.tracers.count
    }

    pub(super) fn view(&self) -> TracersView<'_> {
        let Self { tracers, births, particles, random, filled } = self;
        let random = [random.state, random.increment];
        TracersView { tracers, births, particles, random, filled: *filled }
    }

    pub(super) fn could_be(tracers: Option<&Self>, progress: Option<&TracersProgress>) -> bool {
        let (Some(tracers), Some(progress)) = (tracers, progress) else {
            return tracers.is_none() && progress.is_none();
        };
        let finite = |particle: &Particle| {
            let Particle { position, velocity, age } = particle;
            let numbers = position.iter().chain([age]).all(|number| number.is_finite());
            numbers && velocity.iter().all(|v| v.is_finite()) && *age >= 0.0
        };
        progress.particles.len() <= tracers.tracers.count && progress.particles.iter().all(finite)
    }

    pub(super) fn read_back(&mut self, progress: TracersProgress) {
        self.particles = progress.particles;
        self.random.state = progress.random;
        self.filled = progress.filled;
    }

    /// Moves every particle for `dt` seconds (midpoint rule), ends those too old, dry or off the
    /// grid, and starts new ones.
    pub(super) fn advect(&mut self, moving: Moving, joined: Joined, dt: f64) {
        let Moving { state, lattice, dry, .. } = moving;
        // Once around a world without an end.
        let around = |joined: bool, p: f64, length: f64| {
            let p = if joined { p.rem_euclid(length) } else { p };
            // What is a rounding below 0 must not come out at the length itself.
            if joined && p >= length { 0.0 } else { p }
        };
        let (width, height) = (lattice.nx() as f64 * lattice.dx(), lattice.height());
        let wrap = |[x, y]: Point| [around(joined.x, x, width), around(joined.y, y, height)];
        let lifetime = self.tracers.lifetime;
        self.particles.retain_mut(|particle| {
            particle.age += dt;
            let moved = midpoint(moving, particle.position, dt, wrap);
            let Some((position, velocity)) = moved else { return false };
            (particle.position, particle.velocity) = (position, velocity);
            let wet = lattice.cell_at(position).is_some_and(|cell| state.depth[cell] > dry);
            wet && particle.age < lifetime
        });
        let missing = self.tracers.count - self.particles.len();
        for _ in 0..missing {
            if let Some(particle) = self.begin(state, lattice, dry) {
                self.particles.push(particle);
            }
        }
        self.filled = self.filled || self.particles.len() == self.tracers.count;
    }

    fn begin(&mut self, state: &State, lattice: &Lattice, dry: f32) -> Option<Particle> {
        for _ in 0..TRIES {
            let (x, y) = if self.tracers.emitters.is_empty() {
                (self.below(lattice.nx()), self.below(lattice.ny()))
            } else {
                let i = self.below(self.births.len());
                *self.births.get(i)?
            };
            let offset = [self.unit() - 0.5, self.unit() - 0.5];
            if state.depth[(x, y)] > dry && !state.closed.contains(x, y) {
                let center = lattice.center(x, y);
                let position =
                    [center[0] + offset[0] * lattice.dx(), center[1] + offset[1] * lattice.dy()];
                let age = if self.filled { 0.0 } else { self.unit() * self.tracers.lifetime };
                return Some(Particle { position, velocity: [0.0; 2], age });
            }
        }
        None
    }

    fn below(&mut self, n: usize) -> usize {
        ((u64::from(self.random.next_u32()) * n as u64) >> 32) as usize
    }

    fn unit(&mut self) -> f64 {
        f64::from(self.random.next_u32()) / f64::from(u32::MAX)
    }
}

/// Where the water carries a point in `dt` seconds, and how fast; `None` off the grid. `wrap`
/// handles joined edges.
fn midpoint(
    moving: Moving,
    from: Point,
    dt: f64,
    wrap: impl Fn(Point) -> Point,
) -> Option<(Point, [f32; 2])> {
    let go = |velocity: [f32; 2], seconds: f64| {
        let along = |i: usize| from[i] + f64::from(velocity[i]) * seconds;
        wrap([along(0), along(1)])
    };
    let first = velocity_at(moving, from)?;
    let velocity = velocity_at(moving, go(first, 0.5 * dt))?;
    Some((go(velocity, dt), velocity))
}
