//! Edits of a world whose water is stored on a device or in another process. The ground changes
//! immediately. An [`EditDelta`] describes the change to the water, which is applied where the
//! water is stored.

use super::State;
use crate::brush::{self, Brush, BrushCell, apply};
use crate::error::InputError;
use crate::field::Field;
use crate::flow::bodies::push::{CellPush, FacePush, face_pushes, push_cell, push_face};
use crate::flow::edit::{Amount, Change, Edit, PreservedQuantity};
use crate::flow::subgrid::SubgridCell;
use crate::flow::world::Flow;
use crate::lattice::Lattice;
use std::ops::Range;

/// Effect of an edit: the rows in which the ground has changed, and a change to the water that is
/// still to be applied.
#[derive(Clone, Debug, PartialEq)]
pub struct EditDelta {
    /// Rows in which the ground or the closed cells may have changed.
    pub ground: Range<usize>,
    /// Change to the water, which the caller must apply where the water is stored.
    pub water: WaterDelta,
}

/// Change to the water caused by an edit. No cell occurs more than once.
#[derive(Clone, Debug, PartialEq)]
pub enum WaterDelta {
    /// The water does not change.
    Unchanged,
    /// Change in the depth (m) of each listed cell (column, row). A negative change removes at most
    /// the water in the cell.
    AddDepth(Vec<((usize, usize), f32)>),
    /// Bed changes of the listed cells, under a water surface whose elevation stays the same. Where
    /// the new bed is above the surface, all water in the cell is removed.
    KeepSurface(Vec<BedChange>),
    /// Velocity change (m/s, `[east, south]`) of each listed cell. The momentum of the cell, stored
    /// as a unit discharge, increases by depth × velocity change.
    PushCells(Vec<((usize, usize), [f64; 2])>),
    /// Changes in the discharges through faces, to be applied in the order of the list. A face may
    /// occur twice, once for each of its two cells.
    PushFaces(Vec<FacePush>),
}

/// A change in the ground elevation of a cell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BedChange {
    /// Column and row of the cell.
    pub cell: (usize, usize),
    /// Bed elevation before and after the edit (m).
    pub bed: [f32; 2],
    /// Low and high part of the cell before and after the edit; `None` if the cell is not split by
    /// a subgrid.
    parts: [Option<SubgridCell>; 2],
}

/// Change that an edit makes to the elevations of the low and the high part of a subgrid cell.
enum SubgridPartsEdit {
    /// Both parts move up or down by the same amount.
    Uniform,
    /// Each part is raised to at least a level (with the function `f64::max`) or lowered to at most
    /// a level (with `f64::min`). The number is the level (m).
    Limit(fn(f64, f64) -> f64, f64),
    /// The difference in elevation between the two parts is reduced by this fraction.
    Converge(f64),
}

impl Flow {
    /// Edits the ground of a world whose water is stored on a device, and returns the corresponding
    /// change to the water; see [`DeviceView`](crate::flow::DeviceView).
    ///
    /// # Errors
    /// Returns [`InputError`] if the region of the brush or a value of `edit` is invalid. In these
    /// cases the world does not change.
    pub fn edit_ground(
        &mut self,
        brush: &Brush,
        edit: Edit,
        preserved: PreservedQuantity,
    ) -> Result<EditDelta, InputError> {
        edit.validate()?;
        let touched = brush.cells(self.lattice)?;
        self.mark_changed(touched.iter().map(|t| (t.x, t.y)));
        let water = edit_cells(&mut self.state, &self.lattice, &touched, edit, preserved, None);
        let ground = match (edit.changes_bed(), touched.first(), touched.last()) {
            // A brush touches cells in row order.
            (true, Some(first), Some(last)) => first.y..last.y + 1,
            _ => 0..0,
        };
        Ok(EditDelta { ground, water })
    }
}

impl Edit {
    pub(in crate::flow) fn changes_bed(self) -> bool {
        !matches!(self, Edit::Pour(_) | Edit::Remove(_) | Edit::Push { .. })
    }
}

/// A function that returns the bed elevation (m) after smoothing, for a cell under the brush.
pub(in crate::flow) type SmoothedHeight<'a> = &'a dyn Fn(&BrushCell) -> f32;

