//! [`WorldView`]: the shown world and its actions: run, pause, step, edit, undo, scrub, restart.

use super::books;
use super::canvas::Eye;
use super::goals::Running;
use super::kept::Kept;
use super::pace::Pace;
use super::rewind::{Mark, Rewind};
use super::script::Script;
use super::stroke::{Held, Stroke};
use super::track::Track;
use headwater_scene::library::LibraryScene;
use headwater_scene::live::{EditLog, History, Live};
use headwater_scene::run::{Backend, LedgerSummary, RunError};
use headwater_scene::scene::{Files, Reader};
use headwater_scene::waves::WavesWorld;
use std::path::{Path, PathBuf};
use web_time::Instant;

/// Update interval of the ledger (s). Each update visits all cells.
const BOOKS: f64 = 0.2;

/// Read-back interval of a world on the GPU (s), for the ledger, values at places, bodies and
/// particles.
const LOOKS: f64 = 0.25;

/// The read-back interval is at least this multiple of the duration of a read-back.
const LOOKS_COST: f64 = 20.0;

/// Longer frames count as pauses (s).
const LONGEST: f64 = 1.0;

/// Undo history that a suspended world keeps (bytes).
const ASIDE: usize = 48 << 20;

pub(super) struct Stage {
    pub(super) name: String,
    pub(super) live: Live,
    pub(super) playing: bool,
    pub(super) pace: Pace,
    /// Error that stopped the simulation.
    pub(super) fault: Option<String>,
    /// Why the last tool or parameter change was refused.
    pub(super) refusal: Option<String>,
    pub(super) script: Script,
    pub(super) history: History,
    /// The stroke in progress.
    pub(super) stroke: Option<Stroke>,
    /// The last computed ledger and its time.
    books: (LedgerSummary, Instant),
    /// Time of the last read-back.
    looked: Instant,
    /// Duration of the last read-back (s).
    looking: f64,
    /// Requested single steps that are still to be done.
    steps_wanted: u32,
    /// Tool input that waits until the world is ready.
    pub(super) held: Option<Held>,
    /// True if the stroke in progress is to be undone.
    pub(super) is_cancelled: bool,
    /// Number of edits and backend changes. Cached drawings are outdated when it changes.
    pub(super) edits: u64,
    /// Value of `edits` at the start.
    begun: u64,
    /// True if a new stroke has started since the last check, which invalidates redo.
    pub(super) branched: bool,
    /// Play time in this frame (s).
    pub(super) passed: f64,
    /// True if the world waits for the comparison world.
    pub(super) waits: bool,
    pub(super) rewind: Rewind,
    pub(super) track: Track,
    /// True while the last seconds are replayed; no edits are allowed then.
    pub(super) is_replayed: bool,
    /// The current challenge.
    pub(super) challenge: Option<Running>,
}

impl Stage {
    /// Opens a scene whose files are relative to `directory`, or to the current directory.
    pub(super) fn open(name: &str, text: &str, directory: Option<&Path>) -> Result<Self, RunError> {
        // A scene without files can be shared, so it needs no directory.
        let needs_files = || {
            let read = Reader::default().with_files(&Files::memory()).parse(name, text, &[]);
            read.map_or(true, |scene| !scene.files().is_empty())
        };
        let directory = directory.filter(|_| needs_files()).map(PathBuf::from);
        Self::begin(name, Script { directory, ..Script::new(text) })
    }

    /// Opens a scene of the library, with the playground's overrides.
    pub(super) fn known(known: LibraryScene) -> Result<Self, RunError> {
        let overrides = books::patience(known.name);
        Self::begin(known.name, Script { overrides, ..Script::new(known.text) })
    }

    /// Opens the initial state of a shared world.
    pub(super) fn of_recipe(recipe: &EditLog) -> Result<Self, RunError> {
        let live = recipe.start(None, &Files::memory())?;
        Self::of_live(recipe.name(), Script::new(recipe.text()), live)
    }

