//! What the program is written in: one typeface, which the page carries.

use eframe::egui::{self, FontData, FontDefinitions, FontFamily};
use epaint_default_fonts::{EGUI_ICONS, UBUNTU_LIGHT};
use std::sync::Arc;

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
