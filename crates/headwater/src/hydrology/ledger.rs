//! The books of water and sediment, in whole quanta: they close exactly, or something is wrong.

use super::water::Gone;
use crate::ledger::{Cause, Ledger};
use serde::{Deserialize, Serialize};

/// What a world keeps account of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Substance {
    /// Water: that in lakes. The sea is beyond the boundary.
    Water,
    /// Ground: the sum of all heights, and what is suspended in lakes.
    Sediment,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Ledgers {
    pub(super) water: Ledger<i128>,
    pub(super) sediment: Ledger<i128>,
}

impl Ledgers {
    pub(super) fn new(ground: i128) -> Self {
        Self { water: Ledger::new(0), sediment: Ledger::new(ground) }
    }

    pub(super) fn book(&mut self, gone: Gone) {
        self.water.record(Cause::Boundary, -i128::from(gone.water));
        self.sediment.record(Cause::Boundary, -i128::from(gone.sediment));
    }

    pub(super) fn dry(&mut self, volume: i64) {
        self.water.record(Cause::Evaporation, -i128::from(volume));
    }
}
