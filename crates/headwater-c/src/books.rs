//! What gauges have measured, and the books.

use crate::pointer::{list, out};
use crate::status::HwStatus;
use crate::text::fixed;
use crate::worlds::{HwWorld, on};
use headwater_scene::facade::FacadeError;
use headwater_scene::live::GaugeSeries;
use std::collections::BTreeSet;
use std::ffi::c_char;

/// A gauge.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HwGauge {
    /// Its name.
    pub name: [c_char; 72],
    /// What it measures, with units and commas between, as `depth_m,surface_m`.
    pub heads: [c_char; 256],
    /// How many values it measures at a time.
    pub head_count: usize,
    /// How many times it has measured.
    pub reading_count: usize,
}

/// The books of water, in `unit`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HwLedger {
    /// `m³`, or of blocks `cells`.
    pub unit: [c_char; 16],
    /// Volume at the start.
    pub start: f64,
    /// Volume now.
    pub now: f64,
    /// What is there and should not be; below 0, what is missing.
    pub residual: f64,
    /// The residual over the volume handled.
    pub residual_relative: f64,
}

/// What came and went by one cause.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HwCause {
    /// The cause.
    pub name: [c_char; 48],
    /// What came.
    pub inflow: f64,
    /// What went.
    pub outflow: f64,
}

/// Tells the gauges that there are. `count` (may be null) is set to how many there are, whether they fit or not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_gauges(
    world: HwWorld,
    into: *mut HwGauge,
    capacity: usize,
    count: *mut usize,
) -> HwStatus {
    let told = |one: &GaugeSeries| HwGauge {
        name: fixed(&one.name),
        heads: fixed(&one.heads.join(",")),
        head_count: one.heads.len(),
        reading_count: one.times.len(),
    };
    on(world, |facade| {
        // SAFETY: pointers are the caller's.
        unsafe { list(facade.gauges().iter().map(told), into, capacity, count, "gauges") }
    })
}

/// Tells what a gauge, by its place in the list, has measured: a time and the values of all heads, one reading after the other. `count` (may be
/// null) is set to how many numbers there are, `reading_count * (1 + head_count)`, whether they fit or not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_gauge_readings(
    world: HwWorld,
    gauge: usize,
    into: *mut f64,
    capacity: usize,
    count: *mut usize,
) -> HwStatus {
    on(world, |facade| {
        let all = facade.gauges();
        let reading = all
            .get(gauge)
            .ok_or_else(|| FacadeError::input("gauge", gauge, format!("below {}", all.len())))?;
        let mut numbers = Vec::with_capacity(reading.times.len() * (1 + reading.heads.len()));
        for (i, &time) in reading.times.iter().enumerate() {
            numbers.push(time);
            numbers.extend(reading.values.iter().map(|values| values[i]));
        }
        // SAFETY: pointers are the caller's.
        unsafe { list(numbers.into_iter(), into, capacity, count, "readings") }
    })
}

/// Tells the books: what came, went and is there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_ledger(world: HwWorld, ledger: *mut HwLedger) -> HwStatus {
    on(world, |facade| {
        let found = facade.ledger();
        // SAFETY: pointers are the caller's.
        *unsafe { out(ledger, "ledger") }? = HwLedger {
            unit: fixed(found.unit),
            start: found.start,
            now: found.now,
            residual: found.residual,
            residual_relative: found.residual_relative,
        };
        Ok(())
    })
}

/// Tells what came and went, by cause. `count` (may be null) is set to how many causes there are, whether they fit or not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hw_ledger_causes(
    world: HwWorld,
    into: *mut HwCause,
    capacity: usize,
    count: *mut usize,
) -> HwStatus {
    on(world, |facade| {
        let ledger = facade.ledger();
        let names: BTreeSet<_> = ledger.inflow.keys().chain(ledger.outflow.keys()).collect();
        let all: Vec<_> = names.into_iter().collect();
        let told = |name: &&str| HwCause {
            name: fixed(name),
            inflow: ledger.inflow.get(name).copied().unwrap_or(0.0),
            outflow: ledger.outflow.get(name).copied().unwrap_or(0.0),
        };
        // SAFETY: pointers are the caller's.
        unsafe { list(all.into_iter().map(told), into, capacity, count, "causes") }
    })
}
