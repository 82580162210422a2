//! Parameters of waves, and their stability limit.

use crate::error::InputError;
use crate::lattice::{Edge, Square};
use crate::parameter::{Parameters, Range, choices, parameters};
use serde::{Deserialize, Serialize};

choices! {
    /// Boundary condition of a side of the grid.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[non_exhaustive]
    pub enum EdgeKind {
        /// Wall: waves are reflected. The default.
        #[default]
        Reflecting = "reflecting",
        /// The surface is fixed at 0 one cell outside: waves are reflected with inverted sign.
        /// Water may cross.
        Pinned = "pinned",
        /// Waves that leave here enter on the opposite side, which must be periodic too.
        Periodic = "periodic",
        /// Open water: waves decay in a layer of [`Params::absorbing_cells`] cells and are not
        /// reflected. Water may cross.
        Absorbing = "absorbing",
    }
}

parameters! {
    /// Boundary conditions of the four sides of the grid.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Edges {
        /// Boundary condition of the west (left) side.
        west: EdgeKind = EdgeKind::Reflecting; Fixed, "west";
        /// Boundary condition of the east (right) side.
        east: EdgeKind = EdgeKind::Reflecting; Fixed, "east";
        /// Boundary condition of the north (top) side.
        north: EdgeKind = EdgeKind::Reflecting; Fixed, "north";
        /// Boundary condition of the south (bottom) side.
        south: EdgeKind = EdgeKind::Reflecting; Fixed, "south";
    }
}

impl Edges {
    /// Creates equal boundary conditions on all four sides.
    pub fn all(kind: EdgeKind) -> Self {
        Self { west: kind, east: kind, north: kind, south: kind }
    }

    /// Returns the boundary condition of a side.
    pub fn kind(&self, edge: Edge) -> EdgeKind {
        match edge {
            Edge::West => self.west,
            Edge::East => self.east,
            Edge::North => self.north,
            Edge::South => self.south,
        }
    }

    fn check_periodic(&self) -> Result<(), InputError> {
        let Self { west, east, north, south } = *self;
        for (periodic, a, other, b) in [
            ("west", west, "east", east),
            ("east", east, "west", west),
            ("north", north, "south", south),
            ("south", south, "north", north),
        ] {
            if a == EdgeKind::Periodic && b != EdgeKind::Periodic {
                let allowed = format!("\"periodic\", as `{periodic}` across from it is");
                return Err(InputError::new(other, format!("\"{}\"", b.name()), allowed));
            }
        }
        Ok(())
    }
}

parameters! {
    /// Parameters of a [`Waves`](super::Waves) world. Checked when a world is made.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Params {
        /// Speed of all waves, limited by the step. For long waves on water it is √(gravity ·
        /// depth). Ignored with `dispersion`.
        speed: f64 = 2.0; Live, "wave speed", "m/s", |_| Range::above_zero(1e5), [0.1, 5.0];
        /// Damping rate of waves: their height decays as e^(−½·damping·time).
        damping: f64 = 0.2; Live, "damping", "1/s", |_| Range::new(0.0, 1e4), [0.0, 3.0];
        /// Gravitational acceleration, for the energy, and with dispersion for the wave speed.
        gravity: f64 = 9.81; Live, "gravity", "m/s²", |_| Range::above_zero(1000.0), [0.5, 30.0];
        /// Depth of the water, for light on the bed and for dispersion.
        depth: f64 = 1.0; Live, "depth", "m", |_| Range::above_zero(1e5), [0.05, 20.0];
        /// Dispersion as on real water, where long waves are faster than short ones: the phase
        /// speed is √(g·tanh(k·depth)/k) for the wave number k. Costs several times the computing
        /// time.
        dispersion: bool = false; Live, "dispersion";
        /// Time step. With `q = c²t²/d²` for the wave speed c, the step t and cells of size d, it
        /// must satisfy `q ≤ ½`, at any damping.
        step: f64 = 1.0 / 60.0; Fixed, "step", "s", |_| Range::above_zero(1e4), [1e-3, 0.1];
        /// Largest wave height that is stored exactly. Heights are whole multiples of 2⁻²² of this
        /// value, rounded up to a power of two, and with damping every flux loses up to ¾ of such a
        /// multiple per step. Choose a few times the height of the visible waves.
        highest: f64 = 1.0; Fixed, "highest wave", "m", |_| Range::new(1e-6, 1e6), [0.1, 10.0];
        /// Width of an absorbing edge, which is part of the grid. At the default, less than 1 % of
        /// the height of waves at normal incidence is reflected, and less than 5 % at 45°.
        absorbing_cells: usize = 24; Fixed, "absorbing width", "cells",
            |_| Range::new(4.0, 256.0), [8.0, 64.0];
    }
    and {
        /// Most steps that one call of [`advance`](super::Waves::advance) takes, above 0; 16 by
        /// default. Time beyond that is dropped, so that a slow machine runs in slow motion instead
        /// of falling ever further behind.
        max_steps: u32 = 16;
        /// Boundary conditions of the sides of the grid.
        edges: Edges = Edges::default();
    }
}

