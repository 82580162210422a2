//! [`DistributedFlow`](crate::distributed::DistributedFlow): construction, edits, queries and state
//! hash of a distributed world.

pub(super) mod distributed_flow;
pub(super) mod edits;
pub(super) mod hash;
pub(super) mod outlets;
pub(super) mod row_fields;
pub(super) mod sample;
pub(super) mod spec;
pub(super) mod sum;
