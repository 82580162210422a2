//! Methods that return the gauges' time series and the water balance.

use super::facade::Facade;
use crate::live::GaugeSeries;
use crate::run::LedgerSummary;

impl Facade {
    /// Returns the time series of all gauges. To edit gauges, use [`add`](Self::add),
    /// [`change`](Self::change) and [`remove`](Self::remove) with the list `gauge`.
    pub fn gauges(&self) -> &[GaugeSeries] {
        self.live.readings()
    }

    /// Returns the water balance: inflows and outflows by cause, and the current volume of water.
    /// Volumes are in m³ (in the model `blocks`, in cells).
    pub fn ledger(&self) -> LedgerSummary {
        self.live.ledger()
    }
}
