//! Row blocks: fields with a halo, and their steps.

#[expect(clippy::module_inception, reason = "the block itself")]
pub(super) mod block;
pub(super) mod fields;
pub(super) mod ledger_log;
pub(super) mod mouths;
pub(super) mod step;
pub(super) mod step_length;
