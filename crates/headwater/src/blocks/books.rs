//! The ledger of a block world: for each liquid what came, what went and what is there, in 256ths of a
//! cell. All of it is whole numbers, so a residual of anything but 0 is a fault.

use super::cell::{Kind, Liquid};
use serde::{Deserialize, Serialize};

/// Why liquid came or went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// By an edit.
    Edit,
    /// From a spring.
    Source,
    /// Into a drain.
    Drain,
    /// Into the air.
    Evaporation,
    /// Lava turned to wall.
    Stone,
}

impl Cause {
    /// Every cause, in the order of the ledger's columns.
    pub const ALL: [Cause; 5] =
        [Cause::Edit, Cause::Source, Cause::Drain, Cause::Evaporation, Cause::Stone];

    /// The cause's name in files.
    pub fn name(self) -> &'static str {
        match self {
            Cause::Edit => "edit",
            Cause::Source => "source",
            Cause::Drain => "drain",
            Cause::Evaporation => "evaporation",
            Cause::Stone => "stone",
        }
    }
}

/// One liquid's account, in 256ths of a cell.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    start: u64,
    inflow: [u64; Cause::ALL.len()],
    outflow: [u64; Cause::ALL.len()],
}

impl Account {
    /// What was there at the start.
    pub fn start(&self) -> u64 {
        self.start
    }

    /// What has come by a cause.
    pub fn inflow(&self, cause: Cause) -> u64 {
        self.inflow[cause as usize]
    }

    /// What has gone by a cause.
    pub fn outflow(&self, cause: Cause) -> u64 {
        self.outflow[cause as usize]
    }

    /// All that has come.
    pub fn total_in(&self) -> u64 {
        self.inflow.iter().sum()
    }

    /// All that has gone.
    pub fn total_out(&self) -> u64 {
        self.outflow.iter().sum()
    }

    /// What should be there now.
    pub fn expected(&self) -> i128 {
        let sum = |parts: &[u64]| parts.iter().map(|&part| i128::from(part)).sum::<i128>();
        i128::from(self.start) + sum(&self.inflow) - sum(&self.outflow)
    }
}

/// The accounts of all liquids.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Books {
    accounts: [Account; Liquid::ALL.len()],
}

impl Books {
    /// Opens the accounts with what is there, lightest liquid first.
    pub(super) fn new(start: [u64; Liquid::ALL.len()]) -> Self {
        Self { accounts: start.map(|start| Account { start, ..Account::default() }) }
    }

    /// The account of one liquid.
    pub fn account(&self, liquid: Liquid) -> &Account {
        &self.accounts[liquid as usize]
    }

    /// Books what came (above 0) or went (below 0) of a kind of liquid.
    pub(super) fn book(&mut self, kind: Kind, cause: Cause, amount: i64) {
        let account = &mut self.accounts[usize::from(kind) - 1];
        let side = if amount >= 0 { &mut account.inflow } else { &mut account.outflow };
        side[cause as usize] += amount.unsigned_abs();
    }

    /// Whether no sum of the accounts can leave the range of its numbers.
    pub(super) fn is_sound(&self) -> bool {
        let sound = |a: &Account| {
            let parts = a.inflow.iter().chain(&a.outflow).chain([&a.start]);
            parts.copied().all(|part| part < 1 << 56)
        };
        self.accounts.iter().all(sound)
    }
}

/// One liquid's account held against what is really there, in 256ths of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Balance {
    /// Which liquid.
    pub liquid: Liquid,
    /// Its account.
    pub account: Account,
    /// What is there.
    pub now: u64,
    /// What is there and should not be; below 0, what is missing. It is 0.
    pub residual: i128,
}
