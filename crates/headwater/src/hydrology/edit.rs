//! Edits of the land with a brush. The ledgers record the added and removed volumes. Lakes keep
//! their water, and their levels adapt to the new land.

use super::ground::forest::{self, Plant};
use super::state::fixed::{self, MAX_HEIGHT};
use super::world::Hydrology;
use crate::brush::{self, Brush, BrushCell, Change};
use crate::error::InputError;
use crate::field::Field;
use crate::ledger::Cause;
use crate::parameter::Range;
use serde::{Deserialize, Serialize};

/// An edit of the land under a brush, which is applied by [`Hydrology::edit`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Edit {
    /// Raises the rock together with the soil on it. If the change has a target level, only ground
    /// below this level rises.
    Raise(Change),
    /// Lowers the ground by removing soil first, then rock. If the change has a target level, only
    /// ground above this level is lowered.
    Lower(Change),
    /// Adds a layer of loose soil of this thickness (m, at least 0).
    #[serde(rename = "heap")]
    AddSoil(f64),
    /// Moves the ground toward a target level. Where the ground rises, rock is added. Where it
    /// sinks, soil is removed first, then rock.
    Flatten {
        /// Target level (m). `None` selects the mean height of the ground under the brush.
        level: Option<f64>,
        /// Fraction of the difference between the height and the target level that is removed, from
        /// 0 to 1.
        strength: f64,
    },
    /// Moves the ground toward the local mean height around each cell.
    Smooth {
        /// Radius of the neighbourhood over which heights are averaged (m, at least 0). The
        /// neighbourhood always includes the cell itself.
        reach: f64,
        /// Fraction of the difference between the height and the local mean that is removed, from 0
        /// to 1.
        strength: f64,
    },
    /// Plants every dry cell under the brush with one kind of plant, replacing existing plants. The
    /// size of each plant is the brush strength at the cell. On unsuitable sites, plants die early.
    Plant {
        /// Kind of plant: 1 is the first entry of [`Params::plants`](super::Params::plants).
        kind: u8,
    },
    /// Reduces the size of each plant by the brush strength at the cell. A plant whose size reaches
    /// 0 is removed.
    Clear,
}

impl Hydrology {
    /// Edits the land under a brush. New heights are clamped to ±[`MAX_HEIGHT`].
    ///
    /// # Errors
    /// Returns [`InputError`] if the region of the brush or a value in `edit` is invalid.
    pub fn edit(&mut self, brush: &Brush, edit: Edit) -> Result<(), InputError> {
        edit.validate(self.land.params.plants.len())?;
        let touched = brush.cells(self.land.lattice)?;
        match edit {
            Edit::Raise(Change::By(height)) | Edit::AddSoil(height) => {
                self.change_heights(&touched, matches!(edit, Edit::AddSoil(_)), |bed| {
                    brush::apply(bed, &touched, |_, z| z + height);
                });
            }
            Edit::Raise(Change::To(level)) => {
                self.change_heights(&touched, false, |bed| {
                    brush::apply(bed, &touched, |_, z| z.max(level));
                });
            }
            Edit::Lower(Change::By(height)) => {
                self.change_heights(&touched, false, |bed| {
                    brush::apply(bed, &touched, |_, z| z - height);
                });
            }
            Edit::Lower(Change::To(level)) => {
                self.change_heights(&touched, false, |bed| {
                    brush::apply(bed, &touched, |_, z| z.min(level));
                });
            }
            Edit::Flatten { level, strength } => self.change_heights(&touched, false, |bed| {
                // Without cells under the brush, there is no mean height and nothing to change.
                let level = level.or_else(|| brush::weighted_mean(bed, &touched)).unwrap_or(0.0);
                brush::apply(bed, &touched, |_, z| z + (level - z) * strength);
            }),
            Edit::Smooth { reach, strength } => {
                let lattice = self.land.lattice;
                self.change_heights(&touched, false, |bed| {
                    brush::smooth_heights(bed, &touched, lattice, reach, strength);
                });
            }
            Edit::Plant { .. } | Edit::Clear => self.set_plants(&touched, edit),
        }
        Ok(())
    }

    /// Changes the heights of the cells under a brush. `change` receives the heights of the whole
    /// map (m) and modifies them. Material is added as soil if `adds_soil` is true, and as rock
    /// otherwise.
    fn change_heights(
        &mut self,
        touched: &[BrushCell],
        adds_soil: bool,
        change: impl FnOnce(&mut Field<f64>),
    ) {
        let grid = self.land.grid();
        let bed = &self.land.bed;
        let mut heights =
            Field::from_fn(grid.nx, grid.ny, |x, y| fixed::to_metres(bed[y * grid.nx + x]));
        change(&mut heights);
        self.change_terrain(|world| {
            for t in touched {
                let cell = t.y * grid.nx + t.x;
                let z = fixed::to_quanta(heights[(t.x, t.y)].clamp(-MAX_HEIGHT, MAX_HEIGHT));
                let change = z - world.land.bed[cell];
                world.land.bed[cell] = z;
                world.ledgers.sediment.record(Cause::Edit, change.into());
                let soil = &mut world.land.soil[cell];
                if adds_soil || change < 0 {
                    *soil = (*soil + change).max(0);
                }
                world.heights[(t.x, t.y)] = fixed::to_metres_f32(z);
                world.changes.mark_cell(t.x, t.y);
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
            for (x, y) in grid.square_corners(t.x, t.y) {
                self.changes.mark_cell(x, y);
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
    pub(super) const ADDED_SOIL: Range = Range::new(0.0, 2.0 * MAX_HEIGHT);
    pub(super) const LEVEL: Range = Range::new(-MAX_HEIGHT, MAX_HEIGHT);
    /// Range of allowed radii of the neighbourhood over which heights are averaged (m).
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
            Edit::AddSoil(height) => Self::ADDED_SOIL.check("height of added soil", height, "m"),
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
