//! A live world: stepped, edited, tuned, and told as a scene again.

use super::answer::Found;
use super::error::LiveError;
use super::gauges::{Gauges, Measured};
use super::journal::{Change, Journal};
use super::parameter::Parameter;
use super::read_back::ReadBack;
use super::reading::Reading;
use super::tool::{Dab, Tool};
use crate::run::{
    Backend, DeviceEventResult, LedgerSummary, ModelError, ProbeValue, Query, RunError, Schedule,
    ScheduleProgress, ScheduledTask, Simulation, World, WorldMut, simulation,
};
use crate::scene::{Files, Reader, Scene, gauge_edit};
use headwater::flow::Physics;
use headwater::{Lattice, Model};
use std::path::Path;
use std::sync::Arc;
use toml::Table;

/// Steps after which [`Live::advance`] asks whether it is enough.
const TOGETHER: u64 = 8;

/// Steps that are asked of a device at once where somebody wants many.
const AT_ONCE: u64 = 64;

/// A step that ends this part of itself before the time asked for has come there: times add up with rounding.
const NEARLY: f64 = 1e-6;

/// A scene as a live world.
pub struct Live {
    pub(super) name: String,
    pub(super) journal: Journal,
    pub(super) scene: Arc<Scene>,
    pub(super) simulation: Box<dyn Simulation>,
    /// What computes the world.
    pub(super) backend: Backend,
    /// Why it is the CPU again, until somebody asks.
    pub(super) fallen: Option<String>,
    /// Where it was when it was last brought back from elsewhere.
    pub(super) last_read_back: Option<ReadBack>,
    pub(super) schedule: Schedule,
    pub(super) done: ScheduleProgress,
    /// The last stop.
    pub(super) stop: f64,
    pub(super) settling: bool,
    /// Whether something is due for which the world has to come back first.
    pub(super) is_late: bool,
    pub(super) gauges: Gauges,
    /// What was found at a place of a world on a GPU, that was asked for, and whether it is being asked for again.
    pub(super) found: Found,
    /// Time that the last steps took each, to know how many fit.
    pub(super) pace: f64,
}

impl Live {
    /// The world of a scene, called `name` in messages; its paths are relative to the current directory.
    ///
    /// # Errors
    /// [`RunError`] if the scene cannot be used, or the model fails.
    pub fn new(name: &str, text: &str) -> Result<Self, RunError> {
        Self::with(name, text, &[], None, &Files::disk())
    }

    /// The same with `(key, value)` overrides laid over the scene, such as `("seed", "7")`, paths relative to a
    /// directory, and files from elsewhere than the disk. The overrides become part of the [`text`](Self::text).
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with(
        name: &str,
        text: &str,
        overrides: &[(String, String)],
        directory: Option<&Path>,
        files: &Files,
    ) -> Result<Self, RunError> {
        let reader = Reader::default().with_files(files).in_directory(directory);
        Self::read(name, text, overrides, &reader)
    }

