//! Ledger of heat. Amounts are whole units, exact in integers; see [`UNITS_PER_KELVIN`].

use super::column::{LATENT_FUSION, LATENT_VAPORISATION};
use crate::ledger::{Cause, Ledger};
use serde::{Deserialize, Serialize};

/// Units per kelvin in one half of a column of one quantum of water.
pub(super) const UNITS_PER_KELVIN: f64 = 1_048_576.0;

/// Latent heat of melting and of boiling (units) per half of one quantum of water: a whole quantum
/// takes twice as much.
pub(super) const MELTING_HEAT: i64 =
    (LATENT_FUSION / super::column::HEAT_CAPACITY * UNITS_PER_KELVIN) as i64;
pub(super) const BOILING_HEAT: i64 =
    (LATENT_VAPORISATION / super::column::HEAT_CAPACITY * UNITS_PER_KELVIN) as i64;

/// Heat of one half of one quantum of water at 100 °C (units).
pub(super) const BOILING_POINT: i64 = (100.0 * UNITS_PER_KELVIN) as i64;

/// Heat gained and lost (units), as net sums: gross amounts would depend on when pools sleep.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct HeatLedger {
    pub(super) start: i128,
    pub(super) air: i128,
    pub(super) heaters: i128,
    pub(super) water: i128,
    pub(super) steam: i128,
}

impl HeatLedger {
    /// Returns the sums by cause: the air as boundary flow, heaters as sources, steam as
    /// evaporation, and the heat of added or removed water as edits.
    pub(super) fn ledger(&self) -> Ledger<i128> {
        let mut ledger = Ledger::new(self.start);
        ledger.record(Cause::Boundary, self.air);
        ledger.record(Cause::Source, self.heaters);
        ledger.record(Cause::Evaporation, self.steam);
        ledger.record(Cause::Edit, self.water);
        ledger
    }
}
