//! When what is due: events, gauges and pictures at their times. The schedule follows from the scene
//! alone; what has been done is counted, so that a run can be broken off and resumed.

use crate::schema::{Scene, Times};
use serde::{Deserialize, Serialize};

/// Times that repeat: `first`, `first + every`, … up to and with `last`.
#[derive(Clone, Copy, Debug)]
struct Beat {
    first: f64,
    every: Option<f64>,
    last: f64,
}

impl Beat {
    /// The time of beat number `n` (s), if there are so many.
    fn time(&self, n: u64) -> Option<f64> {
        let time = match self.every {
            None => (n == 0).then_some(self.first)?,
            Some(every) => self.first + n as f64 * every,
        };
        // The last of so many equal parts may miss the end by a rounding.
        let close = (time - self.last).abs() <= 1e-9 * self.last;
        if close { Some(self.last) } else { (time <= self.last).then_some(time) }
    }
}

/// What is due at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Due {
    /// The event of that number.
    Event(usize),
    /// A measurement of the gauge of that number.
    Gauge(usize),
    /// A picture.
    Frame,
}

/// All beats of a scene.
#[derive(Clone, Debug)]
pub(super) struct Schedule {
    until: f64,
    /// In the order in which things at the same time are done.
    beats: Vec<(Due, Beat)>,
}

/// How often each beat of a schedule has been done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Done(Vec<u64>);

impl Schedule {
    pub(super) fn new(scene: &Scene) -> Self {
        let (setting, until) = (scene.setting(), scene.until());
        let event = |times: Times| {
            let last = times.until.map_or(until, |last| last.min(until));
            Beat { first: times.time, every: times.every, last }
        };
        let steady = |every: f64| Beat { first: 0.0, every: Some(every), last: until };
        let events = setting.events().into_iter().enumerate();
        let events = events.map(|(i, times)| (Due::Event(i), event(times)));
        let gauges = setting.gauges().into_iter().enumerate();
        let gauges = gauges.map(|(i, gauge)| (Due::Gauge(i), steady(gauge.every)));
        let frames = setting.recording().frame_every.map(|every| (Due::Frame, steady(every)));
        Self { until, beats: events.chain(gauges).chain(frames).collect() }
    }

    /// Nothing done yet.
    pub(super) fn start(&self) -> Done {
        Done(vec![0; self.beats.len()])
    }

    /// True if `done` can be of this schedule.
    pub(super) fn fits(&self, done: &Done) -> bool {
        done.0.len() == self.beats.len()
    }

    /// What is due at `time` or before and not done yet; counts it as done.
    pub(super) fn take(&self, done: &mut Done, time: f64) -> Option<Due> {
        for ((due, beat), count) in self.beats.iter().zip(&mut done.0) {
            if beat.time(*count).is_some_and(|at| at <= time) {
                *count += 1;
                return Some(*due);
            }
        }
        None
    }

    /// The next time at which something is due, or the end of the run.
    pub(super) fn next_stop(&self, done: &Done) -> f64 {
        let beats = self.beats.iter().zip(&done.0);
        let times = beats.filter_map(|((_, beat), count)| beat.time(*count));
        times.fold(self.until, f64::min)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema;

    fn scene(keys: &str) -> Scene {
        let text = format!(
            "model = 'flow'\n[grid]\nnx = 4\nny = 3\ncell = 1\n[terrain]\nplane = {{}}\n{keys}"
        );
        schema::parse("test.toml", &text, &[]).unwrap()
    }

    /// Everything a scene does, in order.
    fn diary(scene: &Scene) -> Vec<(f64, Due)> {
        let schedule = Schedule::new(scene);
        let (mut done, mut time, mut diary) = (schedule.start(), 0.0, Vec::new());
        loop {
            while let Some(due) = schedule.take(&mut done, time) {
                diary.push((time, due));
            }
            if time >= scene.until() {
                return diary;
            }
            time = schedule.next_stop(&done);
        }
    }

    #[test]
    fn things_are_done_at_their_times_events_first() {
        let scene = scene(
            "[time]\nuntil = 6\n[output]\nframes = 2\n\
             [[event]]\ntime = 3\ndo = 'open'\neverywhere = true\n\
             [[event]]\ntime = 1\nevery = 2\nuntil = 4\ndo = 'pour'\namount = 1\neverywhere = true",
        );
        let (open, pour) = (Due::Event(0), Due::Event(1));
        let expected = [
            (0.0, Due::Frame),
            (1.0, pour),
            (3.0, open),
            (3.0, pour),
            (3.0, Due::Frame),
            (6.0, Due::Frame),
        ];
        assert_eq!(diary(&scene), expected);
    }

    #[test]
    fn the_last_picture_is_of_the_end_in_spite_of_rounding() {
        let scene = scene("[time]\nuntil = 0.7\n[output]\nframes = 49");
        let diary = diary(&scene);
        assert_eq!(diary.len(), 50);
        assert_eq!(diary[49], (0.7, Due::Frame));
    }
}
