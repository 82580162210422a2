//! Distributed worlds of the model `flow`, of which each process has only some rows in memory.
//! There is either a single process that keeps the other rows on disk (`headwater run SCENE
//! --memory 4GiB`), or one process for each rank of an MPI job. The results are bit-identical to
//! those of a world that is entirely in memory.
//!
//! Each process builds and owns the rows of a [`rank_world`](self::rank_world). Row blocks that do
//! not fit in memory are in a folder ([`scratch`](self::scratch)). Each process writes its rows of
//! layers, and pictures show a sample of the cells ([`overview`](self::overview)). The first
//! process [runs](self::run) the scene and sends the others a [`command`](self::command) before
//! each collective operation. Scenes with unsupported features are rejected by
//! [`capabilities`](super::capabilities).

mod bits;
mod command;
mod files;
mod lakes;
mod layer;
mod overview;
mod rank_world;
mod run;
mod scratch;
mod spec;

pub(super) use rank_world::{Budget, FlowRankWorld};
pub(super) use run::DistributedRun;
