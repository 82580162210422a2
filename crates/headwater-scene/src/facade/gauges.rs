//! Gauge readings and the water balance.

use super::facade::Facade;
use crate::live::GaugeSeries;
use crate::run::LedgerSummary;

impl Facade {
    /// Returns the readings of all gauges. Gauges are edited with [`add`](Self::add),
    /// [`change`](Self::change) and [`remove`](Self::remove) on the list `gauge`.
    pub fn gauges(&self) -> &[GaugeSeries] {
        self.live.readings()
    }

    /// Returns the water balance: inflows, outflows and storage by cause, in m³; in cells with
    /// `blocks`.
    pub fn ledger(&self) -> LedgerSummary {
        self.live.ledger()
    }
}
