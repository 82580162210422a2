//! The eframe application. Each panel around the canvas is a file; the state they share is [`App`]
//! in `state.rs`. The order of a frame is in [`App::ui`]: file arrivals, keys, time, panels,
//! canvas, and the published status.

#[cfg(not(target_arch = "wasm32"))]
mod asking;
mod bar;
mod beside;
mod books;
mod canvas;
mod challenge;
mod charts;
mod compare;
mod comparing;
mod compute;
mod export;
mod files;
#[cfg(not(target_arch = "wasm32"))]
mod gif_file;
mod goals;
mod ground;
mod hand;
mod help;
mod hint;
mod holding;
mod icons;
mod import;
mod inspector;
mod kept;
mod keys;
mod large;
mod later;
mod layout;
mod notice;
mod numbers;
mod onward;
mod pace;
mod pad;
mod panels;
mod past;
mod playback;
#[cfg(test)]
mod played;
mod questions;
mod record;
mod recording;
mod rewind;
mod saved_scene;
mod script;
mod send;
mod share;
mod shelf;
mod size;
mod slider;
mod stage;
mod state;
mod steer;
mod stroke;
mod telling;
mod track;
mod trail;
mod visits;
mod weather;
mod widgets;

use crate::status::{self, SAMPLES, Status};
use beside::Beside;
use compute::Word;
pub use compute::ask_for_compute;
use eframe::egui;
use eframe::egui_wgpu::RenderState;
pub use state::App;
use web_time::Instant;
pub use widgets::dress;

/// Longest click (s), in addition to frame durations.
const PRESS: f64 = 0.8;

/// Longer frames are pauses, not rendering (s).
const SLOW: f64 = 3.0;

impl App {
    fn world(&mut self, ui: &mut egui::Ui, render: Option<&RenderState>) {
        let frame = egui::Frame::new().fill(ui.visuals().extreme_bg_color);
        egui::CentralPanel::default().frame(frame).show(ui, |ui| {
            let all = ui.available_rect_before_wrap();
            let rect = self.worlds(ui, all, render);
            self.heed_strokes();
            let at =
                self.hint.place.and_then(|place| self.canvas.project(rect, place, &self.stage));
            // An animation shows only the world.
            if self.recording.is_none() {
                let has_finger = self.has_finger || ui.input(egui::InputState::has_touch_screen);
                // At ground level the pointer looks around instead.
                if !self.canvas.is_walking() {
                    self.hint.show(ui, rect, at, &self.stage, has_finger, &self.probe);
                }
                self.tell_faults(ui, all);
                layout::view_buttons(ui, all, self);
                challenge::banner(ui, all, self);
            }
        });
    }

    /// Draws the world, or two for a comparison, and applies input on either canvas to both.
    /// Returns the first canvas.
    fn worlds(
        &mut self,
        ui: &mut egui::Ui,
        all: egui::Rect,
        render: Option<&RenderState>,
    ) -> egui::Rect {
        let Self { canvas, stage, hand, pinned, beside, pad, .. } = self;
        let [first, second] = compare::halves(all);
        let rect = if beside.is_some() { first } else { all };
        let mut hands = canvas.heed(ui, rect, stage, hand, render);
        let mut leads_there = false;
        if let Some(beside) = beside {
            let there = beside.canvas.heed(ui, second, &beside.stage, hand, render);
            leads_there = there.leads;
            hands = hands.or(there);
        }
        if pad.is_there() {
            hands = hands.or(canvas.hands_in_the_middle(rect, stage, pad.draws(), pad.ends()));
        }
        let tool = hand.tool(stage.live.tools()).filter(|_| !stage.is_replayed);
        let tool = tool.map(|tool| (tool, *hand.grip(tool)));
        stage.touch(tool, &hands);
        let radius = tool.map(|(_, grip)| grip.radius * stage.brush_cell());
        let marks = hands.marks(radius, *pinned);
        if let Some(Beside { stage: twin, canvas: other, key, .. }) = beside {
            twin.touch(tool, &hands);
            other.dress_as(canvas);
            if leads_there {
                other.paint(ui, second, twin, marks);
                canvas.look_as(other);
                canvas.paint(ui, rect, stage, marks);
            } else {
                canvas.paint(ui, rect, stage, marks);
                other.look_as(canvas);
                other.paint(ui, second, twin, marks);
            }
            compare::plate(ui, rect, stage, key);
            compare::plate(ui, second, twin, key);
            self.probe.rect("canvas.beside", second);
        } else {
            canvas.paint(ui, rect, stage, marks);
        }
        self.pinned = hands.clicked.or(self.pinned);
        self.tell_place(rect, second);
        self.probe.rect("canvas", rect);
        self.probe.rect("worlds", all);
        rect
    }

