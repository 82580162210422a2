//! [`App`]: what the playground holds, and what panels and keys have it do: open scenes, begin again, save, take files in.

use super::books::{self, Book};
use super::canvas::Canvas;
#[cfg(not(target_arch = "wasm32"))]
use super::compute::Compute;
use super::files::{self, Arrival, Files, Wish};
use super::hand::Hand;
use super::hint::Hint;
use super::stage::Stage;
use crate::status::Probe;
use eframe::egui;
use headwater_scene::run::RunError;
use std::path::Path;

/// The scene that the playground opens with.
const FIRST: &str = "dam-breach";

/// Which panels are open.
pub(super) struct Panels {
    pub(super) shelf: bool,
    pub(super) inspector: bool,
}

/// The playground.
pub struct App {
    pub(super) probe: Probe,
    pub(super) books: Vec<Book>,
    pub(super) tab: &'static str,
    pub(super) stage: Stage,
    pub(super) hand: Hand,
    pub(super) canvas: Canvas,
    #[cfg(not(target_arch = "wasm32"))]
    pub(super) compute: Compute,
    pub(super) panels: Panels,
    pub(super) files: Files,
    pub(super) hint: Hint,
    pub(super) help: bool,
    /// The place whose values are shown.
    pub(super) pinned: Option<[f64; 2]>,
    /// What is told to whoever looks, until it is closed.
    pub(super) notice: Option<String>,
    pub(super) errors: Vec<String>,
    /// False until the first frame has said how wide the window is.
    pub(super) laid_out: bool,
}

impl App {
    /// The playground with its first scene.
    ///
    /// # Errors
    /// [`RunError`] if the library's scene cannot be used, which its tests would have shown.
    pub fn new(probe: Probe) -> Result<Self, RunError> {
        let text = headwater_scene::library::scene(FIRST).map_or("", |known| known.text);
        Self::with_scene(probe, FIRST, text, None)
    }

    /// The playground with a scene of that name and text, whose files lie in a directory: the current one, if none is
    /// named.
    ///
    /// # Errors
    /// [`RunError`] if the text is no scene, or its world cannot be made.
    pub fn with_scene(
        probe: Probe,
        name: &str,
        text: &str,
        directory: Option<&Path>,
    ) -> Result<Self, RunError> {
        let stage = Stage::open(name, text, directory)?;
        Ok(Self {
            probe,
            books: books::books(),
            tab: stage.live.scene().model(),
            hint: Hint::of(&stage),
            stage,
            hand: Hand::default(),
            canvas: Canvas::default(),
            #[cfg(not(target_arch = "wasm32"))]
            compute: Compute::default(),
            panels: Panels { shelf: true, inspector: true },
            files: Files::default(),
            help: false,
            pinned: None,
            notice: None,
            errors: Vec::new(),
            laid_out: false,
        })
    }

    /// Opens the first scene of a tab, unless that is open already.
    pub(super) fn turn_to(&mut self, model: &'static str) {
        if self.tab == model {
            return;
        }
        if let Some(known) = books::first_of(&self.books, model) {
            self.open(known.name, known.text);
        }
    }

    /// Opens a scene; if it cannot be used, says why and stays with the one that is open.
    pub(super) fn open(&mut self, name: &str, text: &str) {
        match Stage::open(name, text, None) {
            Ok(stage) => self.put_on(stage),
            Err(error) => self.complain(error.to_string()),
        }
    }

    fn put_on(&mut self, stage: Stage) {
        self.tab = stage.live.scene().model();
        self.hint = Hint::of(&stage);
        self.stage = stage;
        self.hand.change(self.stage.live.tools());
        self.canvas.change();
        #[cfg(not(target_arch = "wasm32"))]
        self.compute.change();
        (self.pinned, self.notice) = (None, None);
    }

    pub(super) fn reset(&mut self) {
        self.stage.reset();
        self.canvas.refresh();
    }

    pub(super) fn reseed(&mut self, seed: u32) {
        self.stage.reseed(seed);
        self.canvas.refresh();
    }

    pub(super) fn complain(&mut self, problem: String) {
        self.errors.push(problem.clone());
        self.notice = Some(problem);
    }

    /// Does what the file menu offers.
    pub(super) fn wish(&mut self, wish: Wish, ctx: &egui::Context) {
        match wish {
            Wish::OpenScene | Wish::OpenHeightmap | Wish::OpenState => self.files.ask(wish, ctx),
            Wish::SaveScene => {
                let text = self.stage.live.text().into_bytes();
                self.files.offer(wish, &format!("{}.toml", self.stage.name), text, ctx);
            }
            Wish::SaveState => match self.stage.snapshot() {
                Ok(state) => {
                    let name = format!("{}.{}", self.stage.name, files::STATE);
                    self.files.offer(wish, &name, state, ctx);
                }
                Err(problem) => self.complain(problem),
            },
            Wish::Screenshot => self.files.photograph(&format!("{}.png", self.stage.name), ctx),
        }
    }

    /// Takes in what dialogs and droppings have brought.
    pub(super) fn take_in(&mut self, ctx: &egui::Context) {
        self.files.take_dropped(ctx);
        for arrival in self.files.arrivals() {
            match arrival {
                Arrival::File { name, bytes } => self.take_file(&name, &bytes),
                Arrival::Picture { name, bytes } => {
                    self.files.offer(Wish::Screenshot, &name, bytes, ctx);
                }
                Arrival::Saved(name) => self.notice = Some(format!("saved {name}")),
                Arrival::Failed(problem) => self.complain(problem),
            }
        }
    }

    fn take_file(&mut self, name: &str, bytes: &[u8]) {
        let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
        match ending.to_ascii_lowercase().as_str() {
            "toml" => match std::str::from_utf8(bytes) {
                Ok(text) => self.open(stem, text),
                Err(_) => self.complain(format!("{name}: a scene is a TOML text in UTF-8")),
            },
            files::STATE => {
                if let Err(problem) = self.stage.restore(bytes) {
                    self.complain(format!("{name}: {problem}"));
                }
            }
            _ => match Stage::of_heightmap(name, bytes) {
                Ok(stage) => self.put_on(stage),
                Err(error) => self.complain(error.to_string()),
            },
        }
    }
}
