//! Stages of a step, one file per stage, and the reference implementation of all stages.

pub(super) mod density_current;
pub(super) mod fall;
pub(super) mod float;
pub(super) mod level;
pub(super) mod reference;
pub(super) mod refresh;
pub(super) mod slicks;
pub(super) mod solidify;
pub(super) mod whole_blocks;
