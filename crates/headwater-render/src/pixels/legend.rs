//! Legends of charts in the upper right corner of a picture.

use crate::Picture;
use crate::Typeface;
use crate::color::{Ramp, rgb_from_hex, rgb_to_bytes};
use crate::labels::text;

/// Colour bar of a legend: the colour ramp, the label of its low end and the label of its high end.
pub(super) type ColorBar<'a> = (&'a Ramp, String, String);

/// Draws colour bars, one below the other, in the upper right corner of the picture. Draws nothing
/// if the picture is too narrow.
pub(super) fn draw_color_bars(image: &mut Picture, bars: &[ColorBar<'_>]) {
    let Some(font) = Typeface::load() else { return };
    let (width, height) = (image.nx() as f32, image.ny() as f32);
    let size = text::label_font_size(width, height);
    if width < 14.0 * size {
        return;
    }
    let widths = bars.iter().map(|(_, _, high)| font.layout(high, size).1);
    let after = widths.fold(0.0, f32::max);
    for (i, (ramp, low, high)) in bars.iter().enumerate() {
        let top = (0.9 + 1.9 * i as f32) * size;
        let (long, thick) = ((0.2 * width) as usize, (0.8 * size) as usize);
        let left = (width - after - 1.6 * size) as usize - long;
        for y in 0..thick + 2 {
            for x in 0..long + 2 {
                let is_rim = x == 0 || y == 0 || x == long + 1 || y == thick + 1;
                let t = (x.saturating_sub(1)) as f32 / long as f32;
                let color = if is_rim { rgb_from_hex(0xE8EDF2) } else { ramp.sample(t) };
                let (px, py) = (left + x, top as usize + y);
                if px < image.nx() && py < image.ny() {
                    image[(px, py)] = rgb_to_bytes(color);
                }
            }
        }
        let base = top + 0.78 * size;
        let before = font.layout(low, size).1;
        text::draw_text(image, &font, low, size, [left as f32 - before - 0.5 * size, base]);
        let right = (left + long) as f32 + 0.6 * size;
        text::draw_text(image, &font, high, size, [right, base]);
    }
}
