//! Runs of scenes. A run steps the world of a scene from start to end, applies its events, and
//! records gauges and pictures. It can be stopped and resumed.
//!
//! A run writes its files into one folder: pictures (`frame-0001.png` …, `final.png`),
//! `animation.gif`, layers (`depth.npy`, or `depth-at-0090.npy` at an intermediate time),
//! `NAME.csv` for each gauge, `ledger.csv` and, at the end, `summary.json`. A run that is stopped,
//! fails or is killed leaves a checkpoint instead of a summary. This is the file
//! `checkpoint.headwater`, or the folder `checkpoint-parts.headwater` for distributed worlds. The
//! results of a resumed run are bit-identical to those of an uninterrupted one. Only one run at a
//! time can use a folder. It overwrites only files that the summary of an earlier run lists.
//! Progress is reported to an [`Observer`]; nothing is printed.

mod checkpoint;
mod dry_run;
mod error;
pub(crate) mod executor;
pub(crate) mod fixed_steps;
mod gauge_set;
mod inputs;
mod output;
mod parts;
mod ranks;
mod rejected_events;
#[expect(clippy::module_inception, reason = "the module's main type is `Run`")]
mod run;
mod run_to_end;
mod schedule;
mod start;
pub(crate) mod types;

pub use checkpoint::CheckpointInfo;
pub use executor::backend::{Backend, MemoryLimit};
#[cfg(feature = "gpu")]
pub(crate) use executor::device_copy::STEPS_PER_BATCH;
#[cfg(feature = "gpu")]
pub(crate) use executor::device_world::poll_or_block;
#[cfg(feature = "gpu")]
pub use executor::device_world::{
    DeviceQuery, DeviceQueryResult, DeviceWorld, PendingQuery, ReadBackFuture,
};
#[cfg(feature = "gpu")]
pub use executor::model_world::{
    BoxedDeviceWorld, DeviceSupport, QueryFunction, QueryTarget, QueryValuesFunction,
};
pub use executor::model_world::{ModelWorld, Placement};
pub(crate) use executor::models::move_to_backend;
pub use executor::models::{build_simulation, build_simulation_on};
#[cfg(not(target_family = "wasm"))]
pub(crate) use output::names::intermediate_file_name;
pub(crate) use output::names::{CARVED_PICTURE_FILE, FLOOD_PICTURE_FILE};
pub use run_to_end::run_to_end;

pub use checkpoint::info::{checkpoint_info, is_checkpoint, is_checkpoint_in_parts};
pub use checkpoint::latest_checkpoint::find_checkpoint;
pub use dry_run::dry_run;
pub use error::RunError;
pub use executor::probe::ProbeValue;
pub(crate) use executor::probe::{category_value, numeric_value};
pub use executor::query::{Query, QueryResult};
pub use executor::simulation::{SceneWorld, Simulation};
pub(crate) use executor::stepping::READBACK_PENDING;
pub use executor::world::{World, WorldMut};
pub(crate) use executor::world_run::ModelSimulation;
pub use executor::{Executor, StepLimit};
pub(crate) use gauge_set::{ActiveGauge, GaugeEditResult, GaugeSet};
pub use output::names::{CHECKPOINT_FILE, CHECKPOINT_PARTS_FOLDER, OutputTime, SUMMARY_FILE};
pub(crate) use output::summary::PartColumns;
pub use output::summary::{GridExtent, Input, LedgerPart, LedgerSummary, Summary, lattice_name};
pub use parts::{CheckpointParts, PartFile, StoredField, StoredRowBlock};
#[cfg(not(target_family = "wasm"))]
pub(crate) use parts::{PartReader, PartWriter, part_file_name};
pub use ranks::serve::serve;
pub use ranks::{RankWorld, Ranks};
pub(crate) use rejected_events::RejectedEvents;
pub use run::{Observer, Run, RunOutcome};
pub(crate) use schedule::{Schedule, ScheduleProgress, ScheduledTask};
pub use types::{DeviceEventResult, GaugeValues, Grid, ModelError, WrittenFiles};
