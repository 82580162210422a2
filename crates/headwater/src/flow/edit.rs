//! Brushes at work on a running world: dig, build, pour, close and open.

use super::check::check_shape;
use super::world::Flow;
pub use crate::brush::Change;
use crate::brush::{Brush, BrushCell};
use crate::error::InputError;
use crate::field::Field;
use crate::ledger::Cause;
use crate::parameter::Range;
use serde::{Deserialize, Serialize};

/// What a brush does.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Edit {
    /// Raises the bed.
    Raise(Change),
    /// Lowers the bed.
    Lower(Change),
    /// Draws the bed towards a level.
    Flatten {
        /// The level (m); `None` is the mean height under the brush.
        level: Option<f64>,
        /// The part of the way, 0 to 1, at the brush's full strength.
        strength: f64,
    },
    /// Draws the bed towards the mean of each cell's surroundings.
    Smooth {
        /// How far the surroundings reach along both axes (m); at least the next cell counts.
        reach: f64,
        /// The part of the way, 0 to 1, at the brush's full strength.
        strength: f64,
    },
    /// Adds water.
    Pour(Amount),
    /// Takes water away, as far as there is any.
    Remove(Amount),
    /// Pushes the water: adds this velocity (m/s, `[east, south]`) at the brush's full strength, 1000 m/s at
    /// most along each axis. It brings no water.
    Push {
        /// What the velocity changes by (m/s).
        velocity: [f64; 2],
    },
    /// Closes the cells to flow: a building, a gate shut. Water in them stays, and waits.
    Close,
    /// Opens closed cells again.
    Open,
}

/// How much water a brush moves.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Amount {
    /// A depth (m) at the brush's full strength.
    Depth(f64),
    /// A volume (m³) in all, spread by the brush's strength.
    Volume(f64),
}

/// What stays as it is when the bed changes under water.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Keep {
    /// The depth: the surface moves with the bed, the volume stays. The default.
    #[default]
    Depth,
    /// The surface, where there is water: the depth makes up for it, and the ledger books what that
    /// adds or takes.
    Surface,
}

impl Flow {
    /// Works on the world with a brush. A bed that moves takes its water along, see
    /// [`edit_keeping`](Self::edit_keeping).
    ///
    /// # Errors
    /// [`InputError`] if the brush's region or a number of `edit` makes no sense.
    pub fn edit(&mut self, brush: &Brush, edit: Edit) -> Result<(), InputError> {
        self.edit_keeping(brush, edit, Keep::Depth)
    }

    /// Closes to flow every cell that a mask of the grid's shape names; no cell is opened.
    ///
    /// # Errors
    /// [`InputError`] if the mask has another shape than the grid.
    pub fn close(&mut self, mask: &Field<bool>) -> Result<(), InputError> {
        check_shape("mask of closed cells", mask, &self.lattice)?;
        for y in 0..mask.ny() {
            for x in (0..mask.nx()).filter(|&x| mask[(x, y)]) {
                self.state.closed.set(x, y, true);
                self.touch([(x, y)]);
            }
        }
        Ok(())
    }

    /// Works on the world with a brush, and says what a change of the bed leaves as it is.
    ///
    /// # Errors
    /// [`InputError`] if the brush's region or a number of `edit` makes no sense.
    pub fn edit_keeping(
        &mut self,
        brush: &Brush,
        edit: Edit,
        keep: Keep,
    ) -> Result<(), InputError> {
        let work = self.edit_ground(brush, edit, keep)?;
        let area = self.lattice.cell_area();
        let [given, taken] = work.water.apply(&mut self.state);
        self.ledger.record(Cause::Edit, given * area);
        self.ledger.record(Cause::Edit, -taken * area);
        Ok(())
    }
}

impl Edit {
    /// Heights and levels of the ground, and depths of water (m). Above them is a slip of the pen, and would leave a float
    /// without any fraction.
    pub(super) const HEIGHT: Range = Range::new(-1e6, 1e6);
    pub(super) const DEPTH: Range = Range::new(0.0, 1e6);
    const PUSH: Range = Range::new(-1000.0, 1000.0);
    /// Parts of the way at the brush's full strength.
    pub(super) const STRENGTH: Range = Range::new(0.0, 1.0);

    pub(crate) fn validate(self) -> Result<(), InputError> {
        match self {
            Edit::Raise(change) | Edit::Lower(change) => match change {
                Change::By(height) => Self::HEIGHT.check("the height to move by", height, "m"),
                Change::To(level) => Self::HEIGHT.check("the level to move to", level, "m"),
            },
            Edit::Flatten { level, strength } => {
                let level = level.unwrap_or(0.0);
                Self::HEIGHT.check("the level to flatten to", level, "m")?;
                Self::STRENGTH.check("a brush's strength", strength, "")
            }
            Edit::Smooth { reach, strength } => {
                InputError::check("the reach of a smoothing", reach, reach >= 0.0, "0 m or above")?;
                Self::STRENGTH.check("a brush's strength", strength, "")
            }
            Edit::Pour(Amount::Depth(depth)) | Edit::Remove(Amount::Depth(depth)) => {
                Self::DEPTH.check("the depth of water", depth, "m")
            }
            Edit::Pour(Amount::Volume(volume)) | Edit::Remove(Amount::Volume(volume)) => {
                InputError::check("the volume of water", volume, volume >= 0.0, "0 m³ or above")
            }
            Edit::Push { velocity } => {
                velocity.into_iter().try_for_each(|part| Self::PUSH.check("a push", part, "m/s"))
            }
            Edit::Close | Edit::Open => Ok(()),
        }
    }
}

impl Amount {
    pub(super) fn depth(self, touched: &[BrushCell], lattice: &crate::Lattice) -> f32 {
        self.depth_over(touched.iter().map(|t| f64::from(t.weight)).sum(), lattice)
    }

    /// The depth (m) at the brush's full strength, over cells whose weights add up to so much.
    pub(crate) fn depth_over(self, weights: f64, lattice: &crate::Lattice) -> f32 {
        match self {
            Amount::Depth(depth) => depth as f32,
            Amount::Volume(volume) => {
                let area = weights * lattice.cell_area();
                if area > 0.0 { (volume / area).min(Edit::DEPTH.high) as f32 } else { 0.0 }
            }
        }
    }
}
