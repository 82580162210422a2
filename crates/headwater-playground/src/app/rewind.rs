//! [`Rewind`]: the last minute of play, as moments to go back to. Going on from an earlier one takes another way from there.

use headwater_scene::live::{GaugeHistory, Live, LiveError, SavedState};
use std::collections::VecDeque;
use web_time::Instant;

/// How long the rewind is (s of play).
const LENGTH: f64 = 60.0;

/// A moment is kept every so many seconds of play, if that does not take too much memory or time.
const APART: f64 = 1.0;

/// What the moments may take (bytes).
const BOUND: usize = if cfg!(target_arch = "wasm32") { 48 << 20 } else { 128 << 20 };

/// Keeping a moment may take one part in so many of the time.
const COST: f64 = 40.0;

/// How a world's time of play is known: its steps and what was done to it.
pub(super) type Mark = (u64, u64);

struct Frame {
    moment: SavedState,
    /// When it was (s of play).
    when: f64,
}

#[derive(Default)]
pub(super) struct Rewind {
    frames: VecDeque<Frame>,
    /// Time of play that has passed (s).
    played: f64,
    /// Between two moments (s of play); 0 for the least.
    apart: f64,
    /// The one that is on show, and the world's mark then.
    at: Option<(usize, Mark)>,
    /// What gauges had measured when it was gone back from the present.
    measured: Option<GaugeHistory>,
}

impl Rewind {
    /// Takes note of a frame in which play went on for so many seconds; keeps a moment if it is time to and the world is here.
    pub(super) fn note(&mut self, live: &mut Live, seconds: f64, is_here: bool) {
        self.played += seconds;
        let due = |last: &Frame| self.played - last.when >= self.apart.max(APART);
        if is_here && self.frames.back().is_none_or(due) {
            // Where it cannot be told in bytes there is no rewind.
            let _ = self.keep(live);
        }
    }

    /// The world has gone on from where it was taken back to: what came after that moment is gone.
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
            // Every other one goes, and those to come lie as far apart.
            let last = self.frames.len() - 1;
            let mut i = 0;
            self.frames.retain(|_| {
                i += 1;
                (last + 1 - i).is_multiple_of(2)
            });
            self.apart = 2.0 * self.apart.max(APART);
            // Worlds of which hardly one fits.
            if self.frames.len() < 2 {
                self.frames.clear();
            }
        }
        Ok(())
    }

    /// How many moments there are, and which is on show, if it is not the present.
    pub(super) fn place(&self) -> (usize, Option<usize>) {
        (self.frames.len(), self.at.map(|(at, _)| at))
    }

    /// How long ago a moment was (s of play).
    pub(super) fn age(&self, of: usize) -> f64 {
        self.frames.get(of).map_or(0.0, |frame| self.played - frame.when)
    }

    /// Time of play that has passed (s).
    pub(super) fn played(&self) -> f64 {
        self.played
    }

    /// The last moment that is so long ago (s of play), and when it was; where there is none, the first. None of before `since` counts.
    pub(super) fn moment_before(&self, ago: f64, since: f64) -> Option<(&SavedState, f64)> {
        let all = || self.frames.iter().filter(|frame| frame.when >= since);
        let old = all().rfind(|frame| frame.when <= self.played - ago).or_else(|| all().next());
        old.map(|frame| (&frame.moment, frame.when))
    }

    /// Goes to a moment. The first time, the present becomes one.
    ///
    /// # Errors
    /// [`LiveError`] if the world is another.
    pub(super) fn go(&mut self, live: &mut Live, to: usize) -> Result<(), LiveError> {
        if self.at.is_none() {
            let last = self.frames.len().saturating_sub(1);
            self.keep(live)?;
            self.measured = Some(live.gauge_history());
            // The present may have pushed the oldest out.
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

    /// The world on show is the moment that was gone to: so much was done to it then.
    pub(super) fn arrive(&mut self, mark: Mark) {
        if let Some((_, then)) = &mut self.at {
            *then = mark;
        }
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }
}
