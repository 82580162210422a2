//! How runs begin: anew in a folder that is theirs alone, or from a checkpoint.

use super::backend::Backend;
use super::error::RunError;
use super::executor::Executor;
use super::folder;
use super::folder_lock::FolderLock;
use super::frames::Frames;
use super::gauge_set::GaugeSet;
use super::gauges::Readings;
use super::inputs;
use super::latest_checkpoint::{LatestCheckpoint, checkpoint_in};
use super::models::simulation_on;
use super::names::{PARTS, RUN_MARKER, SCRATCH};
use super::parts;
use super::refusals::Refusals;
use super::run::{Run, output_error};
use super::schedule::Schedule;
use super::summary::{Input, Seconds};
use crate::scene::Scene;
use crate::scene::output::ZARR;
use std::path::Path;
use std::time::Duration;
use web_time::Instant;

impl<'a> Run<'a> {
    /// Begins a run of `scene`, called `name`, that writes into `folder`. What earlier runs have left there is removed, as far as
    /// the summary there lists it, or it was killed.
    ///
    /// # Errors
    /// [`RunError`] if the scene's files cannot be used or nothing can be written into the folder; if a run there
    /// [has not ended](RunError::Unfinished) or [is at work](RunError::InUse), or files of somebody's own
    /// [would be written over](RunError::Foreign). Then the folder stays as it is.
    pub fn start(scene: &'a Scene, name: &str, folder: &Path) -> Result<Self, RunError> {
        Self::start_on(scene, name, folder, Backend::Cpu)
    }

    /// The same, stepped by a backend.
    ///
    /// # Errors
    /// As [`start`](Self::start), and [`RunError::Backend`] if the backend cannot step the scene's model.
    pub fn start_on(
        scene: &'a Scene,
        name: &str,
        folder: &Path,
        backend: Backend,
    ) -> Result<Self, RunError> {
        Self::start_in_folder(scene, name, folder, backend, false)
    }

