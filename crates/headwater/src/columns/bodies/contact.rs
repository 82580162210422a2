//! Contact of floating bodies with walls, floors, ceilings and ice.

use super::body::{Body, Shape};
use super::float::{ColumnSpan, WaterView};
use crate::columns::layout::NO_CEILING;

/// Decay rate (1/s) of a body's horizontal speed due to friction on the ground.
const GROUND_FRICTION: f64 = 5.0;

impl WaterView<'_> {
    /// Moves a body by its velocity for one time step, or until it meets a wall, floor, ceiling or
    /// ice. Returns whether the body touches the ground.
    pub(in crate::columns) fn move_until_contact(&self, body: &mut Body) -> bool {
        let dt = self.params.step;
        if self.is_enclosed(&body.shape) {
            body.velocity = [0.0; 2];
            return true;
        }
        let [east, down] = body.velocity;
        let mut shifted = body.shape;
        shifted.translate([east * dt, 0.0]);
        // A body that already overlaps a wall may move on, but only until the wall would enclose
        // its centre.
        if self.is_unobstructed(&shifted)
            || !self.is_unobstructed(&body.shape) && !self.is_enclosed(&shifted)
        {
            body.shape = shifted;
        } else {
            body.velocity[0] = 0.0;
        }
        let mut below = body.shape;
        below.translate([0.0, down * dt]);
        let lift = self.ground_overlap(&below);
        if down >= 0.0 && lift > 0.0 {
            below.translate([0.0, -lift.min(down * dt + self.layout.width)]);
            body.velocity[1] = 0.0;
            body.velocity[0] /= 1.0 + GROUND_FRICTION * dt;
            body.shape = below;
            return true;
        } else if down >= 0.0 || self.is_unobstructed(&below) || !self.is_unobstructed(&body.shape)
        {
            body.shape = below;
        } else {
            body.velocity[1] = 0.0;
        }
        false
    }

    /// Returns the height of the ground in a column (m above the bottom of the grid), including ice
    /// that can support a body.
    fn ground_height(&self, column: usize) -> f64 {
        if self.heads.ice[column] == 0 {
            return self.layout.to_metres(self.heads.bed_height(self.layout, column));
        }
        let out = self
            .warmth
            .map_or(0.0, |warmth| warmth.freeboard(self.layout, self.state.depth[column], column));
        self.layout.to_metres(self.layout.floor[column] + self.state.depth[column]) + out
    }

    /// Returns the depth (m) by which a body overlaps the ground below it. Walls that rise above
    /// the body are ignored, because they are next to the body and do not support it.
    fn ground_overlap(&self, shape: &Shape) -> f64 {
        self.max_over_columns(shape, |ground, _, low, _| match ground {
            f64::INFINITY => 0.0,
            ground => (ground - low).max(0.0),
        })
    }

    /// Returns whether the centre of a body lies off the grid, or in a wall that rises above the
    /// body.
    fn is_enclosed(&self, shape: &Shape) -> bool {
        let ([x, y], half) = shape.center_and_half();
        let middle = self.layout.height() - y;
        match self.column_index_at(x) {
            Some(x) => {
                self.column_at_height(x, middle).is_none()
                    && self.floor_above(x, middle, half[1]).is_none()
            }
            None => true,
        }
    }

    /// Returns whether a point (m) is on the grid or above it, and not in a wall.
    pub(in crate::columns) fn is_outside_walls(&self, [x, y]: [f64; 2]) -> bool {
        let height = self.layout.height() - y;
        let column = self.column_index_at(x).and_then(|x| self.column_at_height(x, height));
        column.is_some_and(|c| match self.layout.ceiling[c] {
            NO_CEILING => true,
            ceiling => height <= self.layout.to_metres(ceiling),
        })
    }

    /// Returns the index of the water column at the horizontal position `x` (m). Returns `None` off
    /// the grid. The eastern border of the grid belongs to the last column.
    fn column_index_at(&self, x: f64) -> Option<usize> {
        let columns = self.layout.grid.nx() * self.layout.per_cell;
        let column = (x / self.layout.width).floor();
        let last = columns.checked_sub(1)?;
        (0.0..=columns as f64).contains(&column).then(|| (column as usize).min(last))
    }

    /// Returns the height of the lowest floor above `height` (both in m above the bottom of the
    /// grid), among the columns at the horizontal index `x`. Returns `None` if there is no floor
    /// within `reach` (m) above `height`.
    fn floor_above(&self, x: usize, height: f64, reach: f64) -> Option<f64> {
        let mut floors =
            self.layout.columns_at_x(x).map(|c| self.layout.to_metres(self.layout.floor[c]));
        floors.find(|&floor| floor > height).filter(|&floor| floor <= height + reach)
    }

    pub(in crate::columns) fn is_unobstructed(&self, shape: &Shape) -> bool {
        let (center, half) = shape.center_and_half();
        let width = self.layout.grid.nx() as f64 * self.layout.cell;
        let inside = center[0] - half[0] >= 0.0 && center[0] + half[0] <= width;
        // Tolerance for rounding of a position in contact with the ground.
        let slack = 1e-9 * self.layout.height();
        inside
            && self.max_over_columns(shape, |ground, ceiling, low, high| {
                f64::from(u8::from(ground > low + slack || ceiling < high - slack))
            }) == 0.0
    }

    /// Returns the largest value of the function `value` over all columns that a body covers. The
    /// arguments of `value` are the height of the ground, the height of the ceiling, and the
    /// heights of the lower and the upper end of the body in that column (m). In a column where the
    /// centre height of the body lies in a wall, the ground is the top of this wall, or infinite if
    /// the wall rises above the body.
    fn max_over_columns(&self, shape: &Shape, value: impl Fn(f64, f64, f64, f64) -> f64) -> f64 {
        let layout = self.layout;
        let (center, half) = shape.center_and_half();
        let ColumnSpan { first, last, .. } = ColumnSpan::from_shape(layout, shape);
        let middle = layout.height() - center[1];
        let mut max_overlap = 0.0_f64;
        for x in first..last {
            let from = (x as f64 * layout.width).max(center[0] - half[0]);
            let to = ((x + 1) as f64 * layout.width).min(center[0] + half[0]);
            if to <= from {
                continue;
            }
            // Use the largest height of the body in the column, because a round body stands on its
            // lowest point.
            let tall = shape.half_height_at(center[0].clamp(from, to) - center[0]);
            let Some(c) = self.column_at_height(x, middle) else {
                let ground = self.floor_above(x, middle, tall).unwrap_or(f64::INFINITY);
                max_overlap = max_overlap.max(value(ground, 0.0, middle - tall, middle + tall));
                continue;
            };
            let ceiling = match layout.ceiling[c] {
                NO_CEILING => f64::INFINITY,
                ceiling => layout.to_metres(ceiling),
            };
            max_overlap = max_overlap.max(value(
                self.ground_height(c),
                ceiling,
                middle - tall,
                middle + tall,
            ));
        }
        max_overlap
    }
}
