//! The books of an open world: they count what is loaded, what is in chunks that the game keeps, and what waits between them.

use crate::ledger::Ledger;

/// An open world's ledger held against where the water is (m³ for a world 1 m thick).
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct OpenBalance {
    /// What came and went. What chunks hold that come into the world for the first time comes through the
    /// [boundary](crate::Cause::Boundary); what the game forgets and takes goes there.
    pub ledger: Ledger,
    /// In chunks that are loaded.
    pub loaded: f64,
    /// In chunks that were unloaded.
    pub unloaded: f64,
    /// On its way between them: passed out of what was loaded, and not yet brought in.
    pub passed: f64,
    /// What is there and should not be; below 0, what is missing. Counted in whole quanta, and so exact: anything but 0 is a fault.
    pub residual: f64,
}
