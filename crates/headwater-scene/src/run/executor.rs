//! [`Executor`]: interface through which a run steps, measures and writes a world.

use super::names::OutputTime;
use super::parts::CheckpointParts;
use super::summary::LedgerSummary;
use super::types::{GaugeValues, Grid, ModelError, WrittenFiles};
use super::world::World;
use crate::picture::Picture;
use crate::scene::SceneError;
use headwater::flow::RelaxationStatus;
use std::io;
use std::path::{Path, PathBuf};

/// World of a scene, wherever it is stepped: on the CPU, on a device, or distributed over
/// processes. A [`Run`](super::Run) needs nothing else.
pub trait Executor: Send {
    /// Returns the shape of the grid.
    fn grid(&self) -> Grid;

    /// Returns the simulated time (s).
    fn time(&self) -> f64;

    /// Returns the number of steps done.
    fn steps(&self) -> u64;

    /// Does a step of the relaxation before the clock starts. Returns false when it is complete.
    ///
    /// # Errors
    /// The reason of the model.
    fn prepare_step(&mut self) -> Result<bool, ModelError> {
        Ok(false)
    }

    /// Returns whether the world has reached the time `stop` (s). Models with steps of one length
    /// come as near as they can.
    fn is_at(&self, stop: f64) -> bool {
        self.time() >= stop
    }

    /// Does at most `most` steps toward the time `stop` (s), and returns false if the world is
    /// there. The steps do not depend on how many are done at once. A device may still be working
    /// on them afterwards.
    ///
    /// # Errors
    /// The reason of the model.
    fn steps_toward(&mut self, stop: f64, most: u64) -> Result<bool, ModelError>;

    /// Does as many [steps](Self::steps_toward) as are efficient at once.
    ///
    /// # Errors
    /// The reason of the model.
    fn step_toward(&mut self, stop: f64) -> Result<bool, ModelError>;

    /// Returns how many steps to do at once before something is due at the time `next` (s): one, so
    /// that it is not missed. Devices, for which single steps are slow, may pass it by a little.
    fn max_steps_before(&self, next: f64) -> u64 {
        let _ = next;
        1
    }

    /// Copies the world back from a device. Returns false if the copy is under way, as in browsers.
    ///
    /// # Errors
    /// The reason why it cannot be copied.
    fn read_back(&mut self) -> Result<bool, ModelError> {
        Ok(true)
    }

    /// Gives up the copy on a device. The world continues from the last copy that was read back.
    fn discard_device_copy(&mut self) {}

    /// Applies event number `event`, unless it edits a gauge.
    ///
    /// # Errors
    /// The reason of the model. A checked scene has no such event.
    fn apply_event(&mut self, event: usize) -> Result<(), ModelError>;

    /// Returns whether all values of the state are finite.
    ///
    /// # Errors
    /// The reason why it cannot be checked.
    fn check_finite(&mut self) -> Result<bool, ModelError>;

    /// Returns the number of gauges.
    fn gauge_count(&self) -> usize;

    /// Returns the values of a gauge with their names and units, such as `depth_m`. Numbers are
    /// those of the scene's gauges, then of those that its events add or change to. Empty if there
    /// is no such gauge.
    ///
    /// # Errors
    /// The reason why it cannot be measured.
    fn measure_gauge(&mut self, gauge: usize) -> Result<GaugeValues, ModelError>;

    /// Fixes the colour scales of all pictures from the current state.
    ///
    /// # Errors
    /// [`SceneError`] if the scene's style does not suit the world.
    fn fix_color_scales(&mut self) -> Result<(), SceneError>;

    /// Draws the world. Fixes the colour scales if they are not fixed yet.
    ///
    /// # Errors
    /// As for [`fix_color_scales`](Self::fix_color_scales).
    fn paint(&mut self) -> Result<Picture, SceneError>;

    /// Writes the layers and meshes of the end of a run, the last of `times` (s).
    ///
    /// # Errors
    /// A message with the file that cannot be written.
    fn write_outputs(&mut self, folder: &Path, times: &[f64]) -> Result<WrittenFiles, String>;

    /// Writes the layers at a moment during a run.
    ///
    /// # Errors
    /// A message with the file that cannot be written.
    fn write_layers(
        &mut self,
        folder: &Path,
        moment: &OutputTime<'_>,
    ) -> Result<Vec<PathBuf>, String>;

    /// Returns whether checkpoints are [written in parts](Self::write_parts).
    fn is_in_parts(&self) -> bool {
        false
    }

    /// Writes the state piece by piece, without a copy of the world in memory.
    ///
    /// # Errors
    /// The reason why it cannot be written, or [`io::ErrorKind::Unsupported`] if it is
    /// [written in parts](Self::is_in_parts).
    fn write_state(&self, into: &mut dyn io::Write) -> io::Result<()>;

    /// Restores a state of the same scene.
    ///
    /// # Errors
    /// A message on the bytes.
    fn restore_from(&mut self, state: &mut dyn io::Read) -> Result<(), String>;

    /// Writes the rows of each process into a file of its own in `folder`. File names contain
    /// `generation`.
    ///
    /// # Errors
    /// The reason why they cannot be written, or [`io::ErrorKind::Unsupported`] for an undivided
    /// world.
    fn write_parts(&mut self, folder: &Path, generation: &str) -> io::Result<CheckpointParts> {
        let _ = (folder, generation);
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Restores a state of the same scene that any number of processes has
    /// [written](Self::write_parts) into `folder`.
    ///
    /// # Errors
    /// A message with the file and its problem.
    fn restore_parts(&mut self, folder: &Path, contents: &CheckpointParts) -> Result<(), String>;

    /// Returns the hash of the state, the same on every machine.
    ///
    /// # Errors
    /// The reason why it cannot be read.
    fn hash(&mut self) -> Result<u64, ModelError>;

    /// Returns the volumes added, removed and present, in the model's unit of volume.
    ///
    /// # Errors
    /// The reason why they cannot be read.
    fn balance(&mut self) -> Result<LedgerSummary, ModelError>;

    /// Returns the result of the relaxation so far; `None` if the scene has none.
    fn relaxation(&self) -> Option<RelaxationStatus> {
        None
    }

    /// Returns the undivided world, if it is one. On a device it is as it was last read back.
    fn local_world(&self) -> Option<World<'_>> {
        None
    }

    /// Returns notices for the user: assumptions that were made, and what was left out.
    fn notices(&self) -> Vec<String>;
}
