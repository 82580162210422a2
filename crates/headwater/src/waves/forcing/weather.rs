//! Rain and wind, which act on the surface as random drops and as gusts of pressure. The random
//! number generators are part of the state.

use super::pressure::PressureHeads;
use crate::error::InputError;
use crate::lattice::Square;
use crate::parameter::{Parameters, Range, parameters};
use crate::region::Point;
use crate::waves::params::nonnegative_height_range;
use crate::waves::solver::rule::WaveCoefficients;
use rand_pcg::Pcg32;
use rand_pcg::rand_core::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};

parameters! {
    /// Rain, which makes ripples on the surface. It does not add water, because the mean level is
    /// fixed.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Rain {
        /// Number of drops per unit of area and time. At most 10 000 drops fall per step.
        rate: f64 = 1.0; Live, "rain", "drops/(s·m²)", |_| Range::new(0.0, 1e6), [0.0, 5.0];
        /// Outer radius of the crater that a drop makes, including its rim. A suitable value is at
        /// least three cells, because the grid does not resolve shorter waves.
        radius: f64 = 0.3; Live, "drop radius", "m", |_| Range::above_zero(1e8), [0.1, 2.0];
        /// Depth of the crater that a drop makes. It is limited by the parameter `highest` of the
        /// world.
        depth: f64 = 0.02; Live, "drop depth", "m", |_| Range::new(0.0, 1e6), [0.0, 0.2];
    }
    required { rate, radius, depth }
    and {
        /// Seed of the random positions of drops.
        seed: u64 = 1;
    }
}

parameters! {
    /// Wind, which presses on the surface in gusts. A gust is a round area of pressure that moves
    /// with the wind, grows and decays.
    #[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Wind {
        /// Velocity of the wind and of its gusts (east, south).
        velocity: Point = [3.0, 0.0]; Live, "wind", "m/s", |_| Range::new(-1000.0, 1000.0), [-20.0, 20.0];
        /// Number of gusts that exist at the same time.
        gusts: usize = 12; Live, "gusts", "", |_| Range::new(1.0, 1e4), [1.0, 50.0];
        /// Radius of the area on which a gust presses.
        radius: f64 = 1.0; Live, "gust radius", "m", |_| Range::above_zero(1e8), [0.5, 20.0];
        /// Pressure at the centre of a gust, given as a height of water. It is limited by the
        /// parameter `highest` of the world. A wind of 10 m/s exerts a pressure of a few
        /// millimetres.
        head: f64 = 0.0; Live, "gust pressure", "m", |_| Range::new(0.0, 1e6), [0.0, 0.1];
        /// Time from the beginning of a gust to its end.
        lifetime: f64 = 4.0; Live, "gust lifetime", "s", |_| Range::above_zero(1e6), [0.5, 20.0];
    }
    required { velocity, gusts, radius, head }
    and {
        /// Seed of the random positions and ages of gusts.
        seed: u64 = 1;
    }
}

impl Rain {
    /// Checks the values of the rain. `highest` is the parameter
    /// [`highest`](crate::waves::Params::highest) of the world (m), which limits the depth of
    /// craters.
    ///
    /// # Errors
    /// Returns an [`InputError`] that names the first number out of range.
    pub fn check_with_height_limit(&self, highest: f64) -> Result<(), InputError> {
        self.check()?;
        nonnegative_height_range(highest).check("depth", self.depth, "m")
    }
}

impl Wind {
    /// Checks the values of the wind. `highest` is the parameter
    /// [`highest`](crate::waves::Params::highest) of the world (m), which limits the pressure.
    ///
    /// # Errors
    /// Returns an [`InputError`] that names the first number out of range.
    pub fn check_with_height_limit(&self, highest: f64) -> Result<(), InputError> {
        self.check()?;
        nonnegative_height_range(highest).check("head", self.head, "m")
    }
}

const MAX_DROPS_PER_STEP: f64 = 1e4;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::waves) struct RainState {
    pub(in crate::waves) rain: Rain,
    due: f64,
    random: Pcg32,
}

