//! The numbers that say how the water behaves.

use serde::{Deserialize, Serialize};

/// Which equations move the water.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Physics {
    /// Virtual pipes of a fixed cross-section between neighbouring cells (Mei, Decaudin & Hu 2007).
    /// Cheap and robust. Waves run at `√(g·A/l)` at any depth, and streams have no momentum.
    #[default]
    Pipes,
    /// Pipes as deep as the water: the local inertial equations (Bates, Horritt & Fewtrell 2010; de
    /// Almeida et al. 2012). Waves run at `√(g·h)`, streams at the speed that the ground's roughness
    /// allows. Momentum does not travel from face to face: good for floods and rivers, too slow at
    /// the front of a dam break, and not made for streams faster than their waves.
    Inertial,
    /// The full shallow-water equations, with momentum in cells: jumps, swirls and jets, and waves
    /// that run at their true speed. Several times the work of pipes.
    ShallowWater,
}

impl Physics {
    /// True if momentum is part of the state.
    pub(super) fn has_momentum(self) -> bool {
        self == Physics::ShallowWater
    }
}

/// Parameters of a [`Flow`](super::Flow). Checked when a world is made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Params {
    /// Which equations move the water.
    pub physics: Physics,
    /// Gravity (m/s²), above 0. Earth's by default: 9.81.
    pub gravity: f64,
    /// Cross-section `A` of the pipe between two cells (m²), above 0; 1 by default. A face's width
    /// times a typical depth `H` makes waves run at their true speed for that depth, `√(g·H)`. Only
    /// [`Physics::Pipes`] knows it.
    pub pipe_area: f64,
    /// The part of a discharge that is lost in a second, 0 (none, the default) to 1 (all at once), at any
    /// depth. With [`Physics::Inertial`], [`manning`](Self::manning) is the better model of a river's
    /// bed; this acts besides.
    pub friction: f64,
    /// Kinematic viscosity `ν` (m²/s), 0 (the default) or above. Water has 1e-6, far below what a
    /// grid resolves; mud and lava take 0.1 to 1000. It drags on the bed by the depth of the cell
    /// upstream with [`Physics::Pipes`], of the water over the face with [`Physics::Inertial`].
    pub viscosity: f64,
    /// Manning's roughness `n` (s/m^⅓), 0 or above; 0.03 by default, as of a natural stream. Smooth
    /// concrete has 0.012, a flood plain with brush 0.07. Pipes do not know it.
    pub manning: f64,
    /// How much of a discharge [`Physics::Inertial`] carries over from the same face, 0.5 to 1; the
    /// rest is its two neighbours' mean (de Almeida et al. 2012). 0.9 by default. Lower it to 0.7 where
    /// ripples show on smooth ground. At 1 nothing but friction damps the shortest waves, and without
    /// any they grow at every step, however short; 0.98 holds them.
    pub theta: f64,
    /// The depth (m) up to which a cell counts as dry for velocities, particles and `is_flooded`;
    /// above 0, 1e-3 by default. It changes nothing in the movement of the water.
    pub dry_depth: f64,
    /// A step (s) that [`advance`](super::Flow::advance) never exceeds, above 0; by default only
    /// the stability limit counts.
    pub max_dt: Option<f64>,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            physics: Physics::Pipes,
            gravity: 9.81,
            pipe_area: 1.0,
            friction: 0.0,
            viscosity: 0.0,
            manning: 0.03,
            theta: 0.9,
            dry_depth: 1e-3,
            max_dt: None,
        }
    }
}

/// A parameter out of its range.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{name} must be {allowed}, found {found}")]
pub struct ParamsError {
    /// Name of the field of [`Params`].
    pub name: &'static str,
    /// What was found.
    pub found: f64,
    /// What is allowed.
    pub allowed: &'static str,
}

impl Params {
    /// Checks every range.
    ///
    /// # Errors
    /// [`ParamsError`] names the first field that is out of its range.
    pub fn validate(&self) -> Result<(), ParamsError> {
        let above_zero = |name, found: f64| check(name, found, found > 0.0, "a number above 0");
        above_zero("gravity", self.gravity)?;
        above_zero("pipe_area", self.pipe_area)?;
        above_zero("dry_depth", self.dry_depth)?;
        above_zero("max_dt", self.max_dt.unwrap_or(1.0))?;
        let part = (0.0..=1.0).contains(&self.friction);
        check("friction", self.friction, part, "a number from 0 to 1")?;
        let theta = (0.5..=1.0).contains(&self.theta);
        check("theta", self.theta, theta, "a number from 0.5 to 1")?;
        let zero_or_above =
            |name, found: f64| check(name, found, found >= 0.0, "0 or a number above");
        zero_or_above("manning", self.manning)?;
        zero_or_above("viscosity", self.viscosity)
    }
}

fn check(
    name: &'static str,
    found: f64,
    in_range: bool,
    allowed: &'static str,
) -> Result<(), ParamsError> {
    if in_range && found.is_finite() { Ok(()) } else { Err(ParamsError { name, found, allowed }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_range_is_checked() {
        assert_eq!(Params::default().validate(), Ok(()));
        let bad = [
            Params { gravity: 0.0, ..Params::default() },
            Params { pipe_area: f64::INFINITY, ..Params::default() },
            Params { friction: 1.1, ..Params::default() },
            Params { friction: f64::NAN, ..Params::default() },
            Params { viscosity: -1.0, ..Params::default() },
            Params { manning: -0.1, ..Params::default() },
            Params { theta: 0.4, ..Params::default() },
            Params { dry_depth: 0.0, ..Params::default() },
            Params { max_dt: Some(-0.1), ..Params::default() },
        ];
        for params in bad {
            assert!(params.validate().is_err(), "{params:?}");
        }
    }
}
