//! Parameters of a [`Columns`](super::Columns) world.

use super::heat::Heat;
use crate::error::InputError;
use crate::parameter::{Parameters, Range, choices, parameters};
use serde::{Deserialize, Serialize};

choices! {
    /// Numerical scheme that moves the water.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
    #[non_exhaustive]
    pub enum Motion {
        /// Fluxes through the edges between columns, driven by differences in head. The scheme
        /// conserves water, lets it flow over sills and through openings, and fills closed spaces
        /// from below.
        #[default]
        Discharge = "discharge",
        /// Springs that pull the surface of each column to its rest level. In several passes per
        /// step, displacements spread to neighbouring columns ("2D magic in detail, part four:
        /// water", 2016). The scheme moves only the surface. The water itself does not move: it
        /// keeps the levels that the anchors (points that set the initial water level) gave it.
        Springs = "springs",
    }
}

/// Upper limit of parameters that have no physical limit.
const MAX_VALUE: f64 = 1e6;

parameters! {
    /// Parameters of a [`Columns`](super::Columns) world. They are checked when the world is
    /// created.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    pub struct Params {
        /// Numerical scheme that moves the water.
        motion: Motion = Motion::Discharge; Fixed, "motion";
        /// Duration of a time step.
        step: f64 = 1.0 / 60.0; Fixed, "step", "s", |_| Range::new(1e-5, 100.0), [0.001, 0.1];
        /// Number of water columns per grid cell.
        columns_per_cell: u32 = 1; Fixed, "columns per cell", "",
            |_| Range::new(1.0, 64.0), [1.0, 8.0];
        /// Gravitational acceleration.
        gravity: f64 = 9.81; Live, "gravity", "m/s²", |_| Range::new(1e-3, 1000.0), [0.5, 20.0];
        /// With `discharge`: depth beyond which waves do not become faster. Waves in deeper water
        /// have the speed √(gravity·wave_depth). Real waves in deep water have this speed if they
        /// are about six times as long as `wave_depth`. To give water of depth h in a room of width
        /// L the period of linear wave theory, use L/π·tanh(π·h/L). The Courant number
        /// √(gravity·wave_depth)·step/width, with the width of a column, must be at most 0.9. With
        /// a large `spread`, it must also be at most √(0.95 − 2·spread).
        wave_depth: f64 = 1.0; Live, "wave depth", "m",
            |_| Range::above_zero(MAX_VALUE), [0.05, 4.0];
        /// Damping rate of waves. With `discharge`, only water that flows up the slope of its
        /// surface is damped. The height of a wave therefore decays as e^(−damping·time/2); with
        /// the default rate, waves in a room 10 m wide decay to 5 % in 20 s. With `springs`,
        /// velocities decay as e^(−damping·time).
        damping: f64 = 0.3; Live, "damping", "1/s",
            |all| Range::new(0.0, 1.0 / all.step).depends_on("step"), [0.0, 2.0];
        /// With `discharge`: fraction of the height difference between neighbouring surfaces that
        /// is levelled per step, at any velocity. The levelling smooths ripples that are a few
        /// columns long and has little effect on long waves.
        spread: f64 = 0.005; Live, "levelling", "", |_| Range::new(0.0, 0.2), [0.0, 0.1];
        /// With `discharge`: largest slope of the surface (rise over run, between neighbouring
        /// columns) before a wave breaks. Water above this slope falls to the lower side and loses
        /// its energy. The default is about the slope at the crest of the steepest steady wave
        /// (30°, Stokes 1880).
        breaking: f64 = 0.6; Live, "breaking slope", "", |_| Range::above_zero(1e9), [0.1, 3.0];
        /// With `discharge`: loss coefficient of submerged openings, as a multiple of the velocity
        /// head. The default of 1 is the exit loss of a jet into still water, so a free jet leaves
        /// an opening at √(2·gravity·head).
        loss: f64 = 1.0; Live, "opening loss", "", |_| Range::new(0.0, 100.0), [0.0, 4.0];
        /// With `springs`: stiffness of the springs that pull columns to their rest level, at most
        /// 1/`step`².
        tension: f64 = 90.0; Live, "tension", "1/s²", tension_range, [10.0, 400.0];
        /// With `springs`: number of passes per step that spread displacements to neighbouring
        /// columns.
        passes: u32 = 8; Live, "passes", "", |_| Range::new(0.0, 64.0), [0.0, 16.0];
        /// With `springs`: fraction of the difference in displacement between neighbouring columns
        /// that is transferred in one pass.
        pass: f64 = 0.05; Live, "transfer per pass", "", |_| Range::new(0.0, 0.25), [0.0, 0.25];
        /// Speed below which a pool may sleep. A pool falls asleep if nothing in it has moved
        /// faster than this speed for one second. A value of 0 disables sleep.
        sleep_speed: f64 = 0.005; Live, "sleep speed", "m/s",
            |_| Range::new(0.0, MAX_VALUE), [0.0, 0.1];
        /// Largest height difference between connected surfaces at which a pool may sleep. Films of
        /// up to four times this height over sills do not keep a pool awake.
        sleep_height: f64 = 0.002; Live, "sleep height", "m",
            |_| Range::new(0.0, MAX_VALUE), [0.0, 0.1];
        /// Factor by which `sleep_speed` and `sleep_height` are multiplied for pools outside the
        /// visible area.
        sleep_hidden: f64 = 8.0; Live, "sleep factor off view", "",
            |_| Range::new(1.0, MAX_VALUE), [1.0, 100.0];
        /// Speed above which a surface produces foam.
        foam_speed: f64 = 1.0; Live, "foam speed", "m/s",
            |_| Range::above_zero(MAX_VALUE), [0.1, 5.0];
        /// Time in which foam decays by a factor of e.
        foam_time: f64 = 1.5; Live, "foam lifetime", "s", |_| Range::above_zero(MAX_VALUE), [0.1, 10.0];
        /// Largest number of steps in one call of `advance`. Any remaining time is dropped, so that
        /// a slow machine shows slow motion instead of falling further and further behind.
        max_steps: u32 = 16; Live, "steps per advance", "", |_| Range::new(1.0, 1e6), [1.0, 64.0];
    }
    and {
        /// Parameters of heat, ice, boiling and steam. `None`, the default, disables heat.
        heat: Option<Heat> = None;
    }
}

