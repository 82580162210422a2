//! Interface between a physics model and the optimised path, which computes discharges row by row.

use super::row_buffers::RowBuffers;
use super::rows::{ColumnRun, RowStrip};

/// A physics model in the optimised path: computes the discharges through faces row by row (stages
/// 1 to 3 of a time step).
pub(crate) trait FluxScheme: Sync {
    /// Number of additional rows of discharges that the scheme reads on each side of the updated
    /// rows, beyond the rows whose depths it reads.
    const DISCHARGE_REACH: usize;

    /// Prepares the buffers before the first row of a strip is stepped. A strip is a range of rows
    /// that one task steps.
    fn prepare(&self, _buffers: &mut RowBuffers, _strip: &RowStrip, _y: isize, _run: ColumnRun) {}

    /// Computes the discharges through the faces north of the cells in row `y` and, if
    /// `include_x_faces` is true, through the x-faces of that row. Only the columns of `run` are
    /// computed.
    fn accelerate_faces(
        &self,
        buffers: &mut RowBuffers,
        strip: &mut RowStrip,
        y: isize,
        run: ColumnRun,
        include_x_faces: bool,
    );

    /// Performs [`accelerate_faces`](Self::accelerate_faces) for row `y` and computes the outflow
    /// scales of the cells in the row above, in a single loop. An outflow scale is the factor (0
    /// to 1) that limits the outflow of a cell to its water. Returns `Some(true)` if any scale is
    /// below 1, and `Some(false)` if none is. Schemes for which a single loop is not faster return
    /// `None` and compute nothing.
    fn accelerate_and_limit(
        &self,
        _scale: &mut [f32],
        _strip: &mut RowStrip,
        _y: isize,
        _run: ColumnRun,
        _to_depth: f32,
    ) -> Option<bool> {
        None
    }

    /// Whether the scheme stores momentum, which is updated after the depths.
    const UPDATES_MOMENTUM: bool = false;

    /// Updates the momentum of row `y` in the range of columns `run`, after the depths of the row
    /// have been updated. The two slices contain the depths of the row before the step (m), and its
    /// outflow scales.
    fn update_momentum(
        &self,
        _strip: &mut RowStrip,
        _y: usize,
        _run: ColumnRun,
        [_before, _scale]: [&[f32]; 2],
    ) {
    }

    /// Returns whether a step leaves the discharge `q` through an inner face and the water of its
    /// two cells unchanged, provided that no water flows through the surrounding faces. `before`
    /// and `after` each contain the bed elevation and the depth (m) of a cell. In a scheme with
    /// momentum, the face is at rest only if the result is true in two consecutive steps.
    fn is_at_rest(q: f32, before: [f32; 2], after: [f32; 2]) -> bool;
}

/// Smallest difference (m) between two water surfaces that causes a discharge. The product of this
/// difference and a usual time step is a normal float, not a subnormal one.
pub(in crate::flow) const MIN_DROP: f32 = 1e-25;

/// Returns whether the discharge `q` is a zero with the sign that a step would give it. `drop` is
/// the water surface before the face minus the surface after it (m).
#[inline(always)]
pub(in crate::flow) fn is_signed_zero(q: f32, drop: f32) -> bool {
    q.to_bits() == if drop < 0.0 { (-0.0_f32).to_bits() } else { 0 }
}
