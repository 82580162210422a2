//! [`Ledger`]: mass balance of a conserved quantity, with inflow and outflow by cause. Amounts are
//! `f64` volumes (m³) or exact integers.

use serde::{Deserialize, Serialize};
use std::ops::{Add, AddAssign, Sub};

/// Cause of an inflow into the grid or an outflow from the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Cause {
    /// Flow across the edges of the grid, including exchange with the sea.
    Boundary,
    /// Inflow from springs and from rivers that enter the grid.
    Source,
    /// Outflow through drains.
    Drain,
    /// Inflow from rain.
    Rain,
    /// Outflow to the air by evaporation.
    Evaporation,
    /// Infiltration into the soil, and return flow from the soil.
    Infiltration,
    /// Additions and removals by the user's edits.
    Edit,
    /// Conversion of liquids to solid walls, for example where lava meets water.
    Stone,
    /// Inflow of rock by tectonic uplift.
    Uplift,
}

impl Cause {
    /// All causes, in the order of the columns in ledger files.
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

    /// Returns the name of the cause in ledger files.
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

/// Number type of the amounts in a ledger: `f64`, or `i128` for exact integers.
pub trait LedgerAmount:
    Copy + Default + PartialOrd + Add<Output = Self> + Sub<Output = Self> + AddAssign
{
    /// Converts the amount to `f64`.
    fn to_f64(self) -> f64;
}

impl LedgerAmount for f64 {
    fn to_f64(self) -> f64 {
        self
    }
}

impl LedgerAmount for i128 {
    fn to_f64(self) -> f64 {
        self as f64
    }
}

/// Initial amount of a conserved quantity, and its cumulative inflow and outflow by cause.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ledger<N = f64> {
    start: N,
    inflow: [N; Cause::ALL.len()],
    outflow: [N; Cause::ALL.len()],
}

impl<N: LedgerAmount> Ledger<N> {
    /// Creates a ledger with the initial amount `start` and without inflow or outflow.
    pub fn new(start: N) -> Self {
        Self { start, ..Self::default() }
    }

    /// Records an inflow (positive `amount`) or an outflow (negative `amount`) due to a cause.
    pub fn record(&mut self, cause: Cause, amount: N) {
        let nothing = N::default();
        if amount >= nothing {
            self.inflow[cause as usize] += amount;
        } else {
            self.outflow[cause as usize] += nothing - amount;
        }
    }

    /// Adds one amount to the inflow and another to the outflow due to a cause. Both amounts may be
    /// negative.
    pub(crate) fn add(&mut self, cause: Cause, [inflow, outflow]: [N; 2]) {
        self.inflow[cause as usize] += inflow;
        self.outflow[cause as usize] += outflow;
    }

    /// Returns the initial amount, which was present when the ledger was created.
    pub fn initial_amount(&self) -> N {
        self.start
    }

    /// Returns the cumulative inflow due to a cause.
    pub fn inflow(&self, cause: Cause) -> N {
        self.inflow[cause as usize]
    }

    /// Returns the cumulative outflow due to a cause, counted as positive.
    pub fn outflow(&self, cause: Cause) -> N {
        self.outflow[cause as usize]
    }

    /// Returns the inflow minus the outflow due to a cause.
    pub fn net_inflow(&self, cause: Cause) -> N {
        self.inflow(cause) - self.outflow(cause)
    }

    /// Returns the total inflow over all causes.
    pub fn total_inflow(&self) -> N {
        self.inflow.iter().fold(N::default(), |sum, &part| sum + part)
    }

    /// Returns the total outflow over all causes.
    pub fn total_outflow(&self) -> N {
        self.outflow.iter().fold(N::default(), |sum, &part| sum + part)
    }

    /// Iterates over all amounts of the ledger: the initial amount, then the inflows by cause, then
    /// the outflows by cause.
    pub fn amounts(&self) -> impl Iterator<Item = N> {
        [self.start].into_iter().chain(self.inflow).chain(self.outflow)
    }

    /// Returns the ledger in another unit: multiplies all amounts by `factor`.
    pub fn scaled(&self, factor: f64) -> Ledger {
        let times = |part: N| part.to_f64() * factor;
        Ledger {
            start: times(self.start),
            inflow: self.inflow.map(times),
            outflow: self.outflow.map(times),
        }
    }

