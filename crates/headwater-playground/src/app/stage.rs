//! [`Stage`]: the world on show, and what is done with it: run, pause, step, edit, undo, go back in time, begin again.

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

/// How long books are shown before they are made up again (s): that takes a look at every cell.
const BOOKS: f64 = 0.2;

/// A world that is stepped elsewhere is brought back after so many seconds: for the books, values at places, and whatever
/// floats and drifts.
const LOOKS: f64 = 0.25;

/// It is brought back the more seldom the longer that takes: so many times as long lies between.
const LOOKS_COST: f64 = 20.0;

/// Frames that last longer are pauses, not play (s).
const LONGEST: f64 = 1.0;

/// A world that is put aside keeps so many bytes of what was done to it, to be undone.
const ASIDE: usize = 48 << 20;

pub(super) struct Stage {
    pub(super) name: String,
    pub(super) live: Live,
    pub(super) playing: bool,
    pub(super) pace: Pace,
    /// Why it cannot go on.
    pub(super) fault: Option<String>,
    /// Why the last touch of a tool, or the last change of a parameter, was refused.
    pub(super) refusal: Option<String>,
    pub(super) script: Script,
    pub(super) history: History,
    /// What lasts as long as the mouse is down with a tool.
    pub(super) stroke: Option<Stroke>,
    /// The books as they were made up last, and when.
    books: (LedgerSummary, Instant),
    /// When the world was brought back last from where it is stepped.
    looked: Instant,
    /// How long that took (s).
    looking: f64,
    /// Steps that were asked for one by one and are not done.
    steps_wanted: u32,
    /// What a hand does as long as the world is not ready for it.
    pub(super) held: Option<Held>,
    /// Whether the stroke that is drawn is to be taken back.
    pub(super) is_cancelled: bool,
    /// Counts what was done to the world by hand, and where it is stepped: a picture that is kept may be out of date after it.
    pub(super) edits: u64,
    /// What that was when it began.
    begun: u64,
    /// Whether a stroke has begun since somebody asked: what was undone before cannot be redone.
    pub(super) branched: bool,
    /// Time of play that passes in this frame (s).
    pub(super) passed: f64,
    /// Whether time has to wait for the world beside it.
    pub(super) waits: bool,
    pub(super) rewind: Rewind,
    pub(super) track: Track,
    /// Whether the last seconds are shown again: nobody may touch it.
    pub(super) is_replayed: bool,
    /// What somebody has taken on to do in it.
    pub(super) challenge: Option<Running>,
}

impl Stage {
    /// Opens a scene whose files lie in a directory: the current one, if none is named.
    pub(super) fn open(name: &str, text: &str, directory: Option<&Path>) -> Result<Self, RunError> {
        // One that names no files can be sent, wherever it came from.
        let needs_files = || {
            let read = Reader::default().with_files(&Files::held_only()).parse(name, text, &[]);
            read.map_or(true, |scene| !scene.files().is_empty())
        };
        let directory = directory.filter(|_| needs_files()).map(PathBuf::from);
        Self::begin(name, Script { directory, ..Script::new(text) })
    }

    /// Opens a scene of the library, some of which wait here for a hand.
    pub(super) fn known(known: LibraryScene) -> Result<Self, RunError> {
        let overrides = books::patience(known.name);
        Self::begin(known.name, Script { overrides, ..Script::new(known.text) })
    }

    /// Opens a world that was sent, at its beginning.
    pub(super) fn of_recipe(recipe: &EditLog) -> Result<Self, RunError> {
        let live = recipe.start(None, &Files::held_only())?;
        Self::of_live(recipe.name(), Script::new(recipe.text()), live)
    }

