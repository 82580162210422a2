//! Pressure heads that bodies, gusts and wave makers exert on the surface during a step.

use crate::lattice::Square;
use crate::region::Point;
use std::ops::Range;

#[derive(Clone, Debug, Default)]
pub(in crate::waves) struct PressureHeads {
    pub(in crate::waves) cells: Vec<(usize, f32)>,
}

impl PressureHeads {
    /// Adds a pressure head to each cell whose centre is near `center`: at most `reach[0]` away
    /// along x and `reach[1]` along y (m). `head` returns the pressure head at a position (m), and
    /// `quantize` rounds a head to a multiple of the unit of height. Returns the ranges of columns
    /// and rows that were visited.
    pub(in crate::waves) fn add_head(
        &mut self,
        lattice: &Square,
        center: Point,
        reach: [f64; 2],
        head: impl Fn(Point) -> f64,
        quantize: impl Fn(f32) -> f32,
    ) -> [Range<usize>; 2] {
        let span = |axis: usize, n: usize| {
            let cell = |at: f64| (at / lattice.dx()).clamp(0.0, n as f64);
            let first = cell(center[axis] - reach[axis]).floor() as usize;
            let last = cell(center[axis] + reach[axis]).ceil() as usize;
            first.saturating_sub(1)..(last + 1).min(n)
        };
        let (columns, rows) = (span(0, lattice.nx()), span(1, lattice.ny()));
        for y in rows.clone() {
            for x in columns.clone() {
                let head = quantize(head(lattice.center(x, y)) as f32);
                if head != 0.0 {
                    self.cells.push((y * lattice.nx() + x, head));
                }
            }
        }
        [columns, rows]
    }

    /// Adds the pressure heads, multiplied by `sign`, to the heights. A second call with the
    /// opposite sign restores the heights exactly, because heads and heights are multiples of the
    /// same unit.
    pub(in crate::waves) fn apply_heads(&self, heights: &mut [f32], sign: f32) {
        for &(cell, head) in &self.cells {
            heights[cell] += sign * head;
        }
    }
}
