//! [`App`]: the playground as eframe sees it. Panels lie around the canvas; each is a file. What a frame does is in
//! [`App::ui`], in its order: what came in, keys, time, panels, canvas, and what there is to tell.

mod bar;
mod canvas;
#[cfg(not(target_arch = "wasm32"))]
mod compute;
mod files;
mod gauges;
mod hand;
mod help;
mod hint;
mod inspector;
mod keys;
mod pace;
mod playback;
mod shelf;
mod stage;
mod words;

use crate::told::{Probe, Told};
use canvas::Canvas;
#[cfg(not(target_arch = "wasm32"))]
pub use compute::ask_for_compute;
use eframe::egui;
use files::{Arrival, Files, Wish};
use hand::Hand;
use headwater_scene::run::RunError;
use hint::Hint;
use shelf::Book;
use stage::Stage;
use std::path::Path;
use web_time::Instant;

/// The scene that the playground opens with.
const FIRST: &str = "dam-breach";

/// Windows narrower than this (points) begin without panels at the sides.
const NARROW: f32 = 760.0;

/// Which panels are open.
struct Panels {
    shelf: bool,
    inspector: bool,
}

/// The playground.
pub struct App {
    probe: Probe,
    books: Vec<Book>,
    tab: &'static str,
    stage: Stage,
    hand: Hand,
    canvas: Canvas,
    #[cfg(not(target_arch = "wasm32"))]
    compute: compute::Compute,
    panels: Panels,
    files: Files,
    hint: Hint,
    help: bool,
    /// The place whose values are shown.
    pinned: Option<[f64; 2]>,
    /// What is told to whoever looks, until it is closed.
    notice: Option<String>,
    errors: Vec<String>,
    /// False until the first frame has said how wide the window is.
    laid_out: bool,
}

/// How long a press may last that is a click (s), besides the frames that it takes.
const PRESS: f64 = 0.8;

