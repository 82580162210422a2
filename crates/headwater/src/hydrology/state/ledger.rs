//! Ledgers of water and sediment, in whole quanta. Volumes are exact, so any nonzero residual is a
//! bug.

use crate::hydrology::lakes::water::Outflow;
use crate::ledger::{Cause, Ledger};
use serde::{Deserialize, Serialize};

/// A conserved substance with its own ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Substance {
    /// Water in lakes. Water that enters the sea leaves the world.
    Water,
    /// Solid material: the sum of all heights, plus the sediment suspended in lakes.
    Sediment,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::hydrology) struct Ledgers {
    pub(in crate::hydrology) water: Ledger<i128>,
    pub(in crate::hydrology) sediment: Ledger<i128>,
}

impl Ledgers {
    pub(in crate::hydrology) fn new(ground: i128) -> Self {
        Self { water: Ledger::new(0), sediment: Ledger::new(ground) }
    }

    pub(in crate::hydrology) fn record_outflow(&mut self, outflow: Outflow) {
        self.water.record(Cause::Boundary, -i128::from(outflow.water));
        self.sediment.record(Cause::Boundary, -i128::from(outflow.sediment));
    }

    pub(in crate::hydrology) fn record_evaporation(&mut self, volume: i64) {
        self.water.record(Cause::Evaporation, -i128::from(volume));
    }
}
