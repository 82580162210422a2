//! Springs and drains of an open world, by id.

use super::store::ChunkStore;
use super::world::OpenWorld;
use crate::error::InputError;
use crate::ids::{Id, IdList};
use serde::{Deserialize, Serialize};

/// A spring or a drain, with what the model carries over from step to step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Outlet<T, C> {
    pub(crate) source: T,
    pub(crate) carry: C,
}

/// Springs, or drains.
pub(crate) type Outlets<T, C> = IdList<Outlet<T, C>>;

/// The springs and drains of a world.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Sources<S: ChunkStore> {
    pub(crate) springs: Outlets<S::Spring, S::Carry>,
    pub(crate) drains: Outlets<S::Drain, S::Carry>,
}

impl<S: ChunkStore> Default for Sources<S> {
    fn default() -> Self {
        Self { springs: IdList::default(), drains: IdList::default() }
    }
}

/// Springs and drains act in the loaded part of their regions, which are counted from the corner of
/// the cell `[0, 0]`.
impl<S: ChunkStore> OpenWorld<S> {
    /// Adds a spring.
    ///
    /// # Errors
    /// [`InputError`] if its region is malformed or its rate is out of range.
    pub fn add_spring(&mut self, spring: S::Spring) -> Result<Id, InputError> {
        S::check_spring(&spring)?;
        let id = self.sources.springs.add(Outlet { source: spring, carry: S::Carry::default() });
        self.store.place_sources(&self.sources, None);
        Ok(id)
    }

    /// Adds a drain.
    ///
    /// # Errors
    /// [`InputError`] if its region is malformed or its rate is out of range.
    pub fn add_drain(&mut self, drain: S::Drain) -> Result<Id, InputError> {
        S::check_drain(&drain)?;
        let id = self.sources.drains.add(Outlet { source: drain, carry: S::Carry::default() });
        self.store.place_sources(&self.sources, None);
        Ok(id)
    }

    /// The springs.
    pub fn springs(&self) -> impl ExactSizeIterator<Item = (Id, &S::Spring)> {
        self.sources.springs.entries().map(|(id, outlet)| (id, &outlet.source))
    }

    /// The drains.
    pub fn drains(&self) -> impl ExactSizeIterator<Item = (Id, &S::Drain)> {
        self.sources.drains.entries().map(|(id, outlet)| (id, &outlet.source))
    }

    /// Removes a spring.
    ///
    /// # Errors
    /// [`InputError`] if there is no such spring.
    pub fn remove_spring(&mut self, id: Id) -> Result<S::Spring, InputError> {
        let i = self.sources.springs.find("a spring", id)?;
        let spring = self.sources.springs.remove_at(i);
        self.store.place_sources(&self.sources, None);
        Ok(spring.source)
    }

    /// Removes a drain.
    ///
    /// # Errors
    /// [`InputError`] if there is no such drain.
    pub fn remove_drain(&mut self, id: Id) -> Result<S::Drain, InputError> {
        let i = self.sources.drains.find("a drain", id)?;
        let drain = self.sources.drains.remove_at(i);
        self.store.place_sources(&self.sources, None);
        Ok(drain.source)
    }
}
