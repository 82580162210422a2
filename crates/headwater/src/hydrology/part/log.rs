//! What comes and goes in a part, step by step.

use crate::hydrology::ledger::Ledgers;
use crate::hydrology::water::Gone;
use crate::ledger::Cause;
use serde::{Deserialize, Serialize};

/// What came and went in the rows of a part, step by step, since its log was last taken.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Log {
    pub(super) steps: Vec<Step>,
}

impl Log {
    /// Puts what came after it behind it.
    pub fn append(&mut self, more: Log) {
        self.steps.extend(more.steps);
    }
}

/// What came and went in a step (quanta on a cell): of what all parts know, the first alone says it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Step {
    pub(super) rain: i128,
    pub(super) rivers: i128,
    /// Water that ran over edges and into the sea as it rained, and that dried.
    pub(super) spilled: i64,
    pub(super) dried: i64,
    /// Sediment that crept over edges, that rivers took away, that lakes had no room for.
    pub(super) crept: i64,
    pub(super) washed: i64,
    pub(super) silted: i64,
    pub(super) risen: i64,
    /// What left as lakes found their new beds.
    pub(super) water: i64,
    pub(super) sediment: i64,
}

impl Step {
    /// Adds what came and went elsewhere in the same step.
    pub(super) fn add(&mut self, more: &Self) {
        self.rain += more.rain;
        self.rivers += more.rivers;
        self.spilled += more.spilled;
        self.dried += more.dried;
        self.crept += more.crept;
        self.washed += more.washed;
        self.silted += more.silted;
        self.risen += more.risen;
        self.water += more.water;
        self.sediment += more.sediment;
    }

    /// Books it as the stages of a step do: what has crept in and out over all edges is one amount.
    pub(super) fn book(&self, ledgers: &mut Ledgers) {
        ledgers.water.book(Cause::Rain, self.rain);
        ledgers.water.book(Cause::Source, self.rivers);
        ledgers.dry(self.dried);
        ledgers.sediment.book(Cause::Uplift, self.risen.into());
        let gone = |water, sediment| Gone { water, sediment };
        for gone in [
            gone(self.spilled, 0),
            gone(0, self.crept),
            gone(0, self.washed),
            gone(0, self.silted),
            gone(self.water, self.sediment),
        ] {
            ledgers.book(gone);
        }
    }
}
