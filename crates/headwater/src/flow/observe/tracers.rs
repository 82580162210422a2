//! Tracer particles: massless points that move with the water, for visualisation.

use super::random::TracerRng;
use super::velocity::{VelocityInput, velocity_at};
use crate::error::InputError;
use crate::flow::boundary::state::Periodicity;
use crate::flow::state::State;
use crate::lattice::Lattice;
use crate::parameter::{Parameters, Range, parameters};
use crate::region::{Point, Region};
use rand_pcg::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};

parameters! {
    /// Settings of the tracer particles: number, origin and lifetime.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Tracers {
        /// Number of particles. Missing particles are replaced as long as there are wet cells to
        /// start in.
        count: usize = 1000; Fixed, "particles", "1", |_| Range::new(0.0, 1e6), [0.0, 1e4];
        /// Lifetime of a particle. The first particles start at random ages, so that they do not
        /// all end at the same time.
        lifetime: f64 = 30.0; Fixed, "lifetime", "s", |_| Range::above_zero(1e10), [1.0, 1000.0];
    }
    required { count }
    and {
        /// Regions in which particles start. Particles start in wet cells only; if the list is
        /// empty, every wet cell is allowed.
        emitters: Vec<Region> = Vec::new();
        /// Seed of the random start positions.
        seed: u64 = 0;
    }
}

/// A tracer particle with its position, velocity and age.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Particle {
    /// Position (m) relative to the top-left corner of the grid.
    pub position: Point,
    /// Velocity in the last step (m/s, `[east, south]`).
    pub velocity: [f32; 2],
    /// Time since the particle started (s).
    pub age: f64,
}

/// Tracer particles, as an input for stepping a world on a device such as a GPU.
///
/// The random number generator is PCG32 (crate `rand_pcg`). In each step, every missing particle
/// has up to [`ATTEMPTS_PER_PARTICLE`](Self::ATTEMPTS_PER_PARTICLE) attempts to start. An attempt
/// draws a cell (its column and row or, with emitters, an index into `start_cells`) and an offset
/// of up to half a cell to the east and to the south. The particle starts there if the cell is wet
/// and open. As long as `filled` is false, another draw determines the initial age.
#[derive(Clone, Copy, Debug)]
pub struct TracersView<'a> {
    /// Settings of the tracers.
    pub tracers: &'a Tracers,
    /// Cells in which particles may start, as column and row: the cells covered by the emitters.
    /// The slice is empty without emitters.
    pub start_cells: &'a [(usize, usize)],
    /// Particles that currently exist. There may be fewer than the settings require.
    pub particles: &'a [Particle],
    /// State and increment of the random number generator.
    pub random: [u64; 2],
    /// Whether the number of particles has ever reached the required number. If so, new particles
    /// start at age 0, otherwise at a random age.
    pub filled: bool,
}

impl TracersView<'_> {
    /// Maximum number of attempts per step to find a wet cell for a missing particle.
    pub const ATTEMPTS_PER_PARTICLE: usize = ATTEMPTS_PER_PARTICLE;

    /// Multiplier of the random number generator.
    pub const MULTIPLIER: u64 = TracerRng::MULTIPLIER;
}

/// State of the tracer particles after steps on a device.
#[derive(Clone, Debug, PartialEq)]
pub struct TracersState {
    /// Particles that exist after the steps.
    pub particles: Vec<Particle>,
    /// State of the random number generator.
    pub random: u64,
    /// Whether the number of particles has ever reached the required number.
    pub filled: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct TracerSet {
    tracers: Tracers,
    births: Vec<(usize, usize)>,
    particles: Vec<Particle>,
    random: TracerRng,
    filled: bool,
}

/// Maximum number of attempts per step to find a wet cell for a missing particle.
const ATTEMPTS_PER_PARTICLE: usize = 16;

impl TracerSet {
    pub(in crate::flow) fn new(tracers: Tracers, lattice: &Lattice) -> Result<Self, InputError> {
        tracers.check().map_err(|error| error.with_table_prefix("particles"))?;
        let mut births = Vec::new();
        for region in &tracers.emitters {
            region.validate()?;
            births.extend(region.cells(lattice).into_iter().map(|(x, y, _)| (x, y)));
        }
        let random = TracerRng::seed_from_u64(tracers.seed);
        Ok(Self { tracers, births, particles: Vec::new(), random, filled: false })
    }

    pub(in crate::flow) fn particles(&self) -> &[Particle] {
        &self.particles
    }

