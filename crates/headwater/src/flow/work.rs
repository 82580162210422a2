//! What an edit comes to: the ground changes at once, and [`Work`] describes what becomes of the
//! water, wherever that is.

use super::edit::{Amount, Change, Edit, Keep};
use super::push::{FacePush, Push, faces_of, push_cell, push_face};
use super::state::State;
use super::subgrid::Ground;
use super::world::Flow;
use crate::brush::{self, Brush, BrushCell, apply};
use crate::error::InputError;
use crate::field::Field;
use crate::lattice::Lattice;
use std::ops::Range;

/// What an edit comes to.
#[derive(Clone, Debug, PartialEq)]
pub struct Work {
    /// Rows in which the ground may have changed, or which cells are closed.
    pub ground: Range<usize>,
    /// What becomes of the water.
    pub water: WaterWork,
}

/// What an edit does to water. No cell is named twice.
#[derive(Clone, Debug, PartialEq)]
pub enum WaterWork {
    /// Nothing.
    Stay,
    /// Cells (column, row) gain a depth (m), or lose it as far as there is any.
    Gain(Vec<((usize, usize), f32)>),
    /// The ground of cells moved: where there is water its surface stays, or it is gone.
    KeepSurface(Vec<Moved>),
    /// Momentum of cells gains depth × a velocity (m/s, `[east, south]`).
    PushCells(Vec<((usize, usize), [f64; 2])>),
    /// Discharges over faces change, in this order; a face may have two parts, from its two cells.
    PushFaces(Vec<FacePush>),
}

/// Ground that moved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moved {
    /// The cell: column, row.
    pub cell: (usize, usize),
    /// Its bed before and after (m).
    pub bed: [f32; 2],
    /// Its parts before and after, where there were two.
    parts: [Option<Ground>; 2],
}

enum Reshape {
    /// All of a cell alike.
    Alike,
    /// No lower, or no higher, than a level (m).
    To(fn(f64, f64) -> f64, f64),
    /// Towards one height, by that part of the way.
    Together(f64),
}

impl Flow {
    /// Edits the ground and returns the changes of the water, for worlds whose water is on a
    /// device; see [`DeviceView`](super::DeviceView).
    ///
    /// # Errors
    /// [`InputError`] if the brush's region or a number of `edit` makes no sense; then nothing is done.
    pub fn edit_ground(
        &mut self,
        brush: &Brush,
        edit: Edit,
        keep: Keep,
    ) -> Result<Work, InputError> {
        edit.validate()?;
        let touched = brush.cells(self.lattice)?;
        self.touch(touched.iter().map(|t| (t.x, t.y)));
        let water = edit_touched(&mut self.state, &self.lattice, &touched, edit, keep, None);
        let ground = match (edit.moves_ground(), touched.first(), touched.last()) {
            // From the top row down, as a brush touches them.
            (true, Some(first), Some(last)) => first.y..last.y + 1,
            _ => 0..0,
        };
        Ok(Work { ground, water })
    }
}

impl Edit {
    pub(super) fn moves_ground(self) -> bool {
        !matches!(self, Edit::Pour(_) | Edit::Remove(_) | Edit::Push { .. })
    }
}

/// The beds (m) that touched cells get from a smoothing.
pub(super) type Smoothed<'a> = &'a dyn Fn(&BrushCell) -> f32;

