//! Disturbances: what moves water from place to place in an instant, and makes none.

use super::params::{EdgeKind, either_way};
use super::world::Waves;
use crate::brush::{Brush, BrushCell};
use crate::error::InputError;
use crate::field::Field;
use crate::lattice::Edge;
use crate::region::{Falloff, Point, Region};
use crate::scratch::{PooledVec, ScratchPool};
use serde::{Deserialize, Serialize};
use std::ops;

/// What a brush does.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Edit {
    /// Moves water towards where the brush is stronger, or away from there if `height` is below 0.
    /// A hump stands in a hollow, a crater has a rim.
    Disturb {
        /// By how much the cell that changes most is raised (m), or lowered if below 0; at most
        /// [`Params::highest`](super::Params::highest) either way.
        height: f64,
    },
    /// Makes the cells land. Waves come back from it; the water in it waits.
    Land,
    /// Makes the cells water again.
    Water,
}

impl Waves {
    /// Works on the world with a brush.
    ///
    /// # Errors
    /// [`InputError`] if the brush's region or a number of `edit` makes no sense.
    pub fn edit(&mut self, brush: &Brush, edit: Edit) -> Result<(), InputError> {
        match edit {
            Edit::Disturb { height } => self.disturb_now(brush, height),
            Edit::Land | Edit::Water => {
                let touched = brush.cells(self.lattice)?;
                let (nx, ny) = (self.lattice.nx(), self.lattice.ny());
                let land = self.land.get_or_insert_with(|| Field::new(nx, ny, false));
                for t in &touched {
                    land[(t.x, t.y)] = edit == Edit::Land;
                }
                self.update_medium_at(touched.iter().map(|t| (t.x, t.y)));
                // Joined edges have their faces on both sides of the grid.
                let periodic = |edge| self.params.edges.kind(edge) == EdgeKind::Periodic;
                if Edge::ALL.into_iter().any(periodic) {
                    self.tiles.wake_all();
                } else if let Some((columns, rows)) = self.span(&touched) {
                    self.tiles.wake(columns, rows);
                }
                Ok(())
            }
        }
    }

    /// A drop falls at `center` (m): a crater of the given `depth` (m) with a rim, `radius` (m) to
    /// where it meets the surface again. A depth below 0 makes a hump.
    ///
    /// # Errors
    /// [`InputError`] if the numbers make no sense. A drop off the grid does nothing.
    pub fn drop(&mut self, center: Point, radius: f64, depth: f64) -> Result<(), InputError> {
        self.disturb_now(&Brush::soft(center, radius), -depth)
    }

    /// A finger or an oar drawn along `points`: a furrow of the given `width` and `depth` (m).
    ///
    /// # Errors
    /// [`InputError`] if the numbers make no sense.
    pub fn stroke(
        &mut self,
        points: impl Into<Vec<Point>>,
        width: f64,
        depth: f64,
    ) -> Result<(), InputError> {
        let region = Region::line(points, width);
        self.disturb_now(&Brush { region, falloff: Falloff::Smooth }, -depth)
    }

    fn disturb_now(&mut self, brush: &Brush, height: f64) -> Result<(), InputError> {
        let scratch = std::mem::take(&mut self.scratch);
        let done = self.disturb(brush, height, &scratch);
        self.scratch = scratch;
        done
    }

    pub(super) fn disturb(
        &mut self,
        brush: &Brush,
        height: f64,
        scratch: &ScratchPool,
    ) -> Result<(), InputError> {
        let Some(disturbance) = self.disturbance(brush, height, scratch)? else { return Ok(()) };
        for (at, rise) in disturbance.rises(self.state.quantum) {
            self.state.height[at] += rise;
        }
        self.tiles.wake(disturbance.columns, disturbance.rows);
        Ok(())
    }

