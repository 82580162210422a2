//! States kept: in bytes, as a scene's text, and what they hash to.

use super::error::{ErrorKind, FacadeError};
use super::facade::Facade;

impl Facade {
    /// All that the world needs to go on, bit for bit, in bytes, which [`restore`](Self::restore) reads in a world of the same scene with the
    /// same overrides.
    ///
    /// # Errors
    /// [`FacadeError`] if it cannot be told in bytes.
    pub fn snapshot(&mut self) -> Result<Vec<u8>, FacadeError> {
        self.live.snapshot().map_err(|message| FacadeError::told(ErrorKind::Broken, message))
    }

    /// Goes on from a snapshot.
    ///
    /// # Errors
    /// [`FacadeError`] if the bytes are damaged or of another scene. Nothing is changed then.
    pub fn restore(&mut self, snapshot: &[u8]) -> Result<(), FacadeError> {
        self.live.restore(snapshot).map_err(|message| {
            FacadeError::told(ErrorKind::Snapshot, format!("the snapshot {message}"))
        })?;
        self.target = self.live.clock();
        Ok(())
    }

    /// The scene as it is now, as TOML, with values that were set and what was done by [`act`](Self::act) and its like as events.
    pub fn text(&self) -> String {
        self.live.text()
    }

    /// A hash of the state: the same for the same doing on every machine and for any number of threads, and the one that
    /// `headwater hash` prints.
    pub fn state_hash(&self) -> u64 {
        self.live.state_hash()
    }
}
