//! [`When`]: the time that a step, or the limit of its length, asks a series for.

use super::params::Physics;
use crate::series::Series;

/// A span of time (s), and what of it counts.
#[derive(Clone, Copy, Debug)]
pub(crate) enum When {
    /// A step: rates are means over it, levels are those of a moment.
    Step { from: f64, until: f64, moment: f64 },
    /// All that may come in a step that is not known yet: the most that there is of each.
    Most { from: f64, until: f64 },
}

impl When {
    /// A step of `dt` seconds from `time` on. Levels are those of its middle with shallow water, of
    /// its beginning with pipes.
    pub(crate) fn step(level: Physics, time: f64, dt: f64) -> Self {
        let moment = if level == Physics::ShallowWater { time + 0.5 * dt } else { time };
        Self::Step { from: time, until: time + dt, moment }
    }

    pub(super) fn rate(self, rate: &Series) -> f64 {
        match self {
            Self::Step { from, until, .. } => rate.mean(from, until),
            Self::Most { from, until } => rate.max(from, until),
        }
    }

    /// What a rate is that runs from one time until another (s), if any.
    pub(super) fn rate_during(self, rate: &Series, during: Option<[f64; 2]>) -> f64 {
        let Some([first, last]) = during else { return self.rate(rate) };
        match self {
            Self::Step { from, until, .. } => {
                let (begins, ends) = (from.max(first), until.min(last));
                if [begins, ends] == [from, until] {
                    self.rate(rate)
                } else if begins < ends {
                    rate.mean(begins, ends) * ((ends - begins) / (until - from))
                } else {
                    0.0
                }
            }
            Self::Most { from, until } if first <= until && from < last => {
                rate.max(from.max(first), until.min(last))
            }
            Self::Most { .. } => 0.0,
        }
    }

    /// What a level, or how far waves lift it, is.
    pub(super) fn level(self, level: &Series) -> f64 {
        match self {
            Self::Step { moment, .. } => level.at(moment),
            Self::Most { from, until } => level.max(from, until),
        }
    }

    /// How far a recorded wave lifts the water: of the most, what is furthest from 0.
    pub(super) fn rise(self, rise: &Series) -> f64 {
        match self {
            Self::Step { moment, .. } => rise.at(moment),
            Self::Most { from, until } => {
                let (high, low) = (rise.max(from, until), rise.min(from, until));
                if -low > high { low } else { high }
            }
        }
    }

    /// The moment (s) at which all else is taken.
    pub(crate) fn moment(self) -> f64 {
        match self {
            Self::Step { moment, .. } => moment,
            Self::Most { from, .. } => from,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_runs_for_a_while_brings_the_same_in_steps_of_any_length() {
        let rate = Series::table(vec![[0.0, 0.0], [10.0, 4.0], [11.0, 0.0]]).unwrap();
        let brought = |dt: f64, during| {
            let steps = (0..).map(|i| f64::from(i) * dt).take_while(|&time| time < 40.0);
            let share = |time| When::step(Physics::Pipes, time, dt).rate_during(&rate, during) * dt;
            steps.map(share).sum::<f64>()
        };
        for dt in [0.1, 0.3, 3.0, 7.0, 40.0] {
            assert!((brought(dt, None) - 22.0).abs() < 1e-9, "{dt}");
            // From 2 s to 10.5 s: a trapezium, and half of the fall.
            let part = 0.5 * (0.8 + 4.0) * 8.0 + 0.5 * (4.0 + 2.0) * 0.5;
            assert!((brought(dt, Some([2.0, 10.5])) - part).abs() < 1e-9, "{dt}");
        }
    }

    #[test]
    fn the_most_of_a_time_is_what_any_moment_of_it_has() {
        let rate = Series::table(vec![[0.0, 0.0], [10.0, 4.0], [11.0, -6.0]]).unwrap();
        let when = When::Most { from: 8.0, until: 30.0 };
        assert_eq!((when.rate(&rate), when.rise(&rate)), (4.0, -6.0));
        assert_eq!(when.rate_during(&rate, Some([0.0, 8.0])), 0.0);
        assert_eq!(when.rate_during(&rate, Some([0.0, 9.0])), 3.6);
    }
}
