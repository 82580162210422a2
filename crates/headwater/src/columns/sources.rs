//! What a world lets be done to its springs and drains.

use super::source::{Outlet, Source};
use super::world::Columns;
use crate::error::InputError;
use crate::ids::Id;
use crate::parameter::Parameters;
use crate::series::Series;

impl Columns {
    /// Adds a spring.
    ///
    /// # Errors
    /// [`InputError`] if its region makes no sense or covers no column, its rate is not from 0 to
    /// 10⁶ m³/s, or the world's water is springs.
    pub fn add_spring(&mut self, spring: Source) -> Result<Id, InputError> {
        self.add_outlet(false, spring)
    }

    /// Adds a drain.
    ///
    /// # Errors
    /// [`InputError`] as of [`add_spring`](Self::add_spring).
    pub fn add_drain(&mut self, drain: Source) -> Result<Id, InputError> {
        self.add_outlet(true, drain)
    }

    /// The springs.
    pub fn springs(&self) -> impl ExactSizeIterator<Item = (Id, &Source)> {
        self.exchange.outlets(false).entries().map(|(id, outlet)| (id, &outlet.source))
    }

    /// The drains.
    pub fn drains(&self) -> impl ExactSizeIterator<Item = (Id, &Source)> {
        self.exchange.outlets(true).entries().map(|(id, outlet)| (id, &outlet.source))
    }

    /// Puts another spring in the place of one.
    ///
    /// # Errors
    /// [`InputError`] if there is no such spring, or as of [`add_spring`](Self::add_spring).
    pub fn set_spring(&mut self, id: Id, spring: Source) -> Result<(), InputError> {
        self.set_outlet(false, id, spring)
    }

    /// Puts another drain in the place of one.
    ///
    /// # Errors
    /// [`InputError`] if there is no such drain, or as of [`add_spring`](Self::add_spring).
    pub fn set_drain(&mut self, id: Id, drain: Source) -> Result<(), InputError> {
        self.set_outlet(true, id, drain)
    }

    /// Changes how much a spring gives (m³/s).
    ///
    /// # Errors
    /// [`InputError`] if there is no such spring, or the rate is not from 0 to 10⁶ m³/s.
    pub fn set_spring_rate(&mut self, id: Id, rate: impl Into<Series>) -> Result<(), InputError> {
        self.set_rate(false, id, rate.into())
    }

    /// Changes how much a drain takes (m³/s).
    ///
    /// # Errors
    /// [`InputError`] if there is no such drain, or the rate is not from 0 to 10⁶ m³/s.
    pub fn set_drain_rate(&mut self, id: Id, rate: impl Into<Series>) -> Result<(), InputError> {
        self.set_rate(true, id, rate.into())
    }

    /// Takes a spring out.
    ///
    /// # Errors
    /// [`InputError`] if there is no such spring.
    pub fn remove_spring(&mut self, id: Id) -> Result<Source, InputError> {
        self.remove_outlet(false, id)
    }

    /// Takes a drain out.
    ///
    /// # Errors
    /// [`InputError`] if there is no such drain.
    pub fn remove_drain(&mut self, id: Id) -> Result<Source, InputError> {
        self.remove_outlet(true, id)
    }

    fn outlet(&self, is_drain: bool, source: Source) -> Result<Outlet, InputError> {
        let key = key(is_drain);
        self.needs_volume(key)?;
        source.check().map_err(|error| error.under(key))?;
        let columns = self.columns_of(&source.region, key)?;
        Ok(Outlet { source, remainder: 0.0, columns })
    }

    fn add_outlet(&mut self, is_drain: bool, source: Source) -> Result<Id, InputError> {
        let outlet = self.outlet(is_drain, source)?;
        Ok(self.exchange.outlets_mut(is_drain).add(outlet))
    }

    fn set_outlet(&mut self, is_drain: bool, id: Id, source: Source) -> Result<(), InputError> {
        let i = self.exchange.outlets(is_drain).find(what(is_drain), id)?;
        self.exchange.outlets_mut(is_drain)[i] = self.outlet(is_drain, source)?;
        Ok(())
    }

    fn set_rate(&mut self, is_drain: bool, id: Id, rate: Series) -> Result<(), InputError> {
        let i = self.exchange.outlets(is_drain).find(what(is_drain), id)?;
        let outlet = &mut self.exchange.outlets_mut(is_drain)[i];
        let changed = Source { rate, ..outlet.source.clone() };
        changed.check().map_err(|error| error.under(key(is_drain)))?;
        outlet.source = changed;
        Ok(())
    }

    fn remove_outlet(&mut self, is_drain: bool, id: Id) -> Result<Source, InputError> {
        Ok(self.exchange.outlets_mut(is_drain).remove(what(is_drain), id)?.source)
    }
}

fn key(is_drain: bool) -> &'static str {
    if is_drain { "drain" } else { "spring" }
}

fn what(is_drain: bool) -> &'static str {
    if is_drain { "a drain" } else { "a spring" }
}
