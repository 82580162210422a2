//! Row blocks of a distributed world: the fields of a range of rows with a halo, their time steps
//! and ledger logs.

#[expect(clippy::module_inception, reason = "the file defines the block")]
pub(super) mod block;
pub(super) mod fields;
pub(super) mod ledger_log;
pub(super) mod mouths;
pub(super) mod step;
pub(super) mod step_length;
