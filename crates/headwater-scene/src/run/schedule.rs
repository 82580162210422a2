//! [`Schedule`]: the times of the events, gauge readings, layer outputs and pictures of a scene.
//!
//! Most scheduled times are stops: a model with variable time steps shortens its step so that it
//! ends exactly at the stop. A non-stopping event does not shorten steps; it is applied after the
//! first step that reaches its time. The schedule depends only on the scene. The progress of a run
//! is stored separately, in [`ScheduleProgress`], so that the run can be resumed.

use super::output::names::TimeFormat;
use crate::scene::{GaugeTask, Scene, Times};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Shortest interval (in the model's unit of time) at which tasks recur in a world that runs
/// without an end.
const MIN_INTERVAL: f64 = 1e-4;

/// Recurring times `first`, `first + every`, … (s). The times end at `last`, inclusive, unless
/// `endless` is true. If `every` is `None`, the only time is `first`.
#[derive(Clone, Copy, Debug)]
struct Recurrence {
    first: f64,
    every: Option<f64>,
    last: f64,
    /// Whether the recurring times continue after `last`.
    endless: bool,
}

impl Recurrence {
    /// Returns the `n`-th time (s), counted from 0; `None` if there are fewer times.
    fn nth_time(&self, n: u64) -> Option<f64> {
        let time = match self.every {
            None => (n == 0).then_some(self.first)?,
            Some(every) => self.first + n as f64 * every,
        };
        // Rounding may place the last multiple slightly after the end.
        let close = (time - self.last).abs() <= 1e-9 * self.last;
        if close { Some(self.last) } else { (time <= self.last || self.endless).then_some(time) }
    }
}

/// Kind of task that is done at a scheduled time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScheduledTask {
    /// Apply the event with this index in the scene.
    Event(usize),
    /// Read the scene's gauge with this index. Skipped if an event has changed or removed the
    /// gauge.
    Gauge(usize),
    /// Write layers. The index is the position of the time in the scene's list `output.layers_at`.
    /// It is always 0 if the scene uses `output.layers_every` instead.
    Layers(usize),
    /// Record the water balance.
    Ledger,
    /// Draw the next frame of the animation.
    Frame,
}

/// Scheduled times of a scene, with the task for each time.
#[derive(Clone, Debug)]
pub(crate) struct Schedule {
    until: f64,
    /// Whether recurring times continue after the end time of the scene, as in an interactive
    /// session.
    is_endless: bool,
    /// Non-stopping events, for which time steps are not shortened: the time (s) and index of each
    /// event, sorted by time.
    non_stopping_events: Vec<(f64, usize)>,
    /// Tasks with their recurring times. These times are stops, at which a time step ends exactly.
    /// Tasks at the same time are done in the order of this list.
    recurrences: Vec<(ScheduledTask, Recurrence)>,
    /// Gauge edits of the scene. The key is the index of the event that makes the edit.
    gauge_edits: BTreeMap<usize, GaugeTask>,
}

/// Progress of a run in its schedule. `recurrences` contains, for each recurring task, how many of
/// its times have been completed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct ScheduleProgress {
    recurrences: Vec<u64>,
    /// Number of non-stopping events (events for which time steps are not shortened) that have been
    /// applied.
    non_stopping_done: usize,
}

impl Schedule {
    pub(crate) fn new(scene: &Scene) -> Self {
        Self::build(scene, false)
    }

    /// Creates the schedule of a world that runs without an end. Recurring times continue after the
    /// end time of the scene.
    pub(crate) fn new_endless(scene: &Scene) -> Self {
        Self::build(scene, true)
    }

    fn build(scene: &Scene, is_endless: bool) -> Self {
        let (recording, until) = (scene.recording_settings(), scene.until());
        // In a world without an end time, a tiny interval must not stop simulated time.
        let clamped = |every: f64| if is_endless { every.max(MIN_INTERVAL) } else { every };
        let event = |times: Times| {
            let last = times.until.map_or(until, |last| last.min(until));
            let endless = is_endless && times.until.is_none();
            Recurrence { first: times.time, every: times.every.map(clamped), last, endless }
        };
        let steady = |every: f64| Recurrence {
            first: 0.0,
            every: Some(clamped(every)),
            last: until,
            endless: is_endless,
        };
        let all = scene.events();
        let mut non_stopping_events: Vec<(f64, usize)> = Vec::new();
        for (i, times) in all.iter().enumerate().filter(|(_, times)| times.in_passing) {
            non_stopping_events.push((times.time, i));
        }
        // The sort is stable, so simultaneous events stay in the order of the list.
        non_stopping_events.sort_by(|a, b| a.0.total_cmp(&b.0));
        let events = all.into_iter().enumerate().filter(|(_, times)| !times.in_passing);
        let events = events.map(|(i, times)| (ScheduledTask::Event(i), event(times)));
        let gauges = scene.gauges().into_iter().enumerate();
        let gauges = gauges.map(|(i, gauge)| (ScheduledTask::Gauge(i), steady(gauge.every)));
        let times = recording.layer_times;
        let once = |first| Recurrence { first, every: None, last: until, endless: false };
        let layers = times.at.into_iter().map(once).chain(times.every.map(steady));
        let layers =
            layers.enumerate().map(|(i, recurrence)| (ScheduledTask::Layers(i), recurrence));
        let ledger = recording.ledger_every.map(|every| (ScheduledTask::Ledger, steady(every)));
        let frames = recording.frame_every.map(|every| (ScheduledTask::Frame, steady(every)));
        let gauge_edits = scene.gauge_tasks().into_iter().collect();
        let recurrences = events.chain(gauges).chain(ledger).chain(layers).chain(frames).collect();
        Self { until, is_endless, non_stopping_events, recurrences, gauge_edits }
    }

