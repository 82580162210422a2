//! Parameters of a [`Waves`](super::Waves) world, boundary conditions of its grid, and the
//! stability limit of its time step.

use crate::error::InputError;
use crate::lattice::{Edge, Square};
use crate::parameter::{Parameters, Range, choices, parameters};
use serde::{Deserialize, Serialize};

choices! {
    /// Boundary condition on one side of the grid.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[non_exhaustive]
    pub enum EdgeKind {
        /// Wall that reflects waves (default).
        #[default]
        Reflecting = "reflecting",
        /// The surface height is fixed at 0 one cell outside the grid: waves are reflected with
        /// inverted sign. Water may cross the edge.
        Pinned = "pinned",
        /// Waves that leave over this edge enter over the opposite edge, which must be periodic
        /// too.
        Periodic = "periodic",
        /// Open water: waves decay in a layer of [`Params::absorbing_cells`] cells and are not
        /// reflected. Water may cross.
        Absorbing = "absorbing",
    }
}

parameters! {
    /// Boundary conditions on the four sides of the grid.
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
    /// Creates boundary conditions with the same kind on all four sides.
    pub fn all(kind: EdgeKind) -> Self {
        Self { west: kind, east: kind, north: kind, south: kind }
    }

    /// Returns the boundary condition on one side of the grid.
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
    /// Parameters of a [`Waves`](super::Waves) world, checked when the world is created.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Params {
        /// Wave speed of all wavelengths. The time step limits it. For long waves on water it is
        /// √(gravity · depth). Ignored if `dispersion` is true.
        speed: f64 = 2.0; Live, "wave speed", "m/s", |_| Range::above_zero(1e5), [0.1, 5.0];
        /// Damping rate: the wave height decays as e^(−½·damping·time).
        damping: f64 = 0.2; Live, "damping", "1/s", |_| Range::new(0.0, 1e4), [0.0, 3.0];
        /// Gravitational acceleration. It scales the wave energy and, if `dispersion` is true, sets
        /// the wave speed.
        gravity: f64 = 9.81; Live, "gravity", "m/s²", |_| Range::above_zero(1000.0), [0.5, 30.0];
        /// Still-water depth. It sets the distance from the surface to the bed for caustics and, if
        /// `dispersion` is true, the wave speed.
        depth: f64 = 1.0; Live, "depth", "m", |_| Range::above_zero(1e5), [0.05, 20.0];
        /// Whether the wave speed depends on the wavelength, as on real water, where long waves are
        /// faster than short ones. The phase speed is √(g·tanh(k·depth)/k) for the wave number k. A
        /// step then takes several times as long to compute.
        dispersion: bool = false; Live, "dispersion";
        /// Time step. Stable steps satisfy `c²·step²/d² ≤ ½` for the wave speed c and the cell size
        /// d, with any damping.
        step: f64 = 1.0 / 60.0; Fixed, "step", "s", |_| Range::above_zero(1e4), [1e-3, 0.1];
        /// Largest wave height that is stored exactly. The unit of height is 2⁻²² times this value,
        /// rounded up to a power of two; all heights are whole multiples of the unit. With damping,
        /// every flux loses up to ¾ of a unit per step. Choose a few times the height of the
        /// visible waves.
        highest: f64 = 1.0; Fixed, "highest wave", "m", |_| Range::new(1e-6, 1e6), [0.1, 10.0];
        /// Width of the absorbing layer along an absorbing edge. The layer is part of the grid.
        /// With the default width, it reflects less than 1 % of the wave height at normal incidence
        /// and less than 5 % at 45°.
        absorbing_cells: usize = 24; Fixed, "absorbing width", "cells",
            |_| Range::new(4.0, 256.0), [8.0, 64.0];
    }
    and {
        /// Largest number of steps in one call of [`advance`](super::Waves::advance), above 0; 16
        /// by default. The remaining time is dropped, so that a slow machine shows slow motion
        /// instead of falling ever further behind.
        max_steps: u32 = 16;
        /// Boundary conditions on the four sides of the grid.
        edges: Edges = Edges::default();
    }
}

/// Returns the range (m) from −`highest` to `highest`.
pub(super) fn plus_minus_highest(highest: f64) -> Range {
    Range::new(-highest, highest).depends_on("physics.highest")
}

pub(super) fn up_to_highest(highest: f64) -> Range {
    Range::new(0.0, highest).depends_on("physics.highest")
}

/// Largest stable `q = c²·t²/d²` without dispersion, with any damping, for the wave speed c, the
/// time step t and the cell size d. Result of a von Neumann analysis of a checkerboard wave. (The
/// published bound c < d/(2t)·√(μt + 2) is wrong for μ > 0.)
pub(super) const LARGEST_Q: f64 = 0.5;

impl Params {
    /// Checks every parameter against its range.
    ///
    /// # Errors
    /// Returns [`InputError`], which names the first parameter that is out of range.
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

    /// Returns the speed of long waves (m/s): `speed` without dispersion, √(gravity · depth) with
    /// it.
    pub fn long_wave_speed(&self) -> f64 {
        if self.dispersion { (self.gravity * self.depth).sqrt() } else { self.speed }
    }

    /// Returns the largest stable wave speed (m/s) on a lattice without dispersion: `√½·d/step` for
    /// the cell size d.
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
        // Rounding may raise q slightly above a limit that it should equal.
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

    /// Returns the unit of height (m). All heights are whole multiples of this unit.
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