/// Applies `edit` to the ground of the cells under a brush, and returns the change to the water. If
/// `smoothed` is given, the new bed elevations of an [`Edit::Smooth`] come from this function.
pub(crate) fn edit_cells(
    state: &mut State,
    lattice: &Lattice,
    touched: &[BrushCell],
    edit: Edit,
    preserved: PreservedQuantity,
    smoothed: Option<SmoothedHeight<'_>>,
) -> WaterDelta {
    let reshape = |state: &mut State, how: SubgridPartsEdit, change: &dyn Fn(&mut Field<f32>)| {
        let ground_of = |state: &State| {
            let ground =
                |cell| (state.bed[cell], state.subgrid.as_ref().and_then(|of| of.at(cell)));
            touched.iter().map(|t| ground((t.x, t.y))).collect::<Vec<_>>()
        };
        let before = match preserved {
            PreservedQuantity::Depth => Vec::new(),
            PreservedQuantity::Surface => ground_of(state),
        };
        edit_subgrid_parts(state, touched, how, change);
        match preserved {
            PreservedQuantity::Depth => WaterDelta::Unchanged,
            PreservedQuantity::Surface => {
                let both = before.into_iter().zip(ground_of(state)).zip(touched);
                let moved = both.map(|(((from, old), (to, new)), t)| BedChange {
                    cell: (t.x, t.y),
                    bed: [from, to],
                    parts: [old, new],
                });
                WaterDelta::KeepSurface(moved.collect())
            }
        }
    };
    match edit {
        Edit::Raise(Change::By(height)) => {
            reshape(state, SubgridPartsEdit::Uniform, &|bed| apply(bed, touched, |_, z| z + height))
        }
        Edit::Raise(Change::To(level)) => {
            reshape(state, SubgridPartsEdit::Limit(f64::max, level), &|bed| {
                apply(bed, touched, |_, z| z.max(level));
            })
        }
        Edit::Lower(Change::By(height)) => {
            reshape(state, SubgridPartsEdit::Uniform, &|bed| apply(bed, touched, |_, z| z - height))
        }
        Edit::Lower(Change::To(level)) => {
            reshape(state, SubgridPartsEdit::Limit(f64::min, level), &|bed| {
                apply(bed, touched, |_, z| z.min(level));
            })
        }
        Edit::Flatten { level, strength } => {
            let mean = || brush::weighted_mean(&state.bed, touched);
            let level = level.or_else(mean).unwrap_or(0.0);
            reshape(state, SubgridPartsEdit::Converge(strength), &|bed| {
                apply(bed, touched, |_, z| z + (level - z) * strength);
            })
        }
        Edit::Smooth { reach, strength } => {
            reshape(state, SubgridPartsEdit::Converge(strength), &|bed| match smoothed {
                Some(of) => touched.iter().for_each(|t| bed[(t.x, t.y)] = of(t)),
                None => brush::smooth_heights(bed, touched, *lattice, reach, strength),
            })
        }
        Edit::Pour(amount) => add_water(state, lattice, touched, amount, 1.0),
        Edit::Remove(amount) => add_water(state, lattice, touched, amount, -1.0),
        Edit::Push { velocity } => push_water(state, lattice, touched, velocity),
        Edit::Close | Edit::Open => {
            for t in touched {
                state.closed.set(t.x, t.y, edit == Edit::Close);
            }
            WaterDelta::Unchanged
        }
    }
}

fn edit_subgrid_parts(
    state: &mut State,
    touched: &[BrushCell],
    how: SubgridPartsEdit,
    change: &dyn Fn(&mut Field<f32>),
) {
    let State { bed, subgrid, .. } = state;
    let Some(subgrid) = subgrid else { return change(bed) };
    if let SubgridPartsEdit::Limit(limit, level) = how {
        let alike: Vec<BrushCell> =
            touched.iter().filter(|t| subgrid.at((t.x, t.y)).is_none()).copied().collect();
        apply(bed, &alike, |_, z| limit(z, level));
        subgrid.edit_heights(bed, touched, |z| limit(z, level));
    } else {
        change(bed);
    }
    if let SubgridPartsEdit::Converge(strength) = how {
        subgrid.reduce_banks(touched, strength);
    }
    subgrid.remove_flat_banks(bed, touched);
}

fn add_water(
    state: &State,
    lattice: &Lattice,
    touched: &[BrushCell],
    amount: Amount,
    sign: f32,
) -> WaterDelta {
    let is_open = |t: &&BrushCell| !state.closed.contains(t.x, t.y);
    let open: Vec<BrushCell> = touched.iter().filter(is_open).copied().collect();
    let depth = sign * amount.depth_at_full_weight(&open, lattice);
    WaterDelta::AddDepth(open.iter().map(|t| ((t.x, t.y), depth * t.weight)).collect())
}

fn push_water(
    state: &State,
    lattice: &Lattice,
    touched: &[BrushCell],
    velocity: [f64; 2],
) -> WaterDelta {
    let pushes = touched.iter().filter(|t| !state.closed.contains(t.x, t.y)).map(|t| CellPush {
        cell: (t.x, t.y),
        change: velocity.map(|part| part * f64::from(t.weight)),
    });
    if state.momentum.is_some() {
        return WaterDelta::PushCells(pushes.map(|push| (push.cell, push.change)).collect());
    }
    WaterDelta::PushFaces(pushes.flat_map(|push| face_pushes(state, lattice, push)).collect())
}

impl WaterDelta {
    /// Applies the change to the water in `state`. Returns the added and the removed water as
    /// depths (m), each summed over all cells.
    pub(in crate::flow) fn apply(&self, state: &mut State) -> [f64; 2] {
        let rows = 0..state.depth.ny();
        self.apply_to_rows([0.0; 2], state, rows)
    }

    pub(crate) fn apply_to_rows(
        &self,
        mut moved: [f64; 2],
        state: &mut State,
        rows: Range<usize>,
    ) -> [f64; 2] {
        let mut set = |state: &mut State, cell: (usize, usize), after| {
            let gained = state.set_depth(cell, after);
            if rows.contains(&cell.1) {
                moved[usize::from(gained < 0.0)] += gained.abs();
            }
        };
        match self {
            Self::Unchanged => {}
            Self::AddDepth(cells) => {
                for &(cell, gain) in cells {
                    let after = (state.depth[cell] + gain).max(0.0);
                    set(state, cell, after);
                }
            }
            Self::KeepSurface(cells) => {
                for &BedChange { cell, bed: [from, to], parts: [old, new] } in cells {
                    let before = state.depth[cell];
                    if before > 0.0 {
                        let above = match old {
                            None => from + before - to,
                            Some(of) => (from + of.low) + of.depth_over_low(before) - to,
                        };
                        let after = match new {
                            None => above.max(0.0),
                            Some(of) => of.mean_depth((above - of.low).max(0.0)),
                        };
                        set(state, cell, after);
                    }
                }
            }
            Self::PushCells(cells) => {
                cells
                    .iter()
                    .for_each(|&(cell, change)| push_cell(state, CellPush { cell, change }));
            }
            Self::PushFaces(faces) => faces.iter().for_each(|face| push_face(state, face)),
        }
        moved
    }
}
