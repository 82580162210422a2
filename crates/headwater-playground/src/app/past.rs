//! Scrubbing and replay of the last minute.

use super::canvas::Eye;
use super::stage::Stage;
use super::track::Seen;
use headwater_scene::live::SavedState;

/// Relative tolerance of equal simulated times.
const SAME: f64 = 1e-6;

impl Stage {
    /// Records the camera and time of this frame.
    pub(super) fn note_seen(&mut self, eye: Option<Eye>) {
        if self.passed > 0.0 && !self.is_replayed {
            let (when, clock) = (self.rewind.played(), self.live.clock());
            self.track.note(Seen { when, clock, eye });
        }
    }

    /// Returns a snapshot before the last `seconds` s of play and the samples since then; `None`
    /// without play, or after a jump in time.
    pub(super) fn past(&self, seconds: f64) -> Option<(SavedState, Vec<Seen>)> {
        let (moment, when) = self.rewind.moment_before(seconds, self.track.since)?;
        let seen = self.track.from(when.max(self.rewind.played() - seconds));
        (seen.len() > 1).then(|| (moment.clone(), seen))
    }

    /// Restores a snapshot of the current history.
    pub(super) fn visit(&mut self, moment: &SavedState) -> Result<(), String> {
        self.live.restore_state(moment).map_err(|error| error.to_string())?;
        (self.stroke, self.held, self.is_cancelled) = (None, None, false);
        self.edits += 1;
        self.pace.restart(self.live.clock());
        Ok(())
    }

    /// Returns true if the simulated time has reached `clock`.
    pub(super) fn is_at(&self, clock: f64) -> bool {
        clock - self.live.clock() <= SAME * clock.abs().max(1.0)
    }

    /// Goes to a snapshot of the last minute and pauses. The present is saved as a snapshot and for
    /// undo.
    pub(super) fn scrub(&mut self, to: usize) {
        if self.rewind.place().1.is_none() {
            self.remember();
        }
        let gone = self.rewind.go(&mut self.live, to);
        self.travelled(gone.err().map(|error| error.to_string()));
        self.playing = false;
        let mark = self.mark();
        self.rewind.arrive(mark);
    }
}
