//! The books of heat. Amounts are whole units, exact in integers; see [`UNIT`].

use super::column::{FUSION, VAPOUR};
use crate::ledger::{Cause, Ledger};
use serde::{Deserialize, Serialize};

/// Units to a kelvin: a half of a column of one quantum of water holds so many for each °C.
pub(super) const UNIT: f64 = 1_048_576.0;

/// Heat of melting and of boiling in units for a half of one quantum of water: both halves take twice as many.
pub(super) const MELT: i64 = (FUSION / super::column::CAPACITY * UNIT) as i64;
pub(super) const BOIL: i64 = (VAPOUR / super::column::CAPACITY * UNIT) as i64;

/// Of a column as warm as water gets.
pub(super) const HOT: i64 = (100.0 * UNIT) as i64;

/// What came and went in units, each the sum of both: how much of it came first and went again depends on when pools sleep.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Books {
    pub(super) start: i128,
    pub(super) air: i128,
    pub(super) heaters: i128,
    pub(super) water: i128,
    pub(super) steam: i128,
}

impl Books {
    /// The same by causes: through the boundary from the air, from heaters as sources, with steam as evaporation, and with
    /// water, in whatever way it came or went, as edits.
    pub(super) fn ledger(&self) -> Ledger<i128> {
        let mut ledger = Ledger::new(self.start);
        ledger.record(Cause::Boundary, self.air);
        ledger.record(Cause::Source, self.heaters);
        ledger.record(Cause::Evaporation, self.steam);
        ledger.record(Cause::Edit, self.water);
        ledger
    }
}
