//! [`Executor`]: the interface through which a run steps, measures and writes a world.

pub(super) mod backend;
#[cfg(feature = "gpu")]
pub(super) mod device_copy;
#[cfg(feature = "gpu")]
pub(super) mod device_world;
pub(super) mod model_world;
pub(super) mod models;
pub(super) mod probe;
pub(super) mod query;
pub(crate) mod simulation;
pub(super) mod stepping;
pub(super) mod world;
pub(super) mod world_run;

use super::output::names::OutputTime;
use super::output::summary::{GridExtent, LedgerSummary};
use super::parts::CheckpointParts;
use super::types::{GaugeValues, Grid, ModelError, WrittenFiles};
use crate::picture::Picture;
use crate::scene::SceneError;
use headwater::flow::RelaxationStatus;
use std::io;
use std::path::{Path, PathBuf};
use world::World;

/// Limit on the number of steps in one call of [`Executor::step_toward`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StepLimit {
    /// Upper limit on the number of steps.
    Steps(u64),
    /// The number of steps that the backend can take efficiently in one call.
    Efficient,
    /// Limit for the case that a task is due at this time (s). On the CPU, one step is taken per
    /// call, so that the task is done right after the step that reaches the time. On a GPU, where
    /// single steps are slow, several steps are taken per call, and the task may be done a few
    /// steps late.
    Before(f64),
}

/// World of a scene on any backend: on the CPU, on a GPU, or distributed over processes. A
/// [`Run`](super::Run) accesses its world only through this trait.
pub trait Executor: Send {
    /// Returns the cell shape and size of the grid.
    fn grid(&self) -> Grid;

    /// Returns the size and the map position of the grid.
    fn extent(&self) -> GridExtent;

    /// Returns the simulated time (s).
    fn time(&self) -> f64;

    /// Returns the number of steps that the world has taken.
    fn steps(&self) -> u64;

    /// Takes one step of the relaxation to a steady state, which takes place before simulated time
    /// starts. Returns false when the relaxation is complete.
    ///
    /// # Errors
    /// Returns an error if the model fails.
    fn relaxation_step(&mut self) -> Result<bool, ModelError> {
        Ok(false)
    }

    /// Returns whether the world has reached the time `stop` (s). With a fixed time step, it has
    /// reached `stop` if the next step would end later.
    fn has_reached(&self, stop: f64) -> bool {
        self.time() >= stop
    }

    /// Takes one or more steps toward the time `stop` (s). Returns false, without taking a step, if
    /// the world had already reached `stop`. The results do not depend on `limit`. A GPU may still
    /// be executing the steps when this returns.
    ///
    /// # Errors
    /// Returns an error if the model fails.
    fn step_toward(&mut self, stop: f64, limit: StepLimit) -> Result<bool, ModelError>;

    /// Copies the state from the device to the host. Returns false if the copy is still in
    /// progress. This happens only in browsers.
    ///
    /// # Errors
    /// Returns an error if the state cannot be copied.
    fn read_back(&mut self) -> Result<bool, ModelError> {
        Ok(true)
    }

    /// Discards the copy of the world on the device. The world continues from the state that was
    /// last copied to the host.
    fn discard_device_copy(&mut self) {}

    /// Applies the event at index `event` of the scene. Does nothing if the event edits a gauge.
    ///
    /// # Errors
    /// Returns an error if the model rejects the event.
    ///
    /// # Panics
    /// May panic if the scene has no event at this index.
    fn apply_event(&mut self, event: usize) -> Result<(), ModelError>;

    /// Returns whether all values of the state are finite.
    ///
    /// # Errors
    /// Returns an error if the state cannot be read.
    fn is_state_finite(&mut self) -> Result<bool, ModelError>;

    /// Returns the current values of gauge number `gauge`, each with a name that includes the unit,
    /// such as `depth_m`. The gauges of the scene are numbered first, then the gauges that its
    /// events add or change. Returns an empty list if there is no such gauge.
    ///
    /// # Errors
    /// Returns an error if the gauge cannot be read.
    fn measure_gauge(&mut self, gauge: usize) -> Result<GaugeValues, ModelError>;

