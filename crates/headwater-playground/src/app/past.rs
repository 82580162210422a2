//! The world's last minute: gone back in, and shown again.

use super::canvas::Eye;
use super::stage::Stage;
use super::track::Seen;
use headwater_scene::live::SavedState;

/// Clocks that differ by less than this part of them are the same.
const SAME: f64 = 1e-6;

impl Stage {
    /// Takes note of what is seen of it in this frame, and from where.
    pub(super) fn note_seen(&mut self, eye: Option<Eye>) {
        if self.passed > 0.0 && !self.is_replayed {
            let (when, clock) = (self.rewind.played(), self.live.clock());
            self.track.note(Seen { when, clock, eye });
        }
    }

    /// A moment from which the last seconds of play can be gone through again, and what was seen in them; nothing if time has leapt, or none
    /// has passed.
    pub(super) fn past(&self, seconds: f64) -> Option<(SavedState, Vec<Seen>)> {
        let (moment, when) = self.rewind.moment_before(seconds, self.track.since)?;
        let seen = self.track.from(when.max(self.rewind.played() - seconds));
        (seen.len() > 1).then(|| (moment.clone(), seen))
    }

    /// Goes to a moment of the way that led here, or back from there.
    pub(super) fn visit(&mut self, moment: &SavedState) -> Result<(), String> {
        self.live.restore_state(moment).map_err(|error| error.to_string())?;
        (self.stroke, self.held, self.is_cancelled) = (None, None, false);
        self.edits += 1;
        self.pace.restart(self.live.clock());
        Ok(())
    }

    /// Whether it has come to a time of its clock.
    pub(super) fn is_at(&self, clock: f64) -> bool {
        clock - self.live.clock() <= SAME * clock.abs().max(1.0)
    }

    /// Goes back to a moment of the last minute, or forth again, and stands there. The present is kept, as a moment and to be undone to.
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
