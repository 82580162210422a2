//! Methods that add, change and remove springs and drains.

pub(super) mod exchange;
pub(super) mod source;

use super::world::Columns;
use crate::error::InputError;
use crate::ids::{Id, IdList, source_methods};
use crate::parameter::Parameters;
use crate::series::Series;
use source::{PlacedSource, Source};

impl Columns {
    source_methods! {
        /// Adds a spring to the world and returns its identifier.
        ///
        /// # Errors
        /// Returns [`InputError`] if the region is invalid or covers no column, if the flow rate is
        /// not between 0 and 10⁶ m³/s, or if the world uses
        /// [`Motion::Springs`](super::Motion::Springs).
        add_spring, set_spring, remove_spring: "a spring", Source, springs,
        |world: &Self, spring| world.place_source("spring", spring), source
    }

    source_methods! {
        /// Adds a drain to the world and returns its identifier.
        ///
        /// # Errors
        /// Returns [`InputError`] for the same reasons as [`add_spring`](Self::add_spring).
        add_drain, set_drain, remove_drain: "a drain", Source, drains,
        |world: &Self, drain| world.place_source("drain", drain), source
    }

    /// Returns the springs with their identifiers.
    pub fn springs(&self) -> impl ExactSizeIterator<Item = (Id, &Source)> {
        self.exchange.springs.entries().map(|(id, outlet)| (id, &outlet.source))
    }

    /// Returns the drains with their identifiers.
    pub fn drains(&self) -> impl ExactSizeIterator<Item = (Id, &Source)> {
        self.exchange.drains.entries().map(|(id, outlet)| (id, &outlet.source))
    }

    /// Changes the flow rate of a spring (m³/s for a world 1 m thick).
    ///
    /// # Errors
    /// Returns [`InputError`] if no spring has this identifier, or if the rate is not between 0 and
    /// 10⁶ m³/s.
    pub fn set_spring_rate(&mut self, id: Id, rate: impl Into<Series>) -> Result<(), InputError> {
        set_outlet_rate(&mut self.exchange.springs, ["a spring", "spring"], id, rate.into())
    }

    /// Changes the flow rate of a drain (m³/s for a world 1 m thick).
    ///
    /// # Errors
    /// Returns [`InputError`] if no drain has this identifier, or if the rate is not between 0 and
    /// 10⁶ m³/s.
    pub fn set_drain_rate(&mut self, id: Id, rate: impl Into<Series>) -> Result<(), InputError> {
        set_outlet_rate(&mut self.exchange.drains, ["a drain", "drain"], id, rate.into())
    }

    fn place_source(&self, key: &'static str, source: Source) -> Result<PlacedSource, InputError> {
        self.require_volume(key)?;
        source.check().map_err(|error| error.with_table_prefix(key))?;
        let columns = self.columns_in_region(&source.region, key)?;
        Ok(PlacedSource { source, remainder: 0.0, columns })
    }
}

fn set_outlet_rate(
    outlets: &mut IdList<PlacedSource>,
    [what, key]: [&'static str; 2],
    id: Id,
    rate: Series,
) -> Result<(), InputError> {
    let i = outlets.find_index(what, id)?;
    let changed = Source { rate, ..outlets[i].source.clone() };
    changed.check().map_err(|error| error.with_table_prefix(key))?;
    outlets[i].source = changed;
    Ok(())
}