/// Does to the ground of touched cells what `edit` says. A smoothing takes its new beds from `smoothed` if they are known.
pub(crate) fn edit_touched(
    state: &mut State,
    lattice: &Lattice,
    touched: &[BrushCell],
    edit: Edit,
    keep: Keep,
    smoothed: Option<Smoothed<'_>>,
) -> WaterWork {
    let reshape = |state: &mut State, how: Reshape, change: &dyn Fn(&mut Field<f32>)| {
        let look = |state: &State| {
            let ground =
                |cell| (state.bed[cell], state.subgrid.as_ref().and_then(|of| of.at(cell)));
            touched.iter().map(|t| ground((t.x, t.y))).collect::<Vec<_>>()
        };
        let before = match keep {
            Keep::Depth => Vec::new(),
            Keep::Surface => look(state),
        };
        reshape_parts(state, touched, how, change);
        match keep {
            Keep::Depth => WaterWork::Stay,
            Keep::Surface => {
                let both = before.into_iter().zip(look(state)).zip(touched);
                let moved = both.map(|(((from, old), (to, new)), t)| Moved {
                    cell: (t.x, t.y),
                    bed: [from, to],
                    parts: [old, new],
                });
                WaterWork::KeepSurface(moved.collect())
            }
        }
    };
    match edit {
        Edit::Raise(Change::By(height)) => {
            reshape(state, Reshape::Alike, &|bed| apply(bed, touched, |_, z| z + height))
        }
        Edit::Raise(Change::To(level)) => reshape(state, Reshape::To(f64::max, level), &|bed| {
            apply(bed, touched, |_, z| z.max(level));
        }),
        Edit::Lower(Change::By(height)) => {
            reshape(state, Reshape::Alike, &|bed| apply(bed, touched, |_, z| z - height))
        }
        Edit::Lower(Change::To(level)) => reshape(state, Reshape::To(f64::min, level), &|bed| {
            apply(bed, touched, |_, z| z.min(level));
        }),
        Edit::Flatten { level, strength } => {
            let mean = || brush::weighted_mean(&state.bed, touched);
            let level = level.or_else(mean).unwrap_or(0.0);
            reshape(state, Reshape::Together(strength), &|bed| {
                apply(bed, touched, |_, z| z + (level - z) * strength);
            })
        }
        Edit::Smooth { reach, strength } => {
            reshape(state, Reshape::Together(strength), &|bed| match smoothed {
                Some(of) => touched.iter().for_each(|t| bed[(t.x, t.y)] = of(t)),
                None => brush::smooth(bed, touched, *lattice, reach, strength),
            })
        }
        Edit::Pour(amount) => gain(state, lattice, touched, amount, 1.0),
        Edit::Remove(amount) => gain(state, lattice, touched, amount, -1.0),
        Edit::Push { velocity } => push_all(state, lattice, touched, velocity),
        Edit::Close | Edit::Open => {
            for t in touched {
                state.closed.set(t.x, t.y, edit == Edit::Close);
            }
            WaterWork::Stay
        }
    }
}

fn reshape_parts(
    state: &mut State,
    touched: &[BrushCell],
    how: Reshape,
    change: &dyn Fn(&mut Field<f32>),
) {
    let State { bed, subgrid, .. } = state;
    let Some(subgrid) = subgrid else { return change(bed) };
    if let Reshape::To(limit, level) = how {
        let alike: Vec<BrushCell> =
            touched.iter().filter(|t| subgrid.at((t.x, t.y)).is_none()).copied().collect();
        apply(bed, &alike, |_, z| limit(z, level));
        subgrid.draw(bed, touched, |z| limit(z, level));
    } else {
        change(bed);
    }
    if let Reshape::Together(strength) = how {
        subgrid.even_out(touched, strength);
    }
    subgrid.forget_banks(bed, touched);
}

fn gain(
    state: &State,
    lattice: &Lattice,
    touched: &[BrushCell],
    amount: Amount,
    sign: f32,
) -> WaterWork {
    let is_open = |t: &&BrushCell| !state.closed.contains(t.x, t.y);
    let open: Vec<BrushCell> = touched.iter().filter(is_open).copied().collect();
    let depth = sign * amount.depth(&open, lattice);
    WaterWork::Gain(open.iter().map(|t| ((t.x, t.y), depth * t.weight)).collect())
}

fn push_all(
    state: &State,
    lattice: &Lattice,
    touched: &[BrushCell],
    velocity: [f64; 2],
) -> WaterWork {
    let pushes = touched.iter().filter(|t| !state.closed.contains(t.x, t.y)).map(|t| Push {
        cell: (t.x, t.y),
        change: velocity.map(|part| part * f64::from(t.weight)),
    });
    if state.momentum.is_some() {
        return WaterWork::PushCells(pushes.map(|push| (push.cell, push.change)).collect());
    }
    WaterWork::PushFaces(pushes.flat_map(|push| faces_of(state, lattice, push)).collect())
}

impl WaterWork {
    /// Does it to the water of a state; returns the depths (m, summed over cells) that were given and taken.
    pub(super) fn apply(&self, state: &mut State) -> [f64; 2] {
        let rows = 0..state.depth.ny();
        self.apply_from([0.0; 2], state, rows)
    }

    pub(crate) fn apply_from(
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
            Self::Stay => {}
            Self::Gain(cells) => {
                for &(cell, gain) in cells {
                    let after = (state.depth[cell] + gain).max(0.0);
                    set(state, cell, after);
                }
            }
            Self::KeepSurface(cells) => {
                for &Moved { cell, bed: [from, to], parts: [old, new] } in cells {
                    let before = state.depth[cell];
                    if before > 0.0 {
                        let above = match old {
                            None => from + before - to,
                            Some(of) => (from + of.low) + of.depth(before) - to,
                        };
                        let after = match new {
                            None => above.max(0.0),
                            Some(of) => of.held((above - of.low).max(0.0)),
                        };
                        set(state, cell, after);
                    }
                }
            }
            Self::PushCells(cells) => {
                cells.iter().for_each(|&(cell, change)| push_cell(state, Push { cell, change }));
            }
            Self::PushFaces(faces) => faces.iter().for_each(|face| push_face(state, face)),
        }
        moved
    }
}
