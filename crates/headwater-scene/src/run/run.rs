//! [`Run`]: a run of a scene. Its main loop steps the world and writes the output files.

use super::error::RunError;
use super::executor::Executor;
use super::executor::StepLimit;
use super::executor::backend::Backend;
use super::output::folder_lock::FolderLock;
use super::output::frames::FrameWriter;
use super::output::gauges::RecordedGauges;
use super::output::ledger::RecordedLedger;
use super::output::names::{
    CHECKPOINT_FILE, LEDGER_FILE, OutputTime, RUN_MARKER, SUMMARY_FILE, TimeFormat,
};
use super::output::summary::{Input, Summary, WallTimes};
use super::output::{frames, names, summary};
use super::parts;
use super::rejected_events::RejectedEvents;
use super::schedule::{Schedule, ScheduleProgress, ScheduledTask};
use super::types::{ModelError, round_time};
use crate::scene::Scene;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;
use web_time::Instant;

/// Callbacks that report the progress of a run.
pub trait Observer {
    /// Called after every call that steps the world. If it returns [`ControlFlow::Break`], the run
    /// writes a checkpoint and stops.
    fn step(&mut self, executor: &mut dyn Executor) -> ControlFlow<()>;
    /// Called when a slow task starts. `description` describes the task for the user, such as
    /// `writing animation.gif`.
    fn task_started(&mut self, description: &str);
}

/// Outcome of a run that has not failed.
#[derive(Debug)]
pub enum RunOutcome {
    /// The run has reached the end of the scene. Contains the summary, which was also written to
    /// the output folder.
    Done(Box<Summary>),
    /// The observer stopped the run before its end.
    Stopped {
        /// Simulated time at which the run stopped (s).
        time: f64,
        /// Path of the checkpoint from which the run can be resumed.
        checkpoint: PathBuf,
    },
}

/// Run of a scene whose results are written to an output folder.
pub struct Run<'a> {
    pub(super) scene: &'a Scene,
    pub(super) backend: Backend,
    pub(super) name: String,
    pub(super) folder: PathBuf,
    /// Lock that prevents other runs from using the folder.
    pub(super) _folder_lock: FolderLock,
    pub(super) executor: Box<dyn Executor>,
    /// Last scheduled time (s) that the run has reached. A model may reach it only approximately.
    pub(super) clock: f64,
    pub(super) schedule: Schedule,
    /// Times at which layers are written (s), including the end of the run.
    pub(super) layer_times: Vec<f64>,
    pub(super) stamp: TimeFormat,
    pub(super) done: ScheduleProgress,
    pub(super) readings: RecordedGauges,
    pub(super) ledger: RecordedLedger,
    pub(super) frames: FrameWriter,
    pub(super) started_at: Instant,
    /// Input files with the hashes of their contents at the start of the run.
    pub(super) inputs: Vec<Input>,
    /// Events that the world has rejected. The summary lists them.
    pub(super) rejected_events: RejectedEvents,
    /// Wall-clock time between two periodic checkpoints; `None` if there are none.
    pub(super) checkpoint_interval: Option<Duration>,
    pub(super) last_checkpoint: Instant,
    /// Simulated time (s) and error message of the last attempt to write a periodic checkpoint;
    /// `None` if it succeeded.
    pub(super) checkpoint_error: Option<(f64, String)>,
    /// Total wall time (s) before the run was resumed.
    pub(super) wall_before: f64,
    /// Wall times (s) by activity before the run was resumed.
    pub(super) wall_times_before: WallTimes,
    /// Wall time of all steps since the run was started or resumed, and the number of these steps.
    pub(super) stepping_time: (Duration, u64),
    /// Wall time for writing layers, meshes and time series since the run was started or resumed.
    pub(super) writing_time: Duration,
}