    /// Returns a saved state to continue later.
    pub(super) fn keep(&mut self, eye: Option<Eye>) -> Option<Kept> {
        let file = match &self.script.file {
            None if self.script.directory.is_some() => return None,
            file => file.clone(),
        };
        let (name, text) = (self.name.clone(), self.live.edit_log().text().to_owned());
        let (playing, speed) = (self.playing, self.pace.speed);
        let state = self.live.snapshot().ok()?;
        Some(Kept { name, text, file, state, eye, playing, speed })
    }

    pub(super) fn of_kept(kept: Kept) -> Result<Self, String> {
        let Kept { name, text, file, state, playing, speed, .. } = kept;
        let mut script = Script { files: Files::memory(), ..Script::new(&text) };
        if let Some((file, bytes)) = &file {
            script.files = script.files.with(file, bytes);
        }
        script.file = file;
        let mut stage = Self::begin(&name, script).map_err(|error| error.to_string())?;
        stage.live.restore(&state)?;
        stage.arrive(playing, Some(speed));
        Ok(stage)
    }

    /// Returns the recipe of the world; `None` if it depends on local files.
    pub(super) fn recipe(&self) -> Option<EditLog> {
        self.script.is_text_alone().then(|| self.live.edit_log())
    }

    pub(super) fn begin(name: &str, script: Script) -> Result<Self, RunError> {
        let Script { text, files, directory, .. } = &script;
        let live =
            Live::with_options(name, text, &script.overrides(), directory.as_deref(), files)?;
        Self::of_live(name, script, live)
    }

    fn of_live(name: &str, script: Script, live: Live) -> Result<Self, RunError> {
        // Worlds with a clock in seconds run at least in real time.
        let least = if live.scene().hydrology().is_some() { 0.0 } else { 1.0 };
        let pace = Pace::of_scene(live.scene().until(), least);
        Ok(Self {
            name: name.into(),
            books: (live.ledger(), Instant::now()),
            live,
            playing: true,
            pace,
            fault: None,
            refusal: None,
            script,
            history: History::default(),
            stroke: None,
            looked: Instant::now(),
            looking: 0.0,
            steps_wanted: 0,
            held: None,
            is_cancelled: false,
            edits: 0,
            begun: 0,
            branched: false,
            passed: 0.0,
            waits: false,
            rewind: Rewind::default(),
            track: Track::default(),
            is_replayed: false,
            challenge: None,
        })
    }

    /// Restarts the scene at the same speed, optionally with another seed.
    pub(super) fn anew(&self, seed: Option<u32>) -> Result<Self, RunError> {
        let mut script = self.script.clone();
        script.seed = seed.or(script.seed);
        let mut fresh = Self::begin(&self.name, script)?;
        (fresh.playing, fresh.pace.speed) = (self.playing, self.pace.speed);
        fresh.edits = self.edits + 1;
        fresh.begun = fresh.edits;
        fresh.challenge_again(self.challenge.as_ref());
        Ok(fresh)
    }

    /// Returns the unit of brush radii (m; for blocks, cells): the scene's own cell size,
    /// independent of the resolution.
    pub(super) fn brush_cell(&self) -> f64 {
        let lattice = self.live.lattice();
        lattice.dx().max(lattice.dy()) * self.script.brush
    }

    /// Returns true if the world has no steps and no edits.
    pub(super) fn is_untouched(&self) -> bool {
        self.edits == self.begun && self.live.simulation().steps() == 0
    }

    /// Returns true if the world has another seed and no edits.
    pub(super) fn is_passing(&self) -> bool {
        self.script.seed.is_some() && self.edits == self.begun
    }

    /// Returns true if both have the same scene, except for seeds.
    pub(super) fn is_sibling(&self, other: &Self) -> bool {
        self.name == other.name && self.script.text == other.script.text
    }

    /// Prepares the world for suspension: moves it to the CPU and frees memory.
    pub(super) fn put_aside(&mut self) {
        (self.stroke, self.held, self.is_cancelled) = (None, None, false);
        if self.live.backend().is_device() {
            // On failure it continues from the last read-back.
            let _ = self.live.set_backend(&Backend::Cpu);
        }
        self.history.shrink(ASIDE);
        self.rewind.clear();
        self.track = Track::default();
    }