    /// The world, to go on with later.
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
        let mut script = Script { files: Files::held_only(), ..Script::new(&text) };
        if let Some((file, bytes)) = &file {
            script.files = script.files.with(file, bytes);
        }
        script.file = file;
        let mut stage = Self::begin(&name, script).map_err(|error| error.to_string())?;
        stage.live.restore(&state)?;
        stage.arrive(playing, Some(speed));
        Ok(stage)
    }

    /// How the world came to be; none if it needs files that are nowhere else.
    pub(super) fn recipe(&self) -> Option<EditLog> {
        self.script.is_text_alone().then(|| self.live.edit_log())
    }

    pub(super) fn begin(name: &str, script: Script) -> Result<Self, RunError> {
        let Script { text, files, directory, .. } = &script;
        let live = Live::with(name, text, &script.overrides(), directory.as_deref(), files)?;
        Self::of_live(name, script, live)
    }

    fn of_live(name: &str, script: Script, live: Live) -> Result<Self, RunError> {
        // A world whose clock counts seconds goes at least as fast as ours.
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

    /// The same scene from its beginning, as fast, with another seed if one is given.
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

    /// What brushes count their radius in (m; of blocks, cells): the scene's own cells, however fine the world's are.
    pub(super) fn brush_cell(&self) -> f64 {
        let lattice = self.live.lattice();
        lattice.dx().max(lattice.dy()) * self.script.brush
    }

    /// Whether nothing would be lost with it: it has just begun.
    pub(super) fn is_untouched(&self) -> bool {
        self.edits == self.begun && self.live.simulation().steps() == 0
    }

    /// Whether it came by another seed, and nothing was done to it.
    pub(super) fn is_passing(&self) -> bool {
        self.script.seed.is_some() && self.edits == self.begun
    }

    /// Whether it is the same scene as another's, but for seeds.
    pub(super) fn is_sibling(&self, other: &Self) -> bool {
        self.name == other.name && self.script.text == other.script.text
    }

    /// Gets ready to be put aside: on the CPU, in less memory.
    pub(super) fn put_aside(&mut self) {
        (self.stroke, self.held, self.is_cancelled) = (None, None, false);
        if self.live.backend().is_device() {
            // Where that fails, it goes on as it was brought back last.
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

    /// Does again what a recipe tells, of which this world began, until it is enough; true as long as there is more to do.
    pub(super) fn follow(
        &mut self,
        recipe: &EditLog,
        enough: &mut dyn FnMut() -> bool,
    ) -> Result<bool, String> {
        let more = recipe.replay(&mut self.live, enough).map_err(|error| error.to_string());
        self.edits += 1;
        more
    }

    /// Has been made again.
    pub(super) fn arrive(&mut self, playing: bool, speed: Option<f64>) {
        self.playing = playing;
        self.pace.speed = speed.filter(|speed| *speed > 0.0).unwrap_or(self.pace.speed);
        self.begun = self.edits;
        self.books = (self.live.ledger(), Instant::now());
        self.pace.restart(self.live.clock());
    }

    /// The world as it is now, once more.
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

    /// Lets it come to the time of another world, if there is enough time for that in this frame; true as long as it is not there.
    pub(super) fn follow_to(&mut self, clock: f64, enough: &mut dyn FnMut() -> bool) -> bool {
        self.keep_house();
        if self.fault.is_none() {
            let done = self.live.advance(clock, enough).map_err(|error| error.to_string());
            self.note(done);
        }
        self.fault.is_none() && !self.is_at(clock)
    }

    /// Brings the world back now and then, does what hands do to it, makes up the books; whether it is here.
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

    /// How far it is, and what was done to it.
    pub(super) fn mark(&self) -> Mark {
        (self.live.simulation().steps(), self.edits)
    }

    /// Does one step, in the next frame in which the world is ready for it.
    pub(super) fn step(&mut self) {
        if self.is_replayed {
            return;
        }
        self.playing = false;
        self.steps_wanted += 1;
    }

    /// Whether something was asked for that waits for the world.
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

    /// The mouse is up again.
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

    /// The books, not older than a blink.
    pub(super) fn ledger(&self) -> &LedgerSummary {
        &self.books.0
    }

    /// The depth of the water (m), or of a rippling surface its height, in about as many cells; nothing of worlds in side view.
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

    /// How far the surface is from rest where it is farthest (m), of a rippling one.
    pub(super) fn highest_wave(&self) -> Option<f64> {
        let world = self.live.world();
        let waves = &world.get::<WavesWorld>()?.waves;
        let (low, high) = waves.state().height.min_max()?;
        Some(f64::from(high.max(-low)))
    }

    /// How far the world reaches to the east and to the south, in the scene's unit of length.
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

    /// Keeps the state to be undone to, before something is done by hand.
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
