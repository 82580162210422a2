//! [`ViewHistory`]: simulated times and cameras of the last seconds of play. They are used to
//! record an animation of these seconds.

use crate::app::canvas::CameraState;
use std::collections::VecDeque;

/// Length of the history that is kept (s of play).
const LENGTH: f64 = 10.0;

/// Time and camera of one frame.
#[derive(Clone, Copy, Debug)]
pub(in crate::app) struct ViewSample {
    /// Play time of the frame (s).
    pub(in crate::app) play_time: f64,
    /// Simulated time, in the scene's unit of time.
    pub(in crate::app) clock: f64,
    /// Camera of the frame, if known.
    pub(in crate::app) camera_state: Option<CameraState>,
}

/// Times and cameras of the frames in the last seconds of play. The history starts anew when the
/// world is set to another state, for example by undo (a jump in time).
#[derive(Default)]
pub(in crate::app) struct ViewHistory {
    samples: VecDeque<ViewSample>,
    /// Play time (s) at the last jump in time (change to another state, for example by undo).
    pub(in crate::app) start: f64,
}

impl ViewHistory {
    /// Records a frame. A frame with the same play time as the last one is ignored.
    pub(in crate::app) fn record(&mut self, sample: ViewSample) {
        if self.samples.back().is_some_and(|last| last.play_time >= sample.play_time) {
            return;
        }
        self.samples.push_back(sample);
        while self.samples.front().is_some_and(|first| first.play_time < sample.play_time - LENGTH)
        {
            self.samples.pop_front();
        }
    }

    /// Returns the recorded frames whose play time (s) is at least `play_time`.
    pub(in crate::app) fn samples_since(&self, play_time: f64) -> Vec<ViewSample> {
        self.samples.iter().filter(|sample| sample.play_time >= play_time).copied().collect()
    }

    /// Clears the history after a jump in time. `now` is the current play time (s).
    pub(in crate::app) fn reset(&mut self, now: f64) {
        self.samples.clear();
        self.start = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_before_a_jump_are_dropped() {
        let mut view_history = ViewHistory::default();
        let sample =
            |play_time| ViewSample { play_time, clock: 2.0 * play_time, camera_state: None };
        (0..2000).for_each(|i| view_history.record(sample(0.01 * f64::from(i))));
        // This frame is drawn during a pause, so the play time has not advanced.
        view_history.record(sample(19.99));
        let last = view_history.samples_since(19.99 - 6.0);
        assert_eq!(last.len(), 601);
        assert!(
            (last[0].play_time - 13.99).abs() < 1e-9 && last[0].clock == 2.0 * last[0].play_time
        );
        assert!(view_history.samples_since(0.0).len() < 1010, "old samples are dropped");
        view_history.reset(20.0);
        view_history.record(sample(20.5));
        assert_eq!((view_history.samples_since(0.0).len(), view_history.start), (1, 20.0));
    }
}