    pub(super) fn take_up(&mut self) {
        self.edits += 1;
        self.looked = Instant::now();
        self.pace.restart(self.live.clock());
    }

    pub(super) fn seed(&self) -> u32 {
        self.script.seed.unwrap_or_else(|| self.live.scene().seed())
    }

    /// Replays a recipe until `enough` returns true. Returns true while there is more to do.
    pub(super) fn follow(
        &mut self,
        recipe: &EditLog,
        enough: &mut dyn FnMut() -> bool,
    ) -> Result<bool, String> {
        let more = recipe.replay(&mut self.live, enough).map_err(|error| error.to_string());
        self.edits += 1;
        more
    }

    /// Resets counters after a world was restored or replayed.
    pub(super) fn arrive(&mut self, playing: bool, speed: Option<f64>) {
        self.playing = playing;
        self.pace.speed = speed.filter(|speed| *speed > 0.0).unwrap_or(self.pace.speed);
        self.begun = self.edits;
        self.books = (self.live.ledger(), Instant::now());
        self.pace.restart(self.live.clock());
    }

    /// Returns a copy of the world in its current state.
    pub(super) fn fork(&mut self) -> Result<Self, String> {
        let state = self.live.snapshot()?;
        let fork = Self::begin(&self.name, self.script.clone());
        let mut fork = fork.map_err(|error| error.to_string())?;
        fork.live.restore(&state)?;
        fork.live.restore_gauge_history(&self.live.gauge_history());
        fork.arrive(false, Some(self.pace.speed));
        Ok(fork)
    }

    pub(super) fn frame(&mut self, seconds: f64) {
        self.pace.note_frame(seconds);
        let mark = self.mark();
        self.rewind.branch(mark);
        let is_here = self.keep_house();
        while self.steps_wanted > 0 && self.live.is_ready() && self.fault.is_none() {
            match self.live.step_batch(self.steps_wanted.into()) {
                Ok(0) => break,
                Ok(done) => self.steps_wanted = self.steps_wanted.saturating_sub(done as u32),
                Err(error) => self.note(Err(error.to_string())),
            }
            self.pace.restart(self.live.clock());
        }
        self.passed = 0.0;
        if !self.playing || self.fault.is_some() {
            return;
        }
        self.passed = seconds;
        if self.waits {
            return self.pace.note_wait();
        }
        self.rewind.note(&mut self.live, seconds.min(LONGEST), is_here);
        let live = &mut self.live;
        let done = self.pace.go(live.clock(), seconds, |goal, enough| {
            live.advance(goal, enough).map(|()| live.clock())
        });
        self.note(done.map_err(|error| error.to_string()));
        self.look_at_challenge();
    }

    /// Advances to the time of another world within a frame's budget. Returns true until the time
    /// is reached.
    pub(super) fn follow_to(&mut self, clock: f64, enough: &mut dyn FnMut() -> bool) -> bool {
        self.keep_house();
        if self.fault.is_none() {
            let done = self.live.advance(clock, enough).map_err(|error| error.to_string());
            self.note(done);
        }
        self.fault.is_none() && !self.is_at(clock)
    }

    /// Reads the world back if due, applies pending tool input, and updates the ledger. Returns
    /// true if the state is current.
    fn keep_house(&mut self) -> bool {
        let mut is_here = !self.live.backend().is_device();
        if self.looked.elapsed().as_secs_f64() > LOOKS.max(LOOKS_COST * self.looking) {
            let begun = Instant::now();
            if self.live.read_back() {
                self.looked = Instant::now();
                self.looking = begun.elapsed().as_secs_f64();
                is_here = true;
            }
        }
        self.go_on_holding();
        if self.books.1.elapsed().as_secs_f64() > BOOKS {
            self.books = (self.live.ledger(), Instant::now());
        }
        is_here
    }

