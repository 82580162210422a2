//! [`WorldView`]: the displayed world, and its actions: run, pause, step, edit, undo, scrub and
//! restart.

use super::catalog;
use super::pace::Pace;
use super::script::Script;
use crate::app::canvas::CameraState;
use crate::app::challenges::challenge::ActiveChallenge;
use crate::app::history::time_scrub::{StateCounts, TimeScrub};
use crate::app::history::view_history::ViewHistory;
use crate::app::input::stroke::{PendingInput, Stroke};
use crate::app::sharing::saved_world::SavedWorld;
use headwater_scene::library::LibraryScene;
use headwater_scene::live::{EditLog, History, Live};
use headwater_scene::run::{Backend, LedgerSummary, RunError};
use headwater_scene::scene::{Files, Reader};
use headwater_scene::waves::WavesWorld;
use std::path::{Path, PathBuf};
use web_time::Instant;

/// Interval (s) between updates of the ledger summary. Updates are infrequent, because each of them
/// visits all cells.
const LEDGER_INTERVAL: f64 = 0.2;

/// Smallest interval (s) between read-backs of a world on the GPU. The read-backs provide the
/// ledger, values at positions, bodies and particles.
const READ_BACK_INTERVAL: f64 = 0.25;

/// Smallest ratio (dimensionless) of the interval between read-backs to the duration of a
/// read-back.
const MIN_READ_BACK_INTERVAL_TO_COST_RATIO: f64 = 20.0;

/// Longest frame duration (s) that counts as play; longer frames are pauses.
const MAX_FRAME: f64 = 1.0;

/// Largest amount of memory (bytes) for the undo history of a suspended world.
const SUSPENDED_UNDO_BYTES: usize = 48 << 20;

pub(in crate::app) struct WorldView {
    pub(in crate::app) name: String,
    pub(in crate::app) live: Live,
    pub(in crate::app) playing: bool,
    pub(in crate::app) pace: Pace,
    /// Error that has stopped the simulation; `None` while there is no error.
    pub(in crate::app) fault: Option<String>,
    /// Reason why the last use of a tool or the last change of a parameter was refused; `None` if
    /// it was accepted.
    pub(in crate::app) refusal: Option<String>,
    pub(in crate::app) script: Script,
    pub(in crate::app) history: History,
    /// Tool stroke in progress, if any.
    pub(in crate::app) stroke: Option<Stroke>,
    /// Summary of the ledger, and the wall time at which the summary was computed.
    ledger_cache: (LedgerSummary, Instant),
    /// Wall time of the last read-back from the GPU.
    read_back_at: Instant,
    /// Duration of the last read-back from the GPU (s).
    read_back_seconds: f64,
    /// Number of single steps that were requested and have not yet been performed.
    steps_wanted: u32,
    /// Tool input that waits until the state of the world is available.
    pub(in crate::app) pending_input: Option<PendingInput>,
    /// Whether the stroke in progress is to be undone when the world is ready.
    pub(in crate::app) is_cancelled: bool,
    /// Number of edits and backend changes so far. When this number changes, cached drawings are
    /// outdated.
    pub(in crate::app) edits: u64,
    /// Value of `edits` when the world was opened.
    initial_edits: u64,
    /// Whether a new stroke has started since the last check. A new stroke invalidates the redo
    /// history.
    pub(in crate::app) has_new_stroke: bool,
    /// Time (s) of this frame that counts as play; 0 while the world is paused.
    pub(in crate::app) play_seconds: f64,
    /// Whether the world waits until the comparison world has caught up.
    pub(in crate::app) waits_for_comparison: bool,
    pub(in crate::app) time_scrub: TimeScrub,
    pub(in crate::app) view_history: ViewHistory,
    /// Whether the last seconds are being replayed. Edits are not allowed during a replay.
    pub(in crate::app) is_replayed: bool,
    /// Challenge in progress, if any.
    pub(in crate::app) challenge: Option<ActiveChallenge>,
}

impl WorldView {
    /// Opens a scene. Paths in the scene are relative to `directory`, or to the current directory
    /// if `directory` is `None`.
    pub(in crate::app) fn open(
        name: &str,
        text: &str,
        directory: Option<&Path>,
    ) -> Result<Self, RunError> {
        // A scene without files needs no directory, so it can be shared.
        let needs_files = || {
            let read = Reader::default().with_files(&Files::memory_only()).parse(name, text, &[]);
            read.map_or(true, |scene| !scene.files().is_empty())
        };
        let directory = directory.filter(|_| needs_files()).map(PathBuf::from);
        Self::from_script(name, Script { directory, ..Script::new(text) })
    }

    /// Opens a scene of the built-in library, with the values that the playground overrides.
    pub(in crate::app) fn from_library(library_scene: LibraryScene) -> Result<Self, RunError> {
        let overrides = catalog::delayed_events(library_scene.name);
        Self::from_script(
            library_scene.name,
            Script { overrides, ..Script::new(library_scene.text) },
        )
    }

