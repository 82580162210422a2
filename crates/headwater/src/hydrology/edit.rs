//! Edits of the land with a brush. The ledger records added and removed volumes. Lakes keep their
//! water and find new levels.

use super::ground::forest::{self, Plant};
use super::state::fixed::{self, MAX_HEIGHT};
use super::world::Hydrology;
use crate::brush::{self, Brush, BrushCell, Change};
use crate::error::InputError;
use crate::field::Field;
use crate::ledger::Cause;
use crate::parameter::Range;
use serde::{Deserialize, Serialize};

/// A change to the land under a brush. See [`Hydrology::edit`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Edit {
    /// Raises the rock together with the soil on it. If the change has a target level, only lower
    /// ground rises.
    Raise(Change),
    /// Lowers the ground: removes soil first, then rock. If the change has a target level, only
    /// higher ground is lowered.
    Lower(Change),
    /// Adds loose soil of this thickness (m, at least 0).
    Heap(f64),
    /// Moves the ground toward one level. Where the ground rises, rock is added; where it is
    /// lowered, soil is removed first.
    Flatten {
        /// Target level (m). `None` selects the mean height under the brush.
        level: Option<f64>,
        /// Fraction of the height difference to remove, from 0 to 1.
        strength: f64,
    },
    /// Moves the ground toward the mean height of its surroundings.
    Smooth {
        /// Radius over which heights are averaged (m), at least 0. The mean includes at least one
        /// cell.
        reach: f64,
        /// Fraction of the height difference to remove, from 0 to 1.
        strength: f64,
    },
    /// Plants every dry cell under the brush, with sizes equal to the brush strength. Replaces
    /// existing plants. Plants die early on unsuitable sites.
    Plant {
        /// Kind of plant, as an index into [`Params::plants`](super::Params::plants) that starts at
        /// 1.
        kind: u8,
    },
    /// Reduces the size of plants by the brush strength, and removes plants that reach size 0.
    Clear,
}

impl Hydrology {
    /// Edits the land under a brush. New heights are clamped to ±[`MAX_HEIGHT`].
    ///
    /// # Errors
    /// Returns [`InputError`] if the brush's region or a parameter of `edit` is invalid.
    pub fn edit(&mut self, brush: &Brush, edit: Edit) -> Result<(), InputError> {
        edit.validate(self.land.params.plants.len())?;
        let touched = brush.cells(self.land.lattice)?;
        match edit {
            Edit::Raise(Change::By(height)) | Edit::Heap(height) => {
                self.shape(&touched, matches!(edit, Edit::Heap(_)), |bed| {
                    brush::apply(bed, &touched, |_, z| z + height);
                });
            }
            Edit::Raise(Change::To(level)) => {
                self.shape(&touched, false, |bed| {
                    brush::apply(bed, &touched, |_, z| z.max(level));
                });
            }
            Edit::Lower(Change::By(height)) => {
                self.shape(&touched, false, |bed| brush::apply(bed, &touched, |_, z| z - height));
            }
            Edit::Lower(Change::To(level)) => {
                self.shape(&touched, false, |bed| {
                    brush::apply(bed, &touched, |_, z| z.min(level));
                });
            }
            Edit::Flatten { level, strength } => self.shape(&touched, false, |bed| {
                // Without a cell under the brush there is no mean and nothing to move.
                let level = level.or_else(|| brush::weighted_mean(bed, &touched)).unwrap_or(0.0);
                brush::apply(bed, &touched, |_, z| z + (level - z) * strength);
            }),
            Edit::Smooth { reach, strength } => {
                let lattice = self.land.lattice;
                self.shape(&touched, false, |bed| {
                    brush::smooth(bed, &touched, lattice, reach, strength);
                });
            }
            Edit::Plant { .. } | Edit::Clear => self.set_plants(&touched, edit),
        }
        Ok(())
    }

