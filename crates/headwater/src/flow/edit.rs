//! Edits of a running world with a brush: raising and lowering the bed, pouring water, closing and
//! opening cells.

use super::check::check_shape;
use super::world::Flow;
pub use crate::brush::Change;
use crate::brush::{Brush, BrushCell};
use crate::error::InputError;
use crate::field::Field;
use crate::ledger::Cause;
use crate::parameter::Range;
use serde::{Deserialize, Serialize};

/// An edit of the bed or the water in the cells under a brush.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Edit {
    /// Raises the bed by an amount, or up to an elevation; see [`Change`].
    Raise(Change),
    /// Lowers the bed by an amount, or down to an elevation; see [`Change`].
    Lower(Change),
    /// Flattens the bed: moves all cells toward a common elevation.
    Flatten {
        /// Target elevation of the bed (m); `None` uses the mean elevation under the brush.
        level: Option<f64>,
        /// Fraction of the difference from the target elevation that is removed at full brush
        /// weight, 0 to 1.
        strength: f64,
    },
    /// Smooths the bed: moves each cell toward the mean height of its neighbourhood.
    Smooth {
        /// Radius (m) of the neighbourhood over which heights are averaged, along each axis. The
        /// neighbourhood includes at least the adjacent cells.
        reach: f64,
        /// Fraction of the difference from the mean that is removed at full brush weight, 0 to 1.
        strength: f64,
    },
    /// Adds water to the cells.
    Pour(Amount),
    /// Removes water from the cells, up to the water present in each cell.
    Remove(Amount),
    /// Adds a velocity to the water. Each component of the change must be between −1000 and 1000
    /// m/s. The volume of water does not change.
    Push {
        /// Velocity change at full brush weight (m/s, `[east, south]`).
        velocity: [f64; 2],
    },
    /// Closes the cells to flow, like a building or a shut gate. Water in the cells stays there.
    Close,
    /// Opens closed cells, so that water flows through them again.
    Open,
}

/// Amount of water that a brush adds or removes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Amount {
    /// Depth (m) added or removed at full brush weight.
    Depth(f64),
    /// Total volume (m³), distributed over the cells by brush weight.
    Volume(f64),
}

/// Quantity of water that stays the same when an edit changes the bed below the water.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum PreservedQuantity {
    /// Preserves the water depth: the water surface moves with the bed, and the volume does not
    /// change. This is the default.
    #[default]
    Depth,
    /// Preserves the elevation of the water surface in wet cells: the depth changes, and the ledger
    /// records the change in volume.
    Surface,
}

impl Flow {
    /// Edits the cells under a brush. An edit of the bed preserves the water depth; use
    /// [`edit_preserving`](Self::edit_preserving) to preserve the surface instead.
    ///
    /// # Errors
    /// Returns [`InputError`] if the region of the brush or a value of `edit` is invalid.
    pub fn edit(&mut self, brush: &Brush, edit: Edit) -> Result<(), InputError> {
        self.edit_preserving(brush, edit, PreservedQuantity::Depth)
    }

    /// Closes every cell whose mask value is true. Cells with a false mask value are unchanged.
    ///
    /// # Errors
    /// Returns [`InputError`] if the shape of the mask differs from the grid.
    pub fn close_cells(&mut self, mask: &Field<bool>) -> Result<(), InputError> {
        check_shape("mask of closed cells", mask, &self.lattice)?;
        for y in 0..mask.ny() {
            for x in (0..mask.nx()).filter(|&x| mask[(x, y)]) {
                self.state.closed.set(x, y, true);
                self.mark_changed([(x, y)]);
            }
        }
        Ok(())
    }

    /// Edits the cells under a brush. `preserved` selects whether an edit of the bed preserves the
    /// depth or the surface of the water.
    ///
    /// # Errors
    /// Returns [`InputError`] if the region of the brush or a value of `edit` is invalid.
    pub fn edit_preserving(
        &mut self,
        brush: &Brush,
        edit: Edit,
        preserved: PreservedQuantity,
    ) -> Result<(), InputError> {
        let delta = self.edit_ground(brush, edit, preserved)?;
        let area = self.lattice.cell_area();
        let [given, taken] = delta.water.apply(&mut self.state);
        self.ledger.total.record(Cause::Edit, given * area);
        self.ledger.total.record(Cause::Edit, -taken * area);
        Ok(())
    }
}

impl Edit {
    /// Valid range of ground heights and water levels (m). Larger values are probably typing
    /// errors, and an `f32` would have no precision left for fractions of a metre.
    pub(super) const HEIGHT: Range = Range::new(-1e6, 1e6);
    pub(super) const DEPTH: Range = Range::new(0.0, 1e6);
    const PUSH: Range = Range::new(-1000.0, 1000.0);
    /// Valid range of an edit strength, the fraction applied at full brush weight.
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
                InputError::check("the radius of smoothing", reach, reach >= 0.0, "0 m or above")?;
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
    pub(super) fn depth_at_full_weight(
        self,
        touched: &[BrushCell],
        lattice: &crate::Lattice,
    ) -> f32 {
        self.depth_for_weight_sum(touched.iter().map(|t| f64::from(t.weight)).sum(), lattice)
    }

    /// Converts the amount to a depth (m) at full brush weight. `weight_sum` is the sum of the
    /// brush weights of the edited cells.
    pub(crate) fn depth_for_weight_sum(self, weight_sum: f64, lattice: &crate::Lattice) -> f32 {
        match self {
            Amount::Depth(depth) => depth as f32,
            Amount::Volume(volume) => {
                let area = weight_sum * lattice.cell_area();
                if area > 0.0 { (volume / area).min(Edit::DEPTH.high) as f32 } else { 0.0 }
            }
        }
    }
}
