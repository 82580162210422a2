//! Functions that start and resume runs.

use super::checkpoint::latest_checkpoint::{LatestCheckpoint, find_checkpoint};
use super::error::RunError;
use super::executor::Executor;
use super::executor::backend::Backend;
use super::executor::models::build_simulation_on;
use super::gauge_set::GaugeSet;
use super::inputs;
use super::output::folder;
use super::output::folder_lock::FolderLock;
use super::output::frames::FrameWriter;
use super::output::gauges::RecordedGauges;
use super::output::ledger::RecordedLedger;
use super::output::names::{CHECKPOINT_PARTS_FOLDER, RUN_MARKER, SCRATCH_FOLDER};
use super::output::summary::{Input, WallTimes};
use super::parts;
use super::rejected_events::RejectedEvents;
use super::run::{Run, output_error};
use super::schedule::Schedule;
use crate::run::{MemoryLimit, Ranks};
use crate::scene::Scene;
use crate::scene::output::ZARR_FOLDER;
use std::path::Path;
use std::time::Duration;
use web_time::Instant;

impl<'a> Run<'a> {
    /// Starts a run of `scene` in the output folder `folder`. `name` is the name of the scene in
    /// the summary. Removes the output files of earlier runs that are in the folder. The summary of
    /// a finished run or the marker file of a killed run lists these files.
    ///
    /// # Errors
    /// Returns [`RunError`] if a file of the scene or the [folder](RunError::Folder) is unusable.
    /// Also returns it if the folder contains an [unfinished run](RunError::Unfinished), a run that
    /// is [still active](RunError::InUse), or other files that [would be
    /// overwritten](RunError::Foreign). The folder is unchanged in these cases.
    pub fn start(scene: &'a Scene, name: &str, folder: &Path) -> Result<Self, RunError> {
        Self::start_on(scene, name, folder, Backend::Cpu)
    }

    /// Starts a run like [`start`](Self::start), but on the given backend.
    ///
    /// # Errors
    /// Returns the errors of [`start`](Self::start), and [`RunError::Backend`] if the backend does
    /// not support the model of the scene.
    pub fn start_on(
        scene: &'a Scene,
        name: &str,
        folder: &Path,
        backend: Backend,
    ) -> Result<Self, RunError> {
        Self::start_in_folder(scene, name, folder, backend, false)
    }

    /// Starts a run like [`start_on`](Self::start_on), but removes an existing checkpoint and
    /// overwrites existing files that have the names of output files.
    ///
    /// # Errors
    /// Returns the errors of [`start_on`](Self::start_on), except those about existing files.
    pub fn start_overwriting(
        scene: &'a Scene,
        name: &str,
        folder: &Path,
        backend: Backend,
    ) -> Result<Self, RunError> {
        Self::start_in_folder(scene, name, folder, backend, true)
    }

    fn start_in_folder(
        scene: &'a Scene,
        name: &str,
        folder: &Path,
        backend: Backend,
        overwrite: bool,
    ) -> Result<Self, RunError> {
        let lock_folder = || {
            let folder_lock = FolderLock::acquire(folder)?;
            folder::check_file_names(scene, folder)?;
            if !overwrite {
                folder::check_overwrites(scene, folder)?;
            }
            Ok::<_, RunError>(folder_lock)
        };
        // Checks an existing folder before building the world, which may be slow. A missing folder
        // is created afterwards.
        let folder_lock = if folder.is_dir() { Some(lock_folder()?) } else { None };
        let executor = build_executor(scene, folder, &backend)?;
        create_folder(folder)?;
        let folder_lock = folder_lock.map_or_else(lock_folder, Ok)?;
        let left = folder::earlier_output_files(scene, folder);
        for path in left.map_err(|e| output_error(folder, e.to_string()))? {
            let is = |name: &str| path.file_name().is_some_and(|of| of == name) && path.is_dir();
            let removed = match () {
                () if is(ZARR_FOLDER) => std::fs::remove_dir_all(&path),
                () if is(CHECKPOINT_PARTS_FOLDER) => parts::remove_checkpoint(folder),
                () => std::fs::remove_file(&path),
            };
            removed.map_err(|e| output_error(&path, e.to_string()))?;
        }
        folder::write_run_marker(scene, folder).map_err(|e| output_error(folder, e.to_string()))?;
        let mut run = Self::new(scene, name, folder, backend, executor, folder_lock);
        run.inputs = inputs::hash_inputs(scene).map_err(|e| output_error(folder, e.to_string()))?;
        Ok(run)
    }

    /// Resumes a run of `scene` from the checkpoint in the output folder `folder`. `name` is the
    /// name of the scene in the summary.
    ///
    /// # Errors
    /// Returns [`RunError::Resume`] if the checkpoint is missing or damaged, or if it belongs to
    /// another scene. Returns [`RunError::InUse`] if another run is active in the folder.
    pub fn resume(scene: &'a Scene, name: &str, folder: &Path) -> Result<Self, RunError> {
        Self::resume_on(scene, name, folder, Backend::Cpu)
    }