    /// Changes the heights of the cells under a brush. Raised ground becomes soil if `heaped`, else
    /// rock.
    fn shape(&mut self, touched: &[BrushCell], heaped: bool, change: impl FnOnce(&mut Field<f64>)) {
        let grid = self.land.grid();
        let bed = &self.land.bed;
        let mut heights =
            Field::from_fn(grid.nx, grid.ny, |x, y| fixed::metres(bed[y * grid.nx + x]));
        change(&mut heights);
        self.change_terrain(|world| {
            for t in touched {
                let cell = t.y * grid.nx + t.x;
                let z = fixed::quanta(heights[(t.x, t.y)].clamp(-MAX_HEIGHT, MAX_HEIGHT));
                let change = z - world.land.bed[cell];
                world.land.bed[cell] = z;
                world.ledgers.sediment.record(Cause::Edit, change.into());
                let soil = &mut world.land.soil[cell];
                if heaped || change < 0 {
                    *soil = (*soil + change).max(0);
                }
                world.heights[(t.x, t.y)] = fixed::metres_f32(z);
                world.changes.mark(t.x, t.y);
            }
        });
    }

    fn set_plants(&mut self, touched: &[BrushCell], edit: Edit) {
        let grid = self.land.grid();
        if self.land.plants.is_empty() {
            return;
        }
        self.changes.next_tick();
        for t in touched {
            // A plant also covers the neighbouring cells.
            for (x, y) in grid.corners(t.x, t.y) {
                self.changes.mark(x, y);
            }
            let cell = t.y * grid.nx + t.x;
            let dry = self.waters.level_over(self.land.terrain(), cell).is_none();
            let plant = &mut self.land.plants[cell];
            let full = f32::from(u16::MAX);
            match edit {
                Edit::Plant { kind } if dry && t.weight > 0.0 => {
                    *plant = Plant { kind, size: (full * t.weight) as u16, age: 0 };
                }
                Edit::Clear => {
                    plant.size = (f32::from(plant.size) * (1.0 - t.weight)) as u16;
                    if plant.size == 0 {
                        *plant = Plant::default();
                    }
                }
                _ => {}
            }
        }
        forest::compute_cover(grid, &self.land.plants, self.cover.as_mut_slice());
    }
}

impl Edit {
    pub(super) const HEIGHT: Range = Range::new(-2.0 * MAX_HEIGHT, 2.0 * MAX_HEIGHT);
    pub(super) const HEAP: Range = Range::new(0.0, 2.0 * MAX_HEIGHT);
    pub(super) const LEVEL: Range = Range::new(-MAX_HEIGHT, MAX_HEIGHT);
    /// Range of the radius of a local mean (m).
    pub(super) const REACH: Range = Range::new(0.0, 1e6);

    fn validate(self, kinds: usize) -> Result<(), InputError> {
        let strength = |found| Range::new(0.0, 1.0).check("strength of a brush", found, "");
        match self {
            Edit::Raise(Change::By(height)) | Edit::Lower(Change::By(height)) => {
                Self::HEIGHT.check("height to move by", height, "m")
            }
            Edit::Raise(Change::To(level)) | Edit::Lower(Change::To(level)) => {
                Self::LEVEL.check("level to move to", level, "m")
            }
            Edit::Heap(height) => Self::HEAP.check("height to heap", height, "m"),
            Edit::Flatten { level, strength: found } => {
                Self::LEVEL.check("level to flatten to", level.unwrap_or(0.0), "m")?;
                strength(found)
            }
            Edit::Smooth { reach, strength: found } => {
                Self::REACH.check("reach of a smoothing", reach, "m")?;
                strength(found)
            }
            Edit::Plant { kind } if kinds == 0 => {
                Err(InputError::new("kind to plant", kind, "a kind of the land, which has none"))
            }
            Edit::Plant { kind } => {
                Range::new(1.0, kinds as f64).check("kind to plant", kind.into(), "")
            }
            Edit::Clear => Ok(()),
        }
    }
}
