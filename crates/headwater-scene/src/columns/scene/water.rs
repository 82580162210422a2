//! Scene tables of the model `columns` for physics, sources, drains and heaters.

use crate::scene::place::Extent;
use crate::scene::{ExtendedKeys, Keys};
use headwater::Lattice;
use headwater::columns::{Heat, Heater, Params, Source};
use serde::Deserialize;

/// `[physics]`: parameters of the water's motion, with the subtable `[physics.heat]` for
/// temperatures.
pub type ColumnsPhysics = ExtendedKeys<Params, HeatTable>;

/// Keys of `[physics]` in addition to the model's parameters: the subtable `[physics.heat]`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct HeatTable {
    /// `[physics.heat]`: parameters of heat transport. Default: temperatures are simulated only if
    /// there is a heater or `weather.air`.
    pub heat: Option<Keys<Heat>>,
}

/// `[[source]]` or `[[drain]]`: adds or removes water at a given rate. Its area is given by exactly
/// one of `disc`, `rect`, `line`, `polygon` and `everywhere`. At most 1000 of each.
pub type ColumnsSource = ExtendedKeys<Source, Extent>;

/// `[[heater]]`: heats the water above it. Its area is given by exactly one of `disc`, `rect`,
/// `line`, `polygon` and `everywhere`. At most 1000.
pub type ColumnsHeater = ExtendedKeys<Heater, Extent>;

/// Converts a scene table to a spring or drain of the columns model. The area is converted to a
/// region on `lattice`.
pub(crate) fn to_source(entry: &ColumnsSource, lattice: &Lattice) -> Source {
    Source::new(entry.extra.region(lattice), entry.keys.rate.clone())
}

pub(crate) fn to_heater(entry: &ColumnsHeater, lattice: &Lattice) -> Heater {
    Heater::new(entry.extra.region(lattice), entry.keys.power.clone())
}
