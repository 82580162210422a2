//! Ledger of heat. Amounts of heat are counted in integer units, so sums are exact.
//! [`UNITS_PER_KELVIN`] defines the unit.

use super::column::{LATENT_FUSION, LATENT_VAPORISATION};
use crate::ledger::{Cause, Ledger};
use serde::{Deserialize, Serialize};

/// Number of heat units that warm half a height quantum (the integer unit of height) of water in
/// one column by 1 K.
pub(super) const UNITS_PER_KELVIN: f64 = 1_048_576.0;

/// Heat (in heat units) that melts the ice of half a height quantum in one column. Columns store
/// their heat in two halves.
pub(super) const MELTING_HEAT: i64 =
    (LATENT_FUSION / super::column::HEAT_CAPACITY * UNITS_PER_KELVIN) as i64;
pub(super) const BOILING_HEAT: i64 =
    (LATENT_VAPORISATION / super::column::HEAT_CAPACITY * UNITS_PER_KELVIN) as i64;

/// Heat (in heat units, relative to 0 °C) of half a height quantum of water in one column at 100
/// °C, the boiling point.
pub(super) const BOILING_POINT: i64 = (100.0 * UNITS_PER_KELVIN) as i64;

/// Heat gained and lost since the start (in heat units), by cause. The values are net sums, because
/// gross sums would depend on when pools sleep.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct HeatLedger {
    pub(super) start: i128,
    pub(super) air: i128,
    pub(super) heaters: i128,
    pub(super) water: i128,
    pub(super) steam: i128,
}

impl HeatLedger {
    /// Returns the net sums of heat by cause. Exchange with the air is listed as boundary flow, the
    /// heat of heaters as sources, the heat of steam as evaporation, and the heat of added or
    /// removed water as edits.
    pub(super) fn by_cause(&self) -> Ledger<i128> {
        let mut ledger = Ledger::new(self.start);
        ledger.record(Cause::Boundary, self.air);
        ledger.record(Cause::Source, self.heaters);
        ledger.record(Cause::Evaporation, self.steam);
        ledger.record(Cause::Edit, self.water);
        ledger
    }
}
