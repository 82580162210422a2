//! The tables of what moves, comes, goes and blows while the run goes on.

use crate::scene::place::Extent;
use crate::scene::{ExtendedKeys, Keys};
use headwater::Lattice;
use headwater::columns::{Heat, Heater, Params, Source};
use schemars::JsonSchema;
use serde::Deserialize;

/// `[physics]`: how water moves, and in `[physics.heat]` how warm it is.
pub type ColumnsPhysics = ExtendedKeys<Params, Warm>;

/// What stands in `[physics]` beside the parameters of the water's motion.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Warm {
    /// `[physics.heat]`
    pub heat: Option<Keys<Heat>>,
}

/// `[[source]]` or `[[drain]]`: how much water comes or goes, in exactly one of `disc`, `rect`, `line`, `polygon`, `everywhere`; at
/// most 1000 of each.
pub type ColumnsSource = ExtendedKeys<Source, Extent>;

/// `[[heater]]`: a hearth or a vent that heats the water above it, in exactly one of `disc`, `rect`, `line`,
/// `polygon`, `everywhere`; at most 1000.
pub type ColumnsHeater = ExtendedKeys<Heater, Extent>;

/// A spring or a drain on `lattice`.
pub(crate) fn source(entry: &ColumnsSource, lattice: &Lattice) -> Source {
    Source::new(entry.own.region(lattice), entry.keys.rate.clone())
}

pub(crate) fn heater(entry: &ColumnsHeater, lattice: &Lattice) -> Heater {
    Heater::new(entry.own.region(lattice), entry.keys.power.clone())
}