    /// Returns the gauge edit that the event with the given index makes; `None` if the event acts
    /// on the world.
    pub(crate) fn gauge_edit(&self, event: usize) -> Option<&GaugeTask> {
        self.gauge_edits.get(&event)
    }

    /// Returns the progress at the start of a run, when no task has been done yet.
    pub(crate) fn initial_progress(&self) -> ScheduleProgress {
        ScheduleProgress { recurrences: vec![0; self.recurrences.len()], non_stopping_done: 0 }
    }

    /// Returns whether `progress` has the form of a progress in this schedule, with the same number
    /// of tasks. Returns false for most progress values of other scenes.
    pub(crate) fn is_valid_progress(&self, progress: &ScheduleProgress) -> bool {
        progress.recurrences.len() == self.recurrences.len()
            && progress.non_stopping_done <= self.non_stopping_events.len()
    }

    /// Returns the next task that is due at `time` (s), and counts it as done. `time` must be a
    /// scheduled time at which a step has ended exactly. Non-stopping events, for which time steps
    /// are not shortened, come first if they were due before `time`. Those that are due exactly at
    /// `time` are left to [`take_non_stopping_event`](Self::take_non_stopping_event).
    pub(crate) fn take_due(
        &self,
        progress: &mut ScheduleProgress,
        time: f64,
    ) -> Option<ScheduledTask> {
        if self.has_non_stopping_event_before(progress, time) {
            return self.take_non_stopping_event(progress, time);
        }
        for ((due, recurrence), count) in self.recurrences.iter().zip(&mut progress.recurrences) {
            if recurrence.nth_time(*count).is_some_and(|at| at <= time) {
                *count += 1;
                return Some(*due);
            }
        }
        None
    }

    /// Marks the last completed occurrence of the task `due_task` as not done, so that the task is
    /// repeated.
    pub(crate) fn mark_not_done(&self, progress: &mut ScheduleProgress, due_task: ScheduledTask) {
        let counts = self
            .recurrences
            .iter()
            .zip(&mut progress.recurrences)
            .filter(|((recurrence, _), _)| *recurrence == due_task);
        counts.for_each(|(_, count)| *count = count.saturating_sub(1));
    }

    /// Returns the next non-stopping event that is due by `time` (s), and counts it as done.
    /// Returns `None` if there is none. Time steps are not shortened to end at non-stopping events.
    pub(crate) fn take_non_stopping_event(
        &self,
        progress: &mut ScheduleProgress,
        time: f64,
    ) -> Option<ScheduledTask> {
        let (_, event) = self
            .non_stopping_events
            .get(progress.non_stopping_done)
            .filter(|(at, _)| *at <= time)?;
        progress.non_stopping_done += 1;
        Some(ScheduledTask::Event(*event))
    }

    /// Returns whether a non-stopping event, for which time steps are not shortened, is due before
    /// the time `stop` (s).
    pub(crate) fn has_non_stopping_event_before(
        &self,
        progress: &ScheduleProgress,
        stop: f64,
    ) -> bool {
        self.next_non_stopping_event_time(progress) < stop
    }

    /// Returns the time (s) of the next non-stopping event, for which time steps are not shortened;
    /// infinity if there is none.
    pub(crate) fn next_non_stopping_event_time(&self, progress: &ScheduleProgress) -> f64 {
        self.non_stopping_events
            .get(progress.non_stopping_done)
            .map_or(f64::INFINITY, |(at, _)| *at)
    }

