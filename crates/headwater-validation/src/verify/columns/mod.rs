//! Verification cases for column worlds (side view): anchors, oscillation of vessels, waves at
//! joints and ceilings, and conservation of volume, energy and heat. A joint is a boundary between
//! two adjacent pools.

mod boards;
mod conservation;
mod heat;
mod vessels;

use super::{Case, entries};

pub(super) fn cases() -> Vec<Case> {
    entries([
        ("columns/volume", conservation::volume),
        ("columns/energy", conservation::energy),
        ("columns/frame-rate", conservation::frame_rate),
        ("columns/threads", conservation::threads),
        ("columns/sleep", conservation::sleep),
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
