//! Snapshots, the scene's text and the state hash.

use super::error::{ErrorKind, FacadeError};
use super::facade::Facade;

impl Facade {
    /// Returns the complete state as bytes. [`restore`](Self::restore) reads them in a world of the
    /// same scene with the same overrides, which then continues bit for bit.
    ///
    /// # Errors
    /// [`FacadeError`] if the state cannot be serialized.
    pub fn snapshot(&mut self) -> Result<Vec<u8>, FacadeError> {
        self.live
            .snapshot()
            .map_err(|message| FacadeError::from_message(ErrorKind::Broken, message))
    }

    /// Restores a snapshot.
    ///
    /// # Errors
    /// [`FacadeError`] if the bytes are damaged or of another scene. Nothing is changed then.
    pub fn restore(&mut self, snapshot: &[u8]) -> Result<(), FacadeError> {
        self.live.restore(snapshot).map_err(|message| {
            FacadeError::from_message(ErrorKind::Snapshot, format!("the snapshot {message}"))
        })?;
        self.target = self.live.clock();
        Ok(())
    }

    /// Returns the current scene as TOML, with changed values, and edits by [`act`](Self::act),
    /// [`add`](Self::add), [`change`](Self::change) and [`remove`](Self::remove) as events.
    pub fn text(&self) -> String {
        self.live.text()
    }

    /// Returns a hash of the state, as `headwater hash` prints it. Equal scenes and edits give
    /// equal hashes on every machine and for any number of threads.
    pub fn state_hash(&self) -> u64 {
        self.live.state_hash()
    }
}
