//! Interface between a level of physics and the sweep.

use super::row_buffers::RowBuffers;
use super::rows::{Run, Strip};

/// Stages 1 to 3 of a level of physics, row by row.
pub(crate) trait FluxScheme: Sync {
    /// Number of rows beyond the depths whose discharges are read.
    const DISCHARGE_REACH: usize;

    /// Prepares the buffers before the first row of a strip.
    fn prepare(&self, _buffers: &mut RowBuffers, _strip: &Strip, _y: isize, _run: Run) {}

    /// Sets the discharges over the faces of row `y` in a run: those north of its cells, and with
    /// `across` its x-faces.
    fn accelerate_faces(
        &self,
        buffers: &mut RowBuffers,
        strip: &mut Strip,
        y: isize,
        run: Run,
        across: bool,
    );

    /// Sets the faces of row `y` as [`accelerate_faces`](Self::accelerate_faces) does, including
    /// x-faces, and computes the outflow scale (stage 4) of the row above, if a fused loop is
    /// faster. Returns true if any scale is below 1, or `None` if nothing was done.
    fn accelerate_and_limit(
        &self,
        _fed: &mut [f32],
        _strip: &mut Strip,
        _y: isize,
        _run: Run,
        _to_depth: f32,
    ) -> Option<bool> {
        None
    }

    /// Whether momentum is updated after the depths.
    const UPDATES_MOMENTUM: bool = false;

    /// Updates the momentum of row `y` in a run after its depths: `before` are the old depths,
    /// `scale` the outflow scales.
    fn update_momentum(
        &self,
        _strip: &mut Strip,
        _y: usize,
        _run: Run,
        [_before, _fed]: [&[f32]; 2],
    ) {
    }

    /// Returns true if no step changes an inner face and its cells while the surrounding faces have
    /// no discharge; with momentum, if true in two steps in a row. `before` and `after` are bed and
    /// depth of its cells.
    fn is_at_rest(q: f32, before: [f32; 2], after: [f32; 2]) -> bool;
}

/// Smallest drop (m) of surfaces not near 0; its product with the time step is a normal number.
pub(in crate::flow) const MIN_DROP: f32 = 1e-25;

/// Returns true if a discharge is a zero with the sign that a step gives it for this drop.
#[inline(always)]
pub(in crate::flow) fn is_signed_zero(q: f32, drop: f32) -> bool {
    q.to_bits() == if drop < 0.0 { (-0.0_f32).to_bits() } else { 0 }
}
