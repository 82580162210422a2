//! [`Ledger`]: what came, what went, and what should be there; in f64 (m³) or exact whole quanta.

use serde::{Deserialize, Serialize};
use std::ops::{Add, AddAssign, Sub};

/// Why something came or went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Cause {
    /// Through the edge of the grid, the sea among them.
    Boundary,
    /// From a spring, or a river that comes from outside.
    Source,
    /// Into a drain.
    Drain,
    /// From the sky.
    Rain,
    /// Into the air.
    Evaporation,
    /// Into the soil, or back out of it.
    Infiltration,
    /// By an edit.
    Edit,
    /// Turned to wall, as lava in water.
    Stone,
    /// From below, where land rises.
    Uplift,
}

impl Cause {
    /// Every cause, in the order of the ledger's columns.
    pub const ALL: [Cause; 9] = [
        Cause::Boundary,
        Cause::Source,
        Cause::Drain,
        Cause::Rain,
        Cause::Evaporation,
        Cause::Infiltration,
        Cause::Edit,
        Cause::Stone,
        Cause::Uplift,
    ];

    /// The cause's name in files.
    pub fn name(self) -> &'static str {
        match self {
            Cause::Boundary => "boundary",
            Cause::Source => "source",
            Cause::Drain => "drain",
            Cause::Rain => "rain",
            Cause::Evaporation => "evaporation",
            Cause::Infiltration => "infiltration",
            Cause::Edit => "edit",
            Cause::Stone => "stone",
            Cause::Uplift => "uplift",
        }
    }
}

/// A number that books are kept in: f64, or whole quanta as i128.
pub trait Amount:
    Copy + Default + PartialOrd + Add<Output = Self> + Sub<Output = Self> + AddAssign
{
    /// As an f64.
    fn to_f64(self) -> f64;
}

impl Amount for f64 {
    fn to_f64(self) -> f64 {
        self
    }
}

impl Amount for i128 {
    fn to_f64(self) -> f64 {
        self as f64
    }
}

/// Amounts at the start, and in and out since then by cause.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ledger<N = f64> {
    start: N,
    inflow: [N; Cause::ALL.len()],
    outflow: [N; Cause::ALL.len()],
}

impl<N: Amount> Ledger<N> {
    /// A ledger that opens with `start`.
    pub fn new(start: N) -> Self {
        Self { start, ..Self::default() }
    }

    /// Books an amount: above 0 it came, below 0 it went.
    pub fn record(&mut self, cause: Cause, amount: N) {
        let nothing = N::default();
        if amount >= nothing {
            self.inflow[cause as usize] += amount;
        } else {
            self.outflow[cause as usize] += nothing - amount;
        }
    }

    /// What was there at the start.
    pub fn start(&self) -> N {
        self.start
    }

    /// What has come by a cause.
    pub fn inflow(&self, cause: Cause) -> N {
        self.inflow[cause as usize]
    }

    /// What has gone by a cause.
    pub fn outflow(&self, cause: Cause) -> N {
        self.outflow[cause as usize]
    }

    /// What has come by a cause, less what has gone by it.
    pub fn net(&self, cause: Cause) -> N {
        self.inflow(cause) - self.outflow(cause)
    }

    /// All that has come.
    pub fn total_in(&self) -> N {
        self.inflow.iter().fold(N::default(), |sum, &part| sum + part)
    }

    /// All that has gone.
    pub fn total_out(&self) -> N {
        self.outflow.iter().fold(N::default(), |sum, &part| sum + part)
    }

    /// Every amount in it: the start, what came, what went.
    pub fn amounts(&self) -> impl Iterator<Item = N> {
        [self.start].into_iter().chain(self.inflow).chain(self.outflow)
    }

    /// The same books in another unit: everything times `factor`.
    pub fn scaled(&self, factor: f64) -> Ledger {
        let times = |part: N| part.to_f64() * factor;
        Ledger {
            start: times(self.start),
            inflow: self.inflow.map(times),
            outflow: self.outflow.map(times),
        }
    }

    /// Closes the books over the amount that is there `now`.
    pub fn balance(&self, now: N) -> Balance<N> {
        let residual = now - (self.start + self.total_in() - self.total_out());
        let handled = (self.start + self.total_in()).to_f64();
        let missing = residual.to_f64();
        let residual_relative = if handled > 0.0 { missing / handled } else { missing };
        Balance { ledger: self.clone(), now, residual, residual_relative }
    }
}

/// A ledger held against what is really there.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Balance<N = f64> {
    /// The books.
    pub ledger: Ledger<N>,
    /// The amount found.
    pub now: N,
    /// What is there and should not be; below 0, what is missing.
    pub residual: N,
    /// The residual over all that was handled: start + in. Without any, the residual itself.
    pub residual_relative: f64,
}

impl<N: Amount> Balance<N> {
    /// The same in another unit: everything times `factor`. Books that close in whole quanta close here too.
    pub fn scaled(&self, factor: f64) -> Balance {
        let times = |part: N| part.to_f64() * factor;
        Balance {
            ledger: self.ledger.scaled(factor),
            now: times(self.now),
            residual: times(self.residual),
            residual_relative: self.residual_relative,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_drop_shows_in_the_residual() {
        let mut ledger = Ledger::new(10.0);
        ledger.record(Cause::Rain, 4.0);
        ledger.record(Cause::Drain, -6.0);
        assert_eq!(ledger.balance(8.0).residual, 0.0);
        let balance = ledger.balance(7.0);
        assert_eq!(balance.residual, -1.0);
        assert_eq!(balance.residual_relative, -1.0 / 14.0);
        assert_eq!(ledger.inflow(Cause::Rain), 4.0);
        assert_eq!(ledger.outflow(Cause::Drain), 6.0);
    }

    #[test]
    fn whole_quanta_close_exactly() {
        let mut ledger = Ledger::new(1_i128 << 90);
        ledger.record(Cause::Edit, 1);
        ledger.record(Cause::Boundary, -(1 << 80));
        let now = (1_i128 << 90) + 1 - (1 << 80);
        assert_eq!(ledger.balance(now).residual, 0);
        assert_eq!(ledger.balance(now - 1).scaled(0.5).residual, -0.5);
    }

    #[test]
    fn causes_stand_in_the_order_of_their_columns() {
        for (i, cause) in Cause::ALL.into_iter().enumerate() {
            assert_eq!(cause as usize, i);
        }
    }
}
