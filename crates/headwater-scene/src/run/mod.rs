//! A run: a scene's world from its start to its end, with events, gauges and pictures on the way,
//! stopped and resumed at will.
//!
//! What a run writes goes into one folder: `frame-0001.png` …, `final.png`, `animation.gif`, layers (`depth.npy`; `depth-at-0090.npy` on the way),
//! `NAME.csv` for each gauge, and `summary.json`, the last. A run that is stopped leaves
//! `checkpoint.headwater` instead of a summary, or if its world is spread the folder `checkpoint-parts.headwater`, as does one that fails, and one that is
//! killed a while after it began; resumed, it ends like one that was never stopped, bit for bit. One run at a time has a folder, and writes over nothing there but what the summary
//! lists. Progress is reported to a [`Observer`]; nothing is printed here.

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
#[expect(clippy::module_inception, reason = "a run is what it is about")]
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
pub(crate) use device_world::now;
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
pub use ranks::{Part, Ranks};
pub use run::{Observer, Run, RunOutcome};
pub(crate) use schedule::{Schedule, ScheduleProgress, ScheduledTask};
pub use serve::serve;
pub use simulation::Simulation;
pub(crate) use stepping::READBACK_PENDING;
pub use summary::{Input, LedgerSummary, Summary, lattice_name};
pub use types::{DeviceEventResult, GaugeValues, Grid, ModelError, WrittenFiles};
pub use world::{World, WorldMut};
pub(crate) use world_run::WorldRun;
