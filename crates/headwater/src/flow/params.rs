//! The numbers that say how the water behaves.

use crate::error::InputError;
use crate::parameter::{Parameters, Range, choices, parameters};
use serde::{Deserialize, Serialize};

choices! {
    /// Which equations move the water.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    pub enum Physics {
        /// Virtual pipes of a fixed cross-section between neighbouring cells (Mei, Decaudin & Hu 2007).
        /// Cheap and robust. Waves run at `√(g·A/l)` at any depth, and streams have no momentum.
        #[default]
        Pipes = "pipes",
        /// Pipes as deep as the water: the local inertial equations (Bates, Horritt & Fewtrell 2010; de
        /// Almeida et al. 2012). Waves run at `√(g·h)`, streams at the speed that the ground's roughness
        /// allows. Momentum does not travel from face to face: good for floods and rivers, too slow at
        /// the front of a dam break, and not made for streams faster than their waves.
        Inertial = "inertial",
        /// The full shallow-water equations, with momentum in cells: jumps, swirls and jets, and waves
        /// that run at their true speed. Several times the work of pipes.
        ShallowWater = "shallow-water",
    }
}

impl Physics {
    pub(crate) fn has_momentum(self) -> bool {
        self == Physics::ShallowWater
    }

    pub(super) fn check_subgrid(self) -> Result<(), InputError> {
        if self == Physics::Pipes {
            let allowed =
                "inertial or shallow-water over a sub-grid: pipes have one depth for all water";
            return Err(InputError::new("level", self.name(), allowed));
        }
        Ok(())
    }
}

parameters! {
    /// Parameters of a [`Flow`](super::Flow). Checked when a world is made.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Params {
        /// Which equations move the water.
        level: Physics = Physics::Pipes; Live, "physics";
        /// Gravity; 9.81 on Earth, 1.62 on the Moon.
        gravity: f64 = 9.81; Live, "gravity", "m/s²", |_| Range::above_zero(1000.0), [0.5, 30.0];
        /// Cross-section `A` of the pipe between two cells. A face's width times a typical depth `H` makes waves run at
        /// their true speed for that depth, `√(g·H)`. Only for pipes.
        pipe_area: f64 = 1.0; Live, "pipes' cross-section", "m²", |_| Range::above_zero(1e12), [0.1, 100.0];
        /// The share of a discharge, or of momentum, that is lost in a second, at any depth. Where `manning` counts, that
        /// is the better model of a river's bed; this acts besides.
        friction: f64 = 0.0; Live, "friction", "1/s", |_| Range::new(0.0, 1.0), [0.0, 0.9];
        /// Kinematic viscosity: 0 for water, 1 and more for lava. In shallow water the fluxes between cells spread a thick liquid faster than
        /// so large a viscosity would let it creep: finer cells help, and the other levels do not have that. Water has 1e-6, far below what a grid resolves; mud and
        /// lava take 0.1 to 1000. It drags on the bed by the depth of the cell upstream with pipes, of the water over the
        /// face with inertial, of the cell with shallow water.
        viscosity: f64 = 0.0; Live, "viscosity", "m²/s", |_| Range::new(0.0, 1e6), [0.0, 100.0];
        /// Manning's roughness of the ground: concrete 0.012, a natural stream 0.03, a flood plain with brush 0.07. Pipes
        /// do not know it; shallow water solves it for the new velocity, so that thin films creep at their own pace
        /// whatever the step.
        manning: f64 = 0.03; Live, "roughness", "s/m^⅓", |_| Range::new(0.0, 10.0), [0.005, 0.2];
        /// How much of its discharge a face keeps to itself from step to step; the rest is its two neighbours' mean (de
        /// Almeida et al. 2012). Lower it to 0.7 where ripples show on smooth ground. At 1 nothing but friction damps the
        /// shortest waves, and without any they grow at every step, however short; 0.98 holds them. Only for inertial.
        theta: f64 = 0.9; Live, "keeping", "1", |_| Range::new(0.5, 1.0), [0.6, 1.0];
        /// The depth up to which a cell counts as dry for velocities, particles and pictures. It changes nothing in the
        /// movement of the water.
        dry_depth: f64 = 1e-3; Live, "dry depth", "m", |_| Range::above_zero(1000.0), [1e-4, 0.1];
        /// The longest step of an advance (of scenes, `time.dt`); without one only the stability limit counts.
        max_dt: Option<f64> = None; Live, "longest step", "s", |_| Range::above_zero(1e10), [0.001, 1.0];
    }
}

impl Params {
    /// Checks every range.
    ///
    /// # Errors
    /// [`InputError`] names the first that is out of its range.
    pub fn validate(&self) -> Result<(), InputError> {
        self.check()
    }

    /// Checks a time to advance by.
    ///
    /// # Errors
    /// [`InputError`] if it is below 0, no number, longer than 10⁹ s or than 10⁹ of the longest steps.
    pub fn check_advance(&self, seconds: f64) -> Result<(), InputError> {
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
