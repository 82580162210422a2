//! Reference water level of a floating body. The level is measured next to the body, where no body
//! acts on the surface.

use super::body::Shape;
use super::float::{ColumnSpan, WaterView};

#[derive(Clone, Copy, Debug, Default)]
pub(in crate::columns) struct SideLevels {
    middle: f64,
    /// Water on the west side and on the east side of the body. `None` if the water on that side is
    /// not connected to the water under the body.
    pub(in crate::columns) sides: [Option<SideLevel>; 2],
    /// Whether water under the body may flow off to a dry side.
    may_run_off: bool,
}

#[derive(Clone, Copy, Debug)]
pub(in crate::columns) struct SideLevel {
    pub(in crate::columns) column: usize,
    x: usize,
    pub(in crate::columns) height: f64,
}

impl SideLevels {
    pub(in crate::columns) fn is_dry(&self) -> bool {
        self.sides.iter().all(Option::is_none)
    }

    /// Returns the water level (m above the bottom of the grid) at the position `x` (in columns
    /// from the west), interpolated between the two sides. Returns `None` if both sides are dry.
    pub(in crate::columns) fn level_at(&self, x: f64) -> Option<f64> {
        match self.sides {
            [Some(west), Some(east)] => {
                let part = (x - west.x as f64) / (east.x - west.x) as f64;
                Some(west.height + (east.height - west.height) * part)
            }
            [side, None] | [None, side] => side.map(|side| side.height),
        }
    }

    /// Returns the water level (m above the bottom of the grid) at the middle of the body. This
    /// level determines the draft. Returns `None` if both sides are dry.
    pub(in crate::columns) fn level_at_middle(&self) -> Option<f64> {
        self.level_at(self.middle)
    }

    /// Returns the slope of the water level (rise over run, positive if the level rises to the
    /// east). `width` is the width of a column (m).
    pub(in crate::columns) fn slope(&self, width: f64) -> f64 {
        match self.sides {
            [Some(west), Some(east)] => {
                (east.height - west.height) / ((east.x - west.x) as f64 * width)
            }
            _ => 0.0,
        }
    }

    pub(in crate::columns) fn columns(&self) -> [Option<usize>; 2] {
        self.sides.map(|side| side.map(|side| side.column))
    }
}

impl WaterView<'_> {
    /// Finds the water levels on both sides of a body, where the water is connected to the water
    /// under the body. Columns under other bodies are skipped.
    pub(in crate::columns) fn side_levels(&self, shape: &Shape) -> SideLevels {
        let ColumnSpan { first, last, columns } = ColumnSpan::from_shape(self.layout, shape);
        let middle = 0.5 * (first as f64 + last as f64 - 1.0);
        let mut levels = SideLevels { middle, ..SideLevels::default() };
        if last == first {
            return levels;
        }
        let (center, half) = shape.center_and_half();
        let top = self.layout.height() - center[1] + half[1];
        let east = (last..columns).map(|x| (x - 1, x));
        let west = (0..first).rev().map(|x| (x + 1, x));
        levels.sides = [
            self.side_level(west, top, &mut levels.may_run_off),
            self.side_level(east, top, &mut levels.may_run_off),
        ];
        levels
    }

    fn side_level(
        &self,
        columns_outward: impl Iterator<Item = (usize, usize)>,
        top: f64,
        reaches_grid_edge: &mut bool,
    ) -> Option<SideLevel> {
        let layout = self.layout;
        for (from, x) in columns_outward {
            let (own, column) = (self.column_at_height(from, top)?, self.column_at_height(x, top)?);
            let sill = layout.floor[column].max(layout.floor[own]);
            if sill >= layout.ceiling[column].min(layout.ceiling[own]) {
                return None;
            }
            let depth = self.state.depth[column];
            if layout.floor[column] + depth >= layout.ceiling[column] {
                return None;
            }
            let height =
                self.surface_height(column).filter(|&height| height > layout.to_metres(sill));
            let Some(height) = height else {
                *reaches_grid_edge = true;
                return None;
            };
            if !self.heads.is_under_body[column] {
                return Some(SideLevel { column, x, height });
            }
        }
        None
    }

    /// Returns the water level around a body (m above the bottom of the grid): the level
    /// interpolated from the water on both sides to the middle of the body. If both sides are dry,
    /// returns the level of the water in `column`, a column under the body. That level includes the
    /// pressure head if walls enclose the water.
    pub(in crate::columns) fn level_around_body(&self, levels: &SideLevels, column: usize) -> f64 {
        levels.level_at_middle().unwrap_or_else(|| {
            let head = if levels.may_run_off { 0 } else { self.heads.excess[column] };
            self.layout.to_metres(self.layout.floor[column] + self.state.depth[column] + head)
        })
    }
}
