//! Stage 7 of the shallow-water scheme, the update of the momentum. This stage is performed in the
//! same pass that updates the depths, after stages 1 to 6 in [`super::rows`].

use super::Coefficients;
use super::loops::{MomentumInputRow, RoughnessRow, update_momentum_row};
use crate::flow::context::StepContext;
use crate::flow::solver::sweep::{ColumnRun, FluxScheme, RowBuffers, RowStrip};

pub(crate) struct ShallowScheme<'a> {
    step: &'a StepContext<'a>,
    c: Coefficients,
    /// Momentum change of each cell in the step, without friction (m²/s): the eastward and the
    /// southward component.
    momentum_changes: &'a [Vec<f32>; 2],
}

impl<'a> ShallowScheme<'a> {
    pub(in crate::flow) fn new(
        step: &'a StepContext<'a>,
        momentum_changes: &'a [Vec<f32>; 2],
    ) -> Self {
        Self { step, c: Coefficients::new(step), momentum_changes }
    }
}

impl FluxScheme for ShallowScheme<'_> {
    const DISCHARGE_REACH: usize = 0;
    const UPDATES_MOMENTUM: bool = true;

    fn accelerate_faces(
        &self,
        _: &mut RowBuffers,
        _: &mut RowStrip,
        _: isize,
        _: ColumnRun,
        _: bool,
    ) {
    }

    fn update_momentum(
        &self,
        strip: &mut RowStrip,
        y: usize,
        run: ColumnRun,
        [before, scale]: [&[f32]; 2],
    ) {
        let (ground, cells) = (strip.ground, run.cells());
        let [qx, qy] = strip.momentum.row_components_mut(y);
        let start = y * ground.nx();
        let momentum_changes =
            self.momentum_changes.each_ref().map(|push| &push[start + run.from..start + run.to]);
        let (qx, qy) = (&mut qx[cells.clone()], &mut qy[cells.clone()]);
        let moved = MomentumInputRow {
            before: &before[cells.clone()],
            now: &strip.depth.row(y as isize)[cells.clone()],
            scale: &scale[cells.clone()],
            push: momentum_changes,
        };
        let roughness = RoughnessRow::from_roughness(self.step.roughness, y, cells.clone());
        update_momentum_row(&moved, roughness, &self.c, qx, qy);
        if ground.closed.row_has_closed(y) {
            let closed = &ground.closed.cells().row(y)[cells];
            for ((qx, qy), closed) in qx.iter_mut().zip(qy).zip(closed) {
                (*qx, *qy) = if *closed { (0.0, 0.0) } else { (*qx, *qy) };
            }
        }
    }

    // Two consecutive steps are needed, because in a lake that is not level, a face may have no
    // discharge for a moment.
    #[inline(always)]
    fn is_at_rest(q: f32, _: [f32; 2], _: [f32; 2]) -> bool {
        q == 0.0
    }
}
