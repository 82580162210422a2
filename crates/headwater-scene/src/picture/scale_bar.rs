//! The bar of a round length in the picture's lower left corner.

use super::{label, text};
use ab_glyph::FontRef;
use image::RgbImage;

/// Draws the bar for a picture that many metres wide; nothing if there is no room for one.
pub(super) fn draw(picture: &mut RgbImage, font: &FontRef<'_>, metres: f64, size: f32) {
    let (width, height) = (picture.width() as f32, picture.height() as f32);
    let pixels_per_metre = f64::from(width) / metres;
    let length = label::round_below(f64::from(0.22 * width) / pixels_per_metre);
    let bar = (length * pixels_per_metre) as f32;
    let words = label::length(length);
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
    let start = left + 0.5 * (bar - text::width(font, &words, size));
    text::write(picture, font, &words, size, [start.max(left), bottom - 0.5 * size]);
}
