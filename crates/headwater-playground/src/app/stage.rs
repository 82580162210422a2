//! [`Stage`]: the world on show, and what is done with it: run, pause, step, edit, undo, begin again.

use super::hand::Grip;
use super::pace::Pace;
use headwater_scene::library;
use headwater_scene::live::{Dab, History, Live, Tool};
use headwater_scene::run::{LedgerSummary, RunError};
use headwater_scene::scene::Files;
use std::path::{Path, PathBuf};
use web_time::Instant;

/// How long books are shown before they are made up again (s): that takes a look at every cell.
const BOOKS: f64 = 0.2;

/// A world that is stepped elsewhere is brought back after so many seconds: for the books, values at places, and whatever
/// floats and drifts.
const LOOKS: f64 = 0.25;

/// The library's scene for one's own terrain.
const OWN_TERRAIN: &str = "your-terrain";

/// What a world was opened from.
#[derive(Clone)]
struct Script {
    text: String,
    /// Keys and values in place of the text's.
    overrides: Vec<(String, String)>,
    files: Files,
    /// What the paths in it are relative to, if not the current directory.
    directory: Option<PathBuf>,
    /// The seed in place of the text's.
    seed: Option<u32>,
}

impl Script {
    fn new(text: &str) -> Self {
        Self {
            text: text.into(),
            overrides: Vec::new(),
            files: Files::disk(),
            directory: None,
            seed: None,
        }
    }

    fn overrides(&self) -> Vec<(String, String)> {
        let seed = self.seed.map(|seed| ("seed".to_owned(), seed.to_string()));
        self.overrides.iter().cloned().chain(seed).collect()
    }
}

/// A stroke with a tool, from when the mouse goes down.
#[derive(Clone, Copy, Debug)]
struct Stroke {
    /// Where the last dab was.
    last: [f64; 2],
    /// The height that was under the first (m).
    level: Option<f64>,
    /// Time held since the last dab (s).
    held: f64,
}

/// Dabs are not closer in time than this (s), so that scenes stay short.
const DABS: f64 = 0.05;

/// The world on show.
pub(super) struct Stage {
    /// The scene's name.
    pub(super) name: String,
    /// The world.
    pub(super) live: Live,
    /// Whether time passes.
    pub(super) playing: bool,
    /// How fast it passes.
    pub(super) pace: Pace,
    /// Why it cannot go on.
    pub(super) fault: Option<String>,
    /// Why the last touch of a tool, or the last change of a parameter, was refused.
    pub(super) refusal: Option<String>,
    script: Script,
    history: History,
    /// What lasts as long as the mouse is down with a tool.
    stroke: Option<Stroke>,
    /// The books as they were made up last, and when.
    books: (LedgerSummary, Instant),
    /// When the world was brought back last from where it is stepped.
    looked: Instant,
    /// Counts what was done to the world by hand, and where it is stepped: a picture that is kept may be out of date after it.
    pub(super) edits: u64,
}

impl Stage {
    /// Opens a scene whose files lie in a directory: the current one, if none is named.
    pub(super) fn open(name: &str, text: &str, directory: Option<&Path>) -> Result<Self, RunError> {
        Self::begin(name, Script { directory: directory.map(PathBuf::from), ..Script::new(text) })
    }

    /// Opens the library's scene for one's own terrain on a heightmap, of that file's name and contents.
    pub(super) fn of_heightmap(file: &str, bytes: &[u8]) -> Result<Self, RunError> {
        let text = library::scene(OWN_TERRAIN).map_or("", |known| known.text);
        let name = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        let files = Files::disk().with(file, bytes);
        let overrides = vec![("terrain.file".to_owned(), file.to_owned())];
        Self::begin(name, Script { files, overrides, ..Script::new(text) })
    }

