//! Distributed worlds of the model `flow`. Each process has only some rows of the world in memory.
//! There is either one process, which keeps the other rows on disk (`headwater run SCENE --memory
//! 4GiB`), or one process for each rank of an MPI job. The results are bit-identical to those of a
//! world that is entirely in memory.
//!
//! Each process builds and owns the rows of a [`rank_world`](self::rank_world). Blocks of rows that
//! do not fit in memory are stored in a folder ([`scratch`](self::scratch)). Each process writes
//! its own rows of the output layers. Pictures are drawn from a sample of the cells
//! ([`overview`](self::overview)). The first process [runs](self::run) the scene; before each
//! collective operation it sends a [`command`](self::command) to the other processes. Scenes with
//! unsupported features are rejected by [`capabilities`](super::capabilities).

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

pub(super) use rank_world::FlowRankWorld;
pub(super) use run::DistributedRun;
pub(crate) use scratch::remove_scratch_folder;