    /// Publishes the screen position of the selected place in both worlds, for tests.
    fn tell_place(&self, rect: egui::Rect, second: egui::Rect) {
        let Some(place) = self.pinned else { return };
        let point = |at: egui::Pos2| egui::Rect::from_min_max(at, at);
        if let Some(at) = self.canvas.project(rect, place, &self.stage) {
            self.probe.rect("place", point(at));
        }
        let beside = self.beside.as_ref();
        if let Some(at) = beside.and_then(|one| one.canvas.project(second, place, &one.stage)) {
            self.probe.rect("place.beside", point(at));
        }
    }

    fn tell_faults(&mut self, ui: &egui::Ui, rect: egui::Rect) {
        if let Some(fault) = self.stage.fault.take() {
            self.stage.playing = false;
            self.complain(fault);
        }
        if let Some(refusal) = &self.stage.refusal {
            refused(ui, rect, refusal);
        }
        if self.compute.is_getting_ready(&self.stage) {
            refused(ui, rect, "Getting the GPU ready: on a slow one this takes some seconds …");
            ui.ctx().request_repaint();
        }
        self.show_notice(ui, rect);
    }

    fn choose_backends(&mut self, render: Option<&RenderState>) {
        let is_replaying = self.replay.is_some() || self.recording.is_some();
        let beside = self.beside.as_mut().map(|beside| &mut beside.stage);
        let mut said = Vec::new();
        for stage in std::iter::once(&mut self.stage).chain(beside) {
            said.extend(self.compute.frame(render, stage, is_replaying));
        }
        for word in said {
            match word {
                Word::Notice(words) => self.say(words),
                Word::Problem(words) => self.complain(words),
                Word::Lost(words) => self.lose(words),
            }
        }
    }

    fn publish(&mut self, ctx: &egui::Context) {
        self.probe.set_context(ctx);
        let tells_hash = self.probe.hash_wanted() && self.are_here();
        let beside = self.beside.as_ref().map(|beside| status::ComparisonStatus {
            time: beside.stage.live.clock(),
            steps: beside.stage.live.simulation().steps(),
            hash: tells_hash.then(|| format!("{:016x}", beside.stage.live.state_hash())),
        });
        let live = &self.stage.live;
        let ledger = self.stage.ledger();
        self.probe.publish(Status {
            tab: self.tab.into(),
            cells: [live.lattice().nx(), live.lattice().ny()],
            notice: self.notice.as_ref().map_or_else(String::new, |notice| notice.words.clone()),
            scene: self.stage.name.clone(),
            hash: tells_hash.then(|| format!("{:016x}", live.state_hash())),
            samples: if tells_hash { self.stage.samples(SAMPLES) } else { Vec::new() },
            residual: ledger.residual,
            volume: ledger.now,
            time: live.clock(),
            steps: live.simulation().steps(),
            running: self.stage.playing,
            kept: self.is_kept(),
            backend: live.backend().name(),
            frame_ms: 1e3 * self.stage.pace.frame,
            tool: self.hand.name().into(),
            challenge: self.stage.challenge.as_ref().map_or("", |running| running.word()).into(),
            progress: self.stage.challenge.as_ref().map_or(0.0, |running| running.progress),
            beside,
            errors: self.errors.clone(),
            zoom: ctx.zoom_factor(),
        });
    }
}

/// Shows at the bottom of the canvas why a tool had no effect.
fn refused(ui: &egui::Ui, rect: egui::Rect, refusal: &str) {
    let painter = ui.painter().with_clip_rect(rect);
    let (font, color) = (egui::FontId::proportional(13.0), ui.visuals().warn_fg_color);
    let galley = painter.layout(refusal.to_owned(), font, color, rect.width() * 0.8);
    let middle = egui::pos2(rect.center().x, rect.bottom() - 16.0 - galley.size().y * 0.5);
    let place = egui::Align2::CENTER_CENTER.anchor_size(middle, galley.size());
    painter.rect_filled(place.expand(6.0), 6.0, egui::Color32::from_black_alpha(200));
    painter.galley(place.min, galley, color);
}

/// Extends the longest click by the frame duration, so that clicks work at low frame rates.
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
        #[cfg(target_arch = "wasm32")]
        self.take_pad(crate::host::pad().as_deref());
        self.follow_pad(&ctx);
        self.do_what_waits();
        self.choose_backends(frame.wgpu_render_state());
        self.replay(&ctx);
        self.stage.frame(f64::from(ctx.input(|input| input.stable_dt)));
        self.go_beside();
        self.go_on_recording(&ctx);
        layout::show(ui, self);
        self.world(ui, frame.wgpu_render_state());
        self.stage.note_seen(self.canvas.eye());
        help::show(&ctx, &mut self.help);
        self.ask_about_land(&ctx);
        self.ask_about_size(&ctx);
        self.publish(&ctx);
        self.stage.pace.note_work(begun.elapsed().as_secs_f64());
        #[cfg(target_arch = "wasm32")]
        self.keep_now_and_then();
        let beside = self.beside.as_ref().is_some_and(|beside| beside.stage.is_waiting());
        let is_waiting = !self.later.is_empty() || self.stage.is_waiting() || beside;
        if self.stage.playing || self.files.wants_frames() || is_waiting {
            ctx.request_repaint();
        }
    }
}