    /// The same, by a reader, which may know more models.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn read(
        name: &str,
        text: &str,
        overrides: &[(String, String)],
        reader: &Reader,
    ) -> Result<Self, RunError> {
        // Read as a file first, for messages that name lines.
        let scene = reader.parse(name, text, overrides)?;
        let journal = Journal::new(name, text, overrides, reader)?;
        let simulation = simulation(&scene)?;
        let schedule = Schedule::endless(&scene);
        let mut live = Self {
            name: name.into(),
            journal,
            done: schedule.start(),
            schedule,
            stop: simulation.time(),
            settling: true,
            is_late: false,
            gauges: Gauges::new(&scene, &*simulation),
            found: Found::default(),
            pace: 0.0,
            scene: Arc::new(scene),
            simulation,
            backend: Backend::Cpu,
            fallen: None,
            last_read_back: None,
        };
        live.settle()?;
        Ok(live)
    }

    /// What the scene is called in messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The scene as it is now, but for what was done by hand, which is in the [`text`](Self::text).
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The world, as a run drives it.
    pub fn simulation(&self) -> &dyn Simulation {
        &*self.simulation
    }

    /// The world itself. One that is stepped elsewhere is as it was brought back last ([`read_back`](Self::read_back)).
    pub fn world(&self) -> World<'_> {
        self.simulation.world()
    }

    /// The world itself, to be changed. Such changes are not in the [`text`](Self::text). In browsers it has to be [here](Self::read_back):
    /// steps that are not back yet are lost else.
    pub fn world_mut(&mut self) -> WorldMut<'_> {
        self.read_back();
        self.simulation.world_mut()
    }

    /// The model, by what all models can do; of several worlds, the last.
    pub fn model(&self) -> &dyn Model {
        self.simulation.model()
    }

    /// The same, to be changed. Such changes are not in the [`text`](Self::text). As for [`world_mut`](Self::world_mut), it has to be
    /// here.
    pub fn model_mut(&mut self) -> &mut dyn Model {
        self.read_back();
        self.simulation.model_mut()
    }

    /// The time that has come (s; of hydrology, drops per cell): the world's, or that of the last stop.
    pub fn clock(&self) -> f64 {
        self.simulation.time().max(self.stop)
    }

    /// True as long as the world comes to a steady state, before its clock starts. Stepping goes on with that.
    pub fn is_settling(&self) -> bool {
        self.settling
    }

    /// Does one step, with the events and gauges that are due after it; or one of what comes before the clock starts.
    ///
    /// # Errors
    /// [`RunError`] if the model fails, or the state is no longer numbers.
    pub fn step(&mut self) -> Result<(), RunError> {
        self.some_steps(1)
    }

    /// Does so many steps, with all events.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn steps(&mut self, count: u64) -> Result<(), RunError> {
        while self.settling {
            self.settle()?;
        }
        let end = self.simulation.steps() + count;
        while self.simulation.steps() < end {
            self.some_steps((end - self.simulation.steps()).min(TOGETHER))?;
        }
        Ok(())
    }

    /// Does some steps at once, as many as go well together and at most `most`, and says how many; 0 if something is due first for
    /// which the world is on its way. In browsers it has to be [ready](Self::is_ready).
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn few_steps(&mut self, most: u64) -> Result<u64, RunError> {
        // How far others come on a device, only the next call learns in browsers.
        let is_exact =
            self.scene.flow().is_none_or(|flow| flow.physics.keys.level == Physics::Pipes);
        let together = if self.backend.is_device() { AT_ONCE } else { TOGETHER };
        let (before, settles) = (self.simulation.steps(), self.settling);
        self.some_steps(if is_exact { most.clamp(1, together) } else { 1 })?;
        let done = self.simulation.steps().saturating_sub(before);
        Ok(if settles || !is_exact { 1 } else { done })
    }

    /// Goes on until the clock is at `stop`, or somebody says that it is enough, who is asked after every few steps.
    /// The world comes to rest after a whole step: at `stop` or less than a step later, and goes on from there with the
    /// same steps that it would do in one go.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn advance(&mut self, stop: f64, enough: &mut dyn FnMut() -> bool) -> Result<(), RunError> {
        self.take_answers();
        while (self.settling || self.is_before(stop)) && self.is_ready() && !enough() {
            let left = (stop - self.clock()) / self.pace;
            // Before the first step nobody knows how long it will be.
            let fit = if left.is_finite() { left.ceil().clamp(1.0, TOGETHER as f64) } else { 1.0 };
            self.some_steps(fit as u64)?;
        }
        Ok(())
    }

    /// Whether there is a step to do on the way to a time.
    pub(crate) fn is_before(&self, time: f64) -> bool {
        self.clock() + NEARLY * self.pace < time
    }

    /// What the gauges that there are have measured, in the order in which they came.
    pub fn readings(&self) -> &[Reading] {
        self.gauges.readings()
    }

    /// All that the gauges have measured.
    pub fn measured(&self) -> Measured {
        self.gauges.measured().clone()
    }

    /// Takes over what gauges of the same names have measured, up to the world's time: after it went forth again to a moment whose past
    /// that is, or in a world that was given the state of another, so that both have one past.
    pub fn remember(&mut self, measured: &Measured) {
        self.gauges.remember(measured, self.simulation.time());
    }

    /// A hash of the state of the [`world`](Self::world): the same for the same doing on every machine.
    pub fn state_hash(&self) -> u64 {
        self.simulation.state_hash()
    }

    /// What came, went and is in the [`world`](Self::world).
    pub fn ledger(&self) -> LedgerSummary {
        self.simulation.ledger()
    }

    /// The scene as it is now, as TOML: the text it came from with its comments, with the values that were changed, and
    /// what was done by hand as events. Loaded and run to the same time, it comes to the same state, as long as values
    /// were changed before the first step only, and nothing was done while the world was
    /// [settling](Self::is_settling).
    pub fn text(&self) -> String {
        self.journal.text()
    }

    /// Does one entry of the scene's list `event`, given without `time`, now. What is not in it has the scene's
    /// defaults. One that adds, changes or removes a gauge never changes the state: such a gauge measures at once, and then after
    /// whole steps.
    ///
    /// # Errors
    /// [`LiveError`] if it could not stand in the scene, or the model refuses it; then nothing is done.
    pub fn edit(&mut self, entry: &Table) -> Result<(), LiveError> {
        let mut entry = entry.clone();
        entry.insert("time".into(), self.clock().into());
        entry.insert("in_passing".into(), true.into());
        if gauge_edit::is_edit(&entry) {
            return self.edit_gauges(entry);
        }
        let alone = self.journal.alone(&entry)?;
        alone.check_on(&self.lattice())?;
        match self.simulation.apply_event_on_device(alone.as_any()).map_err(LiveError::model)? {
            DeviceEventResult::Done => {}
            DeviceEventResult::Lost(error) => self.fall(&error),
            DeviceEventResult::NotOnDevice => {
                self.be_here()?;
                self.simulation.apply_single_event(alone.as_any()).map_err(LiveError::model)?;
            }
        }
        // The world may have fallen back just now.
        entry.insert("time".into(), self.clock().into());
        self.journal.push(Change::Event(entry), self.simulation.steps());
        Ok(())
    }

    /// Adds an entry of one of the scene's lists now: `gauge`, `source`, `drain`, `body`, whatever the model can take while it
    /// runs. In the [`text`](Self::text) it is an event that adds it.
    ///
    /// # Errors
    /// As [`edit`](Self::edit).
    pub fn add(&mut self, list: &str, entry: &Table) -> Result<(), LiveError> {
        self.edit_entry("add", list, entry.clone().into())
    }

    /// Changes a value of the scene in the running world, by its key, such as `physics.manning` or `rain.rate`.
    ///
    /// # Errors
    /// [`LiveError`] if there is no such key, the value is out of its range, or it means something at the start only.
    pub fn set(&mut self, key: &str, value: toml::Value) -> Result<(), LiveError> {
        let change = Change::Value(key.into(), value);
        let scene = self.journal.scene_with(&change)?;
        scene.check_on(&self.lattice())?;
        if !self.scene.is_live(key) {
            let message = "means something at the start only: begin anew to change it";
            return Err(LiveError::Model(format!("{key}: {message}")));
        }
        self.be_here()?;
        self.simulation.apply_settings(scene.as_any()).map_err(LiveError::model)?;
        self.simulation.set_scene(scene.as_any()).map_err(LiveError::model)?;
        self.scene = Arc::new(scene);
        self.journal.push(change, self.simulation.steps());
        Ok(())
    }

    /// The values that can be changed while the world runs.
    pub fn parameters(&self) -> Vec<Parameter> {
        self.scene.parameters()
    }

    /// What the mouse can do to the model.
    pub fn tools(&self) -> &'static [Tool] {
        self.scene.tools()
    }

    /// Does a dab of a tool: one of the many that make up a stroke.
    ///
    /// # Errors
    /// As [`edit`](Self::edit).
    pub fn dab(&mut self, tool: &Tool, dab: &Dab) -> Result<(), LiveError> {
        let (list, entry) = tool.entry(dab);
        if list == "event" { self.edit(&entry) } else { self.add(list, &entry) }
    }

    /// What is at a place (m from the top-left corner; of blocks, cells). Nothing off the grid.
    pub fn probe(&self, position: [f64; 2]) -> Vec<ProbeValue> {
        self.simulation.probe(position)
    }

    /// Where cells are; those of blocks are 1 wide.
    pub fn lattice(&self) -> Lattice {
        self.simulation.lattice()
    }

    /// Goes on with what comes before the clock starts.
    fn settle(&mut self) -> Result<(), RunError> {
        let settling = self.simulation.prepare_step();
        self.settling = settling.map_err(|source| self.refused(source))?;
        if self.settling { Ok(()) } else { self.arrive() }
    }

    /// Does a few steps, or fewer up to the next stop.
    fn some_steps(&mut self, most: u64) -> Result<(), RunError> {
        if self.settling {
            return self.settle();
        }
        if self.is_late {
            return self.arrive();
        }
        let stop = self.schedule.next_stop(&self.done, self.stop);
        // Where steps are, a gauge measures after the very one that comes to its time; on a device, after those done at once.
        let measures = !self.backend.is_device() && self.gauges.next_passing() < stop;
        let one_by_one = measures || self.schedule.has_non_stopping_before(&self.done, stop);
        let most = if one_by_one { 1 } else { most };
        let (time, steps) = (self.simulation.time(), self.simulation.steps());
        match self.simulation.steps_toward(stop, most) {
            Ok(_) => {}
            // Nothing was done to the world since it was brought back: it goes on from there.
            Err(error) if self.backend.is_device() => {
                self.fall(&error);
                return Ok(());
            }
            Err(error) => return Err(self.refused(error)),
        }
        let done = self.simulation.steps().saturating_sub(steps);
        if done > 0 {
            self.pace = (self.simulation.time() - time) / done as f64;
        }
        self.arrive()
    }

    /// Does all that is due now.
    fn arrive(&mut self) -> Result<(), RunError> {
        let mut stop = self.stop;
        self.is_late = false;
        loop {
            loop {
                let before = self.backend.is_device().then(|| self.done.clone());
                let Some(due) = self.schedule.take_due(&mut self.done, stop) else { break };
                if !self.perform(due, before)? {
                    return Ok(());
                }
            }
            stop = self.schedule.next_stop(&self.done, self.stop);
            if !self.simulation.is_at(stop) {
                break;
            }
            self.stop = stop;
            if !self.simulation.is_sound() {
                return Err(RunError::Broken(self.simulation.time()));
            }
        }
        // What is done by hand at this moment comes after that.
        if !self.measure_in_passing() {
            self.is_late = true;
            return Ok(());
        }
        let now = self.clock();
        loop {
            let before = self.backend.is_device().then(|| self.done.clone());
            let Some(due) = self.schedule.take_non_stopping(&mut self.done, now) else {
                return Ok(());
            };
            if !self.perform(due, before)? {
                return Ok(());
            }
        }
    }

    /// Does what is due, unless the world has to come back first and is on its way: then this is false, all is as `before`, and the
    /// world stands until it is asked again.
    fn perform(
        &mut self,
        due: ScheduledTask,
        before: Option<ScheduleProgress>,
    ) -> Result<bool, RunError> {
        if let (ScheduledTask::Gauge(i), true) = (due, before.is_some())
            && (!self.gauges.measures_at_stops(i) || self.ask(Query::Gauge(i)))
        {
            return Ok(true);
        }
        if let (ScheduledTask::Event(_) | ScheduledTask::Gauge(_), Some(before)) = (due, before) {
            if !self.read_back() {
                (self.done, self.is_late) = (before, true);
                return Ok(false);
            }
            // It was lost: it goes on here from an earlier moment, and this will be due again.
            if !self.backend.is_device() {
                return Ok(false);
            }
        }
        match due {
            ScheduledTask::Event(i) => {
                let now = self.clock();
                let done = match self.schedule.task(i) {
                    Some(task) => {
                        self.gauges.edit(task, now, &*self.simulation).map_err(ModelError::from)
                    }
                    None => self.simulation.apply_event(i),
                };
                done.map_err(|source| self.refused(source))?;
            }
            ScheduledTask::Gauge(i) => self.gauges.read_at_stop(i, &*self.simulation),
            ScheduledTask::Layers(_) | ScheduledTask::Frame => {}
        }
        Ok(true)
    }

    fn refused(&self, source: ModelError) -> RunError {
        let (time, unit) = (self.simulation.time(), self.scene.clock().unit);
        RunError::Model { time, unit, source }
    }
}
