//! [`GaugeSeries`]: the time series of a gauge in an interactive world. Long series are thinned out
//! to limit their size.

use crate::run::Simulation;

/// Maximum number of rows in a time series. When it is exceeded, every other row is removed.
const MAX_SAMPLES: usize = 8192;

/// Time series of the values that one gauge has measured.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct GaugeSeries {
    /// Name of the gauge.
    pub name: String,
    /// Names of the measured quantities. Each name includes the unit, such as `depth_m`.
    pub column_names: Vec<&'static str>,
    /// Times of the measurements (s; in the model `hydrology`, drops per cell).
    pub times: Vec<f64>,
    /// Measured values. Each inner list has the values of one quantity, one per element of `times`.
    pub values: Vec<Vec<f64>>,
}

impl GaugeSeries {
    /// Creates an empty time series for the gauge number `number` of `simulation`.
    pub(super) fn new(name: &str, number: usize, simulation: &dyn Simulation) -> Self {
        let column_names = simulation.gauge_columns(number);
        let values = vec![Vec::new(); column_names.len()];
        Self { name: name.into(), column_names, times: Vec::new(), values }
    }

    /// Removes the values that were measured later than `time`.
    pub(super) fn truncate_after(&mut self, time: f64) {
        let len = self.times.partition_point(|at| *at <= time);
        self.times.truncate(len);
        self.values.iter_mut().for_each(|values| values.truncate(len));
    }
}

/// Decimation of a time series: only one in `every` measurements is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Decimation {
    every: usize,
    /// Number of measurements that were skipped since the last stored one.
    skipped: usize,
}

impl Decimation {
    /// Decimation of a new time series: every measurement is stored.
    pub(super) const EVERY_MEASUREMENT: Self = Self { every: 1, skipped: 0 };

    /// Measures the gauge with the number `number` and appends the values to the time series
    /// `series`, unless the decimation skips this measurement.
    pub(super) fn read_gauge(
        &mut self,
        series: &mut GaugeSeries,
        number: usize,
        simulation: &dyn Simulation,
    ) {
        if self.is_next_measurement_stored() {
            self.append(series, simulation.time(), simulation.gauge_reading(number));
        }
    }

    /// Counts a measurement and returns whether it must be stored.
    pub(super) fn is_next_measurement_stored(&mut self) -> bool {
        self.skipped += 1;
        let keep = self.skipped >= self.every;
        if keep {
            self.skipped = 0;
        }
        keep
    }

    /// Appends values that were measured at `time` to a time series. If the series is full, removes
    /// every other measurement and doubles `every`.
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

/// Removes the values at odd indices.
fn drop_every_other(values: &mut Vec<f64>) {
    let mut even = false;
    values.retain(|_| {
        even = !even;
        even
    });
}
