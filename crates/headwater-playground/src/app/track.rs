//! [`ViewHistory`]: simulated times and cameras of the last seconds of play.

use super::canvas::Eye;
use std::collections::VecDeque;

/// Length of the history (s of play).
const LENGTH: f64 = 10.0;

/// Camera and time in one frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    /// Play time (s).
    pub(super) when: f64,
    /// Simulated time.
    pub(super) clock: f64,
    /// The camera.
    pub(super) eye: Option<Eye>,
}

/// Samples of the last seconds without a jump in time.
#[derive(Default)]
pub(super) struct Track {
    seen: VecDeque<Seen>,
    /// Play time of the last jump (s).
    pub(super) since: f64,
}

impl Track {
    /// Records a frame. Repeated play times are ignored.
    pub(super) fn note(&mut self, seen: Seen) {
        if self.seen.back().is_some_and(|last| last.when >= seen.when) {
            return;
        }
        self.seen.push_back(seen);
        while self.seen.front().is_some_and(|first| first.when < seen.when - LENGTH) {
            self.seen.pop_front();
        }
    }

    /// Returns the samples from a play time on.
    pub(super) fn from(&self, when: f64) -> Vec<Seen> {
        self.seen.iter().filter(|seen| seen.when >= when).copied().collect()
    }

    /// Clears the history after a jump in time.
    pub(super) fn leap(&mut self, now: f64) {
        self.seen.clear();
        self.since = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_before_a_jump_are_dropped() {
        let mut track = Track::default();
        let seen = |when| Seen { when, clock: 2.0 * when, eye: None };
        (0..2000).for_each(|i| track.note(seen(0.01 * f64::from(i))));
        // A frame during a pause.
        track.note(seen(19.99));
        let last = track.from(19.99 - 6.0);
        assert_eq!(last.len(), 601);
        assert!((last[0].when - 13.99).abs() < 1e-9 && last[0].clock == 2.0 * last[0].when);
        assert!(track.from(0.0).len() < 1010, "old samples are dropped");
        track.leap(20.0);
        track.note(seen(20.5));
        assert_eq!((track.from(0.0).len(), track.since), (1, 20.0));
    }
}