/// Returns the allowed range of `tension`. With `springs`, the range is limited by the time step.
fn tension_range(params: &Params) -> Range {
    match params.motion {
        Motion::Springs => Range::above_zero(1.0 / (params.step * params.step)).depends_on("step"),
        Motion::Discharge => Range::above_zero(1e10).depends_on("motion"),
    }
}

impl Params {
    /// Checks that every parameter is in its range.
    ///
    /// # Errors
    /// Returns an [`InputError`] that names the first parameter out of range.
    pub fn validate(&self) -> Result<(), InputError> {
        self.check()?;
        self.heat
            .as_ref()
            .map_or(Ok(()), |heat| heat.check().map_err(|error| error.with_table_prefix("heat")))
    }

    pub(super) fn validate_change(&self, current: &Self) -> Result<(), InputError> {
        self.check_fixed_unchanged(current)?;
        match (&self.heat, &current.heat) {
            (None, None) => Ok(()),
            (Some(heat), Some(current)) => {
                heat.check_fixed_unchanged(current).map_err(|error| error.with_table_prefix("heat"))
            }
            _ => Err(InputError::immutable_parameter("heat")),
        }
    }

    /// Checks the CFL condition for waves on columns of the given width (m).
    ///
    /// # Errors
    /// Returns [`InputError`] if the Courant number is too large.
    pub(super) fn check_stability(&self, column_width: f64) -> Result<(), InputError> {
        let (courant, largest) = (self.courant(column_width), self.max_courant());
        if self.motion == Motion::Springs || courant <= largest * (1.0 + 1e-12) {
            return Ok(());
        }
        let times = largest / courant;
        let Self { wave_depth, step, .. } = self;
        let (deepest, longest) = (wave_depth * times * times, step * times);
        let found = format!(
            "{courant} for `wave_depth` {wave_depth} m, a step of {step} s \
             and columns {column_width} m wide"
        );
        let allowed = format!(
            "up to {largest}: a `wave_depth` up to {deepest} m with this step, or steps up to {longest} s"
        );
        Err(InputError::new("the Courant number of waves", found, allowed))
    }

    /// Returns the largest Courant number at which the scheme is stable with the current `spread`.
    fn max_courant(&self) -> f64 {
        (MAX_COURANT_SPREAD_SUM - 2.0 * self.spread).sqrt().min(MAX_COURANT)
    }

    pub(super) fn courant(&self, column_width: f64) -> f64 {
        (self.gravity * self.wave_depth).sqrt() * self.step / column_width
    }
}

/// Largest allowed Courant number of waves. At a Courant number of 1, the shortest waves would be
/// only marginally stable.
const MAX_COURANT: f64 = 0.9;

/// Largest allowed value of C² + 2D for the Courant number C and the `spread` D. The shortest waves
/// grow if this sum reaches 1, because their amplification matrix has the trace 2 − 4C² − 4D and
/// the determinant 1 − 4D.
pub(super) const MAX_COURANT_SPREAD_SUM: f64 = 0.95;
