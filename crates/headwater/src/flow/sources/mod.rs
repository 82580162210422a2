//! Methods of [`Flow`] that add, change and remove springs and drains.

pub(crate) mod exchange;
pub(crate) mod flow_ledger;
pub(crate) mod ledger_sink;
pub(super) mod rounding_carry;
pub(crate) mod sample_time;
pub(crate) mod soil;

use super::world::Flow;
use crate::error::{InputError, format_number};
use crate::ids::{Id, IdList, source_methods};
use crate::parameter::Parameters;
use crate::series::Series;
use exchange::{Outlet, Source};

/// Largest rate (m/s) at which a spring may raise the water surface of its cells. Faster springs
/// would require tiny time steps.
const MAX_RISE_RATE: f64 = 1000.0;

impl Flow {
    source_methods! {
        /// Adds a spring, which adds water to its region.
        ///
        /// # Errors
        /// Returns [`InputError`] if the region is invalid or covers no cell, or the rate is out of
        /// range or would raise the water surface faster than 1000 m/s.
        add_spring, set_spring, remove_spring: "a spring", Source, springs, Self::spring, source
    }

    source_methods! {
        /// Adds a drain, which removes water from its region, up to the water available there.
        ///
        /// # Errors
        /// Returns [`InputError`] if the region is invalid or covers no cell, or the rate is out of
        /// range.
        add_drain, set_drain, remove_drain: "a drain", Source, drains,
        |flow: &Self, drain| flow.new_outlet("drain", drain), source
    }

    /// Returns the springs with their identifiers.
    pub fn springs(&self) -> impl ExactSizeIterator<Item = (Id, &Source)> {
        self.exchange.springs.entries().map(|(id, outlet)| (id, &outlet.source))
    }

    /// Returns the drains with their identifiers.
    pub fn drains(&self) -> impl ExactSizeIterator<Item = (Id, &Source)> {
        self.exchange.drains.entries().map(|(id, outlet)| (id, &outlet.source))
    }

    /// Changes the rate (m³/s) of a spring.
    ///
    /// # Errors
    /// Returns [`InputError`] if there is no such spring, or the rate is out of range or would
    /// raise the water surface faster than 1000 m/s.
    pub fn set_spring_rate(&mut self, id: Id, rate: Series) -> Result<(), InputError> {
        let i = self.exchange.springs.find_index("a spring", id)?;
        let cells = self.exchange.springs[i].cells.len();
        check_rise_rate(&rate, self.lattice.cell_area() * cells as f64)?;
        set_outlet_rate(&mut self.exchange.springs, ["a spring", "source"], id, rate)
    }

    /// Changes the rate (m³/s) of a drain.
    ///
    /// # Errors
    /// Returns [`InputError`] if there is no such drain, or the rate is out of its range.
    pub fn set_drain_rate(&mut self, id: Id, rate: Series) -> Result<(), InputError> {
        set_outlet_rate(&mut self.exchange.drains, ["a drain", "drain"], id, rate)
    }

    pub(crate) fn spring(&self, spring: Source) -> Result<Outlet, InputError> {
        let outlet = self.new_outlet("source", spring)?;
        let area = self.lattice.cell_area() * outlet.cells.len() as f64;
        check_rise_rate(&outlet.source.rate, area)?;
        Ok(outlet)
    }

    pub(crate) fn new_outlet(&self, key: &str, source: Source) -> Result<Outlet, InputError> {
        source.region.validate().map_err(|error| error.with_table_prefix(key))?;
        source.check().map_err(|error| error.with_table_prefix(key))?;
        if source.region.cells(self.lattice).is_empty() {
            let found = "no cells of the grid in it";
            return Err(InputError::new("region", found, "one with cells of the grid")
                .with_table_prefix(key));
        }
        Ok(Outlet::new(source, &self.lattice))
    }
}

/// Checks that a spring raises the water in its cells no faster than [`MAX_RISE_RATE`]. `area` is
/// the total area of the cells (m²).
fn check_rise_rate(rate: &Series, area: f64) -> Result<(), InputError> {
    let (limit, found) = (MAX_RISE_RATE * area, rate.value_range().1);
    let allowed = format!(
        "up to {} m³/s, which lifts the cells of the spring by {MAX_RISE_RATE} m in a second",
        format_number(limit)
    );
    InputError::check("source.rate", found, found <= limit, allowed)
}

fn set_outlet_rate(
    outlets: &mut IdList<Outlet>,
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
