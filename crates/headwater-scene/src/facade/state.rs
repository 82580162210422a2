//! Methods that return or restore the state of a world, and that return its scene with all edits.

use super::error::{ErrorKind, FacadeError};
use super::facade::Facade;

impl Facade {
    /// Serializes the complete state of the world. [`restore`](Self::restore) loads the returned
    /// bytes into a world of the same scene with the same overrides. That world then continues bit
    /// for bit like this one.
    ///
    /// # Errors
    /// Returns [`FacadeError`] if the state cannot be serialized.
    pub fn snapshot(&mut self) -> Result<Vec<u8>, FacadeError> {
        self.live
            .snapshot()
            .map_err(|message| FacadeError::from_message(ErrorKind::Broken, message))
    }

    /// Restores the state of the world from bytes that [`snapshot`](Self::snapshot) has returned.
    ///
    /// # Errors
    /// Returns [`FacadeError`] if the bytes are damaged or belong to another scene. The world is
    /// unchanged in this case.
    pub fn restore(&mut self, snapshot: &[u8]) -> Result<(), FacadeError> {
        self.live.restore(snapshot).map_err(|message| {
            FacadeError::from_message(ErrorKind::Snapshot, format!("the snapshot {message}"))
        })?;
        self.target = self.live.clock();
        Ok(())
    }

    /// Returns the current scene as TOML source, which contains the changed parameters. Edits by
    /// [`act`](Self::act), [`add`](Self::add), [`change`](Self::change) and
    /// [`remove`](Self::remove) are written as events.
    pub fn text(&self) -> String {
        self.live.text()
    }

    /// Returns a hash of the world's state, the same value that `headwater hash` prints. Worlds
    /// with equal scenes, edits and step counts have equal hashes, on every machine and for any
    /// number of threads.
    pub fn state_hash(&self) -> u64 {
        self.live.state_hash()
    }
}