    /// Returns the next stop after `clock` (s): a time at which a step must end exactly. This is
    /// the time of the next task or the end of the run. In a world without an end, it may also be a
    /// multiple of the scene's duration.
    pub(crate) fn next_stop(&self, progress: &ScheduleProgress, clock: f64) -> f64 {
        let mut end = self.until;
        if self.is_endless && clock >= end {
            let period = self.until.max(MIN_INTERVAL);
            let mut periods = (clock / period).floor();
            while end <= clock {
                periods += 1.0;
                end = periods * period;
            }
        }
        let recurrences = self.recurrences.iter().zip(&progress.recurrences);
        let times = recurrences.filter_map(|((_, recurrence), count)| recurrence.nth_time(*count));
        times.fold(end, f64::min)
    }

    /// Returns all output times of layers before the end of the run (s), in ascending order.
    pub(crate) fn layer_times(&self) -> Vec<f64> {
        let layers =
            self.recurrences.iter().filter(|(due, _)| matches!(due, ScheduledTask::Layers(_)));
        let all = layers.flat_map(|(_, recurrence)| (0..).map_while(|n| recurrence.nth_time(n)));
        let mut times: Vec<f64> = all.collect();
        times.sort_by(f64::total_cmp);
        times
    }

    /// Returns all output times of layers, including the end of the run (s), in ascending order.
    pub(crate) fn layer_times_and_end(&self) -> Vec<f64> {
        let mut times = self.layer_times();
        if times.last().is_none_or(|&last| last < self.until) {
            times.push(self.until);
        }
        times
    }

    /// Returns the format of the output times of layers in file names.
    pub(crate) fn time_format(&self) -> TimeFormat {
        TimeFormat::for_times(&self.layer_times(), self.until)
    }

    /// Returns a copy of this schedule in which a time step ends exactly at every event, including
    /// the events for which time steps are not shortened otherwise.
    #[cfg(feature = "gpu")]
    pub(crate) fn with_stops_at_events(mut self) -> Self {
        let (last, endless) = (f64::INFINITY, false);
        let stop = |(first, i)| {
            (ScheduledTask::Event(i), Recurrence { first, every: None, last, endless })
        };
        let non_stopping: Vec<_> = self.non_stopping_events.drain(..).map(stop).collect();
        let events = self
            .recurrences
            .iter()
            .take_while(|(due, _)| matches!(due, ScheduledTask::Event(_)))
            .count();
        self.recurrences.splice(events..events, non_stopping);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene;

    #[test]
    fn layers_are_scheduled_at_their_times() {
        let text = |keys: &str| {
            format!("[time]\nuntil = 6\n[output]\nframes = 0\nlayers = ['depth']\n{keys}")
        };
        let first = (2.0, ScheduledTask::Layers(1));
        assert_eq!(
            timeline(&scene(&text("layers_at = [6, 2]"))),
            [first, (6.0, ScheduledTask::Layers(0))]
        );
        let every = [0.0, 2.5, 5.0].map(|time| (time, ScheduledTask::Layers(0)));
        assert_eq!(timeline(&scene(&text("layers_every = 2.5"))), every);
    }

    fn scene(keys: &str) -> Scene {
        let text = format!(
            "model = 'flow'\n[grid]\nnx = 4\nny = 3\ncell = 1\n[terrain]\nplane = {{}}\n{keys}"
        );
        scene::parse("test.toml", &text, &[]).unwrap()
    }

    /// Returns all tasks of a scene with their times (s), in the order of execution.
    fn timeline(scene: &Scene) -> Vec<(f64, ScheduledTask)> {
        let schedule = Schedule::new(scene);
        let (mut done, mut time, mut timeline) = (schedule.initial_progress(), 0.0, Vec::new());
        loop {
            while let Some(due) = schedule.take_due(&mut done, time) {
                timeline.push((time, due));
            }
            if time >= scene.until() {
                return timeline;
            }
            time = schedule.next_stop(&done, time);
        }
    }

    #[test]
    fn tasks_are_ordered_by_time_with_events_first() {
        let scene = scene(
            "[time]\nuntil = 6\n[output]\nframes = 2\n\
             [[event]]\ntime = 3\ndo = 'open'\neverywhere = true\n\
             [[event]]\ntime = 1\nevery = 2\nuntil = 4\ndo = 'pour'\namount = 1\neverywhere = true",
        );
        let (open, pour) = (ScheduledTask::Event(0), ScheduledTask::Event(1));
        let expected = [
            (0.0, ScheduledTask::Frame),
            (1.0, pour),
            (3.0, open),
            (3.0, pour),
            (3.0, ScheduledTask::Frame),
            (6.0, ScheduledTask::Frame),
        ];
        assert_eq!(timeline(&scene), expected);
    }

    #[test]
    fn the_last_picture_is_at_the_end_despite_rounding() {
        let scene = scene("[time]\nuntil = 0.7\n[output]\nframes = 49");
        let timeline = timeline(&scene);
        assert_eq!(timeline.len(), 50);
        assert_eq!(timeline[49], (0.7, ScheduledTask::Frame));
    }
}