impl RainState {
    pub(in crate::waves) fn new(rain: Rain) -> Self {
        Self { rain, due: 0.0, random: Pcg32::seed_from_u64(rain.seed) }
    }

    pub(in crate::waves) fn is_consistent(&self) -> bool {
        self.due.is_finite() && self.due >= 0.0
    }

    /// Draws the random positions (m) of the drops that fall on the grid in a step of `dt` (s).
    pub(in crate::waves) fn draw_drop_positions(
        &mut self,
        lattice: &Square,
        dt: f64,
    ) -> impl Iterator<Item = Point> {
        let size = [lattice.width(), lattice.height()];
        self.due = (self.due + self.rain.rate * size[0] * size[1] * dt).min(MAX_DROPS_PER_STEP);
        let count = self.due.floor();
        self.due -= count;
        (0..count as usize).map(move |_| random_point(&mut self.random, size))
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(in crate::waves) struct WindState {
    pub(in crate::waves) wind: Wind,
    gusts: Vec<Gust>,
    random: Pcg32,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Gust {
    position: Point,
    age: f64,
}

impl WindState {
    pub(in crate::waves) fn new(wind: Wind, lattice: &Square) -> Self {
        let size = [lattice.width(), lattice.height()];
        let mut random = Pcg32::seed_from_u64(wind.seed);
        let gust = |_| {
            let position = random_point(&mut random, size);
            Gust { position, age: random_fraction(&mut random) * wind.lifetime }
        };
        let gusts = (0..wind.gusts).map(gust).collect();
        Self { wind, gusts, random }
    }

    pub(in crate::waves) fn is_consistent(&self) -> bool {
        let numbers = |gust: &Gust| [gust.position[0], gust.position[1], gust.age];
        self.gusts.len() == self.wind.gusts
            && self.gusts.iter().all(|gust| numbers(gust).iter().all(|v| v.is_finite()))
    }

    /// Moves all gusts by a step of `dt` (s) and adds their pressure heads. Calls `wake` with the
    /// ranges of columns and rows that each gust covers.
    pub(in crate::waves) fn add_pressure(
        &mut self,
        pressure: &mut PressureHeads,
        lattice: &Square,
        rule: &WaveCoefficients,
        dt: f64,
        mut wake: impl FnMut([std::ops::Range<usize>; 2]),
    ) {
        let Self { wind, gusts, random } = self;
        let size = [lattice.width(), lattice.height()];
        if rule.quantize(wind.head as f32) != 0.0 {
            // Memory is reserved for all gusts at once, so that no later step allocates.
            let across = (2.0 * wind.radius / lattice.dx()) as usize;
            let span = |n: usize| across.saturating_add(2).min(n);
            pressure.cells.reserve(gusts.len() * span(lattice.nx()) * span(lattice.ny()));
        }
        for gust in gusts {
            gust.age += dt;
            for axis in 0..2 {
                gust.position[axis] += wind.velocity[axis] * dt;
            }
            if gust.age >= wind.lifetime {
                gust.position = random_point(random, size);
                gust.age = 0.0;
            }
            // Profile (1 − a²)²: in time, with a from −1 to 1 over the lifetime; in space, with a
            // from 0 to 1 over the radius.
            let round = |a: f64| if a < 1.0 { (1.0 - a) * (1.0 - a) } else { 0.0 };
            let a = 2.0 * gust.age / wind.lifetime - 1.0;
            let strength = wind.head * round(a * a);
            let middle = gust.position;
            let head = |at: Point| {
                let (x, y) = (at[0] - middle[0], at[1] - middle[1]);
                strength * round((x * x + y * y) / (wind.radius * wind.radius))
            };
            wake(
                pressure
                    .add_head(lattice, middle, [wind.radius; 2], head, |head| rule.quantize(head)),
            );
        }
    }
}

fn random_fraction(random: &mut Pcg32) -> f64 {
    f64::from(random.next_u32()) / 4_294_967_296.0
}

fn random_point(random: &mut Pcg32, size: [f64; 2]) -> Point {
    [random_fraction(random) * size[0], random_fraction(random) * size[1]]
}