impl Run<'_> {
    /// Returns the interface to the world of the run.
    pub fn executor(&mut self) -> &mut dyn Executor {
        &mut *self.executor
    }

    /// Runs the scene to its end, or until the observer stops the run. Writes a checkpoint if the
    /// run is stopped or fails.
    ///
    /// # Errors
    /// Returns [`RunError`] if the model fails or a file cannot be written.
    pub fn execute(mut self, observer: &mut dyn Observer) -> Result<RunOutcome, RunError> {
        let end = self.execute_inner(observer);
        if end.is_err() {
            self.checkpoint_after_failure();
        }
        end
    }

    fn execute_inner(&mut self, observer: &mut dyn Observer) -> Result<RunOutcome, RunError> {
        if self.step_while(observer, |executor| executor.relaxation_step())?.is_break() {
            return self.stop_with_checkpoint();
        }
        loop {
            while let Some(due) = self.schedule.take_due(&mut self.done, self.clock) {
                self.perform_task(due)?;
            }
            if self.clock >= self.scene.until() {
                self.read_non_stopping_gauges()?;
                self.apply_non_stopping_events()?;
                return Ok(RunOutcome::Done(Box::new(self.finish(observer)?)));
            }
            let stop = self.schedule.next_stop(&self.done, self.clock);
            if self.advance_to(observer, stop)?.is_break() {
                return self.stop_with_checkpoint();
            }
            self.clock = stop;
        }
    }

    /// Steps the world to `stop` (s), a scheduled time at which a step ends exactly. On the way,
    /// performs the gauge readings and events that are due. Time steps are not shortened to end at
    /// their times.
    fn advance_to(
        &mut self,
        observer: &mut dyn Observer,
        stop: f64,
    ) -> Result<ControlFlow<()>, RunError> {
        while !self.executor.has_reached(stop) {
            self.read_non_stopping_gauges()?;
            self.apply_non_stopping_events()?;
            let next = self
                .schedule
                .next_non_stopping_event_time(&self.done)
                .min(self.readings.next_non_stopping_reading_time());
            if next >= stop {
                break;
            }
            let limit = StepLimit::Before(next);
            let going = self.step_while(observer, |executor| {
                Ok(executor.time() < next && executor.step_toward(stop, limit)?)
            })?;
            if going.is_break() {
                return Ok(going);
            }
        }
        self.step_while(observer, |executor| executor.step_toward(stop, StepLimit::Efficient))
    }

    /// Reads the due gauges among those that events have added or changed. Time steps are not
    /// shortened to end at their reading times.
    fn read_non_stopping_gauges(&mut self) -> Result<(), RunError> {
        let now = self.now();
        let read = self.readings.read_non_stopping_gauges(now, &mut *self.executor);
        read.map_err(|source| self.model_error(source))
    }

    fn model_error(&self, source: ModelError) -> RunError {
        RunError::Model { time: self.executor.time(), unit: self.scene.clock().unit, source }
    }

    /// Applies the non-stopping events that are due. Time steps are not shortened for such events.
    fn apply_non_stopping_events(&mut self) -> Result<(), RunError> {
        let now = self.now();
        while let Some(due) = self.schedule.take_non_stopping_event(&mut self.done, now) {
            self.perform_task(due)?;
        }
        Ok(())
    }

    /// Returns the current time (s): the later of the world's time and the last scheduled time that
    /// the run has reached.
    fn now(&self) -> f64 {
        self.executor.time().max(self.clock)
    }

    /// Calls `step` repeatedly until it returns false or the observer stops the run. Returns
    /// [`ControlFlow::Break`] if the observer stopped the run.
    fn step_while(
        &mut self,
        observer: &mut dyn Observer,
        mut step: impl FnMut(&mut dyn Executor) -> Result<bool, ModelError>,
    ) -> Result<ControlFlow<()>, RunError> {
        let unit = self.scene.clock().unit;
        let (started_at, first) = (Instant::now(), self.executor.steps());
        let (mut going, mut keeping) = (ControlFlow::Continue(()), Duration::ZERO);
        while going.is_continue() {
            let time = self.executor.time();
            if !step(&mut *self.executor).map_err(|source| RunError::Model {
                time,
                unit,
                source,
            })? {
                break;
            }
            going = observer.step(&mut *self.executor);
            let last_checkpoint = self.checkpoint_if_due();
            keeping += last_checkpoint.map_err(|source| RunError::Model { time, unit, source })?;
        }
        self.executor.read_back().map_err(|source| self.model_error(source))?;
        self.stepping_time.0 += started_at.elapsed() - keeping;
        self.stepping_time.1 += self.executor.steps() - first;
        if !self.executor.is_state_finite().map_err(|source| self.model_error(source))? {
            return Err(RunError::Broken(self.executor.time()));
        }
        Ok(going)
    }

    fn perform_task(&mut self, due_task: ScheduledTask) -> Result<(), RunError> {
        match due_task {
            ScheduledTask::Event(i) => {
                let now = self.now();
                let done = match self.schedule.gauge_edit(i) {
                    Some(task) => self.readings.apply_edit(task, now, &mut *self.executor),
                    None => self.executor.apply_event(i),
                };
                if let Err(error) = done {
                    self.rejected_events.record(i, now, &error.to_string());
                }
            }
            ScheduledTask::Gauge(i) => {
                let read = self.readings.read_at_stop(i, &mut *self.executor);
                read.map_err(|source| self.model_error(source))?;
            }
            ScheduledTask::Ledger => {
                let recorded = self.ledger.record(&mut *self.executor);
                recorded.map_err(|source| self.model_error(source))?;
            }
            ScheduledTask::Layers(_) => self.write_layers(due_task)?,
            ScheduledTask::Frame => self.write_frame()?,
        }
        Ok(())
    }

    /// Draws the next frame and writes its file. If this fails, the frame is drawn again when the
    /// run is resumed.
    fn write_frame(&mut self) -> Result<(), RunError> {
        let drawn = self.frames.write_next_frame(&mut *self.executor);
        if drawn.is_err() {
            self.frames.count -= 1;
            self.schedule.mark_not_done(&mut self.done, ScheduledTask::Frame);
        }
        drawn.map_err(|problem| self.output_error(problem))
    }

    /// Writes the current layers. If a layer cannot be written, all layers are written again when
    /// the run is resumed.
    fn write_layers(&mut self, due_task: ScheduledTask) -> Result<(), RunError> {
        let started_at = Instant::now();
        let moment = OutputTime::before_end(&self.layer_times, self.clock, self.stamp);
        let written = self.executor.write_layers(&self.folder, &moment);
        self.writing_time += started_at.elapsed();
        if written.is_err() {
            self.schedule.mark_not_done(&mut self.done, due_task);
        }
        written.map(drop).map_err(|problem| self.output_error(problem))
    }

    fn stop_with_checkpoint(&mut self) -> Result<RunOutcome, RunError> {
        let (time, checkpoint) = (self.executor.time(), self.write_checkpoint()?);
        Ok(RunOutcome::Stopped { time, checkpoint })
    }

    fn finish(&mut self, observer: &mut dyn Observer) -> Result<Summary, RunError> {
        let record = self.scene.recording_settings();
        let mut pictures = self.frames.frame_paths().map_err(|p| self.output_error(p))?;
        let missing_frames = self.frames.count as usize - pictures.len();
        if record.final_picture {
            let drawn = self.frames.write_picture(&mut *self.executor, frames::FINAL_PICTURE_FILE);
            pictures.push(drawn.map_err(|p| self.output_error(p))?);
        }
        if record.gif && self.frames.count > 0 {
            observer.task_started("writing animation.gif");
            let made = self.frames.write_animation(record.fps);
            pictures.push(made.map_err(|p| self.output_error(p))?);
        }
        let started_at = Instant::now();
        let written = self.executor.write_outputs(&self.folder, &self.layer_times);
        let written = written.map_err(|p| self.output_error(p))?;
        pictures.extend(written.pictures.iter().cloned());
        let (mut layers, missing_layers) =
            self.intermediate_layers().map_err(|p| self.output_error(p))?;
        layers.extend(written.layers);
        let series =
            self.readings.write_csv_files(self.scene.clock(), &mut *self.executor, &self.folder);
        let series = series.map_err(|e| self.output_error(e.to_string()))?;
        let tables = self.write_ledger()?;
        self.writing_time += started_at.elapsed();
        let hash = self.executor.compute_state_hash().map_err(|source| self.model_error(source))?;
        let ledger = self.executor.volume_balance().map_err(|source| self.model_error(source))?;
        let executor = &*self.executor;
        let grid = executor.grid();
        let (stepping_time, steps) = self.stepping_time;
        let cell_steps = steps as f64 * grid.cell_count() as f64;
        let summary = Summary {
            scene: self.name.clone(),
            model: self.scene.model(),
            backend: self.backend.name(),
            threads: crate::parallel::thread_count(),
            nx: grid.nx,
            ny: grid.ny,
            extent: executor.extent(),
            lattice: grid.lattice,
            steps: executor.steps(),
            simulated_seconds: executor.time(),
            time_unit: self.scene.clock().unit.trim(),
            wall_seconds: self.wall_before + self.started_at.elapsed().as_secs_f64(),
            cell_steps_per_second: cell_steps / stepping_time.as_secs_f64().max(f64::MIN_POSITIVE),
            wall_times: self.wall_times(),
            state_hash: summary::format_hash(hash),
            notices: [
                executor.notices(),
                self.early_end_notice().into_iter().collect(),
                removed_files_notice("pictures", missing_frames).into_iter().collect(),
                removed_files_notice("layer files", missing_layers).into_iter().collect(),
                self.notices(),
                ledger.residual_notices(),
                ledger.rounding_notices(),
            ]
            .concat(),
            ledger,
            pictures: summary::file_names(&pictures),
            layers: summary::file_names(&layers),
            meshes: summary::file_names(&written.meshes),
            gauges: summary::file_names(&series),
            tables: summary::file_names(&tables),
            settled: executor.relaxation(),
            inputs: self.inputs.clone(),
        };
        let path = self.folder.join(SUMMARY_FILE);
        summary.write(&path).map_err(|e| output_error(&path, e.to_string()))?;
        // A finished run needs no checkpoint.
        let _ = parts::remove_checkpoint(&self.folder);
        for left in [CHECKPOINT_FILE, RUN_MARKER] {
            let _ = std::fs::remove_file(self.folder.join(left));
        }
        Ok(summary)
    }

    /// Returns a message for the user if the run has ended before the end time of the scene
    /// because this time is not a multiple of the fixed time step.
    fn early_end_notice(&self) -> Option<String> {
        let (time, until) = (self.executor.time(), self.scene.until());
        let steps = self.executor.steps().max(1) as f64;
        let missing = (until - time) / (time / steps);
        // The length of a step is rounded to `f32`, so that a whole number of steps may be slightly
        // longer than the run.
        (missing > 1e-5 && missing < 1.0 - 1e-6 * steps).then(|| {
            let unit = self.scene.clock().unit;
            format!(
                "the run ends at {}{unit}, with the last whole step before time.until, {until}{unit}",
                round_time(time)
            )
        })
    }

    /// Records the final water balance and writes `ledger.csv`, if the scene requests it. Returns
    /// the paths of the files.
    fn write_ledger(&mut self) -> Result<Vec<PathBuf>, RunError> {
        if self.scene.recording_settings().ledger_every.is_none() {
            return Ok(Vec::new());
        }
        let recorded = self.ledger.record(&mut *self.executor);
        let balance = recorded.map_err(|source| self.model_error(source))?;
        let path = self.folder.join(LEDGER_FILE);
        let written = self.ledger.write_csv_file(self.scene.clock(), &balance, &path);
        written.map_err(|e| output_error(&path, e.to_string()))?;
        Ok(vec![path])
    }

    /// Returns the wall time of the run so far by activity (s).
    pub(super) fn wall_times(&self) -> WallTimes {
        let before = self.wall_times_before;
        WallTimes {
            stepping: before.stepping + self.stepping_time.0.as_secs_f64(),
            painting: before.painting + self.frames.painting_time.as_secs_f64(),
            writing: before.writing + (self.frames.writing_time + self.writing_time).as_secs_f64(),
        }
    }

    /// Returns the paths of the layer files that were written before the end of the run, ordered by
    /// time, and the number of files that were written but no longer exist.
    fn intermediate_layers(&self) -> Result<(Vec<PathBuf>, usize), String> {
        let files = self.scene.recording_settings().layer_files;
        let stamps = self.schedule.layer_times().into_iter().map(|time| self.stamp.format(time));
        let names = stamps.flat_map(|stamp| {
            files
                .iter()
                .map(move |file| names::intermediate_file_name(file, &stamp))
                .collect::<Vec<_>>()
        });
        let paths: Vec<_> = names.map(|name| self.folder.join(name)).collect();
        let written = paths.len();
        let existing = frames::existing_files(paths.into_iter())?;
        let missing = written - existing.len();
        Ok((existing, missing))
    }

    fn output_error(&self, problem: String) -> RunError {
        output_error(&self.folder, problem)
    }
}

/// Returns the notice that `count` files of a kind were removed during the run. Returns `None` if
/// `count` is 0.
fn removed_files_notice(kind: &str, count: usize) -> Option<String> {
    (count > 0).then(|| {
        format!(
            "{kind} removed from the output folder during the run: {count}; the output lacks them"
        )
    })
}

pub(super) fn output_error(path: &Path, problem: String) -> RunError {
    RunError::Output { path: path.into(), problem }
}