    /// Opens a shared world in its initial state, before its edits.
    pub(in crate::app) fn from_edit_log(edit_log: &EditLog) -> Result<Self, RunError> {
        let live = edit_log.create_world(None, &Files::memory_only())?;
        Self::from_live(edit_log.name(), Script::new(edit_log.text()), live)
    }

    /// Returns the state of the world and its camera as bytes, so that a later visit can continue
    /// from it; `None` if the world cannot be saved.
    pub(in crate::app) fn save_world(
        &mut self,
        camera_state: Option<CameraState>,
    ) -> Option<SavedWorld> {
        let file = match &self.script.file {
            None if self.script.directory.is_some() => return None,
            file => file.clone(),
        };
        let (name, text) = (self.name.clone(), self.live.edit_log().text().to_owned());
        let (playing, speed) = (self.playing, self.pace.speed);
        let state = self.live.snapshot().ok()?;
        Some(SavedWorld { name, text, file, state, camera_state, playing, speed })
    }

    pub(in crate::app) fn from_saved_world(saved: SavedWorld) -> Result<Self, String> {
        let SavedWorld { name, text, file, state, playing, speed, .. } = saved;
        let mut script = Script { files: Files::memory_only(), ..Script::new(&text) };
        if let Some((file, bytes)) = &file {
            script.files = script.files.with_file(file, bytes);
        }
        script.file = file;
        let mut world_view = Self::from_script(&name, script).map_err(|error| error.to_string())?;
        world_view.live.restore(&state)?;
        world_view.finish_loading(playing, Some(speed));
        Ok(world_view)
    }

    /// Returns the edit log that reproduces the world; `None` if the world depends on local files.
    pub(in crate::app) fn edit_log(&self) -> Option<EditLog> {
        self.script.needs_no_files().then(|| self.live.edit_log())
    }

    pub(in crate::app) fn from_script(name: &str, script: Script) -> Result<Self, RunError> {
        let Script { text, files, directory, .. } = &script;
        let live =
            Live::with_options(name, text, &script.overrides(), directory.as_deref(), files)?;
        Self::from_live(name, script, live)
    }

    fn from_live(name: &str, script: Script, live: Live) -> Result<Self, RunError> {
        // Worlds whose simulated time is in seconds run at least in real time.
        let min_speed = if live.scene().hydrology().is_some() { 0.0 } else { 1.0 };
        let pace = Pace::for_scene(live.scene().until(), min_speed);
        Ok(Self {
            name: name.into(),
            ledger_cache: (live.ledger(), Instant::now()),
            live,
            playing: true,
            pace,
            fault: None,
            refusal: None,
            script,
            history: History::default(),
            stroke: None,
            read_back_at: Instant::now(),
            read_back_seconds: 0.0,
            steps_wanted: 0,
            pending_input: None,
            is_cancelled: false,
            edits: 0,
            initial_edits: 0,
            has_new_stroke: false,
            play_seconds: 0.0,
            waits_for_comparison: false,
            time_scrub: TimeScrub::default(),
            view_history: ViewHistory::default(),
            is_replayed: false,
            challenge: None,
        })
    }

    /// Opens the scene of this world again, at the same speed, with the seed `seed` if given.
    pub(in crate::app) fn create_restarted(&self, seed: Option<u32>) -> Result<Self, RunError> {
        let mut script = self.script.clone();
        script.seed = seed.or(script.seed);
        let mut fresh = Self::from_script(&self.name, script)?;
        (fresh.playing, fresh.pace.speed) = (self.playing, self.pace.speed);
        fresh.edits = self.edits + 1;
        fresh.initial_edits = fresh.edits;
        fresh.restart_challenge(self.challenge.as_ref());
        Ok(fresh)
    }

    /// Returns the length of one unit of the brush radius (m; in a block world, cells). It is the
    /// cell size of the original scene, regardless of the chosen resolution.
    pub(in crate::app) fn brush_cell(&self) -> f64 {
        let lattice = self.live.lattice();
        lattice.dx().max(lattice.dy()) * self.script.brush
    }

    /// Returns true if the world has been neither stepped nor edited.
    pub(in crate::app) fn is_unmodified(&self) -> bool {
        self.edits == self.initial_edits && self.live.simulation().steps() == 0
    }

    /// Returns true if the world was restarted with another seed and has no edits.
    pub(in crate::app) fn is_reseeded_and_unedited(&self) -> bool {
        self.script.seed.is_some() && self.edits == self.initial_edits
    }

    /// Returns true if both worlds have the same scene, except for their seeds.
    pub(in crate::app) fn has_same_scene(&self, other: &Self) -> bool {
        self.name == other.name && self.script.text == other.script.text
    }

