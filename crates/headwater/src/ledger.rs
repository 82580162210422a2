//! [`Ledger`]: what came, what went, and what should be there now. Every model keeps one, in f64,
//! so that a lost drop shows.

use serde::{Deserialize, Serialize};

/// Why water came or went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// Through the edge of the grid.
    Boundary,
    /// From a spring.
    Source,
    /// Into a drain.
    Drain,
    /// From the sky.
    Rain,
    /// Into the air.
    Evaporation,
    /// Into the soil, or back out of it.
    Infiltration,
    /// By a brush.
    Edit,
}

impl Cause {
    /// Every cause, in the order of the ledger's columns.
    pub const ALL: [Cause; 7] = [
        Cause::Boundary,
        Cause::Source,
        Cause::Drain,
        Cause::Rain,
        Cause::Evaporation,
        Cause::Infiltration,
        Cause::Edit,
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
        }
    }
}

/// Volumes (m³) at the start, and in and out since then by cause.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ledger {
    start: f64,
    inflow: [f64; Cause::ALL.len()],
    outflow: [f64; Cause::ALL.len()],
}

impl Ledger {
    /// A ledger that opens with `start` m³.
    pub fn new(start: f64) -> Self {
        Self { start, ..Self::default() }
    }

    /// Books a volume (m³): above 0 it came, below 0 it went.
    pub fn book(&mut self, cause: Cause, volume: f64) {
        if volume >= 0.0 {
            self.inflow[cause as usize] += volume;
        } else {
            self.outflow[cause as usize] -= volume;
        }
    }

    /// Volume at the start (m³).
    pub fn start(&self) -> f64 {
        self.start
    }

    /// What has come by a cause (m³).
    pub fn inflow(&self, cause: Cause) -> f64 {
        self.inflow[cause as usize]
    }

    /// What has gone by a cause (m³).
    pub fn outflow(&self, cause: Cause) -> f64 {
        self.outflow[cause as usize]
    }

    /// All that has come (m³).
    pub fn total_in(&self) -> f64 {
        self.inflow.iter().sum()
    }

    /// All that has gone (m³).
    pub fn total_out(&self) -> f64 {
        self.outflow.iter().sum()
    }

    /// The same books in another unit: everything times `factor`.
    pub(crate) fn scaled(&self, factor: f64) -> Self {
        let times = |volumes: [f64; Cause::ALL.len()]| volumes.map(|volume| volume * factor);
        Self {
            start: self.start * factor,
            inflow: times(self.inflow),
            outflow: times(self.outflow),
        }
    }

    /// Closes the books over the volume that is there `now` (m³).
    pub fn balance(&self, now: f64) -> Balance {
        let residual = now - (self.start + self.total_in() - self.total_out());
        let handled = self.start + self.total_in();
        let residual_relative = if handled > 0.0 { residual / handled } else { residual };
        Balance { ledger: self.clone(), now, residual, residual_relative }
    }
}

/// A ledger held against what is really there.
#[derive(Clone, Debug, PartialEq)]
pub struct Balance {
    /// The books.
    pub ledger: Ledger,
    /// The volume found (m³).
    pub now: f64,
    /// What is there and should not be (m³); below 0, what is missing.
    pub residual: f64,
    /// The residual over all volume handled: start + in. Without any, the residual itself.
    pub residual_relative: f64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_drop_shows_in_the_residual() {
        let mut ledger = Ledger::new(10.0);
        ledger.book(Cause::Rain, 4.0);
        ledger.book(Cause::Drain, -6.0);
        assert_eq!(ledger.balance(8.0).residual, 0.0);
        let balance = ledger.balance(7.0);
        assert_eq!(balance.residual, -1.0);
        assert_eq!(balance.residual_relative, -1.0 / 14.0);
        assert_eq!(ledger.inflow(Cause::Rain), 4.0);
        assert_eq!(ledger.outflow(Cause::Drain), 6.0);
    }

    #[test]
    fn causes_stand_in_the_order_of_their_columns() {
        for (i, cause) in Cause::ALL.into_iter().enumerate() {
            assert_eq!(cause as usize, i);
        }
    }
}
