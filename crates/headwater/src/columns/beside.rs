//! The level that a body lies in: that of the water beside it, where no body's head acts.

use super::body::Shape;
use super::float::{Span, Water};

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Beside {
    middle: f64,
    /// In the west and in the east, if there is water that is joined to that under the body.
    pub(super) sides: [Option<Side>; 2],
    /// Whether water from under it may run off to a side that is dry.
    runs_off: bool,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Side {
    pub(super) column: usize,
    x: usize,
    pub(super) height: f64,
}

impl Beside {
    pub(super) fn is_dry(&self) -> bool {
        self.sides.iter().all(Option::is_none)
    }

    /// The level at `x` columns from the west, between the sides; `None` if both are dry.
    pub(super) fn at(&self, x: f64) -> Option<f64> {
        match self.sides {
            [Some(west), Some(east)] => {
                let part = (x - west.x as f64) / (east.x - west.x) as f64;
                Some(west.height + (east.height - west.height) * part)
            }
            [side, None] | [None, side] => side.map(|side| side.height),
        }
    }

    /// The level in the middle of the body, which it rides on and in which it lies.
    pub(super) fn height(&self) -> Option<f64> {
        self.at(self.middle)
    }

    /// How much the level rises to the east, for columns of this width (m).
    pub(super) fn slope(&self, width: f64) -> f64 {
        match self.sides {
            [Some(west), Some(east)] => {
                (east.height - west.height) / ((east.x - west.x) as f64 * width)
            }
            _ => 0.0,
        }
    }

    pub(super) fn columns(&self) -> [Option<usize>; 2] {
        self.sides.map(|side| side.map(|side| side.column))
    }
}

impl Water<'_> {
    /// Looks on both sides of a body for the water that is that under it, past columns on which bodies weigh.
    pub(super) fn beside(&self, shape: &Shape) -> Beside {
        let Span { first, last, columns } = Span::of(self.layout, shape);
        let middle = 0.5 * (first as f64 + last as f64 - 1.0);
        let mut beside = Beside { middle, ..Beside::default() };
        if last == first {
            return beside;
        }
        let (center, half) = shape.frame();
        let top = self.layout.height() - center[1] + half[1];
        let east = (last..columns).map(|x| (x - 1, x));
        let west = (0..first).rev().map(|x| (x + 1, x));
        beside.sides = [
            self.side(west, top, &mut beside.runs_off),
            self.side(east, top, &mut beside.runs_off),
        ];
        beside
    }

    fn side(
        &self,
        way: impl Iterator<Item = (usize, usize)>,
        top: f64,
        runs_off: &mut bool,
    ) -> Option<Side> {
        let layout = self.layout;
        for (from, x) in way {
            let (own, column) = (self.column(from, top)?, self.column(x, top)?);
            let sill = layout.floor[column].max(layout.floor[own]);
            if sill >= layout.ceiling[column].min(layout.ceiling[own]) {
                return None;
            }
            let depth = self.state.depth[column];
            if layout.floor[column] + depth >= layout.ceiling[column] {
                return None;
            }
            let height = self.surface(column).filter(|&height| height > layout.metres(sill));
            let Some(height) = height else {
                *runs_off = true;
                return None;
            };
            if !self.heads.loaded[column] {
                return Some(Side { column, x, height });
            }
        }
        None
    }

    /// The level by which a body lies in a column under it: between walls, with the head on it.
    pub(super) fn level(&self, beside: &Beside, column: usize) -> f64 {
        beside.height().unwrap_or_else(|| {
            let head = if beside.runs_off { 0 } else { self.heads.excess[column] };
            self.layout.metres(self.layout.floor[column] + self.state.depth[column] + head)
        })
    }
}
