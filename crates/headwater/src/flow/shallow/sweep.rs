//! Stage 7 of shallow water, within the sweep that updates the depths. Stages 1 to 6 precede it, in
//! [`super::rows`].

use super::Coefficients;
use super::loops::{MovedRow, RoughRow, momentum_row};
use crate::flow::context::Step;
use crate::flow::sweep::{Drive, Kept, Run, Strip};

pub(crate) struct Shallow<'a> {
    step: &'a Step<'a>,
    c: Coefficients,
    /// Momentum change of each cell in the step (m²/s), to the east and to the south.
    pushes: &'a [Vec<f32>; 2],
}

impl<'a> Shallow<'a> {
    pub(in crate::flow) fn new(step: &'a Step<'a>, pushes: &'a [Vec<f32>; 2]) -> Self {
        Self { step, c: Coefficients::new(step), pushes }
    }
}

impl Drive for Shallow<'_> {
    const REACH: usize = 0;
    const FOLLOWS: bool = true;

    fn drive(&self, _: &mut Kept, _: &mut Strip, _: isize, _: Run, _: bool) {}

    fn follow(&self, strip: &mut Strip, y: usize, run: Run, [before, fed]: [&[f32]; 2]) {
        let (ground, cells) = (strip.ground, run.cells());
        let [qx, qy] = strip.momentum.rows(y);
        let start = y * ground.nx();
        let pushes = self.pushes.each_ref().map(|push| &push[start + run.from..start + run.to]);
        let (qx, qy) = (&mut qx[cells.clone()], &mut qy[cells.clone()]);
        let moved = MovedRow {
            before: &before[cells.clone()],
            now: &strip.depth.row(y as isize)[cells.clone()],
            fed: &fed[cells.clone()],
            push: pushes,
        };
        let roughness = RoughRow::of(self.step.roughness, y, cells.clone());
        momentum_row(&moved, roughness, &self.c, qx, qy);
        if ground.closed.row_has_any(y) {
            let closed = &ground.closed.cells().row(y)[cells];
            for ((qx, qy), closed) in qx.iter_mut().zip(qy).zip(closed) {
                (*qx, *qy) = if *closed { (0.0, 0.0) } else { (*qx, *qy) };
            }
        }
    }

    // Needs two steps in a row: in a lake that is not level, a face may have no discharge for a
    // moment.
    #[inline(always)]
    fn rests(q: f32, _: [f32; 2], _: [f32; 2]) -> bool {
        q == 0.0
    }
}
