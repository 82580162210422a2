//! The playground as eframe sees it. Panels lie around the canvas; each is a file, and works with what the playground holds,
//! which is [`App`] in `state.rs`. What a frame does is in [`App::ui`], in its order: what came in, keys, time, panels,
//! canvas, and what there is to tell.

mod bar;
mod books;
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
mod state;
mod words;

use crate::status::Status;
#[cfg(not(target_arch = "wasm32"))]
pub use compute::ask_for_compute;
use eframe::egui;
pub use state::App;
use state::Panels;
use web_time::Instant;

/// Windows narrower than this (points) begin without panels at the sides.
const NARROW: f32 = 760.0;

/// How long a press may last that is a click (s), besides the frames that it takes.
const PRESS: f64 = 0.8;

/// Frames that last longer come of something else than drawing (s).
const SLOW: f64 = 3.0;

impl App {
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

    fn publish(&mut self, ctx: &egui::Context) {
        if self.probe.hash_wanted() {
            self.stage.live.read_back();
        }
        let live = &self.stage.live;
        let ledger = self.stage.ledger();
        self.probe.publish(Status {
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
        self.publish(&ctx);
        self.stage.pace.note_work(begun.elapsed().as_secs_f64());
        if self.stage.playing || self.files.wants_frames() {
            ctx.request_repaint();
        }
    }
}
