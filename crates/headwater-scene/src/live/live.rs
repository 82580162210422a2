//! [`Live`]: a world that can be stepped and edited interactively, and written as a scene.

use super::device_probe::DeviceProbe;
use super::error::LiveError;
use super::gauge_series::GaugeSeries;
use super::gauges::{GaugeHistory, Gauges};
use super::journal::{Journal, JournalEdit, SerializableEdit, set_event_time};
use super::read_back::ReadBack;
use crate::run::build_simulation;
use crate::run::{
    Backend, DeviceEventResult, LedgerSummary, ModelError, ProbeValue, Query, RejectedEvents,
    RunError, Schedule, ScheduleProgress, ScheduledTask, Simulation, StepLimit, World, WorldMut,
};
use crate::scene::check::MAX_EVENTS;
use crate::scene::event::gauge_edit;
use crate::scene::{AnyAction, Dab, Parameter, Reader, Scene, Tool};
use headwater::flow::Physics;
use headwater::{Lattice, Model};
use headwater_io::Files;
use std::path::Path;
use std::sync::Arc;
use toml::Table;

/// Largest number of steps between two calls of the callback in [`Live::advance`].
const STEPS_PER_CALLBACK: u64 = 8;

/// Largest number of steps in one batch on a device.
const MAX_DEVICE_BATCH: u64 = 64;

/// Tolerance for reaching a requested time, as a fraction of a time step. If the clock is short of
/// the time by less than this, the time counts as reached. The tolerance absorbs the rounding
/// errors of summed time steps.
const TIME_TOLERANCE: f64 = 1e-6;

/// World of a scene that can be edited while it runs, between any two steps. See the
/// [module](super) for an example.
pub struct Live {
    pub(super) name: String,
    pub(super) journal: Journal,
    pub(super) scene: Arc<Scene>,
    pub(super) simulation: Box<dyn Simulation>,
    /// Backend that currently steps the world.
    pub(super) backend: Backend,
    /// Reason why the world last moved from a device to the CPU. `None` once
    /// [`Live::take_fallback_reason`] has returned it.
    pub(super) fallback_reason: Option<String>,
    /// Record of the last copy of the state from a device to the host: the scheduled tasks that
    /// were done, and the number of edits. `None` if the world has never been on a device.
    pub(super) last_read_back: Option<ReadBack>,
    pub(super) schedule: Schedule,
    pub(super) schedule_progress: ScheduleProgress,
    /// Last stop (s) that the world has reached. A stop is a scheduled time at which a step ends
    /// exactly.
    pub(super) stop: f64,
    pub(super) settling: bool,
    /// Whether a due task is waiting until the world has been copied from the device to the host.
    pub(super) awaits_read_back: bool,
    pub(super) gauges: Gauges,
    /// Events of the scene that the world has rejected.
    rejected_events: RejectedEvents,
    /// Values that were last sampled at a point of a world on a GPU.
    pub(super) device_probe: DeviceProbe,
    /// Mean length of the most recent steps (s; in the model `hydrology`, drops per cell). It is
    /// used to estimate the number of steps until a given time.
    pub(super) mean_step_length: f64,
}

/// Returns overrides in which all file paths are absolute. Overrides become part of the scene's
/// TOML source, and paths in that source may be relative to another directory.
fn with_absolute_paths(overrides: &[(String, String)], scene: &Scene) -> Vec<(String, String)> {
    let files = scene.files();
    let absolute = |(key, value): &(String, String)| {
        let file = files.iter().find(|(file, _)| file == key.trim());
        let path = file.and_then(|(_, path)| std::path::absolute(path).ok());
        let path = path.map(|path| toml::Value::from(&*path.to_string_lossy()).to_string());
        (key.clone(), path.unwrap_or_else(|| value.clone()))
    };
    overrides.iter().map(absolute).collect()
}

