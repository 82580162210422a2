//! Scale bar and time label drawn on a picture.

use super::format;
use super::typeface::Typeface;
use crate::Picture;

/// Width of the whole picture. The length of the scale bar is computed from it.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ScaleBar {
    /// Width of the picture in metres.
    Metres(f64),
    /// Width of the picture in cells, for worlds without a metric cell size.
    Cells(f64),
}

/// Returns the string shown in the time label at the simulated time `time` (s).
pub(crate) fn format_time_label(time: f64) -> String {
    format!("t = {}", format::format_time(time))
}

/// Draws the scale bar and the time label. Either is omitted if its argument is `None` or if the
/// picture is too small for it.
pub(crate) fn draw_annotations(
    picture: &mut Picture,
    scale_bar: Option<ScaleBar>,
    time: Option<&str>,
) {
    let Some(font) = Typeface::load() else { return };
    let (width, height) = (picture.nx() as f32, picture.ny() as f32);
    let size = super::text::label_font_size(width, height);
    if let Some(scale_bar) = scale_bar {
        let (whole, length, text) = match scale_bar {
            ScaleBar::Metres(metres) => {
                let length = format::floor_to_nice_number(0.22 * metres);
                (metres, length, format::format_length(length))
            }
            ScaleBar::Cells(cells) => {
                let count = format::floor_to_nice_number(0.22 * cells).max(1.0);
                let unit = if count > 1.0 { "cells" } else { "cell" };
                (cells, count, format!("{count} {unit}"))
            }
        };
        let pixels = (length / whole * picture.nx() as f64) as f32;
        draw_scale_bar(picture, &font, pixels, &text, size);
    }
    if let Some(text) = time {
        let left = width - font.layout(text, size).1 - 0.9 * size;
        if left > 0.0 && height > 4.0 * size {
            super::text::draw_text(picture, &font, text, size, [left, height - 0.95 * size]);
        }
    }
}

fn draw_scale_bar(picture: &mut Picture, font: &Typeface, bar_width: f32, text: &str, size: f32) {
    let (width, height) = (picture.nx() as f32, picture.ny() as f32);
    let margin = 0.9 * size;
    if width < 5.0 * size || height < 4.0 * size || !bar_width.is_finite() {
        return;
    }
    let (left, bottom) = (margin.round(), (height - margin).round());
    let thick = (size / 9.0).max(1.0).round();
    let tick = (0.42 * size).round();
    let mut stencil = super::text::Stencil::new(
        left as i32 - 1,
        (bottom - tick) as i32 - 1,
        bar_width.ceil() as usize + 3,
        tick as usize + 3,
    );
    stencil.add_rectangle([left, bottom - thick, left + bar_width, bottom]);
    stencil.add_rectangle([left, bottom - tick, left + thick, bottom - thick]);
    stencil.add_rectangle([
        left + bar_width - thick,
        bottom - tick,
        left + bar_width,
        bottom - thick,
    ]);
    stencil.draw(picture, (size / 9.0).clamp(1.2, 3.0));
    let start = left + 0.5 * (bar_width - font.layout(text, size).1);
    super::text::draw_text(picture, font, text, size, [start.max(left), bottom - 0.5 * size]);
}
