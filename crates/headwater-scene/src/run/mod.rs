//! Runs of scenes. A run steps the world of a scene from start to end, applies its events, and
//! records gauges and pictures. It can be stopped and resumed.
//!
//! A run writes its files into one folder: pictures (`frame-0001.png` …, `final.png`),
//! `animation.gif`, layers (`depth.npy`, or `depth-at-0090.npy` at an intermediate time),
//! `NAME.csv` for each gauge and, at the end, `summary.json`. A run that is stopped, fails or is
//! killed leaves a checkpoint instead of a summary. This is the file `checkpoint.headwater`, or the
//! folder `checkpoint-parts.headwater` for distributed worlds. The results of a resumed run are
//! bit-identical to those of an uninterrupted one. Only one run at a time can use a folder. It
//! overwrites only files that the summary of an earlier run lists. Progress is reported to an
//! [`Observer`]; nothing is printed.

mod backend;
mod checkpoint;
#[cfg(feature = "gpu")]
mod device_copy;
#[cfg(feature = "gpu")]
mod device_world;
mod dry_run;
mod elsewhere;
mod error;
mod executor;
pub(crate) mod fixed_steps;
mod folder;
mod folder_lock;
mod frames;
mod gauge_set;
mod gauges;
mod info;
mod inputs;
mod latest_checkpoint;
mod model_world;
mod models;
mod names;
mod parts;
mod postcard_io;
mod probe;
mod query;
mod ranks;
mod refusals;
#[expect(clippy::module_inception, reason = "the module's main type is `Run`")]
mod run;
mod run_to_end;
mod save;
mod schedule;
mod serve;
pub(crate) mod simulation;
mod start;
mod stepping;
pub(crate) mod summary;
pub(crate) mod types;
mod world;
mod world_run;
mod write;

pub use backend::Backend;
pub use checkpoint::CheckpointInfo;
#[cfg(feature = "gpu")]
pub(crate) use device_copy::STEPS_PER_BATCH;
#[cfg(feature = "gpu")]
pub(crate) use device_world::poll_or_block;
#[cfg(feature = "gpu")]
pub use device_world::{DeviceQuery, DeviceQueryResult, OnDevice, PendingQuery, Return};
#[cfg(feature = "gpu")]
pub use model_world::QueryTarget;
pub use model_world::{ActionOf, GaugeOf, ModelWorld};
pub(crate) use models::move_to;
pub use models::{simulation, simulation_on};
#[cfg(not(target_family = "wasm"))]
pub(crate) use names::file_name_at;
pub(crate) use names::{CARVED, FLOOD};
pub use run_to_end::run_to_end;

pub use dry_run::dry_run;
pub use error::RunError;
pub use executor::Executor;
pub(crate) use gauge_set::{ActiveGauge, GaugeEditResult, GaugeSet};
pub use info::{checkpoint_info, is_checkpoint, is_checkpoint_in_parts};
pub use latest_checkpoint::checkpoint_in;
pub use names::{CHECKPOINT, OutputTime, PARTS, SUMMARY};
pub use parts::{CheckpointParts, FieldBytes, PartFile, RowBlockBytes};
#[cfg(not(target_family = "wasm"))]
pub(crate) use parts::{PartReader, PartWriter, part_name};
pub use probe::ProbeValue;
pub(crate) use probe::{number, word};
pub use query::{Query, QueryResult};
pub use ranks::{RankWorld, Ranks};
pub use run::{Observer, Run, RunOutcome};
pub(crate) use schedule::{Schedule, ScheduleProgress, ScheduledTask};
pub use serve::serve;
pub use simulation::Simulation;
pub(crate) use stepping::READBACK_PENDING;
pub use summary::{Input, LedgerSummary, Summary, lattice_name};
pub use types::{DeviceEventResult, GaugeValues, Grid, ModelError, WrittenFiles};
pub use world::{World, WorldMut};
pub(crate) use world_run::WorldRun;
