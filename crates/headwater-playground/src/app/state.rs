//! [`App`]: the state of the playground, and its actions: open scenes, restart, save, import files.

use super::beside::Beside;
use super::books::{self, Book};
use super::canvas::Canvas;
use super::charts;
use super::compute::Compute;
use super::files::{self, Arrival, Files, Wish};
use super::hand::Hand;
use super::hint::Hint;
use super::import::Import;
use super::large::Large;
use super::notice::Notice;
use super::pad::Pad;
use super::panels::Panels;
use super::recording::Recording;
use super::saved_scene::SavedScene;
use super::share::Parcel;
use super::stage::Stage;
use super::trail::{Aside, Trail};
use crate::status::Probe;
use eframe::egui;
use headwater_scene::library::{self, LibraryScene};
use headwater_scene::run::RunError;
use std::collections::BTreeMap;
use std::mem;
use std::path::Path;
#[cfg(target_arch = "wasm32")]
use web_time::Instant;

/// Digging speed when a scene suggests digging (m/s).
const DIG_SPEED: f64 = 8.0;

const FIRST: &str = "dam-breach";

/// An action that runs once the world is available.
pub(super) type Deed = Box<dyn FnOnce(&mut App)>;

/// The playground application.
pub struct App {
    pub(super) probe: Probe,
    pub(super) books: Vec<Book>,
    pub(super) tab: &'static str,
    pub(super) stage: Stage,
    /// Undo history of worlds in this tab.
    trail: Trail,
    /// Worlds and histories of the other tabs.
    tabs: BTreeMap<&'static str, (Aside, Trail)>,
    /// The comparison world.
    pub(super) beside: Option<Beside>,
    pub(super) hand: Hand,
    pub(super) canvas: Canvas,
    pub(super) compute: Compute,
    /// Actions that wait until the world is read back from the GPU.
    pub(super) later: Vec<Deed>,
    pub(super) pad: Pad,
    pub(super) panels: Panels,
    pub(super) files: Files,
    pub(super) hint: Hint,
    /// True if the first pointer is expected to be a finger, according to the platform.
    pub(super) has_finger: bool,
    pub(super) help: bool,
    /// The place whose values are shown.
    pub(super) pinned: Option<[f64; 2]>,
    /// The visible notice.
    pub(super) notice: Option<Notice>,
    /// Time and duration (s) of the last autosave, and the world's steps and edits then.
    #[cfg(target_arch = "wasm32")]
    pub(super) last_kept: Option<(Instant, f64, [u64; 2])>,
    /// A shared world that is being replayed.
    pub(super) replay: Option<Parcel>,
    /// A large world that waits for confirmation.
    pub(super) large: Option<Large>,
    /// A heightmap import that waits for settings.
    pub(super) import: Option<Import>,
    /// An animation that is being recorded.
    pub(super) recording: Option<Recording>,
    pub(super) errors: Vec<String>,
}

impl App {
    /// Opens the playground with the default scene.
    ///
    /// # Errors
    /// [`RunError`] if the library's scene is invalid.
    pub fn new(probe: Probe) -> Result<Self, RunError> {
        Self::with_known(probe, FIRST)
    }

