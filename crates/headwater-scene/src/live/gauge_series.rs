//! [`GaugeSeries`]: time series of a gauge in a live world, decimated so that its size is bounded.

use crate::run::Simulation;

/// Maximum number of samples in a series. When it is exceeded, every other sample is dropped.
const MAX_SAMPLES: usize = 8192;

/// Time series of one gauge.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct GaugeSeries {
    /// Name of the gauge.
    pub name: String,
    /// Measured quantities with units, such as `depth_m`.
    pub heads: Vec<&'static str>,
    /// Times of the samples (s; drops per cell for hydrology).
    pub times: Vec<f64>,
    /// Values by quantity; each inner list has one value per sample time.
    pub values: Vec<Vec<f64>>,
}

impl GaugeSeries {
    /// Creates an empty series for the gauge with the given number in `simulation`.
    pub(super) fn new(name: &str, number: usize, simulation: &dyn Simulation) -> Self {
        let heads = simulation.gauge_columns(number);
        let values = vec![Vec::new(); heads.len()];
        Self { name: name.into(), heads, times: Vec::new(), values }
    }

    /// Drops the samples later than `time`.
    pub(super) fn truncate_after(&mut self, time: f64) {
        let len = self.times.partition_point(|at| *at <= time);
        self.times.truncate(len);
        self.values.iter_mut().for_each(|values| values.truncate(len));
    }
}

/// Decimation state of a series: one of `every` samples is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Decimation {
    every: usize,
    /// Number of samples skipped since the last kept sample.
    skipped: usize,
}

impl Decimation {
    /// Decimation of a new series, which keeps all samples.
    pub(super) const ALL: Self = Self { every: 1, skipped: 0 };

    /// Samples the gauge with the given number and appends the sample if the decimation keeps it.
    pub(super) fn read(
        &mut self,
        reading: &mut GaugeSeries,
        number: usize,
        simulation: &dyn Simulation,
    ) {
        if self.should_keep() {
            self.append(reading, simulation.time(), simulation.gauge_reading(number));
        }
    }

    /// Counts a sample and returns whether it should be kept.
    pub(super) fn should_keep(&mut self) -> bool {
        self.skipped += 1;
        let keep = self.skipped >= self.every;
        if keep {
            self.skipped = 0;
        }
        keep
    }

    /// Appends a sample. If the series is full, drops every other sample and doubles `every`.
    pub(super) fn append(&mut self, reading: &mut GaugeSeries, time: f64, values: Vec<f64>) {
        reading.times.push(time);
        for (all, value) in reading.values.iter_mut().zip(values) {
            all.push(value);
        }
        if reading.times.len() > MAX_SAMPLES {
            self.every *= 2;
            std::iter::once(&mut reading.times)
                .chain(&mut reading.values)
                .for_each(drop_every_other);
        }
    }
}

/// Drops the values with odd indices.
fn drop_every_other(values: &mut Vec<f64>) {
    let mut even = false;
    values.retain(|_| {
        even = !even;
        even
    });
}