    /// What [`Edit::Disturb`] moves, if anything. It does not depend on the surface as it is.
    pub(super) fn disturbance<'s>(
        &self,
        brush: &Brush,
        height: f64,
        scratch: &'s ScratchPool,
    ) -> Result<Option<Disturbance<'s>>, InputError> {
        either_way(self.params.highest).check("height of a disturbance", height, "m")?;
        let mut touched = scratch.vec();
        brush.append_cells(&self.lattice.into(), &mut touched)?;
        let Some((columns, rows)) = self.span(&touched) else { return Ok(None) };
        let (nx, cells) = (columns.len(), columns.len() * rows.len());
        let mut weights = scratch.filled(cells, 0.0_f32);
        for t in &*touched {
            // The rim of (1 − r²)² would make a crater with a step, whose short waves no grid
            // carries well; (1 − r²)³ has none.
            weights[(t.y - rows.start) * nx + t.x - columns.start] = t.weight * t.weight.sqrt();
        }
        let mut rises = scratch.vec();
        self.find_rises(&weights, [&columns, &rows], &mut rises);
        let mut gained = scratch.filled(cells, 0.0_f64);
        for rise in &*rises {
            gained[rise.to] += rise.by;
            gained[rise.from] -= rise.by;
        }
        let most = gained.iter().fold(0.0_f64, |most, &gain| most.max(gain.abs()));
        if most == 0.0 {
            return Ok(None);
        }
        // More may pass through a cell than a height can be, so it is counted in f64, in whole
        // quanta.
        let quantum = f64::from(self.state.quantum);
        gained.fill(0.0);
        for rise in &*rises {
            let moved = f64::from((rise.by * (height / most)) as f32) / quantum;
            let moved = moved.round_ties_even();
            gained[rise.to] += moved;
            gained[rise.from] -= moved;
        }
        Ok(Some(Disturbance { columns, rows, gained }))
    }

    /// The columns and rows of cells and of those beside them.
    fn span(&self, cells: &[BrushCell]) -> Option<(ops::Range<usize>, ops::Range<usize>)> {
        let span = |at: fn(&BrushCell) -> usize, n: usize| {
            let first = cells.iter().map(at).min()?;
            let last = cells.iter().map(at).max()?;
            Some(first.saturating_sub(1)..(last + 2).min(n))
        };
        Some((span(|t| t.x, self.lattice.nx())?, span(|t| t.y, self.lattice.ny())?))
    }

    /// Finds what the faces between cells in `columns` and `rows` would move: the difference of their `weights`, over
    /// open faces.
    fn find_rises(
        &self,
        weights: &[f32],
        [columns, rows]: [&ops::Range<usize>; 2],
        rises: &mut Vec<Rise>,
    ) {
        let (nx, ny, width) = (self.lattice.nx(), self.lattice.ny(), columns.len());
        let mut meet = |from: usize, to: usize, gain: f32| {
            let by = f64::from(weights[to]) - f64::from(weights[from]);
            if gain > 0.0 && by != 0.0 {
                rises.push(Rise { from, to, by });
            }
        };
        for (i, y) in rows.clone().enumerate() {
            for (x, to) in columns.clone().zip(i * width..) {
                if x > columns.start {
                    meet(to - 1, to, self.medium.gain_x(&self.rule, x, y, nx));
                }
                if i > 0 {
                    meet(to - width, to, self.medium.gain_y(&self.rule, x, y, ny));
                }
            }
        }
    }
}

struct Rise {
    from: usize,
    to: usize,
    by: f64,
}

pub(super) struct Disturbance<'s> {
    columns: ops::Range<usize>,
    rows: ops::Range<usize>,
    /// What each cell there gains (quanta).
    gained: PooledVec<'s, f64>,
}

impl Disturbance<'_> {
    /// The cells, and by how much each rises (m).
    pub(super) fn rises(&self, quantum: f32) -> impl Iterator<Item = ((usize, usize), f32)> {
        let corner = (self.columns.start, self.rows.start);
        let rows = self.gained.chunks_exact(self.columns.len()).enumerate();
        rows.flat_map(move |(y, row)| {
            row.iter().enumerate().map(move |(x, &gain)| {
                ((corner.0 + x, corner.1 + y), (gain * f64::from(quantum)) as f32)
            })
        })
    }
}
