//! Edits of the surface and of the land mask. Disturbances displace water instantly and conserve
//! its volume.

use super::params::{EdgeKind, symmetric_height_range};
use super::world::Waves;
use crate::brush::{Brush, BrushCell};
use crate::error::InputError;
use crate::field::Field;
use crate::lattice::Edge;
use crate::region::{Falloff, Point, Region};
use crate::scratch::{PooledVec, ScratchPool};
use serde::{Deserialize, Serialize};
use std::ops;

/// An edit of the cells under a brush.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Edit {
    /// Moves water toward the centre of the brush, or away from it if `height` is negative. The
    /// result is a hump surrounded by a hollow, or a crater surrounded by a rim.
    Disturb {
        /// Height change of the cell that changes most (m). A negative value lowers the surface.
        /// The magnitude is limited by [`Params::highest`](super::Params::highest).
        height: f64,
    },
    /// Turns the cells into land, which reflects waves. The cells keep their water.
    Land,
    /// Turns land cells into water. The water has the height that it had before the cells became
    /// land.
    Water,
}

impl Waves {
    /// Applies an edit to the cells under a brush.
    ///
    /// # Errors
    /// Returns [`InputError`] if the region of the brush or a value in `edit` is invalid.
    pub fn edit(&mut self, brush: &Brush, edit: Edit) -> Result<(), InputError> {
        match edit {
            Edit::Disturb { height } => self.disturb_with_world_scratch(brush, height),
            Edit::Land | Edit::Water => {
                let touched = brush.cells(self.lattice)?;
                let (nx, ny) = (self.lattice.nx(), self.lattice.ny());
                let land = self.land.get_or_insert_with(|| Field::new(nx, ny, false));
                for t in &touched {
                    land[(t.x, t.y)] = edit == Edit::Land;
                }
                self.update_derived_at(touched.iter().map(|t| (t.x, t.y)));
                // Faces on periodic edges are stored on both sides of the grid.
                let periodic = |edge| self.params.edges.kind(edge) == EdgeKind::Periodic;
                if Edge::ALL.into_iter().any(periodic) {
                    self.tiles.wake_all();
                } else if let Some((columns, rows)) = self.enclosing_ranges(&touched) {
                    self.tiles.wake(columns, rows);
                }
                Ok(())
            }
        }
    }

    /// Lets a drop fall on the surface at `center` (m). The drop makes a crater with the depth
    /// `depth` (m), surrounded by a rim with the outer radius `radius` (m). With a negative depth,
    /// it makes a hump surrounded by a hollow.
    ///
    /// # Errors
    /// Returns [`InputError`] if an argument is invalid. A drop off the grid is valid and has no
    /// effect.
    pub fn add_drop(&mut self, center: Point, radius: f64, depth: f64) -> Result<(), InputError> {
        self.disturb_with_world_scratch(&Brush::smooth_disc(center, radius), -depth)
    }

    /// Draws a furrow in the water along the line through `points` (m), like that of a finger or an
    /// oar. `width` and `depth` are the width and the depth of the furrow (m).
    ///
    /// # Errors
    /// Returns [`InputError`] if an argument is invalid.
    pub fn draw_stroke(
        &mut self,
        points: impl Into<Vec<Point>>,
        width: f64,
        depth: f64,
    ) -> Result<(), InputError> {
        let region = Region::line(points, width);
        self.disturb_with_world_scratch(&Brush { region, falloff: Falloff::Smooth }, -depth)
    }

    fn disturb_with_world_scratch(&mut self, brush: &Brush, height: f64) -> Result<(), InputError> {
        let scratch = std::mem::take(&mut self.scratch);
        let done = self.disturb_surface(brush, height, &scratch);
        self.scratch = scratch;
        done
    }

    pub(super) fn disturb_surface(
        &mut self,
        brush: &Brush,
        height: f64,
        scratch: &ScratchPool,
    ) -> Result<(), InputError> {
        let Some(disturbance) = self.compute_disturbance(brush, height, scratch)? else {
            return Ok(());
        };
        for (at, rise) in disturbance.height_changes(self.state.quantum) {
            self.state.height[at] += rise;
        }
        self.tiles.wake(disturbance.columns, disturbance.rows);
        Ok(())
    }

