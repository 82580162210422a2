//! Fonts and widgets that many places use. Each wrapper is one piece of code: egui's own functions are built anew for every type
//! that they are called with, which the page would have to bring along.

use crate::status::Probe;
use eframe::egui::{self, Button, FontData, FontDefinitions, FontFamily, Response, RichText, Ui};
use epaint_default_fonts::{EGUI_ICONS, UBUNTU_LIGHT};
use std::sync::Arc;

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

/// Has all be written in one typeface, figures too: they are all as wide as one another in it. To be done before the first frame.
pub fn dress(ctx: &egui::Context) {
    let mut fonts = FontDefinitions::empty();
    for (name, bytes) in [("text", UBUNTU_LIGHT), ("signs", EGUI_ICONS)] {
        fonts.font_data.insert(name.into(), Arc::new(FontData::from_static(bytes)));
        for family in [FontFamily::Proportional, FontFamily::Monospace] {
            fonts.families.entry(family).or_default().push(name.into());
        }
    }
    ctx.set_fonts(fonts);
}