    /// Prepares the world for being suspended: moves it to the CPU and frees memory.
    pub(in crate::app) fn suspend(&mut self) {
        (self.stroke, self.pending_input, self.is_cancelled) = (None, None, false);
        if self.live.backend().is_device() {
            // If the move fails, the world continues from the last read-back.
            let _ = self.live.set_backend(&Backend::Cpu);
        }
        self.history.shrink_to(SUSPENDED_UNDO_BYTES);
        self.time_scrub.clear();
        self.view_history = ViewHistory::default();
    }

    pub(in crate::app) fn resume(&mut self) {
        self.edits += 1;
        self.read_back_at = Instant::now();
        self.pace.restart(self.live.clock());
    }

    pub(in crate::app) fn seed(&self) -> u32 {
        self.script.seed.unwrap_or_else(|| self.live.scene().seed())
    }

    /// Replays an edit log until its end or until `should_stop` returns true. Returns true if the
    /// replay is not yet complete.
    pub(in crate::app) fn replay_edits(
        &mut self,
        edit_log: &EditLog,
        should_stop: &mut dyn FnMut() -> bool,
    ) -> Result<bool, String> {
        let more = edit_log.replay(&mut self.live, should_stop).map_err(|error| error.to_string());
        self.edits += 1;
        more
    }

    /// Resets the counters after the world was restored or replayed. Sets whether the world runs
    /// (`playing`) and, if given, its speed.
    pub(in crate::app) fn finish_loading(&mut self, playing: bool, speed: Option<f64>) {
        self.playing = playing;
        self.pace.speed = speed.filter(|speed| *speed > 0.0).unwrap_or(self.pace.speed);
        self.initial_edits = self.edits;
        self.ledger_cache = (self.live.ledger(), Instant::now());
        self.pace.restart(self.live.clock());
    }

    /// Returns a copy of the world in its current state.
    ///
    /// # Errors
    /// Returns a message if the state cannot be copied.
    pub(in crate::app) fn fork(&mut self) -> Result<Self, String> {
        let state = self.live.snapshot()?;
        let fork = Self::from_script(&self.name, self.script.clone());
        let mut fork = fork.map_err(|error| error.to_string())?;
        fork.live.restore(&state)?;
        fork.live.restore_gauge_history(&self.live.gauge_history());
        fork.finish_loading(false, Some(self.pace.speed));
        Ok(fork)
    }

    pub(in crate::app) fn advance_frame(&mut self, seconds: f64) {
        self.pace.record_frame(seconds);
        let mark = self.state_counts();
        self.time_scrub.discard_later_snapshots(mark);
        let is_here = self.update_state();
        while self.steps_wanted > 0 && self.live.is_ready() && self.fault.is_none() {
            match self.live.step_batch(self.steps_wanted.into()) {
                Ok(0) => break,
                Ok(done) => self.steps_wanted = self.steps_wanted.saturating_sub(done as u32),
                Err(error) => self.record_result(Err(error.to_string())),
            }
            self.pace.restart(self.live.clock());
        }
        self.play_seconds = 0.0;
        if !self.playing || self.fault.is_some() {
            return;
        }
        self.play_seconds = seconds;
        if self.waits_for_comparison {
            return self.pace.record_wait();
        }
        self.time_scrub.record(&mut self.live, seconds.min(MAX_FRAME), is_here);
        let live = &mut self.live;
        let done = self.pace.advance(live.clock(), seconds, |goal, enough| {
            live.advance(goal, enough).map(|()| live.clock())
        });
        self.record_result(done.map_err(|error| error.to_string()));
        self.update_challenge();
    }

    /// Advances the world to the simulated time `clock`, or until `should_stop` returns true.
    /// Returns true if the time is not yet reached.
    pub(in crate::app) fn advance_to(
        &mut self,
        clock: f64,
        should_stop: &mut dyn FnMut() -> bool,
    ) -> bool {
        self.update_state();
        if self.fault.is_none() {
            let done = self.live.advance(clock, should_stop).map_err(|error| error.to_string());
            self.record_result(done);
        }
        self.fault.is_none() && !self.has_reached(clock)
    }

    /// Reads the world back from the GPU if due, applies pending tool input, and updates the
    /// ledger. Returns true if the state on the CPU is current.
    fn update_state(&mut self) -> bool {
        let mut is_here = !self.live.backend().is_device();
        if self.read_back_at.elapsed().as_secs_f64()
            > READ_BACK_INTERVAL.max(MIN_READ_BACK_INTERVAL_TO_COST_RATIO * self.read_back_seconds)
        {
            let begun = Instant::now();
            if self.live.read_back() {
                self.read_back_at = Instant::now();
                self.read_back_seconds = begun.elapsed().as_secs_f64();
                is_here = true;
            }
        }
        self.process_pending_input();
        if self.ledger_cache.1.elapsed().as_secs_f64() > LEDGER_INTERVAL {
            self.ledger_cache = (self.live.ledger(), Instant::now());
        }
        is_here
    }

