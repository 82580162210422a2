//! Adding springs and drains to an open world, and taking them out.

use super::world::OpenWorld;
use crate::blocks::exchange::{Drain, Spring};
use crate::error::InputError;
use crate::ids::{Id, IdList};

/// Springs and drains are given by regions in cells, from the corner of the cell `[0, 0]`. They may reach over chunks that are not
/// loaded.
impl OpenWorld {
    /// Adds a spring.
    ///
    /// # Errors
    /// [`InputError`] if its region makes no sense or its rate is not 1 to 256.
    pub fn add_spring(&mut self, spring: Spring) -> Result<Id, InputError> {
        spring.region.validate()?;
        spring.check(self.params.rule)?;
        let id = self.sources.springs.add(spring);
        self.find_sources();
        Ok(id)
    }

    /// Adds a drain.
    ///
    /// # Errors
    /// [`InputError`] if its region makes no sense or its rate is not 1 to 256.
    pub fn add_drain(&mut self, drain: Drain) -> Result<Id, InputError> {
        drain.region.validate()?;
        drain.check(self.params.rule)?;
        let id = self.sources.drains.add(drain);
        self.find_sources();
        Ok(id)
    }

    /// The springs.
    pub fn springs(&self) -> &IdList<Spring> {
        &self.sources.springs
    }

    /// The drains.
    pub fn drains(&self) -> &IdList<Drain> {
        &self.sources.drains
    }

    /// Takes a spring out.
    ///
    /// # Errors
    /// [`InputError`] if there is no such spring.
    pub fn remove_spring(&mut self, id: Id) -> Result<Spring, InputError> {
        let i = self.sources.springs.find("a spring", id)?;
        let spring = self.sources.springs.remove_at(i);
        self.find_sources();
        Ok(spring)
    }

    /// Takes a drain out.
    ///
    /// # Errors
    /// [`InputError`] if there is no such drain.
    pub fn remove_drain(&mut self, id: Id) -> Result<Drain, InputError> {
        let i = self.sources.drains.find("a drain", id)?;
        let drain = self.sources.drains.remove_at(i);
        self.find_sources();
        Ok(drain)
    }

    fn find_sources(&mut self) {
        let Self { land, sources, .. } = self;
        land.loaded().for_each(|chunk| sources.find_in(chunk));
    }
}
