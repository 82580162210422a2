//! [`Worker`]: a process of a team, with the rows that it owns.

use super::errand::{Begin, Brought, Errand};
use super::holding::{Held, Holding};
use crate::run::inputs;
use crate::run::summary::Input;
use crate::scene::Scene;
use headwater::distributed::Communicator;
use std::fmt;

/// Function that reads the scene of the run.
type Read = Box<dyn Fn() -> Result<Scene, String> + Send>;

/// Process of a team. It owns no rows until [`begin`](Self::begin).
pub struct Worker {
    own: Option<Box<dyn Holding>>,
    read: Read,
}

impl fmt::Debug for Worker {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Worker").field("own", &self.own).finish_non_exhaustive()
    }
}

impl Worker {
    /// Creates a worker that reads the scene with `read` when rows are assigned to it.
    pub fn reading(read: impl Fn() -> Result<Scene, String> + Send + 'static) -> Self {
        Self { own: None, read: Box::new(read) }
    }

    /// Takes ownership of the rows of `begin`, or of none. Rows that it owned before are dropped
    /// first.
    ///
    /// # Errors
    /// A message if the scene or a file that it reads differs from the coordinator's, or cannot be
    /// used.
    pub fn begin(&mut self, begin: Option<Begin>) -> Result<(), String> {
        self.own = None;
        self.own = begin.map(|begin| self.hold(&begin)).transpose()?;
        Ok(())
    }

    fn hold(&self, begin: &Begin) -> Result<Box<dyn Holding>, String> {
        let scene = (self.read)()?;
        if scene.fingerprint() != begin.fingerprint {
            return Err("the scene of this process differs from the first process's".into());
        }
        let inputs = inputs::of(&scene).unwrap_or_default();
        if let Some(Input { key, file, .. }) = inputs::changed(&inputs, &begin.inputs) {
            return Err(format!(
                "{key}, {file}: differs from the file that the first process reads"
            ));
        }
        scene.holding(begin).map_err(|error| error.to_string())
    }

    /// Returns the rows that it owns, if any.
    pub fn held(&self) -> Option<Held> {
        self.own.as_ref().map(|holding| holding.held())
    }

    /// Handles a command together with the other workers, which all handle the same one. Returns
    /// `None` if it owns no rows.
    pub fn obey(&mut self, errand: &Errand, peers: &mut dyn Communicator) -> Option<Brought> {
        self.own.as_mut().map(|holding| holding.obey(errand, peers))
    }
}
