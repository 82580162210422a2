//! The bar of a round length in the picture's lower left corner.

use super::{label, text};
use ab_glyph::FontRef;
use image::RgbImage;

/// Draws the bar for a picture that many metres wide; nothing if there is no room for one.
pub(super) fn draw(picture: &mut RgbImage, font: &FontRef<'_>, metres: f64, size: f32) {
    let length = label::round_below(0.22 * metres);
    let bar = (length / metres * f64::from(picture.width())) as f32;
    draw_bar(picture, font, bar, &label::length(length), size);
}

/// The same for a picture that many cells wide.
pub(super) fn draw_cells(picture: &mut RgbImage, font: &FontRef<'_>, cells: f64, size: f32) {
    let count = label::round_below(0.22 * cells).max(1.0);
    let bar = (count / cells * f64::from(picture.width())) as f32;
    let unit = if count > 1.0 { "cells" } else { "cell" };
    draw_bar(picture, font, bar, &format!("{count} {unit}"), size);
}

fn draw_bar(picture: &mut RgbImage, font: &FontRef<'_>, bar: f32, words: &str, size: f32) {
    let (width, height) = (picture.width() as f32, picture.height() as f32);
    let margin = 0.9 * size;
    if width < 5.0 * size || height < 4.0 * size || !bar.is_finite() {
        return;
    }
    let (left, bottom) = (margin.round(), (height - margin).round());
    let thick = (size / 9.0).max(1.0).round();
    let tick = (0.42 * size).round();
    let mut stencil = text::Stencil::new(
        left as i32 - 1,
        (bottom - tick) as i32 - 1,
        bar.ceil() as usize + 3,
        tick as usize + 3,
    );
    stencil.fill([left, bottom - thick, left + bar, bottom]);
    stencil.fill([left, bottom - tick, left + thick, bottom - thick]);
    stencil.fill([left + bar - thick, bottom - tick, left + bar, bottom - thick]);
    stencil.draw(picture, (size / 9.0).clamp(1.2, 3.0));
    let start = left + 0.5 * (bar - text::width(font, words, size));
    text::write(picture, font, words, size, [start.max(left), bottom - 0.5 * size]);
}
