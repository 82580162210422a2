//! What many places draw alike, as one piece of code each: egui's own functions are built anew for every type that they are called
//! with, which the page would have to bring along.

use crate::status::Probe;
use eframe::egui::{Button, Response, RichText, Ui};

/// Label and tooltip of a widget.
pub(super) type Tipped = (&'static str, &'static str);

pub(super) fn menu(
    ui: &mut Ui,
    label: impl Into<RichText>,
    entries: impl FnOnce(&mut Ui),
) -> Response {
    let entries: Box<dyn FnOnce(&mut Ui) + '_> = Box::new(entries);
    ui.menu_button(label.into(), entries).response
}

/// A button with a tip, for tests `button.` and its name; true if it was clicked.
pub(super) fn button(ui: &mut Ui, probe: &Probe, name: &str, (label, tip): Tipped) -> bool {
    let button = probe.named(format!("button.{name}"), ui.add(Button::new(label)));
    button.tip(tip).clicked()
}

/// What says more about a widget under the pointer.
pub(super) trait Tip {
    fn tip(self, text: impl Into<String>) -> Self;
}

impl Tip for Response {
    fn tip(self, text: impl Into<String>) -> Self {
        self.on_hover_text(text.into())
    }
}