    fn begin(name: &str, script: Script) -> Result<Self, RunError> {
        let Script { text, files, directory, .. } = &script;
        let live = Live::with(name, text, &script.overrides(), directory.as_deref(), files)?;
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
            edits: 0,
        })
    }

    /// Begins again, with the same speed.
    pub(super) fn reset(&mut self) {
        match Self::begin(&self.name, self.script.clone()) {
            Ok(fresh) => {
                let (playing, speed, edits) = (self.playing, self.pace.speed, self.edits + 1);
                *self = fresh;
                (self.playing, self.pace.speed, self.edits) = (playing, speed, edits);
            }
            Err(error) => self.fault = Some(error.to_string()),
        }
    }

    /// Begins again with another seed.
    pub(super) fn reseed(&mut self, seed: u32) {
        self.script.seed = Some(seed);
        self.reset();
    }

    /// The seed of its random numbers.
    pub(super) fn seed(&self) -> u32 {
        self.script.seed.unwrap_or_else(|| self.live.scene().seed())
    }

    /// Lets a frame's time pass.
    pub(super) fn frame(&mut self, seconds: f64) {
        self.pace.note_frame(seconds);
        if self.looked.elapsed().as_secs_f64() > LOOKS {
            self.live.read_back();
            self.looked = Instant::now();
        }
        if self.books.1.elapsed().as_secs_f64() > BOOKS {
            self.books = (self.live.ledger(), Instant::now());
        }
        if !self.playing || self.fault.is_some() {
            return;
        }
        let live = &mut self.live;
        let done = self.pace.go(live.clock(), seconds, |goal, enough| {
            live.advance(goal, enough).map(|()| live.clock())
        });
        self.note(done.map_err(|error| error.to_string()));
    }

    /// Does one step.
    pub(super) fn step(&mut self) {
        self.playing = false;
        let done = self.live.step().map_err(|error| error.to_string());
        self.note(done);
        self.pace.restart(self.live.clock());
    }

    /// Runs or pauses.
    pub(super) fn toggle(&mut self) {
        self.playing = !self.playing;
        self.pace.restart(self.live.clock());
    }

    /// The mouse is down with a tool at a place, since the last frame of so many seconds. A stroke is undone as one.
    pub(super) fn hold(&mut self, tool: &Tool, at: [f64; 2], grip: Grip, seconds: f64) {
        let first = self.stroke.is_none();
        if first {
            let kept = self.history.before(&mut self.live).map_err(|error| error.to_string());
            self.note(kept);
        }
        let mut stroke = self.stroke.take().unwrap_or_else(|| {
            let level = tool.levels.then(|| self.ground_at(at)).flatten();
            Stroke { last: at, level, held: 0.0 }
        });
        stroke.held += seconds;
        let due = first || tool.lasts && stroke.held >= DABS;
        if due {
            let lattice = self.live.lattice();
            let dab = Dab {
                from: stroke.last,
                radius: grip.radius * lattice.dx().max(lattice.dy()),
                strength: grip.strength,
                seconds: if tool.lasts { stroke.held } else { 1.0 },
                level: stroke.level,
                plant: self.plants().get(grip.kind).cloned(),
                ..Dab::at(at)
            };
            self.refusal = self.live.dab(tool, &dab).err().map(|error| error.to_string());
            self.edits += 1;
            (stroke.last, stroke.held) = (at, 0.0);
        }
        self.stroke = Some(stroke);
    }

    /// The kinds of plants that grow in the world.
    pub(super) fn plants(&self) -> Vec<String> {
        let land = self.live.world().hydrology();
        let niches = land.map_or(&[][..], |land| &land.params().plants);
        niches.iter().map(|niche| niche.name.clone()).collect()
    }

    /// The height of the ground at a place (m), where there is one.
    fn ground_at(&self, at: [f64; 2]) -> Option<f64> {
        self.live.probe(at).into_iter().find(|value| value.name == "bed").map(|value| value.value)
    }

    /// The mouse is up again.
    pub(super) fn end_stroke(&mut self) {
        self.stroke = None;
    }

    /// Changes a parameter of the world.
    pub(super) fn set(&mut self, key: &str, value: toml::Value) {
        self.refusal = self.live.set(key, value).err().map(|error| error.to_string());
        self.edits += 1;
    }

    /// Takes the last stroke back.
    pub(super) fn undo(&mut self) {
        let done = self.history.undo(&mut self.live);
        self.travelled(done.err().map(|error| error.to_string()));
    }

    /// Does it again.
    pub(super) fn redo(&mut self) {
        let done = self.history.redo(&mut self.live);
        self.travelled(done.err().map(|error| error.to_string()));
    }

    /// Whether there is something to undo, and to redo.
    pub(super) fn can_undo_redo(&self) -> (bool, bool) {
        (self.history.undos() > 0, self.history.redos() > 0)
    }

    fn travelled(&mut self, fault: Option<String>) {
        self.fault = fault;
        self.stroke = None;
        self.edits += 1;
        self.pace.restart(self.live.clock());
    }

    /// The books, not older than a blink.
    pub(super) fn ledger(&self) -> &LedgerSummary {
        &self.books.0
    }

    /// How far the world reaches to the east and to the south, in the scene's unit of length.
    pub(super) fn size(&self) -> [f64; 2] {
        let lattice = self.live.lattice();
        [lattice.width(), lattice.height()]
    }

    /// The state in bytes.
    pub(super) fn snapshot(&mut self) -> Result<Vec<u8>, String> {
        self.live.snapshot()
    }

    /// Goes on from a state of this scene.
    pub(super) fn restore(&mut self, state: &[u8]) -> Result<(), String> {
        self.live.restore(state)?;
        self.travelled(None);
        Ok(())
    }

    fn note(&mut self, done: Result<(), String>) {
        if let Err(problem) = done {
            self.fault = Some(problem);
        }
    }
}
