//! Edits by a brush. The ledger has what they bring and take; lakes keep their water and find new
//! levels.

use super::fixed::{self, HIGHEST};
use super::forest::{self, Plant};
use super::world::Hydrology;
use crate::brush::{self, Brush, BrushCell, Change};
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
    /// Raises the rock, and the soil on it. To a level: only what lies lower.
    Raise(Change),
    /// Digs: soil first, then rock. To a level: only what lies higher.
    Lower(Change),
    /// Heaps loose soil on the ground, by a height (m) of 0 or above.
    Heap(f64),
    /// Draws the ground towards one level. What is raised is rock, what is lowered soil first.
    Flatten {
        /// The level (m); `None` for the mean under the brush.
        level: Option<f64>,
        /// How far it is drawn, 0 to 1.
        strength: f64,
    },
    /// Draws the ground towards the mean of the cells around.
    Smooth {
        /// How far around (m), 0 or above; at least one cell.
        reach: f64,
        /// How far it is drawn, 0 to 1.
        strength: f64,
    },
    /// Plants every dry cell; a plant's size is the brush's strength. It replaces what grew there,
    /// and dies soon where the place does not suit it.
    Plant {
        /// Which of [`Params::plants`](super::Params::plants), from 1.
        kind: u8,
    },
    /// Cuts plants down, by the part that the brush is strong; those cut to the ground are gone.
    Clear,
}

impl Hydrology {
    /// Works on the land with a brush. The ground ends at ±[`HIGHEST`].
    ///
    /// # Errors
    /// [`InputError`] if the brush's region or a number of `edit` makes no sense.
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
                // Without a cell under the brush there is neither a mean nor anything to draw.
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

    /// Changes the bed under a brush. Heaped ground is soil.
    fn shape(&mut self, touched: &[BrushCell], heaped: bool, change: impl FnOnce(&mut Field<f64>)) {
        let grid = self.land.grid();
        let bed = &self.land.bed;
        let mut heights =
            Field::from_fn(grid.nx, grid.ny, |x, y| fixed::metres(bed[y * grid.nx + x]));
        change(&mut heights);
        self.reshape(|world| {
            for t in touched {
                let cell = t.y * grid.nx + t.x;
                let z = fixed::quanta(heights[(t.x, t.y)].clamp(-HIGHEST, HIGHEST));
                let moved = z - world.land.bed[cell];
                world.land.bed[cell] = z;
                world.ledgers.sediment.record(Cause::Edit, moved.into());
                let soil = &mut world.land.soil[cell];
                if heaped || moved < 0 {
                    *soil = (*soil + moved).max(0);
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
            // A plant covers the cells around its own too.
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
        forest::shade_all(grid, &self.land.plants, self.cover.as_mut_slice());
    }
}

impl Edit {
    pub(super) const HEIGHT: Range = Range::new(-2.0 * HIGHEST, 2.0 * HIGHEST);
    pub(super) const HEAP: Range = Range::new(0.0, 2.0 * HIGHEST);
    pub(super) const LEVEL: Range = Range::new(-HIGHEST, HIGHEST);
    /// How far around a cell its mean is taken (m).
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
                Err(InputError::new("kind to plant", kind, "one of the land's, which has none"))
            }
            Edit::Plant { kind } => {
                Range::new(1.0, kinds as f64).check("kind to plant", kind.into(), "")
            }
            Edit::Clear => Ok(()),
        }
    }
}
