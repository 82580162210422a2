//! Pools in side view: what anchors make of a board, how vessels swing, what joints and ceilings do to waves, and
//! whether volume, energy, heat and bits are kept.

mod boards;
mod heat;
mod kept;
mod vessels;

use super::{Case, entries};

pub(super) fn cases() -> Vec<Case> {
    entries([
        ("columns/volume", kept::volume),
        ("columns/energy", kept::energy),
        ("columns/frame-rate", kept::frame_rate),
        ("columns/threads", kept::threads),
        ("columns/sleep", kept::sleep),
        ("columns/u-tube-period", vessels::period),
        ("columns/joint-reflection", vessels::reflection),
        ("columns/ceiling", vessels::ceiling),
        ("columns/flooded", boards::flooded),
        ("columns/anchors", boards::anchors),
        ("columns/heat-box", heat::heat_box),
        ("columns/stefan", heat::stefan),
        ("columns/stefan-pond", heat::stefan_pond),
        ("columns/sleep-heat", heat::sleep),
    ])
}
