//! The window with keys and gestures.

use super::words::words;
use eframe::egui;

/// Draws the window.
pub(super) fn show(ctx: &egui::Context, open: &mut bool) {
    let words = &words().help;
    egui::Window::new(words.title)
        .open(open)
        .resizable(false)
        .vscroll(true)
        .max_height(ctx.content_rect().height() - 60.0)
        .default_pos(ctx.content_rect().center() - egui::vec2(200.0, 220.0))
        .show(ctx, |ui| {
            for (id, table) in [("keys", &words.keys[..]), ("gestures", &words.gestures[..])] {
                egui::Grid::new(id).num_columns(2).spacing([18.0, 5.0]).show(ui, |ui| {
                    for (key, does) in table {
                        ui.strong(*key);
                        ui.add(egui::Label::new(*does).wrap());
                        ui.end_row();
                    }
                });
                ui.add_space(6.0);
            }
            // Only pages have one.
            if cfg!(target_arch = "wasm32") {
                ui.label(words.pad);
            }
            ui.label(words.files);
        });
}
