//! Scene tables for physics, sources, drains and heaters.

use crate::scene::place::Extent;
use crate::scene::{ExtendedKeys, Keys};
use headwater::Lattice;
use headwater::columns::{Heat, Heater, Params, Source};
use schemars::JsonSchema;
use serde::Deserialize;

/// `[physics]`: parameters of the water's motion, with `[physics.heat]` for temperatures.
pub type ColumnsPhysics = ExtendedKeys<Params, HeatTable>;

/// Subtables of `[physics]`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct HeatTable {
    /// `[physics.heat]`: parameters of heat. Default: no heat.
    pub heat: Option<Keys<Heat>>,
}

/// `[[source]]` or `[[drain]]`: a rate of water over exactly one of `disc`, `rect`, `line`,
/// `polygon`, `everywhere`; at most 1000 of each.
pub type ColumnsSource = ExtendedKeys<Source, Extent>;

/// `[[heater]]`: a heater below water, over exactly one of `disc`, `rect`, `line`, `polygon`,
/// `everywhere`; at most 1000.
pub type ColumnsHeater = ExtendedKeys<Heater, Extent>;

/// Returns the model's spring or drain, with its area resolved on `lattice`.
pub(crate) fn source(entry: &ColumnsSource, lattice: &Lattice) -> Source {
    Source::new(entry.extra.region(lattice), entry.keys.rate.clone())
}

pub(crate) fn heater(entry: &ColumnsHeater, lattice: &Lattice) -> Heater {
    Heater::new(entry.extra.region(lattice), entry.keys.power.clone())
}
