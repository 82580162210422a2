//! A row block: its fields with a halo, and how it is stepped.

#[expect(clippy::module_inception, reason = "the block itself")]
pub(super) mod block;
pub(super) mod fields;
pub(super) mod ledger_log;
pub(super) mod mouths;
pub(super) mod step;
pub(super) mod step_length;
