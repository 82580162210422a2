//! [`GaugeSet`]: which gauges a world has now, and when those measure that make no stops. What they have measured is not here.
//!
//! The scene's own gauges measure at stops of the [`Schedule`](super::Schedule), which stay when such a gauge changes or goes. What events
//! add or change to measures in passing: at once, and then after the first whole step that comes to its time. So no gauge
//! that comes changes the steps, and with them the state; its event does, if it makes a stop.

use crate::scene::gauge_edit::list;
use crate::scene::{GaugeForm, GaugeTask, Scene};
use serde::{Deserialize, Serialize};

/// A gauge that there is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct ActiveGauge {
    /// Its name.
    pub(crate) name: String,
    /// The number by which the world knows what it measures.
    pub(crate) number: usize,
    /// The number that it had when what it has measured began: as long as it measures the same, a change does not begin anew.
    pub(crate) began: usize,
    /// When it measures in passing; nothing if it does so at stops.
    passing: Option<SampleTimes>,
}

/// Times that repeat without making stops.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct SampleTimes {
    first: f64,
    every: f64,
    taken: u64,
}

impl SampleTimes {
    /// The next time.
    fn next(&self) -> f64 {
        self.first + self.taken as f64 * self.every
    }

    /// Counts all times up to and with `now` as taken.
    fn take(&mut self, now: f64) {
        self.taken = ((now - self.first) / self.every) as u64;
        while self.next() <= now {
            self.taken += 1;
        }
    }
}

/// What an edit has made of a gauge: of the one at that place of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GaugeEditResult {
    /// It is the last one of the list.
    Added(usize),
    /// It had that number before.
    Changed(usize, usize),
    /// It was there.
    Removed(usize),
}

/// The gauges that there are, in the order in which they came.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct GaugeSet(Vec<ActiveGauge>);

impl GaugeSet {
    /// Those of a scene at its start.
    pub(crate) fn of(scene: &Scene) -> Self {
        let names = scene.setting().gauges().into_iter().map(|gauge| gauge.name.to_owned());
        let watched = |(number, name)| ActiveGauge { name, number, began: number, passing: None };
        Self(names.enumerate().map(watched).collect())
    }

    pub(crate) fn all(&self) -> &[ActiveGauge] {
        &self.0
    }

    pub(crate) fn all_mut(&mut self) -> &mut [ActiveGauge] {
        &mut self.0
    }

    /// True if it can be of a world that knows so many gauges.
    pub(crate) fn fits(&self, known: usize) -> bool {
        let repeats =
            |at: &SampleTimes| at.first.is_finite() && at.every > 0.0 && at.every.is_finite();
        let fits = |one: &ActiveGauge| {
            one.number < known && one.began < known && one.passing.as_ref().is_none_or(repeats)
        };
        self.0.iter().all(fits)
    }

    /// Does what an event says at the time `now`. Who is added or changed is to measure at once.
    pub(crate) fn edit(&mut self, task: &GaugeTask, now: f64) -> Result<GaugeEditResult, String> {
        match task {
            GaugeTask::Add(form) => {
                let taken = |one: &ActiveGauge| one.name.eq_ignore_ascii_case(&form.name);
                if self.0.iter().any(taken) {
                    let name = &form.name;
                    return Err(format!("found gauge \"{name}\" again, each needs its own name"));
                }
                self.0.push(watched(form, now));
                Ok(GaugeEditResult::Added(self.0.len() - 1))
            }
            GaugeTask::Change(form) => {
                let at = self.place(&form.name)?;
                let ActiveGauge { number, began, .. } = self.0[at];
                self.0[at] = ActiveGauge { began, ..watched(form, now) };
                Ok(GaugeEditResult::Changed(at, number))
            }
            GaugeTask::Remove(name) => {
                let at = self.place(name)?;
                self.0.remove(at);
                Ok(GaugeEditResult::Removed(at))
            }
        }
    }

    fn place(&self, name: &str) -> Result<usize, String> {
        self.0.iter().position(|one| one.name == name).ok_or_else(|| {
            let known = list(self.0.iter().map(|one| one.name.as_str()));
            format!("found gauge \"{name}\", but the gauges that there are: {known}")
        })
    }

    /// The place of the scene's own gauge of that number, if it still measures at its stops.
    pub(crate) fn at_stops(&self, number: usize) -> Option<usize> {
        self.0.iter().position(|one| one.number == number && one.passing.is_none())
    }

    /// When the next gauge measures in passing; never, if none does.
    pub(crate) fn next(&self) -> f64 {
        let passing = self.0.iter().filter_map(|one| one.passing.as_ref());
        passing.map(SampleTimes::next).fold(f64::INFINITY, f64::min)
    }

    /// The place of a gauge that is to measure in passing by the time `now` and has not yet; counts it as done.
    pub(crate) fn take(&mut self, now: f64) -> Option<usize> {
        let due = |one: &ActiveGauge| one.passing.is_some_and(|passing| passing.next() <= now);
        let at = self.0.iter().position(due)?;
        self.0[at].passing.iter_mut().for_each(|passing| passing.take(now));
        Some(at)
    }
}

/// A gauge that measures in passing from the time `now` on, and has done so.
fn watched(form: &GaugeForm, now: f64) -> ActiveGauge {
    let GaugeForm { name, every, number } = form;
    let passing = Some(SampleTimes { first: now, every: *every, taken: 1 });
    ActiveGauge { name: name.clone(), number: *number, began: *number, passing }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn added(name: &str, every: f64, number: usize) -> GaugeTask {
        GaugeTask::Add(GaugeForm { name: name.into(), every, number })
    }

    #[test]
    fn a_gauge_measures_once_however_many_of_its_times_have_passed() {
        let mut gauge_set = GaugeSet::default();
        assert_eq!(gauge_set.edit(&added("pond", 0.5, 3), 2.0), Ok(GaugeEditResult::Added(0)));
        assert_eq!((gauge_set.next(), gauge_set.take(2.4)), (2.5, None));
        assert_eq!(
            (gauge_set.take(4.1), gauge_set.take(4.1), gauge_set.next()),
            (Some(0), None, 4.5)
        );
        assert_eq!((gauge_set.take(4.5), gauge_set.next()), (Some(0), 5.0));
    }

    #[test]
    fn names_are_told_apart_and_told() {
        let mut gauge_set = GaugeSet::default();
        gauge_set.edit(&added("pond", 1.0, 0), 0.0).unwrap();
        assert!(gauge_set.edit(&added("Pond", 1.0, 1), 0.0).unwrap_err().contains("again"));
        let gone = gauge_set.edit(&GaugeTask::Remove("pool".into()), 1.0).unwrap_err();
        assert_eq!(gone, "found gauge \"pool\", but the gauges that there are: pond");
        assert_eq!(
            gauge_set.edit(&GaugeTask::Remove("pond".into()), 1.0),
            Ok(GaugeEditResult::Removed(0))
        );
        assert_eq!(gauge_set.next(), f64::INFINITY);
    }
}
