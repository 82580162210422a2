//! What gauges have measured, and the books.

use super::facade::Facade;
use crate::live::GaugeSeries;
use crate::run::LedgerSummary;

impl Facade {
    /// What the gauges that there are have measured. They come, change and go by [`add`](Self::add), [`change`](Self::change)
    /// and [`remove`](Self::remove) on the list `gauge`.
    pub fn gauges(&self) -> &[GaugeSeries] {
        self.live.readings()
    }

    /// What came, went and is there, by cause, in m³; of blocks, cells.
    pub fn ledger(&self) -> LedgerSummary {
        self.live.ledger()
    }
}
