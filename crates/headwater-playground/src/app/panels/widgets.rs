//! Fonts and shared widgets. The functions wrap those of egui to avoid generic instantiations for
//! each call, which would enlarge the web page.

use crate::status::Probe;
use eframe::egui::{self, Button, FontData, FontDefinitions, FontFamily, Response, RichText, Ui};
use epaint_default_fonts::{EGUI_ICONS, UBUNTU_LIGHT};
use std::sync::Arc;

/// Label and tooltip of a widget.
pub(in crate::app) type LabelAndTip = (&'static str, &'static str);

pub(in crate::app) fn menu(
    ui: &mut Ui,
    label: impl Into<RichText>,
    entries: impl FnOnce(&mut Ui),
) -> Response {
    let entries: Box<dyn FnOnce(&mut Ui) + '_> = Box::new(entries);
    ui.menu_button(label.into(), entries).response
}

/// Draws a button with a tooltip, and returns true if the button was clicked. Tests find it under
/// the name `button.` followed by `name`.
pub(in crate::app) fn button(
    ui: &mut Ui,
    probe: &Probe,
    name: &str,
    (label, tip): LabelAndTip,
) -> bool {
    let button = probe.record_widget(format!("button.{name}"), ui.add(Button::new(label)));
    button.tip(tip).clicked()
}

/// Extension of egui responses that adds a tooltip.
pub(in crate::app) trait Tip {
    fn tip(self, text: impl Into<String>) -> Self;
}

impl Tip for Response {
    fn tip(self, text: impl Into<String>) -> Self {
        self.on_hover_text(text.into())
    }
}

/// Installs one typeface for all text, with digits of equal width. Must be called before the first
/// frame.
pub fn install_fonts(ctx: &egui::Context) {
    let mut fonts = FontDefinitions::empty();
    for (name, bytes) in [("text", UBUNTU_LIGHT), ("signs", EGUI_ICONS)] {
        fonts.font_data.insert(name.into(), Arc::new(FontData::from_static(bytes)));
        for family in [FontFamily::Proportional, FontFamily::Monospace] {
            fonts.families.entry(family).or_default().push(name.into());
        }
    }
    ctx.set_fonts(fonts);
}
