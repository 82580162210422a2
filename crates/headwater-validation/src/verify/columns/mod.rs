//! Verification cases for column worlds (side view): anchors, oscillation of vessels, waves at
//! joints and ceilings, openings, rest, and conservation of volume, energy and heat. A joint is a
//! boundary between two adjacent pools.

mod boards;
mod boats;
mod conservation;
mod heat;
mod openings;
mod rest;
mod vessels;

use super::{Case, named_cases};

pub(super) fn cases() -> Vec<Case> {
    named_cases([
        ("columns/volume", conservation::check_volume_conservation),
        ("columns/energy", conservation::measure_energy_rise),
        ("columns/frame-rate", conservation::measure_frame_rate_dependence),
        ("columns/threads", conservation::check_thread_independence),
        ("columns/sleep", conservation::check_sleep),
        ("columns/castles-rest", rest::measure_castles),
        ("columns/damping", rest::measure_damping),
        ("columns/boats", boats::count_wrong_crossings),
        ("columns/room-period", rest::measure_room_periods),
        ("columns/u-tube-period", vessels::measure_period),
        ("columns/joint-reflection", vessels::measure_reflection),
        ("columns/ceiling", vessels::measure_ceiling),
        ("columns/openings", openings::measure_discharge),
        ("columns/flooded", boards::measure_flooding),
        ("columns/anchors", boards::check_anchors),
        ("columns/heat-box", heat::measure_heat_balance),
        ("columns/stefan", heat::measure_ice_growth),
        ("columns/stefan-pond", heat::measure_rain_ice_growth),
        ("columns/sleep-heat", heat::measure_sleep_dependence),
    ])
}
