//! The world on show is kept from one visit to the next.

use super::App;
use super::kept::Kept;
use super::stage::Stage;
#[cfg(target_arch = "wasm32")]
use web_time::Instant;

/// A world is kept every so many seconds after something was done to it or in a pause, and while it runs; and not so often that it takes more
/// than one part in so many of the time.
#[cfg(target_arch = "wasm32")]
const KEEP: f64 = 4.0;
#[cfg(target_arch = "wasm32")]
const KEEP_RUNNING: f64 = 15.0;
#[cfg(target_arch = "wasm32")]
const KEEP_COST: f64 = 100.0;

impl App {
    /// The world on show, to go on with later; none if it cannot be told in bytes.
    pub fn keep(&mut self) -> Option<Vec<u8>> {
        let eye = self.canvas.eye();
        let kept = self.stage.keep(eye)?;
        postcard::to_stdvec(&kept).ok()
    }

    /// Goes on with a world that was kept; one that cannot be used is left alone, for it may be of an older program.
    pub fn go_on(&mut self, bytes: &[u8]) {
        let Ok(kept) = postcard::from_bytes::<Kept>(bytes) else { return };
        let eye = kept.eye;
        if let Ok(stage) = Stage::of_kept(kept) {
            self.when_here(move |app| {
                app.put_on_now(stage);
                app.canvas.change(eye);
                app.say("Here is your world of last time.");
            });
        }
    }

    /// The device is lost: the world goes on on the CPU. A window is drawn by another from now on, if it can; a page has nothing left
    /// to draw with, so it begins again, with the world as it is.
    pub(super) fn lose(&mut self, words: String) {
        #[cfg(target_arch = "wasm32")]
        if let Some(bytes) = self.keep() {
            return crate::host::restart(&bytes, &words);
        }
        self.complain(words);
    }

    /// Goes on after the device was lost, on the CPU unless somebody chooses otherwise.
    pub fn go_on_after_loss(&mut self, words: String) {
        self.compute.choose(false);
        self.warn(words);
    }

    /// How far the world on show is: steps and edits.
    #[cfg(target_arch = "wasm32")]
    fn so_far(&self) -> [u64; 2] {
        [self.stage.live.simulation().steps(), self.stage.edits]
    }

    /// Whether the browser has the world as it is.
    pub(super) fn is_kept(&self) -> bool {
        #[cfg(target_arch = "wasm32")]
        return self.last_kept.is_some_and(|(_, _, then)| then == self.so_far());
        #[cfg(not(target_arch = "wasm32"))]
        false
    }

    /// Has the browser keep the world, so that it is there again at the next visit: seldom enough that nobody notices.
    #[cfg(target_arch = "wasm32")]
    pub(super) fn keep_now_and_then(&mut self) {
        let now = self.so_far();
        let (when, cost, then) = *self.last_kept.get_or_insert_with(|| (Instant::now(), 0.0, now));
        // What was done by hand is dearer than time that has passed by itself.
        let by_itself = self.stage.playing && then[1] == now[1];
        let wait = (if by_itself { KEEP_RUNNING } else { KEEP }).max(cost * KEEP_COST);
        let elsewhere = self.replay.is_some() || self.recording.is_some();
        if then == now || elsewhere || when.elapsed().as_secs_f64() < wait {
            return;
        }
        if !self.stage.live.read_back() {
            return;
        }
        let begun = Instant::now();
        if let Some(bytes) = self.keep() {
            crate::host::keep("last", &bytes);
        }
        // It may have been brought back just now, and be farther than was known.
        self.last_kept = Some((Instant::now(), begun.elapsed().as_secs_f64(), self.so_far()));
    }
}
