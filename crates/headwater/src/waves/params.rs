//! The numbers that say how waves behave, and the limit that keeps them stable.

use super::WavesError;
use crate::lattice::{Edge, Square};
use serde::{Deserialize, Serialize};

/// What a side of the grid does to waves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EdgeKind {
    /// A wall: waves come back as they are. The default.
    #[default]
    Reflecting,
    /// The surface is held at 0 one cell outside: waves come back upside down. Volume crosses.
    Pinned,
    /// What leaves here enters on the other side, which must be periodic too.
    Periodic,
    /// Open water: waves run into a layer of [`Params::absorbing_cells`] cells and do not come back.
    /// Volume crosses.
    Absorbing,
}

impl std::fmt::Display for EdgeKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Reflecting => "reflecting",
            Self::Pinned => "pinned",
            Self::Periodic => "periodic",
            Self::Absorbing => "absorbing",
        })
    }
}

/// The four sides of the grid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Edges {
    /// The left side.
    pub west: EdgeKind,
    /// The right side.
    pub east: EdgeKind,
    /// The top side.
    pub north: EdgeKind,
    /// The bottom side.
    pub south: EdgeKind,
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
}

/// Parameters of a [`Waves`](super::Waves). Checked when a world is made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Params {
    /// Gravity (m/s²), above 0; 9.81 by default. It enters the energy, and the speed with dispersion.
    pub gravity: f64,
    /// Speed `c` of all waves (m/s), above 0; 2 by default. √(gravity · depth) is that of long waves
    /// on water. Not read with [`dispersion`](Self::dispersion).
    pub speed: f64,
    /// Damping `μ` (1/s), 0 (none) or above; 0.2 by default. Waves fade as e^(−μ·time/2).
    pub damping: f64,
    /// The step `t` (s), above 0; 1/60 by default. Never changes while a world runs. With `q = c²t²/d²`
    /// and cells of size `d`, `q ≤ ½` is needed for any damping.
    pub step: f64,
    /// The highest wave (m) that is kept exactly, above 0; 1 by default. Heights are whole multiples of
    /// 2⁻²² of this, rounded up to a power of two, and with damping every flux loses up to ¾ of that in
    /// a step: choose it a few times the waves in sight.
    pub highest: f64,
    /// Depth of the water (m), above 0; 1 by default. Only dispersion reads it, and caustics fall on a
    /// bed at this depth.
    pub depth: f64,
    /// Whether long waves outrun short ones, at √(g·k·tanh(k·depth)) for the wave number k. Off by
    /// default: it costs several times the work.
    pub dispersion: bool,
    /// Width of an absorbing edge (cells), 4 to 256; 24 by default, which send back
    /// less than 1 % of the height of waves that come straight, less than 5 % at 45°. The layer is
    /// part of the grid.
    pub absorbing_cells: usize,
    /// The most steps that one [`advance`](super::Waves::advance) does, above 0; 16 by default. The
    /// time beyond is dropped, so that a machine too slow slows down instead of standing still.
    pub max_steps: u32,
    /// What the sides of the grid do.
    pub edges: Edges,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            gravity: 9.81,
            speed: 2.0,
            damping: 0.2,
            step: 1.0 / 60.0,
            highest: 1.0,
            depth: 1.0,
            dispersion: false,
            absorbing_cells: 24,
            max_steps: 16,
            edges: Edges::default(),
        }
    }
}

/// A parameter out of its range.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ParamsError {
    /// A number is out of its range.
    #[error("`{name}` must be {allowed}, found {found}")]
    Number {
        /// The parameter.
        name: &'static str,
        /// What was found.
        found: f64,
        /// What is allowed.
        allowed: &'static str,
    },
    /// One side of an axis is periodic and the other is not.
    #[error("`{periodic}` is periodic, so `{other}` must be too, found `{found}`")]
    Periodic {
        /// The periodic side.
        periodic: &'static str,
        /// The side across.
        other: &'static str,
        /// What that does.
        found: EdgeKind,
    },
}

/// The largest stable `q = c²t²/d²` without dispersion. Von Neumann: the shortest wave, a chequerboard,
/// has `z⁺ + A·z⁻ = (1 + A)·(1 − 4q)·z` with `A = (2 − μt)/(2 + μt)`; its roots leave the unit circle
/// where `q > ½`, whatever the damping. (The bound d/(2t)·√(μt + 2) found in print is wrong for μ > 0.)
pub(super) const LARGEST_Q: f64 = 0.5;

impl Params {
    /// Checks every parameter against its range.
    ///
    /// # Errors
    /// [`ParamsError`] names the first that is out of its range.
    pub fn validate(&self) -> Result<(), ParamsError> {
        let check = |name, found: f64, in_range: bool, allowed| {
            if in_range && found.is_finite() {
                Ok(())
            } else {
                Err(ParamsError::Number { name, found, allowed })
            }
        };
        check("gravity", self.gravity, self.gravity > 0.0, "a number of m/s² above 0")?;
        check("speed", self.speed, self.speed > 0.0, "a number of m/s above 0")?;
        check("damping", self.damping, self.damping >= 0.0, "a number of 1/s, 0 or above")?;
        check("step", self.step, self.step > 0.0, "a number of seconds above 0")?;
        let in_range = (1e-6..=1e6).contains(&self.highest);
        check("highest", self.highest, in_range, "from 1e-6 to 1e6 m")?;
        check("depth", self.depth, self.depth > 0.0, "a number of metres above 0")?;
        let cells = self.absorbing_cells;
        let in_range = (4..=256).contains(&cells);
        check("absorbing_cells", cells as f64, in_range, "from 4 to 256 cells")?;
        check("max_steps", self.max_steps.into(), self.max_steps > 0, "1 or above")?;
        let Edges { west, east, north, south } = self.edges;
        for (periodic, a, other, b) in [
            ("west", west, "east", east),
            ("east", east, "west", west),
            ("north", north, "south", south),
            ("south", south, "north", north),
        ] {
            if a == EdgeKind::Periodic && b != EdgeKind::Periodic {
                return Err(ParamsError::Periodic { periodic, other, found: b });
            }
        }
        Ok(())
    }

    /// The speed of long waves (m/s): `speed`, or √(gravity · depth) with dispersion.
    pub fn long_wave_speed(&self) -> f64 {
        if self.dispersion { (self.gravity * self.depth).sqrt() } else { self.speed }
    }

    /// The largest speed of waves (m/s) that the step bears on a lattice, without dispersion: `√½·d/t`.
    pub fn largest_speed(&self, lattice: &Square) -> f64 {
        LARGEST_Q.sqrt() * lattice.dx() / self.step
    }

    /// `c²t²/d²` for a speed (m/s) on a lattice.
    pub(super) fn q(&self, speed: f64, lattice: &Square) -> f64 {
        let courant = speed * self.step / lattice.dx();
        courant * courant
    }

    /// Checks `q` for a speed against the largest stable one.
    pub(super) fn check_stable(
        &self,
        speed: f64,
        lattice: &Square,
        limit: f64,
    ) -> Result<(), WavesError> {
        let q = self.q(speed, lattice);
        // A q of ½ may be computed a rounding above.
        if q <= limit * (1.0 + 1e-12) {
            return Ok(());
        }
        let courant = limit.sqrt();
        Err(WavesError::Unstable {
            speed,
            step: self.step,
            q,
            limit,
            largest_speed: courant * lattice.dx() / self.step,
            largest_step: courant * lattice.dx() / speed,
        })
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
