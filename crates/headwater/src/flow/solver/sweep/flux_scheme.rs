//! Interface between a physics model and the optimised path: the computation of discharges row by
//! row.

use super::row_buffers::RowBuffers;
use super::rows::{Run, Strip};

/// Stages 1 to 3 of a physics model, which compute the discharges over faces row by row.
pub(crate) trait FluxScheme: Sync {
    /// Number of additional rows, beyond those whose depths are needed, whose discharges are read.
    const DISCHARGE_REACH: usize;

    /// Prepares the buffers before the first row of a strip is stepped.
    fn prepare(&self, _buffers: &mut RowBuffers, _strip: &Strip, _y: isize, _run: Run) {}

    /// Computes the discharges over the faces north of the cells in row `y` and, if `across` is
    /// true, over the x-faces of that row. Only the columns of `run` are computed.
    fn accelerate_faces(
        &self,
        buffers: &mut RowBuffers,
        strip: &mut Strip,
        y: isize,
        run: Run,
        across: bool,
    );

    /// Combines [`accelerate_faces`](Self::accelerate_faces) for row `y`, including x-faces, with
    /// the outflow scales (stage 4) of the row above, for schemes in which a fused loop is faster.
    /// Returns whether any scale is below 1, or `None` if the scheme has no fused loop and nothing
    /// was computed.
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

    /// Whether the scheme has momentum, which is updated after the depths.
    const UPDATES_MOMENTUM: bool = false;

    /// Updates the momentum of row `y`, after its depths, in the columns of `run`. The two slices
    /// are the depths before the step and the outflow scales.
    fn update_momentum(
        &self,
        _strip: &mut Strip,
        _y: usize,
        _run: Run,
        [_before, _fed]: [&[f32]; 2],
    ) {
    }

    /// Returns true if a step changes neither an inner face with discharge `q` nor its cells,
    /// provided that the surrounding faces have no discharge. With momentum, the face is at rest
    /// only if this is true in two consecutive steps. `before` and `after` each contain the bed
    /// height and the depth (m) of a cell.
    fn is_at_rest(q: f32, before: [f32; 2], after: [f32; 2]) -> bool;
}

/// Smallest difference (m) between water surfaces that counts as a drop. The product with the time
/// step is a normal number, so a step turns it into a discharge.
pub(in crate::flow) const MIN_DROP: f32 = 1e-25;

/// Returns true if a discharge is zero with the sign that a step would give it for this drop of the
/// surface.
#[inline(always)]
pub(in crate::flow) fn is_signed_zero(q: f32, drop: f32) -> bool {
    q.to_bits() == if drop < 0.0 { (-0.0_f32).to_bits() } else { 0 }
}
