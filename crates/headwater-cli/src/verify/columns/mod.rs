//! Pools in side view: what anchors make of a board, how vessels swing, what joints and ceilings do to waves, and
//! whether volume, energy, heat and bits are kept.

mod anchors;
mod heat;
mod kept;
mod vessels;

use super::{Case, entries};

pub(super) use vessels::cases as vessels;
use vessels::undamped;

pub(super) fn cases() -> Vec<Case> {
    let mut cases = kept::cases();
    cases.extend(vessels());
    cases.extend(anchors::cases());
    cases.extend(heat::cases());
    cases
}