    /// The same, over whatever lies in the folder: a checkpoint there, and files that have names which this run or the one of the
    /// summary there gives to its own, are removed.
    ///
    /// # Errors
    /// As [`start_on`](Self::start_on), but for what lies there.
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
            if !overwrite {
                folder::check_overwrites(scene, folder)?;
            }
            Ok::<_, RunError>(folder_lock)
        };
        // A folder that is there is looked at before the world is made, which may take a while; one that is not is made after.
        let folder_lock = if folder.is_dir() { Some(lock_folder()?) } else { None };
        let executor = executor(scene, folder, &backend)?;
        std::fs::create_dir_all(folder).map_err(|e| output_error(folder, e.to_string()))?;
        let folder_lock = folder_lock.map_or_else(lock_folder, Ok)?;
        let left = folder::leftovers(scene, folder);
        for path in left.map_err(|e| output_error(folder, e.to_string()))? {
            let is = |name: &str| path.file_name().is_some_and(|of| of == name) && path.is_dir();
            let gone = match () {
                () if is(ZARR) => std::fs::remove_dir_all(&path),
                () if is(PARTS) => parts::remove(folder),
                () => std::fs::remove_file(&path),
            };
            gone.map_err(|e| output_error(&path, e.to_string()))?;
        }
        folder::write_run_marker(scene, folder).map_err(|e| output_error(folder, e.to_string()))?;
        let mut run = Self::of(scene, name, folder, backend, executor, folder_lock);
        run.inputs = inputs::of(scene).map_err(|e| output_error(folder, e.to_string()))?;
        Ok(run)
    }

    /// Goes on with a run of `scene` that left its checkpoint in `folder`, in whichever form.
    ///
    /// # Errors
    /// [`RunError::Resume`] if there is no checkpoint, it is damaged, or of another scene; [`RunError::InUse`] if another run is at
    /// work there.
    pub fn resume(scene: &'a Scene, name: &str, folder: &Path) -> Result<Self, RunError> {
        Self::resume_on(scene, name, folder, Backend::Cpu)
    }

    /// The same, stepped by a backend, whichever it was begun with.
    ///
    /// # Errors
    /// As [`resume`](Self::resume), and [`RunError::Backend`] if the backend cannot step the scene's model.
    pub fn resume_on(
        scene: &'a Scene,
        name: &str,
        folder: &Path,
        backend: Backend,
    ) -> Result<Self, RunError> {
        // Without a folder, the checkpoint is what is missed.
        let folder_lock =
            if folder.is_dir() { Some(FolderLock::acquire_within_timeout(folder)?) } else { None };
        if checkpoint_in(folder).is_none() && folder.join(RUN_MARKER).is_file() {
            return Err(LatestCheckpoint::missing(folder));
        }
        let latest = LatestCheckpoint::find(folder)?;
        let path = latest.path(folder);
        let refuse = |problem: String| RunError::Resume { path: path.clone(), problem };
        let head = latest.head();
        if head.fingerprint != scene.fingerprint() {
            let problem = "is of another scene, or of this one with other settings: all but comments, titles, descriptions and output.checkpoint_every has to stay";
            return Err(refuse(problem.into()));
        }
        // Of files that cannot be read, the world has more to say.
        let inputs = inputs::of(scene).unwrap_or_default();
        if let Some(Input { key, file, .. }) = inputs::changed(&inputs, &head.inputs) {
            return Err(refuse(format!("is of other input: {key}, {file}, has changed since")));
        }
        let executor = executor(scene, folder, &backend)?;
        let folder_lock = folder_lock.map_or_else(|| FolderLock::acquire(folder), Ok)?;
        let mut run = Self::of(scene, name, folder, backend, executor, folder_lock);
        if !(run.schedule.fits(&head.done) && head.readings.fit(&*run.executor)) {
            return Err(refuse("is not of this scene".into()));
        }
        let head = latest.resume(&mut *run.executor, folder).map_err(refuse)?;
        run.inputs = head.inputs.into_owned();
        run.clock = head.clock;
        run.done = head.done.into_owned();
        run.readings = head.readings.into_owned();
        run.refusals = head.refusals.into_owned();
        run.frames.count = head.frames;
        (run.wall_before, run.before) = (head.wall_seconds, head.seconds);
        Ok(run)
    }

    /// A run at its start.
    fn of(
        scene: &'a Scene,
        name: &str,
        folder: &Path,
        backend: Backend,
        executor: Box<dyn Executor>,
        folder_lock: FolderLock,
    ) -> Self {
        let schedule = schedule(scene, &backend);
        if !matches!(backend, Backend::Memory(_)) {
            // What a run that was killed has left there. What cannot be removed is of no harm.
            let _ = std::fs::remove_dir_all(folder.join(SCRATCH));
        }
        Self {
            scene,
            backend,
            name: name.into(),
            folder: folder.into(),
            _folder_lock: folder_lock,
            clock: executor.time(),
            executor,
            done: schedule.start(),
            stamp: schedule.stamp(),
            layer_times: schedule.layer_times_and_end(),
            schedule,
            readings: Readings::none(GaugeSet::of(scene)),
            frames: Frames::new(folder),
            begun: Instant::now(),
            inputs: Vec::new(),
            refusals: Refusals::default(),
            checkpoint_interval: scene.setting().recording().checkpoint_every,
            last_checkpoint: Instant::now(),
            checkpoint_error: None,
            wall_before: 0.0,
            before: Seconds::default(),
            stepping: (Duration::ZERO, 0),
            writing: Duration::ZERO,
        }
    }
}

/// The world of a scene whose run writes over nothing that it reads.
fn executor(
    scene: &Scene,
    folder: &Path,
    backend: &Backend,
) -> Result<Box<dyn Executor>, RunError> {
    let mut executor: Box<dyn Executor> = match backend {
        Backend::Memory(bytes) => {
            let existed = folder.exists();
            std::fs::create_dir_all(folder).map_err(|e| output_error(folder, e.to_string()))?;
            scene.in_memory(*bytes, &folder.join(SCRATCH)).inspect_err(|_| {
                if !existed {
                    // It is empty. What cannot be removed does no harm.
                    let _ = std::fs::remove_dir(folder);
                }
            })?
        }
        Backend::Distributed(ranks) => {
            // Of files that cannot be read, the world has more to say.
            scene.distributed(ranks, &inputs::of(scene).unwrap_or_default())?
        }
        #[cfg(feature = "gpu")]
        Backend::Gpu(_) => {
            scene.check_gpu()?;
            simulation_on(scene, backend)?
        }
        Backend::Cpu => simulation_on(scene, backend)?,
    };
    folder::check_inputs(scene, folder)?;
    executor.fix_color_scales()?;
    Ok(executor)
}

/// When what is due. A world that is stepped elsewhere comes back for every event.
fn schedule(scene: &Scene, backend: &Backend) -> Schedule {
    #[cfg(feature = "gpu")]
    if backend.is_device() {
        return Schedule::new(scene).with_stops_at_events();
    }
    #[cfg(not(feature = "gpu"))]
    let _ = backend;
    Schedule::new(scene)
}
