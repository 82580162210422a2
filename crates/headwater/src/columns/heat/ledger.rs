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

/// The books of heat held against the heat that is there (J for a world 1 m thick). Heat is counted from water of
/// 0 °C, and comes and goes by other ways than water; what is below 0 went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HeatBalance {
    /// What was there at the start.
    pub start: f64,
    /// From the air.
    pub air: f64,
    /// From heaters.
    pub heaters: f64,
    /// With water that was poured, fell, sprang, was taken or dried.
    pub water: f64,
    /// With steam: at most 0.
    pub steam: f64,
    /// The heat found: of water above 0 °C, less what its ice lacks.
    pub now: f64,
    /// What is there and should not be. Counted in whole units, and so exact.
    pub residual: f64,
}

/// What came and went in units.
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
        ledger.book(Cause::Boundary, self.air);
        ledger.book(Cause::Source, self.heaters);
        ledger.book(Cause::Evaporation, self.steam);
        ledger.book(Cause::Edit, self.water);
        ledger
    }

    /// Closes the books over the units that are there, with `joules` to each.
    pub(super) fn balance(&self, now: i128, joules: f64) -> HeatBalance {
        let Self { start, air, heaters, water, steam } = *self;
        let residual = now - (start + air + heaters + water + steam);
        let [start, air, heaters, water, steam, now, residual] =
            [start, air, heaters, water, steam, now, residual].map(|units| units as f64 * joules);
        HeatBalance { start, air, heaters, water, steam, now, residual }
    }
}