impl Live {
    /// Creates the world of a scene. `text` is the TOML source of the scene, and `name` is the name
    /// of the scene in error messages. Relative paths in the scene start at the current directory.
    ///
    /// # Errors
    /// Returns [`RunError`] if the scene cannot be used, or if the model fails.
    pub fn new(name: &str, text: &str) -> Result<Self, RunError> {
        Self::with_options(name, text, &[], None, &Files::from_disk())
    }

    /// Creates the world of a scene with options. `overrides` contains pairs of a key and a value,
    /// such as `("seed", "7")`; they become part of the TOML source that [`text`](Self::text)
    /// returns. Relative paths start at `directory`, or at the current directory if `directory` is
    /// `None`. `files` provides the contents of the files that the scene refers to.
    ///
    /// # Errors
    /// Returns the errors of [`new`](Self::new).
    pub fn with_options(
        name: &str,
        text: &str,
        overrides: &[(String, String)],
        directory: Option<&Path>,
        files: &Files,
    ) -> Result<Self, RunError> {
        let reader = Reader::default().with_files(files).in_directory(directory);
        Self::with_reader(name, text, overrides, &reader)
    }

    /// Creates the world of a scene with a scene reader, which may support additional models.
    /// `overrides` contains pairs of a key and a value.
    ///
    /// # Errors
    /// Returns the errors of [`new`](Self::new).
    pub fn with_reader(
        name: &str,
        text: &str,
        overrides: &[(String, String)],
        reader: &Reader,
    ) -> Result<Self, RunError> {
        // Parse the original source first, so that line numbers in messages are correct.
        let scene = reader.parse(name, text, overrides)?;
        let journal = Journal::new(name, text, &with_absolute_paths(overrides, &scene), reader)?;
        let simulation = build_simulation(&scene)?;
        let schedule = Schedule::new_endless(&scene);
        let mut live = Self {
            name: name.into(),
            journal,
            schedule_progress: schedule.initial_progress(),
            schedule,
            stop: simulation.time(),
            settling: true,
            awaits_read_back: false,
            gauges: Gauges::new(&scene, &*simulation),
            rejected_events: RejectedEvents::default(),
            device_probe: DeviceProbe::default(),
            mean_step_length: 0.0,
            scene: Arc::new(scene),
            simulation,
            backend: Backend::Cpu,
            fallback_reason: None,
            last_read_back: None,
        };
        live.relaxation_step()?;
        Ok(live)
    }

    /// Returns the name of the scene, for error messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the current scene. The scene contains changed parameters, but no other interactive
    /// edits. The TOML source that [`text`](Self::text) returns contains the other edits as events.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Returns the interface to the world that is common to all models.
    pub fn simulation(&self) -> &dyn Simulation {
        &*self.simulation
    }

