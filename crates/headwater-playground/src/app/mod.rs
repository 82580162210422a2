//! The eframe application. Each panel around the canvas has its own file; the panels share the
//! state [`App`] in `state.rs`. In each frame, `App::ui` handles loaded files and key presses,
//! advances the world, draws the panels and the canvas, and publishes the status for tests, in this
//! order.

mod canvas;
mod challenges;
mod comparison;
mod deferred_actions;
mod files;
mod history;
mod input;
mod panels;
mod sharing;
mod state;
mod world;

use crate::status::{self, SAMPLES, Status};
use comparison::Comparison;
use eframe::egui;
use eframe::egui_wgpu::RenderState;
pub use panels::widgets::install_fonts;
pub use state::App;
use web_time::Instant;
use world::compute::BackendMessage;
pub use world::compute::request_compute_limits;

/// Longest time (s) between press and release that counts as a click. `set_max_click_duration`
/// extends it when frames are slow.
const MAX_CLICK: f64 = 0.8;

/// Largest frame duration (s) that is used to extend [`MAX_CLICK`]. Longer frames are pauses rather
/// than slow rendering.
const MAX_CLICK_FRAME: f64 = 3.0;

impl App {
    fn show_world(&mut self, ui: &mut egui::Ui, render: Option<&RenderState>) {
        let frame = egui::Frame::new().fill(ui.visuals().extreme_bg_color);
        egui::CentralPanel::default().frame(frame).show(ui, |ui| {
            let all = ui.available_rect_before_wrap();
            let rect = self.draw_worlds(ui, all, render);
            self.handle_new_strokes();
            let at = self
                .hint
                .place
                .and_then(|place| self.canvas.project(rect, place, &self.world_view));
            // A recorded animation shows only the world.
            if self.recording.is_none() {
                let expects_touch =
                    self.expects_touch || ui.input(egui::InputState::has_touch_screen);
                // At ground level, dragging the pointer turns the view instead.
                if !self.canvas.is_at_ground_level() {
                    self.hint.show(ui, rect, at, &self.world_view, expects_touch, &self.probe);
                }
                self.show_faults(ui, all);
                panels::layout::show_view_buttons(ui, all, self);
                challenges::challenge_panel::show_challenge_banner(ui, all, self);
            }
        });
    }

    /// Handles the canvas input of the displayed world and of the comparison world, if there is
    /// one, and draws both. Returns the screen rectangle of the displayed world.
    fn draw_worlds(
        &mut self,
        ui: &mut egui::Ui,
        canvas_area: egui::Rect,
        render: Option<&RenderState>,
    ) -> egui::Rect {
        let Self { canvas, world_view, selection, pinned, comparison, gamepad, .. } = self;
        let [first, second] = comparison::panel::split_canvas(canvas_area);
        let rect = if comparison.is_some() { first } else { canvas_area };
        let mut canvas_input = canvas.handle_input(ui, rect, world_view, selection, render);
        let mut other_moves_view = false;
        if let Some(comparison) = comparison {
            let other_input = comparison.canvas.handle_input(
                ui,
                second,
                &comparison.world_view,
                selection,
                render,
            );
            other_moves_view = other_input.moves_view;
            canvas_input = canvas_input.merge(other_input);
        }
        if gamepad.is_connected() {
            canvas_input = canvas_input.merge(canvas.gamepad_input(
                rect,
                world_view,
                gamepad.is_tool_used(),
                gamepad.was_tool_button_released(),
            ));
        }
        let tool = selection.tool(world_view.live.tools()).filter(|_| !world_view.is_replayed);
        let tool = tool.map(|tool| (tool, *selection.brush(tool)));
        world_view.apply_input(tool, &canvas_input);
        let radius = tool.map(|(_, brush)| brush.radius * world_view.brush_cell());
        let marks = canvas_input.markers(radius, *pinned);
        if let Some(Comparison { world_view: twin, canvas: other, key, .. }) = comparison {
            twin.apply_input(tool, &canvas_input);
            other.copy_style(canvas);
            if other_moves_view {
                other.paint(ui, second, twin, marks);
                canvas.copy_camera(other);
                canvas.paint(ui, rect, world_view, marks);
            } else {
                canvas.paint(ui, rect, world_view, marks);
                other.copy_camera(canvas);
                other.paint(ui, second, twin, marks);
            }
            comparison::panel::draw_label(ui, rect, world_view, key);
            comparison::panel::draw_label(ui, second, twin, key);
            self.probe.record_rect("canvas.beside", second);
        } else {
            canvas.paint(ui, rect, world_view, marks);
        }
        self.pinned = canvas_input.clicked.or(self.pinned);
        self.publish_marker(rect, second);
        self.probe.record_rect("canvas", rect);
        self.probe.record_rect("worlds", canvas_area);
        rect
    }

    /// Publishes, for tests, the screen positions of the inspected point in both worlds.
    fn publish_marker(&self, rect: egui::Rect, comparison_rect: egui::Rect) {
        let Some(place) = self.pinned else { return };
        let point = |at: egui::Pos2| egui::Rect::from_min_max(at, at);
        if let Some(at) = self.canvas.project(rect, place, &self.world_view) {
            self.probe.record_rect("place", point(at));
        }
        let comparison = self.comparison.as_ref();
        if let Some(at) =
            comparison.and_then(|one| one.canvas.project(comparison_rect, place, &one.world_view))
        {
            self.probe.record_rect("place.beside", point(at));
        }
    }