    /// Returns the step count and the edit count, which together identify the state of the world.
    pub(in crate::app) fn state_counts(&self) -> StateCounts {
        (self.live.simulation().steps(), self.edits)
    }

    /// Requests one step. The step is performed in the next frame in which the world is ready.
    pub(in crate::app) fn step(&mut self) {
        if self.is_replayed {
            return;
        }
        self.playing = false;
        self.steps_wanted += 1;
    }

    /// Returns true if an action was requested and waits until the world is ready.
    pub(in crate::app) fn is_waiting(&self) -> bool {
        let has_request =
            self.steps_wanted > 0 || self.pending_input.is_some() || self.is_cancelled;
        has_request || self.waits_for_comparison || !self.live.is_ready()
    }

    pub(in crate::app) fn toggle_running(&mut self) {
        if self.is_replayed {
            return;
        }
        self.playing = !self.playing;
        self.pace.restart(self.live.clock());
    }

    pub(in crate::app) fn plants(&self) -> Vec<String> {
        let land = self.live.world().hydrology();
        let niches = land.map_or(&[][..], |land| &land.params().plants);
        niches.iter().map(|niche| niche.name.clone()).collect()
    }

    /// Ends the stroke in progress. Called when the pointer is released.
    pub(in crate::app) fn end_stroke(&mut self) {
        match &mut self.pending_input {
            Some(pending_input) => pending_input.ends = true,
            None => self.stroke = None,
        }
    }

    pub(in crate::app) fn set_parameter(&mut self, key: &str, value: toml::Value) {
        self.refusal = self.live.set(key, value).err().map(|error| error.to_string());
        self.edits += 1;
    }

    pub(in crate::app) fn undo(&mut self) {
        let done = self.history.undo(&mut self.live);
        self.on_state_jump(done.err().map(|error| error.to_string()));
    }

    pub(in crate::app) fn redo(&mut self) {
        let done = self.history.redo(&mut self.live);
        self.on_state_jump(done.err().map(|error| error.to_string()));
    }

    pub(in crate::app) fn undo_redo_availability(&self) -> (bool, bool) {
        (self.history.undo_count() > 0, self.history.redo_count() > 0)
    }

    pub(in crate::app) fn on_state_jump(&mut self, fault: Option<String>) {
        self.fault = fault;
        self.view_history.reset(self.time_scrub.play_time());
        (self.stroke, self.pending_input, self.is_cancelled) = (None, None, false);
        self.edits += 1;
        self.pace.restart(self.live.clock());
    }

    /// Returns the summary of the ledger, which is at most a fraction of a second old.
    pub(in crate::app) fn ledger(&self) -> &LedgerSummary {
        &self.ledger_cache.0
    }

    /// Returns the water depths (m), or the heights of a wave surface (m), in about `count` evenly
    /// spaced cells. Returns an empty vector for side views.
    pub(in crate::app) fn sample_depths(&self, count: usize) -> Vec<f32> {
        let world = self.live.world();
        let field = match (world.flow(), world.get::<WavesWorld>()) {
            (Some(flow), _) => &flow.state().depth,
            (_, Some(world)) => &world.waves.state().height,
            _ => return Vec::new(),
        };
        let stride = (field.as_slice().len() / count.max(1)).max(1);
        field.as_slice().iter().step_by(stride).copied().collect()
    }

    /// Returns the largest distance (m) of a wave surface above or below its level at rest; `None`
    /// for other models.
    pub(in crate::app) fn highest_wave(&self) -> Option<f64> {
        let world = self.live.world();
        let waves = &world.get::<WavesWorld>()?.waves;
        let (low, high) = waves.state().height.min_max()?;
        Some(f64::from(high.max(-low)))
    }

    /// Returns the width and height of the world, in the scene's unit of length.
    pub(in crate::app) fn size(&self) -> [f64; 2] {
        let lattice = self.live.lattice();
        [lattice.width(), lattice.height()]
    }

    pub(in crate::app) fn restore(&mut self, state: &[u8]) -> Result<(), String> {
        self.live.restore(state)?;
        self.time_scrub.clear();
        self.on_state_jump(None);
        Ok(())
    }

    /// Saves the state of the world for undo. Must be called before each edit.
    pub(in crate::app) fn save_undo_point(&mut self) {
        let recorded = self.history.record(&mut self.live).map_err(|error| error.to_string());
        self.record_result(recorded);
        self.has_new_stroke = true;
    }

    pub(in crate::app) fn record_result(&mut self, done: Result<(), String>) {
        if let Err(problem) = done {
            self.fault = Some(problem);
        }
    }
}