    /// Returns the height changes that [`Edit::Disturb`] causes, or `None` if no cell changes. The
    /// changes do not depend on the current surface.
    ///
    /// # Errors
    /// Returns [`InputError`] if `height` or the region of the brush is invalid.
    pub(super) fn compute_disturbance<'s>(
        &self,
        brush: &Brush,
        height: f64,
        scratch: &'s ScratchPool,
    ) -> Result<Option<Disturbance<'s>>, InputError> {
        symmetric_height_range(self.params.highest).check(
            "height of a disturbance",
            height,
            "m",
        )?;
        let mut touched = scratch.take_vec();
        brush.append_cells(&self.lattice.into(), &mut touched)?;
        let Some((columns, rows)) = self.enclosing_ranges(&touched) else { return Ok(None) };
        let (nx, cells) = (columns.len(), columns.len() * rows.len());
        let mut weights = scratch.take_filled(cells, 0.0_f32);
        for t in &*touched {
            // A crater from (1 − r²)² would have a step at its rim, which makes short waves that
            // the grid does not resolve; (1 − r²)³ has no step.
            weights[(t.y - rows.start) * nx + t.x - columns.start] = t.weight * t.weight.sqrt();
        }
        let mut rises = scratch.take_vec();
        self.find_transports(&weights, [&columns, &rows], &mut rises);
        let mut gained = scratch.take_filled(cells, 0.0_f64);
        for rise in &*rises {
            gained[rise.to] += rise.by;
            gained[rise.from] -= rise.by;
        }
        let max = gained.iter().fold(0.0_f64, |max, &gain| max.max(gain.abs()));
        if max == 0.0 {
            return Ok(None);
        }
        // The water that passes through a cell can exceed the range of heights, so it is counted in
        // `f64`, in whole units of height.
        let quantum = f64::from(self.state.quantum);
        gained.fill(0.0);
        for rise in &*rises {
            let moved = f64::from((rise.by * (height / max)) as f32) / quantum;
            let moved = moved.round_ties_even();
            gained[rise.to] += moved;
            gained[rise.from] -= moved;
        }
        Ok(Some(Disturbance { columns, rows, gained }))
    }

    /// Returns the smallest ranges of columns and rows that contain all given cells and their
    /// neighbours. Returns `None` if there are no cells.
    fn enclosing_ranges(
        &self,
        cells: &[BrushCell],
    ) -> Option<(ops::Range<usize>, ops::Range<usize>)> {
        let span = |at: fn(&BrushCell) -> usize, n: usize| {
            let first = cells.iter().map(at).min()?;
            let last = cells.iter().map(at).max()?;
            Some(first.saturating_sub(1)..(last + 2).min(n))
        };
        Some((span(|t| t.x, self.lattice.nx())?, span(|t| t.y, self.lattice.ny())?))
    }

    /// Finds the transport through each open face between two cells in the given columns and rows,
    /// and appends those that are not 0 to `transports`. A transport, positive toward the east or
    /// the south, is the weight of the eastern or southern cell minus that of the western or
    /// northern cell. `weights` holds one value per cell of the ranges, row by row.
    fn find_transports(
        &self,
        weights: &[f32],
        [columns, rows]: [&ops::Range<usize>; 2],
        transports: &mut Vec<Transport>,
    ) {
        let (nx, ny, width) = (self.lattice.nx(), self.lattice.ny(), columns.len());
        let mut add = |from: usize, to: usize, gain: f32| {
            let by = f64::from(weights[to]) - f64::from(weights[from]);
            if gain > 0.0 && by != 0.0 {
                transports.push(Transport { from, to, by });
            }
        };
        for (i, y) in rows.clone().enumerate() {
            for (x, to) in columns.clone().zip(i * width..) {
                if x > columns.start {
                    add(to - 1, to, self.speed_map.gain_x(&self.rule, x, y, nx));
                }
                if i > 0 {
                    add(to - width, to, self.speed_map.gain_y(&self.rule, x, y, ny));
                }
            }
        }
    }
}

struct Transport {
    from: usize,
    to: usize,
    by: f64,
}

pub(super) struct Disturbance<'s> {
    columns: ops::Range<usize>,
    rows: ops::Range<usize>,
    /// Height that each cell in the range gains, in units of height.
    gained: PooledVec<'s, f64>,
}

impl Disturbance<'_> {
    /// Returns the column and row of each changed cell with its height change (m). `quantum` is the
    /// unit of height (m).
    pub(super) fn height_changes(
        &self,
        quantum: f32,
    ) -> impl Iterator<Item = ((usize, usize), f32)> {
        let corner = (self.columns.start, self.rows.start);
        let rows = self.gained.chunks_exact(self.columns.len()).enumerate();
        rows.flat_map(move |(y, row)| {
            row.iter().enumerate().map(move |(x, &gain)| {
                ((corner.0 + x, corner.1 + y), (gain * f64::from(quantum)) as f32)
            })
        })
    }
}
