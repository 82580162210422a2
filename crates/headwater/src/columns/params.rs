//! The numbers that say how columns of water move.

use super::heat::Heat;
use crate::error::InputError;
use crate::parameter::{Parameters, Range, choices, parameters};
use serde::{Deserialize, Serialize};

choices! {
    /// What moves the water.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[non_exhaustive]
    pub enum Motion {
        /// Fluxes over the edges between columns, driven by the head: water is conserved, runs over sills
        /// and through openings, and fills what lies below.
        #[default]
        Discharge = "discharge",
        /// Springs that pull each column to its rest level, with passes that spread what moves to the
        /// neighbours ("2D magic in detail, part four: water", 2016). It looks like water and moves none: what
        /// stands where is up to the anchors.
        Springs = "springs",
    }
}

/// More than anybody asks for.
const MOST: f64 = 1e6;

parameters! {
    /// Parameters of a [`Columns`](super::Columns) world. Checked when a world is made.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Params {
        /// What moves the water.
        motion: Motion = Motion::Discharge; Fixed, "motion";
        /// The step.
        step: f64 = 1.0 / 60.0; Fixed, "step", "s", |_| Range::new(1e-5, 100.0), [0.001, 0.1];
        /// Columns of water to a cell of the board.
        columns_per_cell: u32 = 1; Fixed, "columns to a cell", "",
            |_| Range::new(1.0, 64.0), [1.0, 8.0];
        /// Gravity; the step bounds it.
        gravity: f64 = 9.81; Live, "gravity", "m/s²", |_| Range::new(1e-3, 1000.0), [0.5, 20.0];
        /// With `discharge`: how deep waves reach. Waves run at √(gravity·depth) with no more depth than this, as waves
        /// about six times as long do over any deeper bed. Together with the step and the width of columns it must keep the
        /// Courant number √(gravity·wave_depth)·step/width to at most 0.9, and with a large `spread` to at most
        /// √(0.95 − 2·spread).
        wave_depth: f64 = 1.0; Live, "depth of waves", "m",
            |_| Range::above_zero(MOST), [0.05, 4.0];
        /// How fast motion dies: velocities fade as e^(−damping·time).
        damping: f64 = 0.05; Live, "damping", "1/s",
            |all| Range::new(0.0, 1.0 / all.step).depends_on("step"), [0.0, 2.0];
        /// With `discharge`: the part of a difference between two columns that levels out in a step, whatever
        /// their motion. It smooths ripples of a few columns and leaves long waves alone.
        spread: f64 = 0.005; Live, "spreading", "", |_| Range::new(0.0, 0.2), [0.0, 0.1];
        /// With `discharge`: how steep a surface can be (rise over run, from one column to the next) before it
        /// breaks. By default about the slope beside the crest of the steepest wave that lasts (Stokes 1880: 30°). What
        /// is steeper tumbles down into the water beside it, and its energy is lost.
        breaking: f64 = 0.6; Live, "steepest slope", "", |_| Range::above_zero(1e9), [0.1, 3.0];
        /// With `discharge`: what an opening below the surface costs in velocity heads; by default all that a jet into
        /// still water has. A free jet then leaves at √(2·gravity·head).
        loss: f64 = 1.0; Live, "loss in openings", "", |_| Range::new(0.0, 100.0), [0.0, 4.0];
        /// With `springs`: pull towards the rest level, up to 1/`step`².
        tension: f64 = 90.0; Live, "tension", "1/s²", tensions, [10.0, 400.0];
        /// With `springs`: passes to the neighbours in a step.
        passes: u32 = 8; Live, "passes", "", |_| Range::new(0.0, 64.0), [0.0, 16.0];
        /// With `springs`: the part of a difference that a pass hands on.
        pass: f64 = 0.05; Live, "part of a pass", "", |_| Range::new(0.0, 0.25), [0.0, 0.25];
        /// A pool goes to sleep when nothing in it has been faster than this for a second; with 0 none sleeps.
        sleep_speed: f64 = 0.005; Live, "speed of sleepers", "m/s",
            |_| Range::new(0.0, MOST), [0.0, 0.1];
        /// … and where its water is connected no surface differs by more than this.
        sleep_height: f64 = 0.002; Live, "height of sleepers", "m",
            |_| Range::new(0.0, MOST), [0.0, 0.1];
        /// By what both are multiplied for a pool off the view.
        sleep_hidden: f64 = 8.0; Live, "sleep off the view", "",
            |_| Range::new(1.0, MOST), [1.0, 100.0];
        /// The speed from which a surface makes foam.
        foam_speed: f64 = 1.0; Live, "speed of foam", "m/s",
            |_| Range::above_zero(MOST), [0.1, 5.0];
        /// How long foam lasts.
        foam_time: f64 = 1.5; Live, "time of foam", "s", |_| Range::above_zero(MOST), [0.1, 10.0];
        /// The most steps that one advance does. The time beyond is dropped, so that a machine too slow slows
        /// down instead of standing still.
        max_steps: u32 = 16; Live, "steps of an advance", "", |_| Range::new(1.0, 1e6), [1.0, 64.0];
    }
    and {
        /// How warm water is and what that does to it: ice, boils, steam. `None`, the default, and it stays as it is.
        heat: Option<Heat> = None;
    }
}

