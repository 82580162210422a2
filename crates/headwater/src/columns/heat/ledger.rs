//! Ledger of heat. Amounts are whole units, exact in integers; see [`UNIT`].

use super::column::{FUSION, VAPOUR};
use crate::ledger::{Cause, Ledger};
use serde::{Deserialize, Serialize};

/// Units per kelvin in one half of a column of one quantum of water.
pub(super) const UNIT: f64 = 1_048_576.0;

/// Latent heat of melting and of boiling (units) per half of one quantum of water: a whole quantum
/// takes twice as much.
pub(super) const MELT: i64 = (FUSION / super::column::CAPACITY * UNIT) as i64;
pub(super) const BOIL: i64 = (VAPOUR / super::column::CAPACITY * UNIT) as i64;

/// Heat of one half of one quantum of water at 100 °C (units).
pub(super) const HOT: i64 = (100.0 * UNIT) as i64;

/// Heat gained and lost (units), as net sums: gross amounts would depend on when pools sleep.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Books {
    pub(super) start: i128,
    pub(super) air: i128,
    pub(super) heaters: i128,
    pub(super) water: i128,
    pub(super) steam: i128,
}

impl Books {
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