    /// Compares the ledger with the amount `now` that is currently present, and returns the mass
    /// balance with its residual.
    pub fn balance(&self, now: N) -> Balance<N> {
        let residual = now - (self.start + self.total_inflow() - self.total_outflow());
        let handled = self.start.to_f64().abs() + self.total_inflow().to_f64();
        let missing = residual.to_f64();
        let residual_relative = if missing == 0.0 { 0.0 } else { missing / handled };
        let (ledger, rounding) = (self.clone(), Self::default());
        Balance { ledger, now, rounding, residual, residual_relative }
    }
}

impl Ledger {
    /// Returns the same balance as [`balance`](Self::balance), but first adds the amounts in
    /// `rounding` to the ledger. These amounts have entered or left the grid, but are too small to
    /// be stored in the state and are carried as remainders. `now` therefore does not include them.
    pub(crate) fn balance_with_rounding(&self, now: f64, rounding: Self) -> Balance {
        let mut balance = self.balance(now);
        for cause in Cause::ALL {
            balance.ledger.add(cause, [rounding.inflow(cause), rounding.outflow(cause)]);
        }
        // A remainder that was rounded up is taken back in a later step, which is not a flow in the
        // other direction.
        for cause in [Cause::Source, Cause::Rain] {
            let back = std::mem::take(&mut balance.ledger.outflow[cause as usize]);
            balance.ledger.inflow[cause as usize] -= back;
        }
        for cause in [Cause::Drain, Cause::Evaporation] {
            let back = std::mem::take(&mut balance.ledger.inflow[cause as usize]);
            balance.ledger.outflow[cause as usize] -= back;
        }
        Balance { rounding, ..balance }
    }
}

/// Mass balance: a ledger, the amount currently present, and the residual. The residual is `now` −
/// (initial amount + inflow − outflow − net inflow of `rounding`).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Balance<N = f64> {
    /// Ledger with the initial amount, and the inflows and outflows by cause.
    pub ledger: Ledger<N>,
    /// Amount present when the balance was computed.
    pub now: N,
    /// Inflows and outflows by cause that `ledger` includes but `now` does not. They are too small
    /// for the resolution of the stored state and are carried to later steps.
    pub rounding: Ledger<N>,
    /// Amount present minus the expected amount, which is the initial amount + inflow − outflow −
    /// the net inflow of `rounding`.
    pub residual: N,
    /// Residual divided by the sum of the initial amount and the total inflow (dimensionless).
    /// Infinite if that sum is 0 but the residual is not.
    pub residual_relative: f64,
}

impl<N: LedgerAmount> Balance<N> {
    /// Returns the balance in another unit: multiplies all amounts by `factor`. A residual of 0
    /// stays exactly 0.
    pub fn scaled(&self, factor: f64) -> Balance {
        let times = |part: N| part.to_f64() * factor;
        Balance {
            ledger: self.ledger.scaled(factor),
            now: times(self.now),
            rounding: self.rounding.scaled(factor),
            residual: times(self.residual),
            residual_relative: self.residual_relative,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_amount_appears_in_the_residual() {
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
    fn rounding_is_part_of_the_inflow_but_not_of_the_amount_present() {
        let (mut ledger, mut rounding) = (Ledger::new(8.0), Ledger::default());
        ledger.record(Cause::Rain, 2.0);
        rounding.add(Cause::Rain, [0.5, 0.0]);
        rounding.add(Cause::Evaporation, [0.0, 0.25]);
        let balance = ledger.balance_with_rounding(10.0, rounding);
        assert_eq!((balance.residual, balance.now), (0.0, 10.0));
        assert_eq!(balance.ledger.inflow(Cause::Rain), 2.5);
        assert_eq!(balance.ledger.outflow(Cause::Evaporation), 0.25);
    }

    #[test]
    fn the_relative_residual_without_an_amount_is_zero_or_infinite() {
        assert_eq!(Ledger::new(-4.0).balance(-3.0).residual_relative, 0.25);
        assert_eq!(Ledger::new(0.0).balance(0.0).residual_relative, 0.0);
        assert_eq!(Ledger::new(0.0).balance(1.0).residual_relative, f64::INFINITY);
    }

    #[test]
    fn integer_quanta_balance_exactly() {
        let mut ledger = Ledger::new(1_i128 << 90);
        ledger.record(Cause::Edit, 1);
        ledger.record(Cause::Boundary, -(1 << 80));
        let now = (1_i128 << 90) + 1 - (1 << 80);
        assert_eq!(ledger.balance(now).residual, 0);
        assert_eq!(ledger.balance(now - 1).scaled(0.5).residual, -0.5);
    }

    #[test]
    fn causes_are_listed_in_the_order_of_their_discriminants() {
        for (i, cause) in Cause::ALL.into_iter().enumerate() {
            assert_eq!(cause as usize, i);
        }
    }
}
