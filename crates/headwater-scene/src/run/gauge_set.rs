//! [`GaugeSet`]: the current gauges of a world. The set also schedules the readings of gauges that
//! events have added or changed. It does not store the measured values.
//!
//! A stop is a scheduled time at which variable time steps end exactly; see
//! [`Schedule`](super::Schedule). The gauges of the scene itself are read at stops. These stops
//! remain even if an event changes or removes such a gauge. A gauge that an event adds or changes
//! is first read at once, and then after each whole step that reaches a reading time. Its readings
//! therefore change neither the steps nor the state. Only the time of the event itself may be a
//! stop and shorten a step.

use crate::scene::event::gauge_edit::join_names;
use crate::scene::{GaugeDefinition, GaugeTask, Scene};
use serde::{Deserialize, Serialize};

/// Gauge that has been neither removed nor replaced by an event.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ActiveGauge {
    /// Name of the gauge.
    pub(crate) name: String,
    /// Index of the gauge's definition in the world's list of definitions.
    pub(crate) number: usize,
    /// Index of the definition that the gauge had when its time series started. If an edit keeps
    /// the measured quantities, the series continues and this index does not change.
    pub(crate) series_number: usize,
    /// Reading times of a gauge that an event added or changed. Time steps are not shortened to end
    /// at these times. `None` for a gauge of the scene itself, which is read at stops: scheduled
    /// times at which a step ends exactly.
    sample_times: Option<SampleTimes>,
}

/// Reading times `first`, `first + every`, … (s), of which the first `taken` have passed. Time
/// steps are not shortened to end at these times.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct SampleTimes {
    first: f64,
    every: f64,
    taken: u64,
}

impl SampleTimes {
    /// Returns the next reading time (s).
    fn next_time(&self) -> f64 {
        self.first + self.taken as f64 * self.every
    }

    /// Marks all reading times up to and including `now` (s) as passed.
    fn mark_readings_taken_until(&mut self, now: f64) {
        self.taken = ((now - self.first) / self.every) as u64;
        while self.next_time() <= now {
            self.taken += 1;
        }
    }
}

/// Result of a gauge edit. An index is the position of the gauge in the [`GaugeSet`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GaugeEditResult {
    /// The gauge was added at this index, which is the end of the set.
    Added(usize),
    /// A gauge was changed. The first field is the index of the gauge, and the second is the number
    /// of its previous definition in the world's list of definitions.
    Changed(usize, usize),
    /// The gauge at this index was removed.
    Removed(usize),
}

/// Current gauges of a world, in the order in which they were added.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct GaugeSet(Vec<ActiveGauge>);

impl GaugeSet {
    /// Creates the set of gauges that a scene has at its start.
    pub(crate) fn from_scene(scene: &Scene) -> Self {
        let names = scene.gauges().into_iter().map(|gauge| gauge.name.to_owned());
        let stopping_gauge = |(number, name)| ActiveGauge {
            name,
            number,
            series_number: number,
            sample_times: None,
        };
        Self(names.enumerate().map(stopping_gauge).collect())
    }

    pub(crate) fn gauges(&self) -> &[ActiveGauge] {
        &self.0
    }

    pub(crate) fn gauges_mut(&mut self) -> &mut [ActiveGauge] {
        &mut self.0
    }

    /// Schedules the readings later than `time` (s) again, after the world has returned to this
    /// time.
    pub(crate) fn rewind(&mut self, time: f64) {
        self.0.iter_mut().filter_map(|one| one.sample_times.as_mut()).for_each(|times| {
            times.taken = 0;
            times.mark_readings_taken_until(time);
        });
    }

    /// Returns whether this set is valid for a world with `definition_count` gauge definitions:
    /// every index is less than `definition_count`, and all reading times are valid.
    pub(crate) fn is_valid_for(&self, definition_count: usize) -> bool {
        let repeats =
            |at: &SampleTimes| at.first.is_finite() && at.every > 0.0 && at.every.is_finite();
        let fits = |one: &ActiveGauge| {
            one.number < definition_count
                && one.series_number < definition_count
                && one.sample_times.as_ref().is_none_or(repeats)
        };
        self.0.iter().all(fits)
    }

