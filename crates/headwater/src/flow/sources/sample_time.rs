//! Sampling of time series of rates and levels, for a time step or for the stability limit of a
//! step.

use crate::flow::params::Physics;
use crate::series::Series;

/// A time span (s), and the rule by which time series are sampled over it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SampleTime {
    /// The span of a step. Rates are means over the span; levels are the values at `level_time`.
    Step { from: f64, until: f64, level_time: f64 },
    /// A span that contains a step whose length is not known yet. Rates and levels are maxima over
    /// the span.
    Maximum { from: f64, until: f64 },
}

impl SampleTime {
    /// Creates the sample time of a step of `dt` seconds from `time` (s). With shallow water,
    /// levels are sampled in the middle of the step; with the other physics models, at its start.
    pub(crate) fn for_step(physics: Physics, time: f64, dt: f64) -> Self {
        let level_time = if physics == Physics::ShallowWater { time + 0.5 * dt } else { time };
        Self::Step { from: time, until: time + dt, level_time }
    }

    pub(in crate::flow) fn sampled_rate(self, rate: &Series) -> f64 {
        match self {
            Self::Step { from, until, .. } => rate.mean(from, until),
            Self::Maximum { from, until } => rate.max(from, until),
        }
    }

    /// Returns the sampled rate of a source that is active only in the period `during` (s), or
    /// always if `during` is `None`. Outside the period, the rate counts as 0.
    pub(in crate::flow) fn sampled_rate_during(
        self,
        rate: &Series,
        during: Option<[f64; 2]>,
    ) -> f64 {
        let Some([first, last]) = during else { return self.sampled_rate(rate) };
        match self {
            Self::Step { from, until, .. } => {
                let (begins, ends) = (from.max(first), until.min(last));
                if [begins, ends] == [from, until] {
                    self.sampled_rate(rate)
                } else if begins < ends {
                    rate.mean(begins, ends) * ((ends - begins) / (until - from))
                } else {
                    0.0
                }
            }
            Self::Maximum { from, until } if first <= until && from < last => {
                rate.max(from.max(first), until.min(last))
            }
            Self::Maximum { .. } => 0.0,
        }
    }

    /// Returns the sampled water level (m).
    pub(in crate::flow) fn sampled_level(self, level: &Series) -> f64 {
        match self {
            Self::Step { level_time, .. } => level.value_at(level_time),
            Self::Maximum { from, until } => level.max(from, until),
        }
    }

    /// Returns the sampled surface elevation of a recorded wave, relative to still water (m). For
    /// [`Maximum`](Self::Maximum), this is the value farthest from 0.
    pub(in crate::flow) fn sampled_rise(self, rise: &Series) -> f64 {
        match self {
            Self::Step { level_time, .. } => rise.value_at(level_time),
            Self::Maximum { from, until } => {
                let (high, low) = (rise.max(from, until), rise.min(from, until));
                if -low > high { low } else { high }
            }
        }
    }

    /// Returns a single time (s) that represents the span: in a step, the time at which levels are
    /// sampled; for [`Maximum`](Self::Maximum), the start of the span.
    pub(crate) fn level_time(self) -> f64 {
        match self {
            Self::Step { level_time, .. } => level_time,
            Self::Maximum { from, .. } => from,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limited_period_gives_the_same_volume_for_any_step_length() {
        let rate = Series::from_table(vec![[0.0, 0.0], [10.0, 4.0], [11.0, 0.0]]).unwrap();
        let brought = |dt: f64, during| {
            let steps = (0..).map(|i| f64::from(i) * dt).take_while(|&time| time < 40.0);
            let share = |time| {
                SampleTime::for_step(Physics::Pipes, time, dt).sampled_rate_during(&rate, during)
                    * dt
            };
            steps.map(share).sum::<f64>()
        };
        for dt in [0.1, 0.3, 3.0, 7.0, 40.0] {
            assert!((brought(dt, None) - 22.0).abs() < 1e-9, "{dt}");
            // From 2 s to 10.5 s: a trapezium, and half of the descent.
            let part = 0.5 * (0.8 + 4.0) * 8.0 + 0.5 * (4.0 + 2.0) * 0.5;
            assert!((brought(dt, Some([2.0, 10.5])) - part).abs() < 1e-9, "{dt}");
        }
    }

    #[test]
    fn the_maximum_of_a_span_covers_all_its_times() {
        let rate = Series::from_table(vec![[0.0, 0.0], [10.0, 4.0], [11.0, -6.0]]).unwrap();
        let sample_time = SampleTime::Maximum { from: 8.0, until: 30.0 };
        assert_eq!((sample_time.sampled_rate(&rate), sample_time.sampled_rise(&rate)), (4.0, -6.0));
        assert_eq!(sample_time.sampled_rate_during(&rate, Some([0.0, 8.0])), 0.0);
        assert_eq!(sample_time.sampled_rate_during(&rate, Some([0.0, 9.0])), 3.6);
    }
}