    /// Opens the playground with a scene of the library; an unknown name opens the default scene.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_known(probe: Probe, name: &str) -> Result<Self, RunError> {
        let known = library::scene(name);
        let shown = known.or_else(|| library::scene(FIRST)).unwrap_or(library::SCENES[0]);
        let mut app = Self::showing(probe, Stage::known(shown)?);
        if known.is_none() {
            app.warn(format!(
                "There is no scene `{name}` in the library; the default scene was opened."
            ));
        }
        Ok(app)
    }

    #[cfg(target_arch = "wasm32")]
    pub(crate) fn expect_finger(&mut self) {
        self.has_finger = true;
    }

    /// Opens the playground with a scene text. Its files are relative to `directory`, or to the
    /// current directory.
    ///
    /// # Errors
    /// [`RunError`] if the text is not a valid scene, or its world cannot be created.
    pub fn with_scene(
        probe: Probe,
        name: &str,
        text: &str,
        directory: Option<&Path>,
    ) -> Result<Self, RunError> {
        Ok(Self::showing(probe, Stage::open(name, text, directory)?))
    }

    fn showing(probe: Probe, stage: Stage) -> Self {
        let mut app = Self {
            probe,
            books: books::books(),
            tab: stage.live.scene().model(),
            hint: Hint::of(&stage),
            stage,
            trail: Trail::default(),
            tabs: BTreeMap::new(),
            beside: None,
            hand: Hand::default(),
            canvas: Canvas::default(),
            compute: Compute::default(),
            later: Vec::new(),
            pad: Pad::default(),
            panels: Panels::default(),
            files: Files::default(),
            has_finger: false,
            help: false,
            pinned: None,
            notice: None,
            #[cfg(target_arch = "wasm32")]
            last_kept: None,
            replay: None,
            large: None,
            import: None,
            recording: None,
            errors: Vec::new(),
        };
        app.take_what_is_wanted();
        app
    }

    /// Selects the tool that the scene suggests.
    fn take_what_is_wanted(&mut self) {
        let Some(name) = self.hint.tool() else { return };
        let Some(tool) = self.stage.live.tools().iter().find(|tool| tool.name == name) else {
            return;
        };
        self.hand.take(Some(name));
        // The first dam is 14 m above its lake, so digging through takes about two seconds.
        self.hand.grip(tool).strength = DIG_SPEED;
    }

    /// Switches to a tab: to its suspended world, or to the model's first scene.
    pub(super) fn turn_to(&mut self, model: &'static str) {
        self.when_here(move |app| app.turn_now(model));
    }

    fn turn_now(&mut self, model: &'static str) {
        if self.tab == model {
            return;
        }
        if let Some((world, trail)) = self.tabs.remove(model) {
            let now = self.show_world(world);
            let trail = mem::replace(&mut self.trail, trail);
            self.tabs.insert(self.tab, (now, trail));
            self.tab = model;
        } else if let Some(known) = books::first_of(&self.books, model) {
            self.open_known(known);
        }
    }

    /// Opens the playground with a file: a scene, or a heightmap, whose missing settings are
    /// requested in a dialog.
    ///
    /// # Errors
    /// As [`new`](Self::new). Errors of the file itself are shown in the window.
    pub fn with_file(probe: Probe, name: &str, bytes: &[u8]) -> Result<Self, RunError> {
        let mut app = Self::new(probe)?;
        app.take_file(name, bytes, None);
        Ok(app)
    }

    /// Opens a scene, or shows an error and keeps the current one. Large worlds need confirmation.
    pub(super) fn open(&mut self, name: &str, text: &str, folder: Option<&Path>) {
        self.large = Large::of(name, text, folder);
        if self.large.is_none() {
            self.open_now(name, text, folder);
        }
    }

    pub(super) fn open_now(&mut self, name: &str, text: &str, folder: Option<&Path>) {
        self.show(Stage::open(name, text, folder));
    }

    /// Returns the relief of the ground (m) and the world's width (m) of a flow world, for tests.
    #[must_use]
    pub fn relief(&self) -> Option<(f64, f64)> {
        let world = self.stage.live.world();
        let (low, high) = world.flow()?.state().bed.min_max()?;
        Some((f64::from(high - low), self.stage.size()[0]))
    }

    pub(super) fn open_known(&mut self, known: LibraryScene) {
        self.show(Stage::known(known));
    }

    /// Opens a new world, or shows the error.
    pub(super) fn show(&mut self, made: Result<Stage, RunError>) {
        match made {
            Ok(stage) => self.put_on(stage),
            Err(error) => self.complain(error.to_string()),
        }
    }

    /// Opens a new world in its tab. The current one is kept for undo.
    pub(super) fn put_on(&mut self, stage: Stage) {
        self.when_here(move |app| app.put_on_now(stage));
    }

    pub(super) fn put_on_now(&mut self, stage: Stage) {
        let model = stage.live.scene().model();
        let hint = Hint::of(&stage);
        let mut now = self.show_world(Aside { stage, hint, eye: None, pinned: None, hand: None });
        self.take_what_is_wanted();
        if model != self.tab {
            let kept = self.tabs.remove(model);
            let trail = mem::take(&mut self.trail);
            self.tabs.insert(self.tab, (now, trail));
            self.tab = model;
            let Some((world, trail)) = kept else { return };
            (now, self.trail) = (world, trail);
        }
        if !now.stage.is_untouched() {
            self.trail.leave(now);
        }
    }

    /// Swaps the shown world and returns the previous one.
    fn show_world(&mut self, world: Aside) -> Aside {
        let Aside { mut stage, hint, eye, pinned, hand } = world;
        let was_compared = self.beside.is_some();
        self.end_comparison();
        stage.take_up();
        self.stage.put_aside();
        let before = Aside {
            stage: mem::replace(&mut self.stage, stage),
            hint: mem::replace(&mut self.hint, hint),
            eye: self.canvas.eye(),
            pinned: mem::replace(&mut self.pinned, pinned),
            hand: Some(self.hand.clone()),
        };
        self.canvas.change(eye);
        self.compute.refused = None;
        match hand {
            Some(hand) => self.hand = hand,
            None => self.hand.change(self.stage.live.tools()),
        }
        if !self.stage.allows(self.hand.name()) {
            self.hand.take(None);
        }
        self.notice = None;
        if was_compared {
            self.say("The comparison has ended: its two worlds were those before this one.");
        }
        before
    }

    /// Restarts the world with the same camera, optionally with another seed. Unedited worlds of
    /// intermediate seeds are not kept.
    pub(super) fn begin_again(&mut self, seed: Option<u32>) {
        self.when_here(move |app| app.begin_again_now(seed));
    }

    fn begin_again_now(&mut self, seed: Option<u32>) {
        let fresh = match self.stage.anew(seed) {
            Ok(fresh) => fresh,
            Err(error) => return self.complain(error.to_string()),
        };
        let eye = self.canvas.eye();
        self.stage.put_aside();
        let stage = mem::replace(&mut self.stage, fresh);
        if !(stage.is_untouched() || seed.is_some() && stage.is_passing()) {
            let hint = mem::replace(&mut self.hint, Hint::of(&self.stage));
            let (pinned, hand) = (self.pinned, Some(self.hand.clone()));
            self.trail.leave(Aside { stage, hint, eye, pinned, hand });
        }
        self.canvas.refresh();
        self.follow_beside();
    }

    /// Undoes the last stroke, or returns to the previous world.
    pub(super) fn undo(&mut self) {
        self.when_here(|app| {
            if app.stage.can_undo_redo().0 { app.undo_stroke() } else { app.travel(false) }
        });
    }

    pub(super) fn redo(&mut self) {
        self.when_here(|app| {
            if app.stage.can_undo_redo().1 { app.redo_stroke() } else { app.travel(true) }
        });
    }

    pub(super) fn can_undo_redo(&self) -> (bool, bool) {
        let (strokes, worlds) = (self.stage.can_undo_redo(), self.trail.sides());
        (strokes.0 || worlds.0, strokes.1 || worlds.1)
    }

    fn travel(&mut self, forth: bool) {
        let Some(world) = self.trail.side(forth).pop() else { return };
        let same = world.stage.is_sibling(&self.stage);
        let eye = if same { self.canvas.eye() } else { None };
        let now = self.show_world(Aside { eye: eye.or(world.eye), ..world });
        self.trail.side(!forth).push(now);
    }

    /// Discards redo history after a new action.
    pub(super) fn heed_strokes(&mut self) {
        if mem::take(&mut self.stage.branched) {
            self.trail.branch();
            if let Some(running) = &mut self.stage.challenge {
                // The goal has been read once the player acts.
                running.is_unfolded = false;
            }
        }
    }

    /// Closes dialogs and notices. If there are none, deselects the tool and ends the hint.
    pub(super) fn escape(&mut self) {
        let asked = self.import.take().is_some() | self.large.take().is_some();
        if !asked && self.notice.take().is_none() {
            if self.help || self.panels.sheet.is_some() {
                (self.help, self.panels.sheet) = (false, None);
            } else {
                self.hand.take(None);
                self.hint.end();
            }
        }
    }

    pub(super) fn wish(&mut self, wish: Wish, ctx: &egui::Context) {
        match wish {
            // A file dialog must be opened in the frame of the click.
            Wish::OpenScene | Wish::OpenHeightmap | Wish::OpenState => self.files.ask(wish, ctx),
            _ => {
                let ctx = ctx.clone();
                self.when_here(move |app| app.wish_now(wish, &ctx));
            }
        }
    }

    fn wish_now(&mut self, wish: Wish, ctx: &egui::Context) {
        match wish {
            Wish::OpenScene | Wish::OpenHeightmap | Wish::OpenState => {}
            Wish::SaveScene => {
                let script = &self.stage.script;
                let folder =
                    script.directory.clone().filter(|folder| !folder.as_os_str().is_empty());
                let file = script.file.clone();
                let (name, text) = (format!("{}.toml", self.stage.name), self.stage.live.text());
                self.files.offer_scene(SavedScene { name, text, file, folder }, ctx);
            }
            Wish::SaveState => {
                let state = self.stage.live.snapshot();
                self.offer(wish, ".headwater", state, ctx);
            }
            Wish::Flood => {
                let land = self.stage.land();
                match land.and_then(|land| Stage::of_land(&land).map_err(|e| e.to_string())) {
                    Ok(stage) => self.put_on_now(stage),
                    Err(problem) => self.complain(problem),
                }
            }
            Wish::SaveHeightmap => {
                let map = self.stage.heightmap();
                self.offer(wish, "-ground.png", map, ctx);
            }
            Wish::SaveMesh => self.save_mesh(ctx),
            // Its menu opens a submenu.
            Wish::SaveLayer => {}
            Wish::Record => self.record(ctx),
            Wish::SaveGauges => {
                let table = charts::csv(self.stage.live.readings()).into_bytes();
                self.offer(wish, "-gauges.csv", Ok(table), ctx);
            }
            Wish::Share => self.share(ctx),
            Wish::Screenshot => self.files.photograph(&format!("{}.png", self.stage.name), ctx),
        }
    }

    /// Offers a file named after the world, or shows the error.
    pub(super) fn offer(
        &mut self,
        wish: Wish,
        ending: &str,
        made: Result<Vec<u8>, String>,
        ctx: &egui::Context,
    ) {
        match made {
            Ok(bytes) => {
                self.files.offer(wish, &format!("{}{ending}", self.stage.name), bytes, ctx);
            }
            Err(problem) => self.complain(problem),
        }
    }

    /// Handles files from dialogs and drag and drop.
    pub(super) fn take_in(&mut self, ctx: &egui::Context) {
        self.files.take_dropped(ctx);
        for arrival in self.files.arrivals() {
            match arrival {
                Arrival::File { name, bytes, folder } => {
                    self.take_file(&name, &bytes, folder.as_deref());
                }
                Arrival::Picture { name, bytes } => {
                    self.files.offer(Wish::Screenshot, &name, bytes, ctx);
                }
                Arrival::Saved(words) => self.say(words),
                Arrival::Failed(problem) => self.complain(problem),
            }
        }
    }

    fn take_file(&mut self, name: &str, bytes: &[u8], folder: Option<&Path>) {
        let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
        match ending.to_ascii_lowercase().as_str() {
            "toml" => match std::str::from_utf8(bytes) {
                Ok(text) => self.open(stem, text, folder),
                Err(_) => self.complain(format!("{name}: a scene is a TOML text in UTF-8")),
            },
            files::STATE => {
                let (name, bytes) = (name.to_owned(), bytes.to_vec());
                self.when_here(move |app| match app.stage.restore(&bytes) {
                    Ok(()) => app.follow_beside(),
                    Err(problem) => app.complain(format!("{name}: {problem}")),
                });
            }
            _ => match Import::read(name, bytes.to_vec()) {
                Ok(import) => self.import = Some(import),
                Err(problem) => self.complain(problem),
            },
        }
    }
}