/// Range from minus to plus the highest wave (m).
pub(super) fn plus_minus_highest(highest: f64) -> Range {
    Range::new(-highest, highest).depends_on("physics.highest")
}

pub(super) fn up_to_highest(highest: f64) -> Range {
    Range::new(0.0, highest).depends_on("physics.highest")
}

/// Largest stable `q = c²t²/d²` without dispersion, for any damping, from von Neumann analysis of a
/// checkerboard wave. (The bound d/(2t)·√(μt + 2) found in print is wrong for μ > 0.)
pub(super) const LARGEST_Q: f64 = 0.5;

impl Params {
    /// Checks every parameter against its range.
    ///
    /// # Errors
    /// [`InputError`] names the first parameter that is out of its range.
    pub fn validate(&self) -> Result<(), InputError> {
        self.check()?;
        let most = self.max_steps;
        InputError::check("max_steps", most.into(), most > 0, "1 or above")?;
        self.edges.check_periodic().map_err(|error| error.under("edges"))
    }

    /// Checks that `self` differs from `now` only in parameters that may change while a world runs.
    pub(super) fn check_live(&self, now: &Self) -> Result<(), InputError> {
        self.check_change(now)?;
        self.edges.check_change(&now.edges).map_err(|error| error.under("edges"))
    }

    /// Speed of long waves (m/s): `speed`, or √(gravity · depth) with dispersion.
    pub fn long_wave_speed(&self) -> f64 {
        if self.dispersion { (self.gravity * self.depth).sqrt() } else { self.speed }
    }

    /// Largest stable wave speed (m/s) for the step on a lattice, without dispersion: `√½·d/t`.
    pub fn largest_speed(&self, lattice: &Square) -> f64 {
        LARGEST_Q.sqrt() * lattice.dx() / self.step
    }

    pub(super) fn courant_squared(&self, speed: f64, lattice: &Square) -> f64 {
        let courant = speed * self.step / lattice.dx();
        courant * courant
    }

    pub(super) fn check_stable(
        &self,
        speed: f64,
        lattice: &Square,
        limit: f64,
    ) -> Result<(), InputError> {
        let q = self.courant_squared(speed, lattice);
        // Rounding may raise a q of exactly ½.
        if q <= limit * (1.0 + 1e-12) {
            return Ok(());
        }
        let courant = limit.sqrt();
        let speeds = courant * lattice.dx() / self.step;
        let steps = courant * lattice.dx() / speed;
        Err(InputError::new(
            "step",
            format!("{} s with waves of {speed} m/s, q = c²t²/d² = {q} on this grid", self.step),
            format!(
                "a q of up to {limit} for stable waves: speeds up to {speeds} m/s with this step, or steps up \
                 to {steps} s with this speed"
            ),
        ))
    }

    /// Unit of height (m): all heights are whole multiples of it.
    pub(super) fn quantum(&self) -> f64 {
        let mut power = 1.0;
        while power < self.highest {
            power *= 2.0;
        }
        while 0.5 * power >= self.highest {
            power *= 0.5;
        }
        power / f64::from(1 << 22)
    }
}
