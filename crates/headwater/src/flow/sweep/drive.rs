//! What a level of physics has to say to be swept.

use super::kept::Kept;
use super::rows::{Run, Strip};

/// Stages 1 to 3 of a level of physics, row by row.
pub(crate) trait Drive: Sync {
    /// How many rows further than depths it reads discharges.
    const REACH: usize;

    fn begin(&self, _kept: &mut Kept, _strip: &Strip, _y: isize, _run: Run) {}

    /// Sets the discharges over the faces of row `y` in a run: those north of its cells, and if `across`, its x-faces.
    fn drive(&self, kept: &mut Kept, strip: &mut Strip, y: isize, run: Run, across: bool);

    /// Drives the faces of row `y` as [`drive`](Self::drive) does, x-faces too, and computes stage
    /// 4's parts `fed` of the row before, if that is faster. Returns whether any is below 1, or
    /// `None` if nothing was done.
    fn drive_and_feed(
        &self,
        _fed: &mut [f32],
        _strip: &mut Strip,
        _y: isize,
        _run: Run,
        _to_depth: f32,
    ) -> Option<bool> {
        None
    }

    const FOLLOWS: bool = false;

    /// Updates the momentum of row `y` in a run after its water has moved: `before` are its old
    /// depths, `fed` stage 4's parts.
    fn follow(&self, _strip: &mut Strip, _y: usize, _run: Run, [_before, _fed]: [&[f32]; 2]) {}

    /// True if no step changes an inner face and its cells, while the faces around have no
    /// discharge; with momentum, if so in two steps in a row. `before` and `after` are bed and
    /// depth of its cells.
    fn rests(q: f32, before: [f32; 2], after: [f32; 2]) -> bool;
}

/// Smallest fall (m) of surfaces not near 0; its product with a step's length is a normal number.
pub(in crate::flow) const SLIGHT: f32 = 1e-25;

/// True if a discharge is nothing, with the sign that a step leaves it where the surface falls by so much.
#[inline(always)]
pub(in crate::flow) fn is_nothing(q: f32, fall: f32) -> bool {
    q.to_bits() == if fall < 0.0 { (-0.0_f32).to_bits() } else { 0 }
}
