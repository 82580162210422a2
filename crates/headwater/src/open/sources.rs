//! Springs and drains of an open world. A spring or drain acts only in the loaded part of its
//! region. Regions are measured from the top-left corner of the cell `[0, 0]`, in cells for the
//! model `blocks` and in metres for the model `columns`.

use super::group::ConnectedChunks;
use super::world::OpenWorld;
use crate::error::InputError;
use crate::ids::Id;

impl<G: ConnectedChunks> OpenWorld<G> {
    /// Adds a spring to the world and returns its identifier.
    ///
    /// # Errors
    /// Returns [`InputError`] if the region is malformed or the rate is out of range.
    pub fn add_spring(&mut self, spring: G::Spring) -> Result<Id, InputError> {
        let spring = (spring, G::Carry::default());
        G::check_spring(&spring)?;
        let id = self.sources.springs.add(spring);
        self.place_sources();
        Ok(id)
    }

    /// Adds a drain to the world and returns its identifier.
    ///
    /// # Errors
    /// Returns [`InputError`] if the region is malformed or the rate is out of range.
    pub fn add_drain(&mut self, drain: G::Drain) -> Result<Id, InputError> {
        let drain = (drain, G::Carry::default());
        G::check_drain(&drain)?;
        let id = self.sources.drains.add(drain);
        self.place_sources();
        Ok(id)
    }

    /// Removes the spring with the given identifier and returns it.
    ///
    /// # Errors
    /// Returns [`InputError`] if no spring has this identifier.
    pub fn remove_spring(&mut self, id: Id) -> Result<G::Spring, InputError> {
        let i = self.sources.springs.find_index("a spring", id)?;
        let (spring, _) = self.sources.springs.remove_at(i);
        self.place_sources();
        Ok(spring)
    }

    /// Removes the drain with the given identifier and returns it.
    ///
    /// # Errors
    /// Returns [`InputError`] if no drain has this identifier.
    pub fn remove_drain(&mut self, id: Id) -> Result<G::Drain, InputError> {
        let i = self.sources.drains.find_index("a drain", id)?;
        let (drain, _) = self.sources.drains.remove_at(i);
        self.place_sources();
        Ok(drain)
    }
}
