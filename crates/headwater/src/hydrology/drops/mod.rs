//! Erosion by drops of water, which move over the land in batches and exchange sediment with it.

pub(super) mod batch;
pub(super) mod cell_cache;
pub(super) mod descent;
pub(super) mod drop_dynamics;
pub(super) mod exchange;
pub(super) mod partition_drops;
pub(super) mod row_bands;
