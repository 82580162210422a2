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
        /// A wall, which reflects waves. This is the default.
        #[default]
        Reflecting = "reflecting",
        /// The height of the surface is fixed at 0 one cell outside the grid. Waves are reflected
        /// with inverted sign. Water can cross the edge.
        Pinned = "pinned",
        /// Waves that leave across this edge enter across the opposite edge, which must also be
        /// periodic.
        Periodic = "periodic",
        /// Open water. Waves decay in a layer of [`Params::absorbing_cells`] cells and are not
        /// reflected. Water can cross the edge.
        Absorbing = "absorbing",
    }
}

parameters! {
    /// Boundary conditions on the four sides of the grid.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Edges {
        /// Boundary condition of the western (left) side.
        west: EdgeKind = EdgeKind::Reflecting; Fixed, "west";
        /// Boundary condition of the eastern (right) side.
        east: EdgeKind = EdgeKind::Reflecting; Fixed, "east";
        /// Boundary condition of the northern (top) side.
        north: EdgeKind = EdgeKind::Reflecting; Fixed, "north";
        /// Boundary condition of the southern (bottom) side.
        south: EdgeKind = EdgeKind::Reflecting; Fixed, "south";
    }
}

impl Edges {
    /// Creates boundary conditions that are the same on all four sides.
    pub fn uniform(kind: EdgeKind) -> Self {
        Self { west: kind, east: kind, north: kind, south: kind }
    }

    /// Returns the boundary condition at one of the four edges of the grid.
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
    /// Parameters of a [`Waves`](super::Waves) world. They are checked when a world is created.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Params {
        /// Wave speed, which is the same for all wavelengths. The time step limits it. Long waves
        /// on water have the speed √(gravity · depth). Not used if `dispersion` is true.
        speed: f64 = 2.0; Live, "wave speed", "m/s", |_| Range::above_zero(1e5), [0.1, 5.0];
        /// Damping rate. The wave height decays with time as e^(−½·damping·time).
        damping: f64 = 0.2; Live, "damping", "1/s", |_| Range::new(0.0, 1e4), [0.0, 3.0];
        /// Gravitational acceleration. The energy of waves is proportional to it. If `dispersion`
        /// is true, it also determines the wave speed.
        gravity: f64 = 9.81; Live, "gravity", "m/s²", |_| Range::above_zero(1000.0), [0.5, 30.0];
        /// Depth of the water at rest. Caustics are computed on a bed at this depth. If
        /// `dispersion` is true, it also determines the wave speed.
        depth: f64 = 1.0; Live, "depth", "m", |_| Range::above_zero(1e5), [0.05, 20.0];
        /// Whether the wave speed depends on the wavelength, as on real water, where long waves are
        /// faster than short ones. The phase speed is then √(g·tanh(k·depth)/k) for the wave number
        /// k, and a step takes several times as long to compute.
        dispersion: bool = false; Live, "dispersion";
        /// Time step. A step is stable if `c²·step²/d² ≤ ½` for the wave speed c and the cell size
        /// d, with any damping.
        step: f64 = 1.0 / 60.0; Fixed, "step", "s", |_| Range::above_zero(1e4), [1e-3, 0.1];
        /// Largest wave height for which the world is intended. All heights are multiples of a
        /// unit, which is 2⁻²² times this value, rounded up to a power of two. Heights up to four
        /// times this value are stored exactly. Greater heights can be rounded, which changes the
        /// volume. With damping, every flux decreases by up to ¾ of a unit per step. A suitable
        /// value is a few times the height of the visible waves.
        highest: f64 = 1.0; Fixed, "highest wave", "m", |_| Range::new(1e-6, 1e6), [0.1, 10.0];
        /// Width of the absorbing layer along an absorbing edge. The layer is part of the grid.
        /// With the default width, the height of the reflected wave is less than 1 % of the
        /// incoming wave's height at normal incidence and less than 5 % at 45°.
        absorbing_cells: usize = 24; Fixed, "absorbing width", "cells",
            |_| Range::new(4.0, 256.0), [8.0, 64.0];
    }
    and {
        /// Largest number of steps in one call of [`advance`](super::Waves::advance), above 0. The
        /// default is 16. Any remaining time is dropped, so that a slow machine shows slow motion
        /// instead of falling further and further behind.
        max_steps: u32 = 16;
        /// Boundary conditions on the four sides of the grid.
        edges: Edges = Edges::default();
    }
}

/// Returns the range of heights from −`highest` to `highest` (m).
pub(super) fn symmetric_height_range(highest: f64) -> Range {
    Range::new(-highest, highest).depends_on("physics.highest")
}

pub(super) fn nonnegative_height_range(highest: f64) -> Range {
    Range::new(0.0, highest).depends_on("physics.highest")
}

/// Largest stable value of `q = c²·t²/d²` without dispersion, for the wave speed c, the time step t
/// and the cell size d. It holds for any damping and results from a von Neumann analysis of a
/// checkerboard wave. (The published bound c < d/(2t)·√(μt + 2) is wrong for μ > 0.)
pub(super) const LARGEST_Q: f64 = 0.5;

impl Params {
    /// Checks that all parameters are in their ranges.
    ///
    /// # Errors
    /// Returns an [`InputError`] that names the first parameter out of range.
    pub fn validate(&self) -> Result<(), InputError> {
        self.check()?;
        let max_steps = self.max_steps;
        InputError::check("max_steps", max_steps.into(), max_steps > 0, "1 or above")?;
        self.edges.check_periodic().map_err(|error| error.with_table_prefix("edges"))
    }

    /// Checks that the parameters that cannot change while a world runs are equal in `self`, the
    /// new parameters, and in `current`, the current parameters.
    ///
    /// # Errors
    /// Returns an [`InputError`] that names the first such parameter that differs.
    pub(super) fn check_live_parameters(&self, current: &Self) -> Result<(), InputError> {
        self.check_fixed_unchanged(current)?;
        self.edges
            .check_fixed_unchanged(&current.edges)
            .map_err(|error| error.with_table_prefix("edges"))
    }

    /// Returns the speed of long waves (m/s). It is `speed` without dispersion and √(gravity ·
    /// depth) with dispersion.
    pub fn long_wave_speed(&self) -> f64 {
        if self.dispersion { (self.gravity * self.depth).sqrt() } else { self.speed }
    }

    /// Returns the largest stable wave speed without dispersion (m/s): `√½·d/step` for the cell
    /// size d of the lattice.
    pub fn largest_speed(&self, lattice: &Square) -> f64 {
        LARGEST_Q.sqrt() * lattice.dx() / self.step
    }

    pub(super) fn courant_squared(&self, speed: f64, lattice: &Square) -> f64 {
        let courant = speed * self.step / lattice.dx();
        courant * courant
    }

    pub(super) fn check_stability(
        &self,
        speed: f64,
        lattice: &Square,
        limit: f64,
    ) -> Result<(), InputError> {
        let q = self.courant_squared(speed, lattice);
        // Rounding can raise q slightly above a limit that it should equal.
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

    /// Returns the unit of height (m). All heights are multiples of this unit.
    pub(super) fn height_unit(&self) -> f64 {
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