    /// Resumes a run like [`resume`](Self::resume), but on the given backend. This backend may
    /// differ from the backend that wrote the checkpoint.
    ///
    /// # Errors
    /// Returns the errors of [`resume`](Self::resume), and [`RunError::Backend`] if the backend
    /// does not support the model of the scene.
    pub fn resume_on(
        scene: &'a Scene,
        name: &str,
        folder: &Path,
        backend: Backend,
    ) -> Result<Self, RunError> {
        // If the folder is missing, the reported error is that there is no checkpoint.
        let folder_lock =
            if folder.is_dir() { Some(FolderLock::acquire_within_timeout(folder)?) } else { None };
        if find_checkpoint(folder).is_none() && folder.join(RUN_MARKER).is_file() {
            return Err(LatestCheckpoint::missing_error(folder));
        }
        let latest = LatestCheckpoint::find(folder)?;
        let path = latest.path(folder);
        let to_error = |problem: String| RunError::Resume { path: path.clone(), problem };
        let head = latest.run_state();
        if head.fingerprint != scene.fingerprint() {
            let problem = "belongs to another scene or to other settings (--set, --until, --layers); repeat the options of the stopped run, or start again without --resume; only comments, titles, descriptions and output.checkpoint_every may differ";
            return Err(to_error(problem.into()));
        }
        // Unreadable files are reported with more detail when the world is built.
        let inputs = inputs::hash_inputs(scene).unwrap_or_default();
        if let Some(Input { key, file, .. }) = inputs::find_changed_input(&inputs, &head.inputs) {
            return Err(to_error(format!("belongs to other input: {key}, {file}, has changed")));
        }
        let executor = build_executor(scene, folder, &backend)?;
        let folder_lock = folder_lock.map_or_else(|| FolderLock::acquire(folder), Ok)?;
        let mut run = Self::new(scene, name, folder, backend, executor, folder_lock);
        if !(run.schedule.is_valid_progress(&head.schedule_progress)
            && head.readings.is_valid_for(scene))
        {
            return Err(to_error("does not belong to this scene".into()));
        }
        let head = latest.resume(&mut *run.executor, folder).map_err(to_error)?;
        run.inputs = head.inputs.into_owned();
        run.clock = head.clock;
        run.done = head.schedule_progress.into_owned();
        run.readings = head.readings.into_owned();
        run.ledger = head.ledger.into_owned();
        run.rejected_events = head.rejected_events.into_owned();
        run.frames.count = head.frames;
        (run.wall_before, run.wall_times_before) = (head.wall_seconds, head.wall_times);
        Ok(run)
    }

    /// Creates a run that has not taken any steps.
    fn new(
        scene: &'a Scene,
        name: &str,
        folder: &Path,
        backend: Backend,
        executor: Box<dyn Executor>,
        folder_lock: FolderLock,
    ) -> Self {
        let schedule = build_schedule(scene, &backend);
        #[cfg(not(target_family = "wasm"))]
        if !matches!(backend, Backend::Memory(_)) {
            // Removes leftovers of a killed run. Failing to do so is harmless.
            let _ = crate::flow::remove_scratch_folder(&folder.join(SCRATCH_FOLDER));
        }
        Self {
            scene,
            backend,
            name: name.into(),
            folder: folder.into(),
            _folder_lock: folder_lock,
            clock: executor.time(),
            executor,
            done: schedule.initial_progress(),
            stamp: schedule.time_format(),
            layer_times: schedule.layer_times_and_end(),
            schedule,
            readings: RecordedGauges::new(GaugeSet::from_scene(scene)),
            ledger: RecordedLedger::default(),
            frames: FrameWriter::new(folder),
            started_at: Instant::now(),
            inputs: Vec::new(),
            rejected_events: RejectedEvents::default(),
            checkpoint_interval: scene.recording_settings().checkpoint_every,
            last_checkpoint: Instant::now(),
            checkpoint_error: None,
            wall_before: 0.0,
            wall_times_before: WallTimes::default(),
            stepping_time: (Duration::ZERO, 0),
            writing_time: Duration::ZERO,
        }
    }
}

fn create_folder(folder: &Path) -> Result<(), RunError> {
    std::fs::create_dir_all(folder)
        .map_err(|error| RunError::unusable_folder(folder, "cannot be created", &error))
}

/// Builds the world of a scene on a backend, and determines the colour scales of its pictures.
///
/// # Errors
/// Returns [`RunError`] if the backend cannot step the world, or if the run would overwrite one of
/// its input files.
fn build_executor(
    scene: &Scene,
    folder: &Path,
    backend: &Backend,
) -> Result<Box<dyn Executor>, RunError> {
    let mut executor: Box<dyn Executor> = match backend {
        Backend::Memory(bytes) => {
            let existed = folder.exists();
            create_folder(folder)?;
            let limit = MemoryLimit { bytes: *bytes, scratch: folder.join(SCRATCH_FOLDER) };
            scene.build_partitioned_world(&Ranks::single(), Some(&limit), &[]).inspect_err(
                |_| {
                    if !existed {
                        // The new folder is empty. Failing to remove it is harmless.
                        let _ = std::fs::remove_dir(folder);
                    }
                },
            )?
        }
        Backend::Distributed(ranks) => {
            // Unreadable files are reported with more detail when the world is built.
            let inputs = inputs::hash_inputs(scene).unwrap_or_default();
            scene.build_partitioned_world(ranks, None, &inputs)?
        }
        #[cfg(feature = "gpu")]
        Backend::Gpu(_) => {
            scene.check_gpu_support()?;
            build_simulation_on(scene, backend)?
        }
        Backend::Cpu => build_simulation_on(scene, backend)?,
    };
    folder::check_inputs_not_overwritten(scene, folder)?;
    executor.determine_color_scales()?;
    Ok(executor)
}

/// Returns the schedule of a run. On a GPU, time steps end exactly at every event.
fn build_schedule(scene: &Scene, backend: &Backend) -> Schedule {
    #[cfg(feature = "gpu")]
    if backend.is_device() {
        return Schedule::new(scene).with_stops_at_events();
    }
    #[cfg(not(feature = "gpu"))]
    let _ = backend;
    Schedule::new(scene)
}
