//! The numbers that say how waves behave, and the limit that keeps them stable.

use crate::error::InputError;
use crate::lattice::{Edge, Square};
use crate::parameter::{Parameters, Range, choices, parameters};
use serde::{Deserialize, Serialize};

choices! {
    /// What a side of the grid does to waves.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[non_exhaustive]
    pub enum EdgeKind {
        /// A wall: waves come back as they are. The default.
        #[default]
        Reflecting = "reflecting",
        /// The surface is held at 0 one cell outside: waves come back upside down. Volume crosses.
        Pinned = "pinned",
        /// What leaves here enters on the other side, which must be periodic too.
        Periodic = "periodic",
        /// Open water: waves run into a layer of [`Params::absorbing_cells`] cells and do not come back.
        /// Volume crosses.
        Absorbing = "absorbing",
    }
}

parameters! {
    /// What the four sides of the grid do.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Edges {
        /// What the left side does to waves.
        west: EdgeKind = EdgeKind::Reflecting; Fixed, "west";
        /// What the right side does to waves.
        east: EdgeKind = EdgeKind::Reflecting; Fixed, "east";
        /// What the top side does to waves.
        north: EdgeKind = EdgeKind::Reflecting; Fixed, "north";
        /// What the bottom side does to waves.
        south: EdgeKind = EdgeKind::Reflecting; Fixed, "south";
    }
}

impl Edges {
    /// The same on all four sides.
    pub fn all(kind: EdgeKind) -> Self {
        Self { west: kind, east: kind, north: kind, south: kind }
    }

    /// What a side does.
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
    /// Parameters of a [`Waves`](super::Waves). Checked when a world is made.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Params {
        /// How fast all waves run; the step bounds it. √(gravity · depth) is the speed of long waves on water. It means
        /// nothing with `dispersion`.
        speed: f64 = 2.0; Live, "speed of waves", "m/s", |_| Range::above_zero(1e5), [0.1, 5.0];
        /// How fast waves fade: their height as e^(−½·damping·time).
        damping: f64 = 0.2; Live, "damping", "1/s", |_| Range::new(0.0, 1e4), [0.0, 3.0];
        /// Gravity: of the energy, and with dispersion of the speed.
        gravity: f64 = 9.81; Live, "gravity", "m/s²", |_| Range::above_zero(1000.0), [0.5, 30.0];
        /// Depth of the water, for light on the bed and for dispersion.
        depth: f64 = 1.0; Live, "depth", "m", |_| Range::above_zero(1e5), [0.05, 20.0];
        /// Whether long waves outrun short ones, as on real water: at √(g·k·tanh(k·depth)) for the wave number k. It costs
        /// several times the work.
        dispersion: bool = false; Live, "dispersion";
        /// Length of a step. With `q = c²t²/d²` for the speed c, the step t and cells of size d, `q ≤ ½` is needed for any
        /// damping.
        step: f64 = 1.0 / 60.0; Fixed, "step", "s", |_| Range::above_zero(1e4), [1e-3, 0.1];
        /// The highest wave that is kept exactly. Heights are whole multiples of 2⁻²² of this, rounded up to a power of two,
        /// and with damping every flux loses up to ¾ of that in a step: choose it a few times the waves in sight.
        highest: f64 = 1.0; Fixed, "highest wave", "m", |_| Range::new(1e-6, 1e6), [0.1, 10.0];
        /// Width of an absorbing edge, which is part of the grid. By default, less than 1 % of the height of waves that come
        /// straight are sent back, less than 5 % at 45°.
        absorbing_cells: usize = 24; Fixed, "width of absorbing edges", "cells",
            |_| Range::new(4.0, 256.0), [8.0, 64.0];
    }
    and {
        /// The most steps that one [`advance`](super::Waves::advance) does, above 0; 16 by default. The
        /// time beyond is dropped, so that a machine too slow slows down instead of standing still.
        max_steps: u32 = 16;
        /// What the sides of the grid do.
        edges: Edges = Edges::default();
    }
}

/// From a trough as deep as the highest wave up to the highest wave.
pub(super) fn either_way(highest: f64) -> Range {
    Range::new(-highest, highest).depends_on("physics.highest")
}

pub(super) fn up_to_highest(highest: f64) -> Range {
    Range::new(0.0, highest).depends_on("physics.highest")
}

/// The largest stable `q = c²t²/d²` without dispersion, for any damping, by von Neumann's analysis
/// of a chequerboard. (The bound d/(2t)·√(μt + 2) found in print is wrong for μ > 0.)
pub(super) const LARGEST_Q: f64 = 0.5;

impl Params {
    /// Checks every parameter against its range.
    ///
    /// # Errors
    /// [`InputError`] names the first that is out of its range.
    pub fn validate(&self) -> Result<(), InputError> {
        self.check()?;
        let most = self.max_steps;
        InputError::check("max_steps", most.into(), most > 0, "1 or above")?;
        self.edges.check_periodic().map_err(|error| error.under("edges"))
    }

    /// Checks that nothing differs from `now` that may not change while a world runs.
    pub(super) fn check_live(&self, now: &Self) -> Result<(), InputError> {
        self.check_change(now)?;
        self.edges.check_change(&now.edges).map_err(|error| error.under("edges"))
    }

    /// The speed of long waves (m/s): `speed`, or √(gravity · depth) with dispersion.
    pub fn long_wave_speed(&self) -> f64 {
        if self.dispersion { (self.gravity * self.depth).sqrt() } else { self.speed }
    }

    /// The largest speed of waves (m/s) that the step bears on a lattice, without dispersion: `√½·d/t`.
    pub fn largest_speed(&self, lattice: &Square) -> f64 {
        LARGEST_Q.sqrt() * lattice.dx() / self.step
    }

    pub(super) fn q(&self, speed: f64, lattice: &Square) -> f64 {
        let courant = speed * self.step / lattice.dx();
        courant * courant
    }

    pub(super) fn check_stable(
        &self,
        speed: f64,
        lattice: &Square,
        limit: f64,
    ) -> Result<(), InputError> {
        let q = self.q(speed, lattice);
        // A q of ½ may be computed a rounding above.
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

    /// The height (m) of which all heights are whole multiples.
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