    pub(in crate::flow) fn fits(&self, lattice: &Lattice) -> bool {
        self.births.iter().all(|&(x, y)| x < lattice.nx() && y < lattice.ny())
            && self.particles.len() <= self.tracers.count
    }

    pub(in crate::flow) fn view(&self) -> TracersView<'_> {
        let Self { tracers, births: start_cells, particles, random, filled } = self;
        let random = [random.state, random.increment];
        TracersView { tracers, start_cells, particles, random, filled: *filled }
    }

    pub(in crate::flow) fn is_valid_result(
        tracers: Option<&Self>,
        progress: Option<&TracersState>,
    ) -> bool {
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

    pub(in crate::flow) fn import_device_state(&mut self, progress: TracersState) {
        self.particles = progress.particles;
        self.random.state = progress.random;
        self.filled = progress.filled;
    }

    /// Moves every particle with the water for `dt` seconds by the midpoint rule. Removes particles
    /// that have exceeded their lifetime, are in dry cells or have left the grid, and starts new
    /// ones.
    pub(in crate::flow) fn advect(&mut self, input: VelocityInput, periodic: Periodicity, dt: f64) {
        let VelocityInput { state, lattice, dry, .. } = input;
        // Wraps a coordinate along a periodic axis.
        let wrap_axis = |periodic: bool, p: f64, length: f64| {
            let p = if periodic { p.rem_euclid(length) } else { p };
            // A tiny negative value would round to the length itself.
            if periodic && p >= length { 0.0 } else { p }
        };
        let (width, height) = (lattice.nx() as f64 * lattice.dx(), lattice.height());
        let wrap =
            |[x, y]: Point| [wrap_axis(periodic.x, x, width), wrap_axis(periodic.y, y, height)];
        let lifetime = self.tracers.lifetime;
        self.particles.retain_mut(|particle| {
            particle.age += dt;
            let moved = advect_point(input, particle.position, dt, wrap);
            let Some((position, velocity)) = moved else { return false };
            (particle.position, particle.velocity) = (position, velocity);
            let wet = lattice.cell_at(position).is_some_and(|cell| state.depth[cell] > dry);
            wet && particle.age < lifetime
        });
        let missing = self.tracers.count - self.particles.len();
        for _ in 0..missing {
            if let Some(particle) = self.spawn_particle(state, lattice, dry) {
                self.particles.push(particle);
            }
        }
        self.filled = self.filled || self.particles.len() == self.tracers.count;
    }

    fn spawn_particle(&mut self, state: &State, lattice: &Lattice, dry: f32) -> Option<Particle> {
        for _ in 0..ATTEMPTS_PER_PARTICLE {
            let (x, y) = if self.tracers.emitters.is_empty() {
                (self.random_below(lattice.nx()), self.random_below(lattice.ny()))
            } else {
                let i = self.random_below(self.births.len());
                *self.births.get(i)?
            };
            let offset = [self.random_unit() - 0.5, self.random_unit() - 0.5];
            if state.depth[(x, y)] > dry && !state.closed.contains(x, y) {
                let center = lattice.center(x, y);
                let position =
                    [center[0] + offset[0] * lattice.dx(), center[1] + offset[1] * lattice.dy()];
                let age =
                    if self.filled { 0.0 } else { self.random_unit() * self.tracers.lifetime };
                return Some(Particle { position, velocity: [0.0; 2], age });
            }
        }
        None
    }

    fn random_below(&mut self, n: usize) -> usize {
        ((u64::from(self.random.next_u32()) * n as u64) >> 32) as usize
    }

    fn random_unit(&mut self) -> f64 {
        f64::from(self.random.next_u32()) / f64::from(u32::MAX)
    }
}

/// Moves a point with the water for `dt` seconds by the midpoint rule. Returns its new position and
/// its velocity, or `None` if it leaves the grid. `wrap` maps positions across periodic edges.
fn advect_point(
    input: VelocityInput,
    from: Point,
    dt: f64,
    wrap: impl Fn(Point) -> Point,
) -> Option<(Point, [f32; 2])> {
    let moved = |velocity: [f32; 2], seconds: f64| {
        let along = |i: usize| from[i] + f64::from(velocity[i]) * seconds;
        wrap([along(0), along(1)])
    };
    let first = velocity_at(input, from)?;
    let velocity = velocity_at(input, moved(first, 0.5 * dt))?;
    Some((moved(velocity, dt), velocity))
}