    /// Determines the colour scales of all pictures of the run from the current state.
    ///
    /// # Errors
    /// Returns [`SceneError`] if the world does not support the picture style of the scene.
    fn determine_color_scales(&mut self) -> Result<(), SceneError>;

    /// Draws the world. Determines the colour scales first if
    /// [`determine_color_scales`](Self::determine_color_scales) has not been called.
    ///
    /// # Errors
    /// Returns the errors of [`determine_color_scales`](Self::determine_color_scales).
    fn draw_picture(&mut self) -> Result<Picture, SceneError>;

    /// Writes the final layers and meshes of a run into `folder`. `times` contains all output times
    /// of layers (s), in ascending order. The last one is the end of the run.
    ///
    /// # Errors
    /// Returns a message that names the file that cannot be written.
    fn write_outputs(&mut self, folder: &Path, times: &[f64]) -> Result<WrittenFiles, String>;

    /// Writes the layers at an output time before the end of the run, and returns the paths of
    /// their files.
    ///
    /// # Errors
    /// Returns a message that names the file that cannot be written.
    fn write_layers(
        &mut self,
        folder: &Path,
        output_time: &OutputTime<'_>,
    ) -> Result<Vec<PathBuf>, String>;

    /// Returns whether a checkpoint of this world consists of several files.
    /// [`write_parts`](Self::write_parts) writes these files.
    fn has_checkpoint_parts(&self) -> bool {
        false
    }

    /// Writes the state of the world to a stream, without creating a second copy of the state in
    /// memory.
    ///
    /// # Errors
    /// Returns an error if writing fails, or of kind [`io::ErrorKind::Unsupported`] if a checkpoint
    /// of this world consists of [several files](Self::has_checkpoint_parts).
    fn write_state(&self, into: &mut dyn io::Write) -> io::Result<()>;

    /// Restores the state that a world of the same scene wrote with
    /// [`write_state`](Self::write_state).
    ///
    /// # Errors
    /// Returns a message if the state cannot be read or does not fit the scene.
    fn restore_state(&mut self, state: &mut dyn io::Read) -> Result<(), String>;

    /// Writes the state of a distributed world into `folder` as part of a checkpoint. Each process
    /// writes its rows into its own file. The file names contain `generation`, a string that is
    /// unique to each checkpoint.
    ///
    /// # Errors
    /// Returns an error if a file cannot be written, or of kind [`io::ErrorKind::Unsupported`] if
    /// the world is not distributed.
    fn write_parts(&mut self, folder: &Path, generation: &str) -> io::Result<CheckpointParts> {
        let _ = (folder, generation);
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Restores the state of a world of the same scene from the files in `folder` that
    /// [`write_parts`](Self::write_parts) wrote. The number of processes may have changed since
    /// then.
    ///
    /// # Errors
    /// Returns a message that names the file that cannot be used.
    fn restore_parts(&mut self, folder: &Path, parts: &CheckpointParts) -> Result<(), String>;

    /// Returns a hash of the state. Equal states have equal hashes on every machine.
    ///
    /// # Errors
    /// Returns an error if the state cannot be read.
    fn compute_state_hash(&mut self) -> Result<u64, ModelError>;

    /// Returns the volumes of water added, removed and present (m³, or cells in the model
    /// `blocks`).
    ///
    /// # Errors
    /// Returns an error if the volumes cannot be read.
    fn volume_balance(&mut self) -> Result<LedgerSummary, ModelError>;

    /// Returns the status of the relaxation to a steady state, in progress or complete; `None` if
    /// the scene requests no relaxation.
    fn relaxation(&self) -> Option<RelaxationStatus> {
        None
    }

    /// Returns the world if this process owns all of it; `None` if it is distributed. If a device
    /// steps the world, the state is the last one that was copied from the device.
    fn local_world(&self) -> Option<World<'_>> {
        None
    }

    /// Returns messages for the user about assumptions of the model and about scene content that
    /// the model omits.
    fn notices(&self) -> Vec<String>;
}
