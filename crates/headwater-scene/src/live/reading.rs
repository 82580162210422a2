//! What a gauge of a live world has measured.

use crate::run::Simulation;

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

impl Reading {
    /// Nothing measured yet by the gauge of that number.
    pub(super) fn new(name: &str, number: usize, simulation: &dyn Simulation) -> Self {
        let heads = simulation.gauge_columns(number);
        let values = vec![Vec::new(); heads.len()];
        Self { name: name.into(), heads, times: Vec::new(), values }
    }

    /// Forgets what was measured after a time.
    pub(super) fn go_back(&mut self, time: f64) {
        let kept = self.times.partition_point(|at| *at <= time);
        self.times.truncate(kept);
        self.values.iter_mut().for_each(|values| values.truncate(kept));
    }
}

/// Which measurements are kept: one in so many.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Stride {
    every: usize,
    /// How many have been left out since the last.
    left_out: usize,
}

impl Stride {
    /// All.
    pub(super) const ALL: Self = Self { every: 1, left_out: 0 };

    /// Takes one measurement of the gauge of that number.
    pub(super) fn read(
        &mut self,
        reading: &mut Reading,
        number: usize,
        simulation: &dyn Simulation,
    ) {
        if self.keeps() {
            self.note(reading, simulation.time(), simulation.gauge_reading(number));
        }
    }

    /// Counts a measurement; true if it is one that is kept.
    pub(super) fn keeps(&mut self) -> bool {
        self.left_out += 1;
        let keeps = self.left_out >= self.every;
        if keeps {
            self.left_out = 0;
        }
        keeps
    }

    /// Keeps a measurement.
    pub(super) fn note(&mut self, reading: &mut Reading, time: f64, values: Vec<f64>) {
        reading.times.push(time);
        for (all, value) in reading.values.iter_mut().zip(values) {
            all.push(value);
        }
        if reading.times.len() > MOST {
            self.every *= 2;
            std::iter::once(&mut reading.times).chain(&mut reading.values).for_each(thin);
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
