//! Physical and numerical parameters of a flow world.

use crate::error::InputError;
use crate::parameter::{Parameters, Range, choices, parameters};
use serde::{Deserialize, Serialize};

choices! {
    /// Physics model: the equations that move the water.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    pub enum Physics {
        /// Virtual pipes of a fixed cross-section between neighbouring cells (Mei, Decaudin & Hu
        /// 2007). Cheap and robust. Waves travel at `√(g·A/l)` at any depth, with the cross-section
        /// `A` and the length `l` of a pipe. Streams have no inertia.
        #[default]
        Pipes = "pipes",
        /// The local inertial equations: pipes as deep as the water (Bates, Horritt & Fewtrell
        /// 2010; de Almeida et al. 2012). Waves travel at `√(g·h)` in water of depth `h`. The
        /// velocity of streams follows from the roughness of the ground. Momentum is not advected:
        /// the model suits floods and rivers, but the front of a dam break is too slow, and
        /// supercritical flow is not represented well.
        Inertial = "inertial",
        /// The full shallow-water equations with momentum per cell: hydraulic jumps, eddies, jets,
        /// and correct wave speeds. A step costs several times as much as with pipes.
        ShallowWater = "shallow-water",
    }
}

impl Physics {
    pub(crate) fn has_momentum(self) -> bool {
        self == Physics::ShallowWater
    }

    pub(super) fn check_supports_subgrid(self) -> Result<(), InputError> {
        if self == Physics::Pipes {
            let allowed =
                "inertial or shallow-water over a sub-grid: pipes have one depth for all water";
            return Err(InputError::new("level", self.name(), allowed));
        }
        Ok(())
    }
}

parameters! {
    /// Physical and numerical parameters of a [`Flow`](super::Flow). They are validated when a
    /// world is created.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Params {
        /// Physics model: the equations that move the water.
        level: Physics = Physics::Pipes; Live, "physics";
        /// Gravitational acceleration; 9.81 on Earth, 1.62 on the Moon.
        gravity: f64 = 9.81; Live, "gravity", "m/s²", |_| Range::above_zero(1000.0), [0.5, 30.0];
        /// Cross-section `A` of the pipe between two cells. If it is the width of a face times a
        /// typical depth `H`, waves have the correct speed for that depth, `√(g·H)`. Only `pipes`
        /// uses it.
        pipe_area: f64 = 1.0; Live, "pipe cross-section", "m²", |_| Range::above_zero(1e12), [0.1, 100.0];
        /// Fraction of the discharge, or of the momentum, that is lost per second at any depth. The
        /// loss from `manning` is added to it. To represent a river bed, use `manning` instead.
        friction: f64 = 0.0; Live, "friction", "1/s", |_| Range::new(0.0, 1.0), [0.0, 0.9];
        /// Kinematic viscosity: 1e-6 for water, which is far below what a grid resolves; 0.1 to
        /// 1000 for mud and lava. The bed drag depends on the depth of the upstream cell with
        /// `pipes`, on the depth over the face with `inertial`, and on the depth of the cell with
        /// `shallow-water`. With `shallow-water`, a thick liquid spreads too fast because of
        /// numerical diffusion; finer cells reduce this error. The other physics models do not have
        /// this error.
        viscosity: f64 = 0.0; Live, "viscosity", "m²/s", |_| Range::new(0.0, 1e6), [0.0, 100.0];
        /// Manning's roughness of the ground: concrete 0.012, a natural stream 0.03, a flood plain
        /// with brush 0.07. `pipes` ignores it. `shallow-water` computes its friction implicitly,
        /// so the velocity of thin films does not depend on the time step.
        manning: f64 = 0.03; Live, "roughness", "s/m^⅓", |_| Range::new(0.0, 10.0), [0.005, 0.2];
        /// Weight of the discharge through the face itself in the filter of `inertial`. The
        /// remaining weight is that of its two neighbours (de Almeida et al. 2012). Lower it to 0.7
        /// where ripples appear on smooth ground. With a weight of 1, only friction damps the
        /// shortest waves, and without friction they grow with any time step; 0.98 prevents this.
        /// The other physics models ignore it.
        theta: f64 = 0.9; Live, "filter weight", "1", |_| Range::new(0.5, 1.0), [0.6, 1.0];
        /// Depth up to which a cell counts as dry in velocities, particles and images. It does not
        /// affect the flow.
        dry_depth: f64 = 1e-3; Live, "dry depth", "m", |_| Range::above_zero(1000.0), [1e-4, 0.1];
        /// Maximum length of a time step; in scene files, the key is `time.dt`. If unset, only the
        /// stability limit applies.
        max_dt: Option<f64> = None; Live, "maximum step", "s", |_| Range::above_zero(1e10), [0.001, 1.0];
    }
}

impl Params {
    /// Checks that every parameter is within its range.
    ///
    /// # Errors
    /// Returns [`InputError`] for the first parameter out of its range.
    pub fn validate(&self) -> Result<(), InputError> {
        self.check()
    }

    /// Checks that `seconds` is a valid duration for an advance.
    ///
    /// # Errors
    /// Returns [`InputError`] if `seconds` is negative, NaN, longer than 10⁹ s, or longer than 10⁹
    /// steps of `max_dt`.
    pub fn check_duration(&self, seconds: f64) -> Result<(), InputError> {
        let longest = 1e9 * self.max_dt.unwrap_or(1.0).min(1.0);
        let in_range = (0.0..=longest).contains(&seconds);
        InputError::check("an advance", seconds, in_range, format_args!("0 to {longest} s"))
    }
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
