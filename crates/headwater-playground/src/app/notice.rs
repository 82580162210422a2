//! [`Notice`]: what is told to whoever looks, over the world. News goes by itself; what went wrong stays until it is closed.

use super::App;
use super::words::words;
use eframe::egui;

/// How long news stays (s), and how much longer for each letter.
const STAYS: f32 = 5.0;
const LETTER: f32 = 0.06;

/// What counts of a frame (s): who sees few of them has longer.
const FRAME: f32 = 0.1;

/// Something to tell.
pub(super) struct Notice {
    pub(super) words: String,
    /// How long it is still to be seen (s), if it goes by itself.
    left: Option<f32>,
}

impl App {
    /// Tells what went well, for a while.
    pub(super) fn say(&mut self, words: impl Into<String>) {
        let words = words.into();
        let left = Some(STAYS + LETTER * words.chars().count() as f32);
        self.notice = Some(Notice { words, left });
    }

    /// Tells what somebody has to know, until that is closed.
    pub(super) fn warn(&mut self, words: String) {
        self.notice = Some(Notice { words, left: None });
    }

    /// Tells what went wrong, until that is closed.
    pub(super) fn complain(&mut self, problem: String) {
        self.errors.push(problem.clone());
        self.warn(problem);
    }

    /// Shows it over a rectangle.
    pub(super) fn show_notice(&mut self, ui: &egui::Ui, rect: egui::Rect) {
        let Some(notice) = &mut self.notice else { return };
        let mut closed = false;
        let shown = egui::Area::new(egui::Id::unique("notice"))
            .fixed_pos(rect.left_top() + egui::vec2(10.0, 10.0))
            .show(ui.ctx(), |ui| {
                egui::Frame::popup(ui.style()).show(ui, |ui| {
                    ui.set_max_width(rect.width() * 0.7);
                    ui.label(&notice.words);
                    closed = ui.button(words().bar.close).clicked();
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
