//! What is written in a picture: a bar of a round length, the time.

use super::typeface::Typeface;
use super::{label, text};
use crate::picture::Picture;

/// How wide the picture is, for the bar.
#[derive(Clone, Copy, Debug)]
pub(super) enum Bar {
    /// So many metres.
    Metres(f64),
    /// So many cells.
    Cells(f64),
}

/// What the time label says of a simulated time (s).
pub(super) fn time_words(time: f64) -> String {
    format!("t = {}", label::time(time))
}

/// Draws a bar and words about the time, as far as they are given and there is room.
pub(super) fn draw(picture: &mut Picture, bar: Option<Bar>, time: Option<&str>) {
    let Some(font) = Typeface::load() else { return };
    let (width, height) = (picture.nx() as f32, picture.ny() as f32);
    let size = text::size(width, height);
    if let Some(bar) = bar {
        let (whole, length, words) = match bar {
            Bar::Metres(metres) => {
                let length = label::round_below(0.22 * metres);
                (metres, length, label::length(length))
            }
            Bar::Cells(cells) => {
                let count = label::round_below(0.22 * cells).max(1.0);
                let unit = if count > 1.0 { "cells" } else { "cell" };
                (cells, count, format!("{count} {unit}"))
            }
        };
        let pixels = (length / whole * picture.nx() as f64) as f32;
        draw_bar(picture, &font, pixels, &words, size);
    }
    if let Some(words) = time {
        let left = width - font.line(words, size).1 - 0.9 * size;
        if left > 0.0 && height > 4.0 * size {
            text::write(picture, &font, words, size, [left, height - 0.95 * size]);
        }
    }
}

fn draw_bar(picture: &mut Picture, font: &Typeface, bar: f32, words: &str, size: f32) {
    let (width, height) = (picture.nx() as f32, picture.ny() as f32);
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
    let start = left + 0.5 * (bar - font.line(words, size).1);
    text::write(picture, font, words, size, [start.max(left), bottom - 0.5 * size]);
}
