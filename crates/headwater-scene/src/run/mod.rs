//! A run: a scene's world from its start to its end, with events, gauges and pictures on the way,
//! stopped and resumed at will.
//!
//! What a run writes goes into one folder: `frame-0001.png` …, `final.png`, `animation.gif`, layers (`depth.npy`; `depth-at-0090.npy` on the way),
//! `NAME.csv` for each gauge, and `summary.json`, the last. A run that is stopped leaves
//! `checkpoint.headwater` instead of a summary, or if its world is spread the folder `checkpoint-parts.headwater`, as does one that fails, and one that is
//! killed a while after it began; resumed, it ends like one that was never stopped, bit for bit. One run at a time has a folder, and writes over nothing there but what the summary
//! lists. Progress is reported to a [`Watch`]; nothing is printed here.

mod at_end;
mod backend;
mod begin;
mod bytes;
mod checkpoint;
#[cfg(feature = "gpu")]
mod device;
mod elsewhere;
mod error;
mod executor;
pub(crate) mod fixed_steps;
mod folder;
mod frames;
mod gauges;
mod hold;
mod info;
mod inputs;
mod keep;
mod last;
mod model_world;
mod models;
mod names;
#[cfg(feature = "gpu")]
mod on_device;
pub(crate) mod outcome;
mod parts;
mod probe;
mod question;
mod ranks;
mod refusals;
mod rehearsal;
mod roster;
#[expect(clippy::module_inception, reason = "a run is what it is about")]
mod run;
mod schedule;
mod serve;
pub(crate) mod simulation;
mod stepping;
pub(crate) mod summary;
mod world;
mod world_run;
mod write;

pub use at_end::outcome;
pub use backend::Backend;
pub use checkpoint::CheckpointInfo;
#[cfg(feature = "gpu")]
pub(crate) use device::BATCH;
#[cfg(feature = "gpu")]
pub use model_world::Asker;
pub use model_world::{ActionOf, GaugeOf, ModelWorld};
pub(crate) use models::move_to;
pub use models::{simulation, simulation_on};
#[cfg(not(target_family = "wasm"))]
pub(crate) use names::at_time;
pub(crate) use names::{CARVED, FLOOD};
#[cfg(feature = "gpu")]
pub(crate) use on_device::now;
#[cfg(feature = "gpu")]
pub use on_device::{Answers, Asked, Inquiry, OnDevice, Return};

pub use error::RunError;
pub use executor::Executor;
pub use info::{checkpoint_info, is_checkpoint, is_checkpoint_in_parts};
pub use last::checkpoint_in;
pub use names::{CHECKPOINT, Moment, PARTS, SUMMARY};
pub use outcome::{Acted, Grid, Measured, ModelError, Written};
pub use parts::{BandBytes, FieldBytes, Kept, PartFile};
#[cfg(not(target_family = "wasm"))]
pub(crate) use parts::{Reading, Writing, part_name};
pub use probe::Probed;
pub(crate) use probe::{number, word};
pub use question::{Answered, Question};
pub use ranks::{Part, Ranks};
pub use rehearsal::rehearse;
pub(crate) use roster::{Edited, Roster, Watched};
pub use run::{End, Run, Watch};
pub(crate) use schedule::{Done, Due, Schedule};
pub use serve::serve;
pub use simulation::Simulation;
pub(crate) use stepping::AWAY;
pub use summary::{Input, LedgerSummary, Summary, lattice_name};
pub use world::{World, WorldMut};
pub(crate) use world_run::WorldRun;
