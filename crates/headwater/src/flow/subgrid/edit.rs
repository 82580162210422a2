//! Brush edits of cells that a subgrid splits into a low and a high part. The elevations of both
//! parts change. If the parts of a cell become almost equally high, the cell is made uniform.

use super::{MIN_BANK_HEIGHT, Subgrid, SubgridCell, find_split_cells};
use crate::brush::BrushCell;
use crate::field::Field;

impl Subgrid {
    /// Moves the elevations of the low and the high part of each split cell under a brush toward
    /// `goal(elevation)` (m). The move is proportional to the brush weight of the cell. Updates the
    /// mean bed elevations in `bed` (m).
    pub(in crate::flow) fn edit_heights(
        &mut self,
        bed: &mut Field<f32>,
        touched: &[BrushCell],
        goal: impl Fn(f64) -> f64,
    ) {
        for t in touched {
            let cell = (t.x, t.y);
            let Some(SubgridCell { low_fraction, low, rise }) = self.at(cell) else { continue };
            let moved = |z: f32| {
                let z = f64::from(z);
                (z + (goal(z) - z) * f64::from(t.weight)) as f32
            };
            let lower = bed[cell] + low;
            let [after, crest] = [lower, lower + rise].map(moved);
            let rise_after = (crest - after).max(0.0);
            // The mean height follows from the heights of both parts.
            let lifted = low_fraction * (after - lower)
                + (1.0 - low_fraction) * (after + rise_after - lower - rise);
            bed[cell] = (bed[cell] + lifted).max(after);
            (self.low[cell], self.rise[cell]) = (after - bed[cell], rise_after);
        }
    }

    /// Reduces the height difference between the low and the high part of each cell under a brush.
    /// The fraction `strength` of the difference is removed at full brush weight.
    pub(in crate::flow) fn reduce_banks(&mut self, touched: &[BrushCell], strength: f64) {
        for t in touched {
            let left = 1.0 - (strength * f64::from(t.weight)) as f32;
            self.low[(t.x, t.y)] *= left;
            self.rise[(t.x, t.y)] *= left;
        }
    }

    /// Makes a split cell under a brush uniform if the elevations of its low and high part differ
    /// by less than [`MIN_BANK_HEIGHT`]. Updates the mean bed elevations in `bed` (m).
    pub(in crate::flow) fn remove_flat_banks(
        &mut self,
        bed: &mut Field<f32>,
        touched: &[BrushCell],
    ) {
        let (nx, ny) = (self.low_fraction.nx(), self.low_fraction.ny());
        let mut merged = Vec::new();
        for cell in touched.iter().map(|t| (t.x, t.y)) {
            if let Some(of) = self.at(cell).filter(|of| of.rise < MIN_BANK_HEIGHT) {
                bed[cell] += of.low + (1.0 - of.low_fraction) * of.rise;
                (self.low_fraction[cell], self.low[cell], self.rise[cell]) = (1.0, 0.0, 0.0);
                merged.push(cell);
            }
        }
        // Banks that remain in neighbouring cells keep the shared faces closed.
        for &(x, y) in &merged {
            let whole =
                |x: usize, y: usize| self.low_fraction[(x.min(nx - 1), y.min(ny - 1))] >= 1.0;
            let beside =
                [whole(x.max(1) - 1, y), whole(x + 1, y), whole(x, y.max(1) - 1), whole(x, y + 1)];
            let [west, east, north, south] = beside;
            for (open, face) in [(west, (x, y)), (east, (x + 1, y))] {
                if open {
                    self.open_x[face] = 1.0;
                }
            }
            for (open, face) in [(north, (x, y)), (south, (x, y + 1))] {
                if open {
                    self.open_y[face] = 1.0;
                }
            }
        }
        if merged.is_empty() {
            return;
        }
        self.cells = find_split_cells(&self.low_fraction);
        // The direction of a bank depends on the neighbouring cells too.
        for (x, y) in merged {
            for v in y.saturating_sub(1)..(y + 2).min(ny) {
                for u in x.saturating_sub(1)..(x + 2).min(nx) {
                    self.facing[(u, v)] = self.bank_direction((u, v));
                }
            }
        }
    }
}