    /// Applies an edit at the time `now` (s). After it has added or changed a gauge, the caller
    /// must read this gauge at once.
    ///
    /// # Errors
    /// Returns a message if an added gauge has the name of an existing one, or if there is no gauge
    /// to change or remove.
    pub(crate) fn apply_edit(
        &mut self,
        task: &GaugeTask,
        now: f64,
    ) -> Result<GaugeEditResult, String> {
        match task {
            GaugeTask::Add(form) => {
                let taken = |one: &ActiveGauge| one.name.eq_ignore_ascii_case(&form.name);
                if self.0.iter().any(taken) {
                    let name = &form.name;
                    return Err(format!(
                        "there is already a gauge \"{name}\"; choose another name"
                    ));
                }
                self.0.push(new_non_stopping_gauge(form, now));
                Ok(GaugeEditResult::Added(self.0.len() - 1))
            }
            GaugeTask::Change(form) => {
                let at = self.index_of(&form.name)?;
                let ActiveGauge { number, series_number, .. } = self.0[at];
                self.0[at] = ActiveGauge { series_number, ..new_non_stopping_gauge(form, now) };
                Ok(GaugeEditResult::Changed(at, number))
            }
            GaugeTask::Remove(name) => {
                let at = self.index_of(name)?;
                self.0.remove(at);
                Ok(GaugeEditResult::Removed(at))
            }
        }
    }

    fn index_of(&self, name: &str) -> Result<usize, String> {
        self.0.iter().position(|one| one.name == name).ok_or_else(|| {
            let known = join_names(self.0.iter().map(|one| one.name.as_str()));
            format!("there is no gauge \"{name}\"; existing gauges: {known}")
        })
    }

    /// Returns the index, in this set, of the gauge with the number `number` in the scene. Returns
    /// `None` if an event has changed or removed this gauge, because it is then no longer read at
    /// stops (scheduled times at which a step ends exactly).
    pub(crate) fn index_of_scene_gauge(&self, number: usize) -> Option<usize> {
        self.0.iter().position(|one| one.number == number && one.sample_times.is_none())
    }

    /// Returns the next reading time (s) of the gauges that events have added or changed. Time
    /// steps are not shortened to end at this time. Returns infinity if there are no such gauges.
    pub(crate) fn next_reading_time(&self) -> f64 {
        let sample_times = self.0.iter().filter_map(|one| one.sample_times.as_ref());
        sample_times.map(SampleTimes::next_time).fold(f64::INFINITY, f64::min)
    }

    /// Returns the index of a gauge in this set with a reading that is due by the time `now` (s),
    /// and marks all its readings up to `now` as done. Considers only gauges that events have added
    /// or changed. Returns `None` if no reading is due.
    pub(crate) fn take_due(&mut self, now: f64) -> Option<usize> {
        let due = |one: &ActiveGauge| {
            one.sample_times.is_some_and(|sample_times| sample_times.next_time() <= now)
        };
        let at = self.0.iter().position(due)?;
        self.0[at]
            .sample_times
            .iter_mut()
            .for_each(|sample_times| sample_times.mark_readings_taken_until(now));
        Some(at)
    }
}

/// Creates a gauge that an event adds or changes. Its first reading time is `now` (s), and the
/// caller reads it then. Time steps are not shortened to end at its reading times.
fn new_non_stopping_gauge(definition: &GaugeDefinition, now: f64) -> ActiveGauge {
    let GaugeDefinition { name, every, number } = definition;
    let sample_times = Some(SampleTimes { first: now, every: *every, taken: 1 });
    ActiveGauge { name: name.clone(), number: *number, series_number: *number, sample_times }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add_gauge_task(name: &str, every: f64, number: usize) -> GaugeTask {
        GaugeTask::Add(GaugeDefinition { name: name.into(), every, number })
    }

    #[test]
    fn a_gauge_is_read_once_even_if_several_reading_times_have_passed() {
        let mut gauge_set = GaugeSet::default();
        assert_eq!(
            gauge_set.apply_edit(&add_gauge_task("pond", 0.5, 3), 2.0),
            Ok(GaugeEditResult::Added(0))
        );
        assert_eq!((gauge_set.next_reading_time(), gauge_set.take_due(2.4)), (2.5, None));
        assert_eq!(
            (gauge_set.take_due(4.1), gauge_set.take_due(4.1), gauge_set.next_reading_time()),
            (Some(0), None, 4.5)
        );
        assert_eq!((gauge_set.take_due(4.5), gauge_set.next_reading_time()), (Some(0), 5.0));
    }

    #[test]
    fn duplicate_and_unknown_gauge_names_are_rejected() {
        let mut gauge_set = GaugeSet::default();
        gauge_set.apply_edit(&add_gauge_task("pond", 1.0, 0), 0.0).unwrap();
        assert!(
            gauge_set
                .apply_edit(&add_gauge_task("Pond", 1.0, 1), 0.0)
                .unwrap_err()
                .contains("already")
        );
        let gone = gauge_set.apply_edit(&GaugeTask::Remove("pool".into()), 1.0).unwrap_err();
        assert_eq!(gone, "there is no gauge \"pool\"; existing gauges: pond");
        assert_eq!(
            gauge_set.apply_edit(&GaugeTask::Remove("pond".into()), 1.0),
            Ok(GaugeEditResult::Removed(0))
        );
        assert_eq!(gauge_set.next_reading_time(), f64::INFINITY);
    }
}
