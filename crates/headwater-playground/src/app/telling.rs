//! What the playground tells: news, warnings, complaints, as [`Notice`]s over the world.

use super::App;
use super::notice::Notice;
use eframe::egui;

/// What counts of a frame (s): who sees few of them has longer.
const FRAME: f32 = 0.1;

impl App {
    /// Tells what went well, for a while.
    pub(super) fn say(&mut self, words: impl Into<String>) {
        self.notice = Some(Notice::news(words.into()));
    }

    /// Tells what somebody has to know, until that is closed.
    pub(super) fn warn(&mut self, words: String) {
        self.notice = Some(Notice::warning(words));
    }

    /// Tells what went wrong, until that is closed.
    pub(super) fn complain(&mut self, problem: String) {
        self.errors.push(problem.clone());
        self.warn(problem);
    }

    pub(super) fn show_notice(&mut self, ui: &egui::Ui, rect: egui::Rect) {
        let Some(notice) = &mut self.notice else { return };
        let mut closed = false;
        let shown = egui::Area::new(egui::Id::unique("notice"))
            .fixed_pos(rect.left_top() + egui::vec2(10.0, 10.0))
            .show(ui.ctx(), |ui| {
                egui::Frame::popup(ui.style()).show(ui, |ui| {
                    ui.set_max_width(rect.width() * 0.7);
                    ui.label(&notice.words);
                    closed = ui.button("Close").clicked();
                });
            });
        self.probe.rect("notice", shown.response.rect);
        if let Some(left) = &mut notice.left {
            // Who points at it is reading.
            if !shown.response.contains_pointer() {
                *left -= ui.input(|input| input.stable_dt).min(FRAME);
            }
            closed |= *left <= 0.0;
            ui.ctx().request_repaint();
        }
        if closed {
            self.notice = None;
        }
    }
}