    /// Returns a reference to the world. If a device steps the world, the state is the one at the
    /// last [`read_back`](Self::read_back).
    pub fn world(&self) -> World<'_> {
        self.simulation.world()
    }

    /// Returns a mutable reference to the world. Changes made through this reference are not part
    /// of the scene's TOML source. In browsers, the caller must first call
    /// [`read_back`](Self::read_back) until it returns true; otherwise, the steps since the state
    /// was last copied from a device are lost.
    pub fn world_mut(&mut self) -> WorldMut<'_> {
        self.read_back();
        self.simulation.world_mut()
    }

    /// Returns a reference to the model through the interface that is common to all models. If the
    /// scene couples several models, returns the one that is drawn.
    pub fn model(&self) -> &dyn Model {
        self.simulation.model()
    }

    /// Returns a mutable reference to the model. Changes made through this reference are not part
    /// of the scene's TOML source. In browsers, the caller must first call
    /// [`read_back`](Self::read_back) until it returns true; otherwise, the steps since the state
    /// was last copied from a device are lost.
    pub fn model_mut(&mut self) -> &mut dyn Model {
        self.read_back();
        self.simulation.model_mut()
    }

    /// Returns the current time (s; in the model `hydrology`, drops per cell). A scheduled time can
    /// count as reached slightly before the world's own time reaches it. In this case, returns the
    /// scheduled time.
    pub fn clock(&self) -> f64 {
        self.simulation.time().max(self.stop)
    }

    /// Returns whether the world is still being relaxed to its steady initial state. During the
    /// relaxation, each step is a step of the relaxation, and the clock does not run.
    pub fn is_settling(&self) -> bool {
        self.settling
    }

    /// Takes one step, and then performs all events and gauge readings that have become due. During
    /// the initial relaxation to a steady state, takes one step of the relaxation instead.
    ///
    /// # Errors
    /// Returns [`RunError`] if the model fails, or if the state contains a value that is not
    /// finite.
    pub fn step(&mut self) -> Result<(), RunError> {
        self.step_to_next_stop(1)
    }

    /// Completes the initial relaxation to a steady state if necessary. Then takes `count` steps,
    /// and performs all events and gauge readings that become due.
    ///
    /// # Errors
    /// Returns the errors of [`step`](Self::step).
    pub fn take_steps(&mut self, count: u64) -> Result<(), RunError> {
        while self.settling {
            self.relaxation_step()?;
        }
        let end = self.simulation.steps() + count;
        while self.simulation.steps() < end {
            self.step_to_next_stop((end - self.simulation.steps()).min(STEPS_PER_CALLBACK))?;
        }
        Ok(())
    }

    /// Takes a batch of at most `max_steps` steps and returns their number. Returns 0 if an event
    /// or a gauge reading that is due must wait until the world has been copied from the device to
    /// the host. In browsers, call this only if the world is [ready](Self::is_ready).
    ///
    /// # Errors
    /// Returns the errors of [`step`](Self::step).
    pub fn step_batch(&mut self, max_steps: u64) -> Result<u64, RunError> {
        // With adaptive steps on a device in browsers, the time reached is known only in the next
        // call.
        let is_exact =
            self.scene.flow().is_none_or(|flow| flow.physics.keys.level == Physics::Pipes);
        let together = if self.backend.is_device() { MAX_DEVICE_BATCH } else { STEPS_PER_CALLBACK };
        let (before, was_settling) = (self.simulation.steps(), self.settling);
        self.step_to_next_stop(if is_exact { max_steps.clamp(1, together) } else { 1 })?;
        let done = self.simulation.steps().saturating_sub(before);
        Ok(if was_settling || !is_exact { 1 } else { done })
    }

    /// Advances the world until the clock reaches `stop`, or until `should_pause` returns true.
    /// `should_pause` is called every few steps. The world stops after a whole step, at `stop` or
    /// less than one step later. Several short advances take the same steps as one long advance.
    ///
    /// # Errors
    /// Returns the errors of [`step`](Self::step).
    pub fn advance(
        &mut self,
        stop: f64,
        should_pause: &mut dyn FnMut() -> bool,
    ) -> Result<(), RunError> {
        self.handle_query_results();
        while (self.settling || self.is_before(stop)) && self.is_ready() && !should_pause() {
            let left = (stop - self.clock()) / self.mean_step_length;
            // The step length is unknown before the first step.
            let fit = if left.is_finite() {
                left.ceil().clamp(1.0, STEPS_PER_CALLBACK as f64)
            } else {
                1.0
            };
            self.step_to_next_stop(fit as u64)?;
        }
        Ok(())
    }

    /// Returns whether the world needs another step for its clock to reach `time`.
    pub(crate) fn is_before(&self, time: f64) -> bool {
        self.clock() + TIME_TOLERANCE * self.mean_step_length < time
    }

    /// Returns messages for the user about assumptions that the model makes, scene content that it
    /// omits, and events of the scene that the world has rejected.
    pub fn notices(&self) -> Vec<String> {
        let rejected = self.rejected_events.notices(self.scene.clock().unit);
        self.simulation.notices().into_iter().chain(rejected).collect()
    }

    /// Returns the time series of the current gauges, in the order in which the gauges were added.
    pub fn readings(&self) -> &[GaugeSeries] {
        self.gauges.readings()
    }

    /// Returns a copy of the time series of all gauges.
    /// [`restore_gauge_history`](Self::restore_gauge_history) restores the series from this copy.
    pub fn gauge_history(&self) -> GaugeHistory {
        self.gauges.history().clone()
    }

    /// Replaces the time series of each gauge with the series in `measured` that has the same name
    /// and quantities. Omits values later than the world's current time. Call this after a redo, or
    /// after the state of another world has been restored in this one.
    pub fn restore_gauge_history(&mut self, measured: &GaugeHistory) {
        self.gauges.restore_history(measured, self.simulation.time());
    }

    /// Returns a hash of the state of the [`world`](Self::world). Worlds with equal scenes, edits
    /// and step counts have equal hashes on every machine.
    pub fn state_hash(&self) -> u64 {
        self.simulation.state_hash()
    }

    /// Returns the water balance of the [`world`](Self::world): the inflows and outflows by cause,
    /// and the water present.
    pub fn ledger(&self) -> LedgerSummary {
        self.simulation.ledger()
    }

    /// Returns the current scene as TOML source: the original source with its comments, the changed
    /// values, and the edits as events.
    ///
    /// A run of this source reaches the state that this world has at the same simulated time. This
    /// requires that values were changed only before the first step, and that no edit was made
    /// while the world was [settling](Self::is_settling).
    pub fn text(&self) -> String {
        self.journal.text()
    }

    /// Applies an event at the current time. `entry` is an entry of the scene's list `event`
    /// without the key `time`. Missing keys have the defaults of the scene. An event that adds,
    /// changes or removes a gauge never changes the state of the world. An added or changed gauge
    /// is read at once. Each later reading takes place after the first whole step that reaches its
    /// time.
    ///
    /// # Errors
    /// Returns [`LiveError`] if the entry is not valid in the scene, or if the model rejects it.
    /// Nothing is changed in this case.
    pub fn edit(&mut self, entry: &Table) -> Result<(), LiveError> {
        let mut entry = entry.clone();
        set_event_time(&mut entry, self.clock());
        if gauge_edit::is_gauge_edit(&entry) {
            return self.edit_gauges(entry);
        }
        let action = self.journal.read_action(&self.scene, &entry)?;
        self.apply_to_world(&action)?;
        set_event_time(&mut entry, self.clock());
        let edit = JournalEdit::Written(SerializableEdit::Event(entry));
        self.journal.push(edit, self.simulation.steps());
        Ok(())
    }

    /// Applies an action at the current time. The TOML source that [`text`](Self::text) returns
    /// contains the action as an event.
    ///
    /// # Errors
    /// Returns the errors of [`edit`](Self::edit). Nothing is changed in this case.
    pub fn apply(&mut self, action: AnyAction) -> Result<(), LiveError> {
        self.apply_to_world(&action)?;
        let edit = JournalEdit::Action(self.clock(), action);
        self.journal.push(edit, self.simulation.steps());
        Ok(())
    }

    /// Checks an action and applies it to the world. If the device that steps the world is lost,
    /// the world continues on the CPU from the state that was last copied to the host, so the clock
    /// may go back.
    fn apply_to_world(&mut self, action: &AnyAction) -> Result<(), LiveError> {
        if self.scene.event_count() + self.journal.changes.len() >= MAX_EVENTS {
            let message =
                format!("the scene has {MAX_EVENTS} events and edits, the most that it may have");
            return Err(LiveError::Model(message));
        }
        let problems = self.scene.action_problems(action, &self.lattice());
        if !problems.is_empty() {
            return Err(self.journal.origin().locate_problems(problems).into());
        }
        let done = self.simulation.apply_on_device(action).map_err(LiveError::from_model_error)?;
        match done {
            DeviceEventResult::Done => Ok(()),
            DeviceEventResult::Lost(error) => {
                self.fall_back_to_cpu(&error);
                Ok(())
            }
            DeviceEventResult::NotOnDevice => {
                self.require_read_back()?;
                self.simulation.apply_action(action).map_err(LiveError::from_model_error)
            }
        }
    }

    /// Adds an entry to one of the scene's lists: `gauge`, `source`, `drain`, `body`, or another
    /// list that the model can extend while it runs. The TOML source that [`text`](Self::text)
    /// returns contains the addition as an event.
    ///
    /// # Errors
    /// Returns the errors of [`edit`](Self::edit).
    pub fn add(&mut self, list: &str, entry: &Table) -> Result<(), LiveError> {
        self.edit_entry("add", list, entry.clone().into())
    }

    /// Changes a value of the scene while the world runs. `key` is a key such as `physics.manning`
    /// or `rain.rate`.
    ///
    /// # Errors
    /// Returns [`LiveError`] if the scene has no such key, if the value is out of range, or if the
    /// value is used only at the start of the world.
    pub fn set(&mut self, key: &str, value: toml::Value) -> Result<(), LiveError> {
        let scene = self.journal.scene_with_value(key, &value)?;
        scene.check_fits_lattice(&self.lattice())?;
        if !self.scene.is_live_key(key) {
            let message = "takes effect only at the start; change it in the scene and restart";
            return Err(LiveError::Model(format!("{key}: {message}")));
        }
        self.require_read_back()?;
        self.simulation.apply_settings(scene.as_any()).map_err(LiveError::from_model_error)?;
        self.simulation.set_scene(scene.as_any()).map_err(LiveError::from_model_error)?;
        self.scene = Arc::new(scene);
        let edit = JournalEdit::Written(SerializableEdit::Value(key.into(), value));
        self.journal.push(edit, self.simulation.steps());
        Ok(())
    }

    /// Returns the values of the scene that [`set`](Self::set) can change while the world runs.
    pub fn parameters(&self) -> Vec<Parameter> {
        self.scene.parameters()
    }

    /// Returns the mouse tools that the model supports.
    pub fn tools(&self) -> &'static [Tool] {
        self.scene.tools()
    }

    /// Applies a mouse tool once, at the position in `dab`. A stroke of the mouse applies a tool
    /// many times.
    ///
    /// # Errors
    /// Returns the errors of [`edit`](Self::edit).
    pub fn apply_tool(&mut self, tool: &Tool, dab: &Dab) -> Result<(), LiveError> {
        self.apply(tool.action(dab))
    }

    /// Returns the values of the cell at a position. Coordinates are measured from the top-left
    /// corner (m; in the model `blocks`, cells). Returns an empty list if the position is outside
    /// the grid.
    pub fn probe(&self, position: [f64; 2]) -> Vec<ProbeValue> {
        self.simulation.probe(position)
    }

    /// Returns the lattice of cells on which the world is defined. In the model `blocks`, cells
    /// have a width of 1.
    pub fn lattice(&self) -> Lattice {
        self.simulation.lattice()
    }

    /// Takes one step of the initial relaxation to a steady state. When the relaxation ends,
    /// performs the tasks that are scheduled for the start time.
    fn relaxation_step(&mut self) -> Result<(), RunError> {
        let settling = self.simulation.relaxation_step();
        self.settling = settling.map_err(|source| self.model_error(source))?;
        if self.settling { Ok(()) } else { self.perform_due_tasks() }
    }

    /// Takes up to `max_steps` steps, but none beyond the next stop, a scheduled time at which a
    /// step ends exactly. Then performs all tasks that are due.
    fn step_to_next_stop(&mut self, max_steps: u64) -> Result<(), RunError> {
        if self.settling {
            return self.relaxation_step();
        }
        if self.awaits_read_back {
            return self.perform_due_tasks();
        }
        let stop = self.schedule.next_stop(&self.schedule_progress, self.stop);
        // On the CPU, a gauge is sampled after exactly the step that reaches its time. On a device,
        // it is sampled after the batch.
        let measures =
            !self.backend.is_device() && self.gauges.next_non_stopping_reading_time() < stop;
        let one_by_one =
            measures || self.schedule.has_non_stopping_event_before(&self.schedule_progress, stop);
        let max_steps = if one_by_one { 1 } else { max_steps };
        let (time, steps) = (self.simulation.time(), self.simulation.steps());
        match self.simulation.step_toward(stop, StepLimit::Steps(max_steps)) {
            Ok(_) => {}
            // The state on the host is unchanged since the last copy, so the world can continue
            // from it.
            Err(error) if self.backend.is_device() => {
                self.fall_back_to_cpu(&error);
                return Ok(());
            }
            Err(error) => return Err(self.model_error(error)),
        }
        let done = self.simulation.steps().saturating_sub(steps);
        if done > 0 {
            self.mean_step_length = (self.simulation.time() - time) / done as f64;
        }
        self.perform_due_tasks()
    }

    /// Performs all scheduled events and gauge readings that are due now.
    fn perform_due_tasks(&mut self) -> Result<(), RunError> {
        let mut stop = self.stop;
        self.awaits_read_back = false;
        loop {
            loop {
                let before = self.backend.is_device().then(|| self.schedule_progress.clone());
                let Some(due) = self.schedule.take_due(&mut self.schedule_progress, stop) else {
                    break;
                };
                if !self.perform_task(due, before)? {
                    return Ok(());
                }
            }
            stop = self.schedule.next_stop(&self.schedule_progress, self.stop);
            if !self.simulation.has_reached(stop) {
                break;
            }
            self.stop = stop;
            if !self.simulation.has_finite_state() {
                return Err(RunError::Broken(self.simulation.time()));
            }
        }
        // Interactive edits at this time come after the scheduled tasks.
        if !self.read_non_stopping_gauges() {
            self.awaits_read_back = true;
            return Ok(());
        }
        let now = self.clock();
        loop {
            let before = self.backend.is_device().then(|| self.schedule_progress.clone());
            let Some(due) = self.schedule.take_non_stopping_event(&mut self.schedule_progress, now)
            else {
                return Ok(());
            };
            if !self.perform_task(due, before)? {
                return Ok(());
            }
        }
    }

    /// Performs a scheduled task. Returns false if the task must wait until the world has been
    /// copied from the device to the host, or if the device is lost. A task that must wait is tried
    /// again in the next call, because the schedule is then reset to `progress_before`.
    fn perform_task(
        &mut self,
        due_task: ScheduledTask,
        progress_before: Option<ScheduleProgress>,
    ) -> Result<bool, RunError> {
        if let (ScheduledTask::Gauge(i), true) = (due_task, progress_before.is_some())
            && (!self.gauges.is_read_at_stops(i) || self.submit_query(Query::Gauge(i)))
        {
            return Ok(true);
        }
        if let (ScheduledTask::Event(_) | ScheduledTask::Gauge(_), Some(progress_before)) =
            (due_task, progress_before)
        {
            if !self.read_back() {
                (self.schedule_progress, self.awaits_read_back) = (progress_before, true);
                return Ok(false);
            }
            // The device was lost. The world continues from an earlier time, where this action will
            // become due again.
            if !self.backend.is_device() {
                return Ok(false);
            }
        }
        match due_task {
            ScheduledTask::Event(i) => {
                let now = self.clock();
                let done = match self.schedule.gauge_edit(i) {
                    Some(task) => self
                        .gauges
                        .apply_edit(task, now, &*self.simulation)
                        .map_err(ModelError::from),
                    None => self.simulation.apply_event(i),
                };
                if let Err(error) = done {
                    self.rejected_events.record(i, now, &error.to_string());
                }
            }
            ScheduledTask::Gauge(i) => self.gauges.read_at_stop(i, &*self.simulation),
            ScheduledTask::Ledger | ScheduledTask::Layers(_) | ScheduledTask::Frame => {}
        }
        Ok(true)
    }

    fn model_error(&self, source: ModelError) -> RunError {
        let (time, unit) = (self.simulation.time(), self.scene.clock().unit);
        RunError::Model { time, unit, source }
    }
}
