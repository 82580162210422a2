//! What many places draw alike, as one piece of code each: egui's own functions are built anew for every type that they are called
//! with, which the page would have to bring along.

use eframe::egui::{Response, RichText, Ui};

/// Draws a button with a menu behind it.
pub(super) fn menu(
    ui: &mut Ui,
    label: impl Into<RichText>,
    entries: impl FnOnce(&mut Ui),
) -> Response {
    let entries: Box<dyn FnOnce(&mut Ui) + '_> = Box::new(entries);
    ui.menu_button(label.into(), entries).response
}

/// What says more about a widget under the pointer.
pub(super) trait Tip {
    /// Shows a text while the pointer is over it.
    fn tip(self, text: impl Into<String>) -> Self;
}

impl Tip for Response {
    fn tip(self, text: impl Into<String>) -> Self {
        self.on_hover_text(text.into())
    }
}
