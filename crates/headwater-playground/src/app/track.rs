//! [`Track`]: what was seen of a world in the last seconds of play: at which times of its clock, and from where.

use super::canvas::Eye;
use std::collections::VecDeque;

/// How long it is kept (s of play).
const LENGTH: f64 = 10.0;

#[derive(Clone, Copy, Debug)]
pub(super) struct Seen {
    /// When it was (s of play).
    pub(super) when: f64,
    /// The world's clock then.
    pub(super) clock: f64,
    /// From where it was seen.
    pub(super) eye: Option<Eye>,
}

/// What was seen in the last seconds, since time went on without a leap.
#[derive(Default)]
pub(super) struct Track {
    seen: VecDeque<Seen>,
    /// Since when (s of play).
    pub(super) since: f64,
}

impl Track {
    /// Takes note of a frame; the same moment is noted once.
    pub(super) fn note(&mut self, seen: Seen) {
        if self.seen.back().is_some_and(|last| last.when >= seen.when) {
            return;
        }
        self.seen.push_back(seen);
        while self.seen.front().is_some_and(|first| first.when < seen.when - LENGTH) {
            self.seen.pop_front();
        }
    }

    /// What was seen from a time of play on.
    pub(super) fn from(&self, when: f64) -> Vec<Seen> {
        self.seen.iter().filter(|seen| seen.when >= when).copied().collect()
    }

    /// The world has leapt to another time: what came before does not lead here.
    pub(super) fn leap(&mut self, now: f64) {
        self.seen.clear();
        self.since = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_seen_before_a_leap_is_forgotten() {
        let mut track = Track::default();
        let seen = |when| Seen { when, clock: 2.0 * when, eye: None };
        (0..2000).for_each(|i| track.note(seen(0.01 * f64::from(i))));
        // A frame in pause.
        track.note(seen(19.99));
        let last = track.from(19.99 - 6.0);
        assert_eq!(last.len(), 601);
        assert!((last[0].when - 13.99).abs() < 1e-9 && last[0].clock == 2.0 * last[0].when);
        assert!(track.from(0.0).len() < 1010, "no more is kept than is of use");
        track.leap(20.0);
        track.note(seen(20.5));
        assert_eq!((track.from(0.0).len(), track.since), (1, 20.0));
    }
}
