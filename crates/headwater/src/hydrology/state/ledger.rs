//! Ledgers of water and sediment. They count in whole fixed-point quanta, so volumes are exact and
//! a nonzero residual indicates a bug.

use crate::hydrology::lakes::water::Outflow;
use crate::ledger::{Cause, Ledger};
use serde::{Deserialize, Serialize};

/// A conserved substance, which has its own ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Substance {
    /// Water in lakes. Water that enters the sea counts as having left the world.
    Water,
    /// Solid material: the heights of all cells plus the sediment suspended in lakes.
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
