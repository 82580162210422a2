//! [`TimeScrub`]: snapshots of the last minute of play. Continuing from an earlier one discards the
//! later ones.

use headwater_scene::live::{GaugeHistory, Live, LiveError, SavedState};
use std::collections::VecDeque;
use web_time::Instant;

/// Length of the history (s of play).
const LENGTH: f64 = 60.0;

/// Smallest interval between snapshots (s of play).
const APART: f64 = 1.0;

/// Largest memory use of the snapshots (bytes).
const BOUND: usize = if cfg!(target_arch = "wasm32") { 48 << 20 } else { 128 << 20 };

/// The interval between snapshots is at least this multiple of the time to take one.
const COST: f64 = 40.0;

/// Identifies a state of the world by its steps and edits.
pub(super) type Mark = (u64, u64);

struct Frame {
    moment: SavedState,
    /// Play time of the snapshot (s).
    when: f64,
}

#[derive(Default)]
pub(super) struct Rewind {
    frames: VecDeque<Frame>,
    /// Total play time (s).
    played: f64,
    /// Interval between snapshots (s of play); 0 for the smallest.
    apart: f64,
    /// Index of the shown snapshot, and the world's mark then.
    at: Option<(usize, Mark)>,
    /// Gauge readings of the present, saved when scrubbing starts.
    measured: Option<GaugeHistory>,
}

impl Rewind {
    /// Records a frame of `seconds` s of play. Takes a snapshot if it is due and the world is
    /// available.
    pub(super) fn note(&mut self, live: &mut Live, seconds: f64, is_here: bool) {
        self.played += seconds;
        let due = |last: &Frame| self.played - last.when >= self.apart.max(APART);
        if is_here && self.frames.back().is_none_or(due) {
            // Worlds that cannot be saved have no history.
            let _ = self.keep(live);
        }
    }

    /// Discards later snapshots if the world continued from an earlier one.
    pub(super) fn branch(&mut self, mark: Mark) {
        if let Some((at, then)) = self.at
            && then != mark
        {
            self.frames.truncate(at + 1);
            self.played = self.frames.back().map_or(self.played, |last| last.when);
            (self.at, self.measured) = (None, None);
        }
    }

    fn keep(&mut self, live: &mut Live) -> Result<(), LiveError> {
        let begun = Instant::now();
        let moment = live.save_state()?;
        self.apart = self.apart.max(COST * begun.elapsed().as_secs_f64());
        self.frames.push_back(Frame { moment, when: self.played });
        while self.frames.front().is_some_and(|first| first.when < self.played - LENGTH) {
            self.frames.pop_front();
        }
        let size =
            |frames: &VecDeque<Frame>| frames.iter().map(|one| one.moment.size()).sum::<usize>();
        if size(&self.frames) > BOUND {
            // Drops every second snapshot and doubles the interval.
            let last = self.frames.len() - 1;
            let mut i = 0;
            self.frames.retain(|_| {
                i += 1;
                (last + 1 - i).is_multiple_of(2)
            });
            self.apart = 2.0 * self.apart.max(APART);
            // Too large for more than one snapshot.
            if self.frames.len() < 2 {
                self.frames.clear();
            }
        }
        Ok(())
    }

    /// Returns the number of snapshots, and the index of the shown one; `None` for the present.
    pub(super) fn place(&self) -> (usize, Option<usize>) {
        (self.frames.len(), self.at.map(|(at, _)| at))
    }

    /// Returns the age of a snapshot (s of play).
    pub(super) fn age(&self, of: usize) -> f64 {
        self.frames.get(of).map_or(0.0, |frame| self.played - frame.when)
    }

    /// Returns the total play time (s).
    pub(super) fn played(&self) -> f64 {
        self.played
    }

    /// Returns the last snapshot that is at least `ago` s old, and its play time; otherwise the
    /// first. Ignores snapshots before `since`.
    pub(super) fn moment_before(&self, ago: f64, since: f64) -> Option<(&SavedState, f64)> {
        let all = || self.frames.iter().filter(|frame| frame.when >= since);
        let old = all().rfind(|frame| frame.when <= self.played - ago).or_else(|| all().next());
        old.map(|frame| (&frame.moment, frame.when))
    }

    /// Goes to a snapshot. The first call adds the present as a snapshot.
    ///
    /// # Errors
    /// [`LiveError`] if the snapshot belongs to another world.
    pub(super) fn go(&mut self, live: &mut Live, to: usize) -> Result<(), LiveError> {
        if self.at.is_none() {
            let last = self.frames.len().saturating_sub(1);
            self.keep(live)?;
            self.measured = Some(live.gauge_history());
            // Adding the present may have dropped the oldest snapshot.
            self.at = Some((last, (0, 0)));
        }
        let to = to.min(self.frames.len().saturating_sub(1));
        if let Some(frame) = self.frames.get(to) {
            live.restore_state(&frame.moment)?;
            if let Some(measured) = &self.measured {
                live.restore_gauge_history(measured);
            }
            self.at = Some((to, (0, 0)));
        }
        Ok(())
    }

    /// Records the world's mark after going to a snapshot.
    pub(super) fn arrive(&mut self, mark: Mark) {
        if let Some((_, then)) = &mut self.at {
            *then = mark;
        }
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}
