//! The numbers that say how columns of water move.

use super::heat::Heat;
use serde::{Deserialize, Serialize};

/// What moves the water.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Motion {
    /// Discharges over the edges between columns, driven by the head: water is conserved, runs over sills
    /// and through openings, and fills what lies below.
    #[default]
    Discharge,
    /// Springs that pull each column to its rest level, with passes that spread what moves to the
    /// neighbours ("2D magic in detail, part four: water", 2016). It looks like water and moves none: what
    /// stands where is up to the anchors.
    Springs,
}

/// Parameters of a [`Columns`](super::Columns) world. Checked when a world is made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Params {
    /// What moves the water.
    pub motion: Motion,
    /// The step (s), above 0; 1/60 by default. Never changes while a world runs.
    pub step: f64,
    /// Columns of water to a cell of the board, 1 to 64; 1 by default.
    pub columns_per_cell: u32,
    /// Gravity (m/s²), above 0; 9.81 by default.
    pub gravity: f64,
    /// [`Motion::Discharge`]: how deep waves reach (m), above 0; 1 by default. Waves run at √(gravity·depth) with
    /// no more depth than this, as waves about six times as long do over any deeper bed. Together with the
    /// step and the width of columns it must keep the Courant number √(gravity·wave_depth)·step/width to at most 0.9,
    /// and with a large [`spread`](Self::spread) to at most √(0.95 − 2·spread).
    pub wave_depth: f64,
    /// How fast motion dies (1/s), 0 or above; 0.05 by default. Velocities fade as e^(−damping·time).
    pub damping: f64,
    /// [`Motion::Discharge`]: the part of a difference between two columns that levels out in a step, whatever
    /// their motion, 0 to 0.2; 0.005 by default. It smooths ripples of a few columns and leaves long waves alone.
    pub spread: f64,
    /// [`Motion::Discharge`]: how steep a surface can be (rise over run, from one column to the next) before it
    /// breaks, above 0; 0.6 by default, about the slope beside the crest of the steepest wave that lasts (Stokes 1880: 30°). What
    /// is steeper tumbles down into the water beside it, and its energy is lost.
    pub breaking: f64,
    /// [`Motion::Discharge`]: what an opening below the surface costs in velocity heads, 0 to 100; 1 by
    /// default, all that a jet into still water has. A free jet then leaves at √(2·gravity·head).
    pub loss: f64,
    /// [`Motion::Springs`]: pull towards the rest level (1/s²), above 0; 90 by default.
    pub tension: f64,
    /// [`Motion::Springs`]: passes to the neighbours in a step, 0 to 64; 8 by default.
    pub passes: u32,
    /// [`Motion::Springs`]: the part of a difference that a pass hands on, 0 to 0.25; 0.05 by default.
    pub pass: f64,
    /// A pool goes to sleep when nothing in it has been faster than this (m/s) for a second; 0.005 by
    /// default, 0: none sleeps.
    pub sleep_speed: f64,
    /// … and where its water hangs together no surface differs by more than this (m); 0.002 by default.
    pub sleep_height: f64,
    /// By what both are multiplied for a pool off the view, 1 or above; 8 by default.
    pub sleep_hidden: f64,
    /// The speed (m/s) from which a surface makes foam, above 0; 1 by default.
    pub foam_speed: f64,
    /// How long foam lasts (s), above 0; 1.5 by default.
    pub foam_time: f64,
    /// The most steps that one [`advance`](super::Columns::advance) does, above 0; 16 by default. The time
    /// beyond is dropped, so that a machine too slow slows down instead of standing still.
    pub max_steps: u32,
    /// How warm water is and what that does to it: ice, boils, steam. `None`, the default, and it stays as it is.
    pub heat: Option<Heat>,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            motion: Motion::Discharge,
            step: 1.0 / 60.0,
            columns_per_cell: 1,
            gravity: 9.81,
            wave_depth: 1.0,
            damping: 0.05,
            spread: 0.005,
            breaking: 0.6,
            loss: 1.0,
            tension: 90.0,
            passes: 8,
            pass: 0.05,
            sleep_speed: 0.005,
            sleep_height: 0.002,
            sleep_hidden: 8.0,
            foam_speed: 1.0,
            foam_time: 1.5,
            max_steps: 16,
            heat: None,
        }
    }
}

/// A parameter out of its range.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("`{name}` must be {allowed}, found {found}")]
pub struct ParamsError {
    /// Name of the field of [`Params`].
    pub name: &'static str,
    /// What was found.
    pub found: f64,
    /// What is allowed.
    pub allowed: &'static str,
}

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
                Err(ParamsError { name, found, allowed })
            }
        };
        check("step", self.step, self.step > 0.0, "a number of seconds above 0")?;
        let per_cell = self.columns_per_cell;
        check("columns_per_cell", per_cell.into(), (1..=64).contains(&per_cell), "from 1 to 64")?;
        check("gravity", self.gravity, self.gravity > 0.0, "a number of m/s² above 0")?;
        check("wave_depth", self.wave_depth, self.wave_depth > 0.0, "a number of metres above 0")?;
        let damping = self.damping >= 0.0 && self.damping * self.step <= 1.0;
        check("damping", self.damping, damping, "a number of 1/s, from 0 to 1/step")?;
        check("spread", self.spread, (0.0..=0.2).contains(&self.spread), "from 0 to 0.2")?;
        let steep = "a slope above 0";
        check("breaking", self.breaking, self.breaking > 0.0, steep)?;
        check("loss", self.loss, (0.0..=100.0).contains(&self.loss), "from 0 to 100")?;
        let tension = self.tension > 0.0 && self.tension * self.step * self.step <= 1.0;
        check("tension", self.tension, tension, "a number of 1/s² above 0, up to 1/step²")?;
        check("passes", self.passes.into(), self.passes <= 64, "from 0 to 64")?;
        check("pass", self.pass, (0.0..=0.25).contains(&self.pass), "from 0 to 0.25")?;
        let none = "a number, 0 or above";
        check("sleep_speed", self.sleep_speed, self.sleep_speed >= 0.0, none)?;
        check("sleep_height", self.sleep_height, self.sleep_height >= 0.0, none)?;
        check("sleep_hidden", self.sleep_hidden, self.sleep_hidden >= 1.0, "1 or above")?;
        check("foam_speed", self.foam_speed, self.foam_speed > 0.0, "a number of m/s above 0")?;
        check("foam_time", self.foam_time, self.foam_time > 0.0, "a number of seconds above 0")?;
        check("max_steps", self.max_steps.into(), self.max_steps > 0, "1 or above")?;
        self.heat.as_ref().map_or(Ok(()), Heat::validate)
    }

    /// The largest Courant number that is stable with this spread.
    pub(super) fn largest_courant(&self) -> f64 {
        (LARGEST_SUM - 2.0 * self.spread).sqrt().min(LARGEST_COURANT)
    }

    /// The Courant number of waves over columns of this width (m).
    pub(super) fn courant(&self, width: f64) -> f64 {
        (self.gravity * self.wave_depth).sqrt() * self.step / width
    }
}

/// The largest Courant number of waves. At 1 the shortest waves stand still between growing and not.
const LARGEST_COURANT: f64 = 0.9;

/// The largest sum of the square of the Courant number and twice the part of a difference that levels out in a
/// step. The shortest waves grow from 1 on: with a velocity u that falls by C·Δη and a height η that
/// gains C·Δu + D·Δ²η, the shortest wave's matrix has the trace 2 − 4C² − 4D and the determinant 1 − 4D.
pub(super) const LARGEST_SUM: f64 = 0.95;