/// What the tension may be: with a motion that knows none, whatever it may be with some step.
fn tensions(all: &Params) -> Range {
    match all.motion {
        Motion::Springs => Range::above_zero(1.0 / (all.step * all.step)).depends_on("step"),
        Motion::Discharge => Range::above_zero(1e10).depends_on("motion"),
    }
}

impl Params {
    /// Checks every parameter against its range.
    ///
    /// # Errors
    /// [`InputError`] names the first that is out of its range.
    pub fn validate(&self) -> Result<(), InputError> {
        self.check()?;
        self.heat.as_ref().map_or(Ok(()), |heat| heat.check().map_err(|error| error.under("heat")))
    }

    pub(super) fn validate_change(&self, now: &Self) -> Result<(), InputError> {
        self.check_change(now)?;
        match (&self.heat, &now.heat) {
            (None, None) => Ok(()),
            (Some(heat), Some(now)) => heat.check_change(now).map_err(|error| error.under("heat")),
            _ => Err(InputError::immutable("heat")),
        }
    }

    /// Checks the speed of waves over columns of this width (m) against the step: the CFL limit.
    pub(super) fn check_stable(&self, width: f64) -> Result<(), InputError> {
        let (courant, largest) = (self.courant(width), self.largest_courant());
        if self.motion == Motion::Springs || courant <= largest * (1.0 + 1e-12) {
            return Ok(());
        }
        let times = largest / courant;
        let Self { wave_depth, step, .. } = self;
        let (deepest, longest) = (wave_depth * times * times, step * times);
        let found = format!(
            "{courant} for `wave_depth` {wave_depth} m, a step of {step} s and columns {width} m wide"
        );
        let allowed = format!(
            "up to {largest}: a `wave_depth` up to {deepest} m with this step, or steps up to {longest} s"
        );
        Err(InputError::new("the Courant number of waves", found, allowed))
    }

    /// The largest Courant number that is stable with this spread.
    fn largest_courant(&self) -> f64 {
        (LARGEST_SUM - 2.0 * self.spread).sqrt().min(LARGEST_COURANT)
    }

    pub(super) fn courant(&self, width: f64) -> f64 {
        (self.gravity * self.wave_depth).sqrt() * self.step / width
    }
}

/// The largest Courant number of waves. At 1 the shortest waves stand still between growing and not.
const LARGEST_COURANT: f64 = 0.9;

/// The largest stable sum of the squared Courant number C and twice the spread D. The shortest
/// waves grow from 1 on: their matrix has the trace 2 − 4C² − 4D and the determinant 1 − 4D.
pub(super) const LARGEST_SUM: f64 = 0.95;
