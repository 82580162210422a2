//! Status messages of the program: notices, warnings and errors, shown as a [`Notice`] over the
//! world.

use super::notice::Notice;
use crate::app::App;
use eframe::egui;

/// Largest time (s) per frame by which the remaining display time of a notice decreases. It keeps
/// notices readable at low frame rates.
const MAX_COUNTED_FRAME_TIME: f32 = 0.1;

impl App {
    /// Shows a success message, which disappears after some seconds.
    pub(in crate::app) fn notify(&mut self, words: impl Into<String>) {
        self.notice = Some(Notice::temporary(words.into()));
    }

    /// Shows a warning, which stays until the user closes it.
    pub(in crate::app) fn warn(&mut self, words: String) {
        self.notice = Some(Notice::warning(words));
    }

    /// Shows an error message, which stays until the user closes it.
    pub(in crate::app) fn report_error(&mut self, problem: String) {
        self.errors.push(problem.clone());
        self.warn(problem);
    }

    pub(in crate::app) fn show_notice(&mut self, ui: &egui::Ui, rect: egui::Rect) {
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
        self.probe.record_rect("notice", shown.response.rect);
        if let Some(remaining_seconds) = &mut notice.remaining_seconds {
            // The display time does not elapse while the pointer is over the notice.
            if !shown.response.contains_pointer() {
                *remaining_seconds -= ui.input(|input| input.stable_dt).min(MAX_COUNTED_FRAME_TIME);
            }
            closed |= *remaining_seconds <= 0.0;
            ui.ctx().request_repaint();
        }
        if closed {
            self.notice = None;
        }
    }
}