    /// Returns the number of steps and edits.
    pub(super) fn mark(&self) -> Mark {
        (self.live.simulation().steps(), self.edits)
    }

    /// Performs one step, in the next frame in which the world is ready.
    pub(super) fn step(&mut self) {
        if self.is_replayed {
            return;
        }
        self.playing = false;
        self.steps_wanted += 1;
    }

    /// Returns true if a requested action waits for the world.
    pub(super) fn is_waiting(&self) -> bool {
        let wants = self.steps_wanted > 0 || self.held.is_some() || self.is_cancelled;
        wants || self.waits || !self.live.is_ready()
    }

    pub(super) fn toggle(&mut self) {
        if self.is_replayed {
            return;
        }
        self.playing = !self.playing;
        self.pace.restart(self.live.clock());
    }

    pub(super) fn plants(&self) -> Vec<String> {
        let land = self.live.world().hydrology();
        let niches = land.map_or(&[][..], |land| &land.params().plants);
        niches.iter().map(|niche| niche.name.clone()).collect()
    }

    /// Ends the stroke when the pointer is released.
    pub(super) fn end_stroke(&mut self) {
        match &mut self.held {
            Some(held) => held.ends = true,
            None => self.stroke = None,
        }
    }

    pub(super) fn set(&mut self, key: &str, value: toml::Value) {
        self.refusal = self.live.set(key, value).err().map(|error| error.to_string());
        self.edits += 1;
    }

    pub(super) fn undo(&mut self) {
        let done = self.history.undo(&mut self.live);
        self.travelled(done.err().map(|error| error.to_string()));
    }

    pub(super) fn redo(&mut self) {
        let done = self.history.redo(&mut self.live);
        self.travelled(done.err().map(|error| error.to_string()));
    }

    pub(super) fn can_undo_redo(&self) -> (bool, bool) {
        (self.history.undo_count() > 0, self.history.redo_count() > 0)
    }

    pub(super) fn travelled(&mut self, fault: Option<String>) {
        self.fault = fault;
        self.track.leap(self.rewind.played());
        (self.stroke, self.held, self.is_cancelled) = (None, None, false);
        self.edits += 1;
        self.pace.restart(self.live.clock());
    }

    /// Returns the ledger, at most a fraction of a second old.
    pub(super) fn ledger(&self) -> &LedgerSummary {
        &self.books.0
    }

    /// Returns the depths of the water (m), or the heights of a wave surface, in about `count`
    /// cells; empty for side views.
    pub(super) fn samples(&self, count: usize) -> Vec<f32> {
        let world = self.live.world();
        let field = match (world.flow(), world.get::<WavesWorld>()) {
            (Some(flow), _) => &flow.state().depth,
            (_, Some(world)) => &world.waves.state().height,
            _ => return Vec::new(),
        };
        let apart = (field.as_slice().len() / count.max(1)).max(1);
        field.as_slice().iter().step_by(apart).copied().collect()
    }

    /// Returns the largest elevation of a wave surface above or below rest (m).
    pub(super) fn highest_wave(&self) -> Option<f64> {
        let world = self.live.world();
        let waves = &world.get::<WavesWorld>()?.waves;
        let (low, high) = waves.state().height.min_max()?;
        Some(f64::from(high.max(-low)))
    }

    /// Returns the width and height of the world, in the scene's unit of length.
    pub(super) fn size(&self) -> [f64; 2] {
        let lattice = self.live.lattice();
        [lattice.width(), lattice.height()]
    }

    pub(super) fn restore(&mut self, state: &[u8]) -> Result<(), String> {
        self.live.restore(state)?;
        self.rewind.clear();
        self.travelled(None);
        Ok(())
    }

    /// Saves the state for undo before an edit.
    pub(super) fn remember(&mut self) {
        let kept = self.history.record(&mut self.live).map_err(|error| error.to_string());
        self.note(kept);
        self.branched = true;
    }

    pub(super) fn note(&mut self, done: Result<(), String>) {
        if let Err(problem) = done {
            self.fault = Some(problem);
        }
    }
}