/// Frames that last longer come of something else than drawing (s).
const SLOW: f64 = 3.0;

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
            books: shelf::books(),
            tab: stage.live.scene().model(),
            hint: Hint::of(&stage),
            stage,
            hand: Hand::default(),
            canvas: Canvas::default(),
            #[cfg(not(target_arch = "wasm32"))]
            compute: compute::Compute::default(),
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
    fn turn_to(&mut self, model: &'static str) {
        if self.tab == model {
            return;
        }
        if let Some(known) = shelf::first_of(&self.books, model) {
            self.open(known.name, known.text);
        }
    }

    /// Opens a scene; if it cannot be used, says why and stays with the one that is open.
    fn open(&mut self, name: &str, text: &str) {
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

    fn reset(&mut self) {
        self.stage.reset();
        self.canvas.refresh();
    }

    fn reseed(&mut self, seed: u32) {
        self.stage.reseed(seed);
        self.canvas.refresh();
    }

    fn complain(&mut self, problem: String) {
        self.errors.push(problem.clone());
        self.notice = Some(problem);
    }

    /// Does what the file menu offers.
    fn wish(&mut self, wish: Wish, ctx: &egui::Context) {
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
    fn take_in(&mut self, ctx: &egui::Context) {
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

    fn panels(&mut self, ui: &mut egui::Ui) {
        if !self.laid_out {
            let wide = ui.available_width() >= NARROW;
            self.panels = Panels { shelf: wide, inspector: wide };
            self.laid_out = true;
        }
        egui::Panel::top("bar").show(ui, |ui| bar::show(ui, self));
        egui::Panel::bottom("playback").show(ui, |ui| playback::show(ui, self));
        if self.panels.shelf {
            egui::Panel::left("shelf").default_size(190.0).show(ui, |ui| shelf::show(ui, self));
        }
        if self.panels.inspector {
            let panel = egui::Panel::right("inspector").default_size(250.0);
            panel.show(ui, |ui| inspector::show(ui, self));
        }
    }

    fn world(&mut self, ui: &mut egui::Ui, render: Option<&eframe::egui_wgpu::RenderState>) {
        let frame = egui::Frame::new().fill(ui.visuals().extreme_bg_color);
        egui::CentralPanel::default().frame(frame).show(ui, |ui| {
            let Self { canvas, stage, hand, pinned, .. } = self;
            let (rect, clicked) = canvas.show(ui, stage, hand, render, *pinned);
            self.probe.rect("canvas", rect);
            self.pinned = clicked.or(self.pinned);
            let at =
                self.hint.place.and_then(|place| self.canvas.project(rect, place, &self.stage));
            self.hint.show(ui, rect, at, &self.stage, &self.probe);
            self.tell_faults(ui, rect);
        });
    }

    /// Shows what went wrong, or well, over the canvas.
    fn tell_faults(&mut self, ui: &egui::Ui, rect: egui::Rect) {
        if let Some(fault) = self.stage.fault.take() {
            self.stage.playing = false;
            self.complain(fault);
        }
        if let Some(refusal) = &self.stage.refusal {
            refused(ui, rect, refusal);
        }
        let Some(notice) = &self.notice else { return };
        let mut closed = false;
        egui::Area::new(egui::Id::unique("notice"))
            .fixed_pos(rect.left_top() + egui::vec2(10.0, 10.0))
            .show(ui.ctx(), |ui| {
                egui::Frame::popup(ui.style()).show(ui, |ui| {
                    ui.set_max_width(rect.width() * 0.7);
                    ui.label(notice);
                    closed = ui.button("Close").clicked();
                });
            });
        if closed {
            self.notice = None;
        }
    }

    fn tell(&mut self, ctx: &egui::Context) {
        if self.probe.hash_wanted() {
            self.stage.live.gather();
        }
        let live = &self.stage.live;
        let ledger = self.stage.ledger();
        self.probe.tell(Told {
            tab: self.tab.into(),
            scene: self.stage.name.clone(),
            hash: self.probe.hash_wanted().then(|| format!("{:016x}", live.state_hash())),
            residual: ledger.residual,
            volume: ledger.now,
            time: live.clock(),
            steps: live.simulation().steps(),
            running: self.stage.playing,
            backend: live.backend().name(),
            frame_ms: 1e3 * self.stage.pace.frame,
            tool: self.hand.name().into(),
            errors: self.errors.clone(),
            zoom: ctx.zoom_factor(),
        });
    }
}

/// Says at the foot of the canvas why a tool did nothing.
fn refused(ui: &egui::Ui, rect: egui::Rect, refusal: &str) {
    let painter = ui.painter().with_clip_rect(rect);
    let (font, color) = (egui::FontId::proportional(13.0), ui.visuals().warn_fg_color);
    let galley = painter.layout(refusal.to_owned(), font, color, rect.width() * 0.8);
    let middle = egui::pos2(rect.center().x, rect.bottom() - 16.0 - galley.size().y * 0.5);
    let place = egui::Align2::CENTER_CENTER.anchor_size(middle, galley.size());
    painter.rect_filled(place.expand(6.0), 6.0, egui::Color32::from_black_alpha(200));
    painter.galley(place.min, galley, color);
}

/// Lets a click be one that begins in one frame and ends in another, where frames take as long as a press may.
fn allow_clicks(ctx: &egui::Context) {
    let frame = f64::from(ctx.input(|input| input.unstable_dt)).min(SLOW);
    ctx.options_mut(|options| options.input_options.max_click_duration = PRESS + 3.0 * frame);
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut egui::Ui, frame: &mut eframe::Frame) {
        let begun = Instant::now();
        let ctx = ui.ctx().clone();
        allow_clicks(&ctx);
        self.take_in(&ctx);
        keys::read(&ctx, self);
        #[cfg(not(target_arch = "wasm32"))]
        if let Some(problem) = self.compute.frame(frame.wgpu_render_state(), &mut self.stage) {
            self.complain(problem);
        }
        self.stage.frame(f64::from(ctx.input(|input| input.stable_dt)));
        self.panels(ui);
        self.world(ui, frame.wgpu_render_state());
        help::show(&ctx, &mut self.help);
        self.tell(&ctx);
        self.stage.pace.note_work(begun.elapsed().as_secs_f64());
        if self.stage.playing || self.files.wants_frames() {
            ctx.request_repaint();
        }
    }
}
