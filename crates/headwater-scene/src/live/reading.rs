//! What the gauges of a live world have measured.

use crate::run::Simulation;
use crate::scene::Scene;

/// The most measurements of a gauge that are kept; beyond, every other goes.
const MOST: usize = 8192;

/// What a gauge has measured so far.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Reading {
    /// The gauge's name.
    pub name: String,
    /// What it measures, with units, as `depth_m`.
    pub heads: Vec<&'static str>,
    /// When it measured (s; of hydrology, drops per cell).
    pub times: Vec<f64>,
    /// What it measured: for each head, a value for each time.
    pub values: Vec<Vec<f64>>,
}

/// The gauges of a live world.
pub(super) struct Gauges {
    readings: Vec<Reading>,
    /// For each: one measurement in so many is kept, and how many have been left out since.
    strides: Vec<(usize, usize)>,
}

impl Gauges {
    pub(super) fn new(scene: &Scene, simulation: &dyn Simulation) -> Self {
        let reading = |(i, name): (usize, String)| {
            let heads = simulation.gauge_heads(i);
            let values = vec![Vec::new(); heads.len()];
            Reading { name, heads, times: Vec::new(), values }
        };
        let readings: Vec<_> = scene.gauge_names().into_iter().enumerate().map(reading).collect();
        Self { strides: vec![(1, 0); readings.len()], readings }
    }

    pub(super) fn readings(&self) -> &[Reading] {
        &self.readings
    }

    /// Takes one measurement of gauge number `i`.
    pub(super) fn read(&mut self, i: usize, simulation: &dyn Simulation) {
        let (stride, left_out) = &mut self.strides[i];
        *left_out += 1;
        if *left_out < *stride {
            return;
        }
        *left_out = 0;
        let reading = &mut self.readings[i];
        reading.times.push(simulation.time());
        for (values, value) in reading.values.iter_mut().zip(simulation.measure(i)) {
            values.push(value);
        }
        if reading.times.len() > MOST {
            *stride *= 2;
            std::iter::once(&mut reading.times).chain(&mut reading.values).for_each(thin);
        }
    }

    /// Forgets what was measured after a time.
    pub(super) fn go_back(&mut self, time: f64) {
        for reading in &mut self.readings {
            let kept = reading.times.partition_point(|at| *at <= time);
            reading.times.truncate(kept);
            reading.values.iter_mut().for_each(|values| values.truncate(kept));
        }
    }
}

/// Leaves every other value out.
fn thin(values: &mut Vec<f64>) {
    let mut even = false;
    values.retain(|_| {
        even = !even;
        even
    });
}
