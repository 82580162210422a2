//! Adding springs and drains to an open world, and taking them out.

use super::sources::Outlet;
use super::world::OpenWorld;
use crate::columns::source::Source;
use crate::error::InputError;
use crate::ids::{Id, IdList};
use crate::parameter::Parameters;

/// Springs and drains are given by regions in metres, from the corner of the cell `[0, 0]`. They may reach over chunks that are not
/// loaded: what is loaded of them shares the rate, and where nothing is, they do nothing.
impl OpenWorld {
    /// Adds a spring.
    ///
    /// # Errors
    /// [`InputError`] if its region makes no sense or its rate is not from 0 to 10⁶ m³/s.
    pub fn add_spring(&mut self, spring: Source) -> Result<Id, InputError> {
        self.add_outlet(spring, false)
    }

    /// Adds a drain.
    ///
    /// # Errors
    /// [`InputError`] as of [`add_spring`](Self::add_spring).
    pub fn add_drain(&mut self, drain: Source) -> Result<Id, InputError> {
        self.add_outlet(drain, true)
    }

    fn add_outlet(&mut self, source: Source, is_drain: bool) -> Result<Id, InputError> {
        let key = if is_drain { "drain" } else { "source" };
        source.check().map_err(|error| error.under(key))?;
        source.region.validate().map_err(|error| error.under(key))?;
        let id = self.outlets_mut(is_drain).add(Outlet { source, remainder: 0.0 });
        self.sources.find(&self.land, self.cell);
        Ok(id)
    }

    /// The springs.
    pub fn springs(&self) -> impl ExactSizeIterator<Item = (Id, &Source)> {
        self.sources.springs.entries().map(|(id, outlet)| (id, &outlet.source))
    }

    /// The drains.
    pub fn drains(&self) -> impl ExactSizeIterator<Item = (Id, &Source)> {
        self.sources.drains.entries().map(|(id, outlet)| (id, &outlet.source))
    }

    /// Takes a spring out.
    ///
    /// # Errors
    /// [`InputError`] if there is no such spring.
    pub fn remove_spring(&mut self, id: Id) -> Result<Source, InputError> {
        self.remove_outlet(id, false)
    }

    /// Takes a drain out.
    ///
    /// # Errors
    /// [`InputError`] if there is no such drain.
    pub fn remove_drain(&mut self, id: Id) -> Result<Source, InputError> {
        self.remove_outlet(id, true)
    }

    fn remove_outlet(&mut self, id: Id, is_drain: bool) -> Result<Source, InputError> {
        let what = if is_drain { "a drain" } else { "a spring" };
        let outlets = self.outlets_mut(is_drain);
        let i = outlets.find(what, id)?;
        let outlet = outlets.remove_at(i);
        self.sources.find(&self.land, self.cell);
        Ok(outlet.source)
    }

    fn outlets_mut(&mut self, is_drain: bool) -> &mut IdList<Outlet> {
        if is_drain { &mut self.sources.drains } else { &mut self.sources.springs }
    }
}
