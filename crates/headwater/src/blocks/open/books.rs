//! The books of an open world: they count what is loaded, what is in chunks that the game keeps, and what waits between them.

use crate::ledger::Ledger;

/// An open world's ledger of a liquid, held against where the liquid is. Amounts are 256ths of a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OpenBalance {
    /// What came and went. What chunks hold that come into the world for the first time comes through the
    /// [boundary](crate::Cause::Boundary); what the game forgets and takes goes there.
    pub ledger: Ledger<i128>,
    /// In chunks that are loaded.
    pub loaded: i128,
    /// In chunks that were unloaded.
    pub unloaded: i128,
    /// On its way between them: passed out of what was loaded, and not yet brought in.
    pub passed: i128,
    /// What is there and should not be; below 0, what is missing. Anything but 0 is a fault.
    pub residual: i128,
}
