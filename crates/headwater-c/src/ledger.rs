//! C functions that return gauge readings and the water balance.

use crate::pointer::write_list;
use crate::status::HwStatus;
use crate::text::to_fixed_array;
use crate::worlds::{HwWorld, call_with_world, write_result};
use headwater_scene::facade::{Facade, FacadeError};
use headwater_scene::live::GaugeSeries;
use std::collections::BTreeSet;
use std::ffi::c_char;

/// Gauge of a world, which records measured quantities over time.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HwGauge {
    /// Name of the gauge.
    pub name: [c_char; 72],
    /// Names of the measured quantities with their units, separated by commas, for example
    /// `depth_m,surface_m`.
    pub heads: [c_char; 256],
    /// Number of measured quantities.
    pub head_count: usize,
    /// Number of readings recorded so far.
    pub reading_count: usize,
}

/// Water balance of a world. All volumes are in `unit`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HwLedger {
    /// Unit of the volumes: `m³`, or `cells` for blocks.
    pub unit: [c_char; 16],
    /// Volume of water at the start.
    pub start: f64,
    /// Current volume of water.
    pub now: f64,
    /// Volume error: current volume minus the volume expected from the recorded inflow and outflow.
    pub residual: f64,
    /// Volume error divided by the sum of the initial volume and the total inflow (dimensionless).
    /// Not finite if that sum is 0.
    pub residual_relative: f64,
    /// Net inflow that is recorded in the balance but not yet part of `now`, because it is smaller
    /// than the resolution of the stored depths. It is carried over and added in later steps.
    pub rounding: f64,
}

/// Inflow and outflow of water due to one cause, in the unit of `HwLedger`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HwCause {
    /// Name of the cause, such as `rain`.
    pub name: [c_char; 48],
    /// Volume of water gained since the start.
    pub inflow: f64,
    /// Volume of water lost since the start.
    pub outflow: f64,
}

/// Writes the gauges of the world to `into`. `count` (may be null) receives the number of gauges,
/// even if they do not fit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_gauges(
    world: HwWorld,
    into: *mut HwGauge,
    capacity: usize,
    count: *mut usize,
) -> HwStatus {
    let to_c = |one: &GaugeSeries| HwGauge {
        name: to_fixed_array(&one.name),
        heads: to_fixed_array(&one.column_names.join(",")),
        head_count: one.column_names.len(),
        reading_count: one.times.len(),
    };
    call_with_world(world, |facade| {
        // SAFETY: the caller guarantees its pointers.
        unsafe { write_list(facade.gauges().iter().map(to_c), into, capacity, count, "gauges") }
    })
}

/// Writes the readings of a gauge to `into`. `gauge` is its index in the list that `hw_gauges`
/// returns. Each reading is the time followed by all measured values. `count` (may be null)
/// receives the number of values, `reading_count * (1 + head_count)`, even if they do not fit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_gauge_readings(
    world: HwWorld,
    gauge: usize,
    into: *mut f64,
    capacity: usize,
    count: *mut usize,
) -> HwStatus {
    call_with_world(world, |facade| {
        let all = facade.gauges();
        let reading = all.get(gauge).ok_or_else(|| {
            FacadeError::invalid_argument("gauge", gauge, format!("below {}", all.len()))
        })?;
        let mut numbers =
            Vec::with_capacity(reading.times.len() * (1 + reading.column_names.len()));
        for (i, &time) in reading.times.iter().enumerate() {
            numbers.push(time);
            numbers.extend(reading.values.iter().map(|values| values[i]));
        }
        // SAFETY: the caller guarantees its pointers.
        unsafe { write_list(numbers.into_iter(), into, capacity, count, "readings") }
    })
}

/// Writes the water balance of the world to `ledger`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_ledger(world: HwWorld, ledger: *mut HwLedger) -> HwStatus {
    let to_c = |facade: &mut Facade| {
        let found = facade.ledger();
        HwLedger {
            unit: to_fixed_array(found.unit),
            start: found.start,
            now: found.now,
            residual: found.residual,
            residual_relative: found.residual_relative,
            rounding: found.rounding,
        }
    };
    // SAFETY: the caller guarantees its pointers.
    unsafe { write_result(world, ledger, "ledger", to_c) }
}

/// Writes the inflow and outflow of water due to each cause to `into`. `count` (may be null)
/// receives the number of causes, even if they do not fit.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_ledger_causes(
    world: HwWorld,
    into: *mut HwCause,
    capacity: usize,
    count: *mut usize,
) -> HwStatus {
    call_with_world(world, |facade| {
        let ledger = facade.ledger();
        let names: BTreeSet<_> = ledger.inflow.keys().chain(ledger.outflow.keys()).collect();
        let all: Vec<_> = names.into_iter().collect();
        let to_c = |name: &&str| HwCause {
            name: to_fixed_array(name),
            inflow: ledger.inflow.get(name).copied().unwrap_or(0.0),
            outflow: ledger.outflow.get(name).copied().unwrap_or(0.0),
        };
        // SAFETY: the caller guarantees its pointers.
        unsafe { write_list(all.into_iter().map(to_c), into, capacity, count, "causes") }
    })
}