    fn show_faults(&mut self, ui: &egui::Ui, rect: egui::Rect) {
        if let Some(fault) = self.world_view.fault.take() {
            self.world_view.playing = false;
            self.report_error(fault);
        }
        if let Some(refusal) = &self.world_view.refusal {
            show_refusal(ui, rect, refusal);
        }
        if self.compute.is_initializing(&self.world_view) {
            show_refusal(ui, rect, "Preparing the GPU. This can take some seconds …");
            ui.ctx().request_repaint();
        }
        self.show_notice(ui, rect);
    }

    fn choose_backends(&mut self, render: Option<&RenderState>) {
        let is_replaying = self.replay.is_some() || self.recording.is_some();
        let comparison = self.comparison.as_mut().map(|comparison| &mut comparison.world_view);
        let mut messages = Vec::new();
        for world_view in std::iter::once(&mut self.world_view).chain(comparison) {
            messages.extend(self.compute.update_backend(render, world_view, is_replaying));
        }
        for state_name in messages {
            match state_name {
                BackendMessage::Notice(words) => self.notify(words),
                BackendMessage::Problem(words) => self.report_error(words),
                BackendMessage::Lost(words) => self.handle_device_loss(words),
            }
        }
    }

    fn publish_status(&mut self, ctx: &egui::Context) {
        self.probe.set_context(ctx);
        let tells_hash = self.probe.is_hash_requested() && self.are_worlds_on_cpu();
        let comparison = self.comparison.as_ref().map(|comparison| status::ComparisonStatus {
            time: comparison.world_view.live.clock(),
            steps: comparison.world_view.live.simulation().steps(),
            hash: tells_hash.then(|| format!("{:016x}", comparison.world_view.live.state_hash())),
        });
        let live = &self.world_view.live;
        let ledger = self.world_view.ledger();
        self.probe.publish(Status {
            tab: self.tab.into(),
            cells: [live.lattice().nx(), live.lattice().ny()],
            notice: self.notice.as_ref().map_or_else(String::new, |notice| notice.words.clone()),
            scene: self.world_view.name.clone(),
            hash: tells_hash.then(|| format!("{:016x}", live.state_hash())),
            samples: if tells_hash { self.world_view.sample_depths(SAMPLES) } else { Vec::new() },
            residual: ledger.residual,
            volume: ledger.now,
            time: live.clock(),
            steps: live.simulation().steps(),
            running: self.world_view.playing,
            kept: self.is_saved(),
            backend: live.backend().name(),
            frame_ms: 1e3 * self.world_view.pace.frame,
            tool: self.selection.name().into(),
            challenge: self
                .world_view
                .challenge
                .as_ref()
                .map_or("", |running| running.state_name())
                .into(),
            progress: self.world_view.challenge.as_ref().map_or(0.0, |running| running.progress),
            beside: comparison,
            errors: self.errors.clone(),
            zoom: ctx.zoom_factor(),
        });
    }
}

/// Shows at the bottom of the canvas the reason why a tool had no effect.
fn show_refusal(ui: &egui::Ui, rect: egui::Rect, refusal: &str) {
    let painter = ui.painter().with_clip_rect(rect);
    let (font, color) = (egui::FontId::proportional(13.0), ui.visuals().warn_fg_color);
    let galley = painter.layout(refusal.to_owned(), font, color, rect.width() * 0.8);
    let middle = egui::pos2(rect.center().x, rect.bottom() - 16.0 - galley.size().y * 0.5);
    let place = egui::Align2::CENTER_CENTER.anchor_size(middle, galley.size());
    painter.rect_filled(place.expand(6.0), 6.0, egui::Color32::from_black_alpha(200));
    painter.galley(place.min, galley, color);
}

/// Sets egui's longest click duration to [`MAX_CLICK`] plus three frame durations, so that clicks
/// work at low frame rates.
fn set_max_click_duration(ctx: &egui::Context) {
    let frame = f64::from(ctx.input(|input| input.unstable_dt)).min(MAX_CLICK_FRAME);
    ctx.options_mut(|options| options.input_options.max_click_duration = MAX_CLICK + 3.0 * frame);
}

impl eframe::App for App {
    fn ui(&mut self, ui: &mut egui::Ui, frame: &mut eframe::Frame) {
        let begun = Instant::now();
        let ctx = ui.ctx().clone();
        set_max_click_duration(&ctx);
        self.process_file_events(&ctx);
        input::keys::handle_keys(&ctx, self);
        #[cfg(target_arch = "wasm32")]
        self.set_gamepad(crate::host::gamepad().as_deref());
        self.handle_gamepad(&ctx);
        self.run_deferred();
        self.choose_backends(frame.wgpu_render_state());
        self.replay(&ctx);
        self.world_view.advance_frame(f64::from(ctx.input(|input| input.stable_dt)));
        self.advance_comparison();
        self.continue_recording(&ctx);
        panels::layout::show(ui, self);
        self.show_world(ui, frame.wgpu_render_state());
        self.world_view.record_view(self.canvas.camera_state());
        panels::help::show(&ctx, &mut self.help);
        self.show_import_dialog(&ctx);
        self.show_size_dialog(&ctx);
        self.publish_status(&ctx);
        self.world_view.pace.record_work(begun.elapsed().as_secs_f64());
        #[cfg(target_arch = "wasm32")]
        self.autosave();
        let comparison =
            self.comparison.as_ref().is_some_and(|comparison| comparison.world_view.is_waiting());
        let is_waiting = !self.deferred.is_empty() || self.world_view.is_waiting() || comparison;
        if self.world_view.playing || self.files.is_screenshot_pending() || is_waiting {
            ctx.request_repaint();
        }
    }
}
