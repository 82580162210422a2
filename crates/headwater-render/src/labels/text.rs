//! Drawing of text in pictures, as dark ink with a pale halo that is legible on any ground.

use super::typeface::Typeface;
use crate::Picture;
use crate::color::{Rgb, blend, rgb_from_hex};

/// Colour of text.
pub(crate) const INK: Rgb = rgb_from_hex(0x16222C);
/// Colour of the halo around text.
pub(crate) const HALO: Rgb = rgb_from_hex(0xFFFFFF);
const HALO_OPACITY: f32 = 0.72;

/// Coverage mask of text or of a shape, drawn in ink with a halo.
#[derive(Clone, Debug)]
pub(crate) struct Stencil {
    left: i32,
    top: i32,
    width: usize,
    height: usize,
    ink: Vec<f32>,
}

impl Stencil {
    /// Creates an empty mask over a rectangle of the picture. The rectangle is given by its left
    /// edge, its top edge and its size (pixels).
    pub(crate) fn new(left: i32, top: i32, width: usize, height: usize) -> Self {
        Self { left, top, width, height, ink: vec![0.0; width * height] }
    }

    /// Adds coverage (0 to 1) at a pixel of the picture.
    pub(crate) fn add_coverage(&mut self, x: i32, y: i32, amount: f32) {
        let (u, v) = (x - self.left, y - self.top);
        if u >= 0 && v >= 0 && (u as usize) < self.width && (v as usize) < self.height {
            let ink = &mut self.ink[v as usize * self.width + u as usize];
            *ink = (*ink + amount).min(1.0);
        }
    }

    /// Adds an antialiased rectangle to the mask. The rectangle is given by its left, top, right
    /// and bottom edges (pixels), which may be fractional.
    pub(crate) fn add_rectangle(&mut self, [x0, y0, x1, y1]: [f32; 4]) {
        for y in y0.floor() as i32..y1.ceil() as i32 {
            for x in x0.floor() as i32..x1.ceil() as i32 {
                let share =
                    |low: f32, high: f32, at: f32| (high.min(at + 1.0) - low.max(at)).max(0.0);
                self.add_coverage(x, y, share(x0, x1, x as f32) * share(y0, y1, y as f32));
            }
        }
    }

    /// Draws the mask in ink, over a halo with the given radius (pixels).
    pub(crate) fn draw(&self, picture: &mut Picture, radius: f32) {
        let reach = radius.ceil() as i32;
        let (width, height) = (self.width as i32, self.height as i32);
        let ink = |x: i32, y: i32| {
            let inside = x >= 0 && y >= 0 && x < width && y < height;
            if inside { self.ink[(y * width + x) as usize] } else { 0.0 }
        };
        let offsets = (-reach..=reach).flat_map(|dy| (-reach..=reach).map(move |dx| (dx, dy)));
        let near = |(dx, dy): (i32, i32)| {
            let near = radius + 0.5 - (dx as f32).hypot(dy as f32);
            (near > 0.0).then_some((dx, dy, near.min(1.0)))
        };
        let kernel: Vec<_> = offsets.filter_map(near).collect();
        for y in -reach..height + reach {
            for x in -reach..width + reach {
                // Negative coordinates wrap to large values and fail the bounds check.
                let (u, v) = ((self.left + x) as usize, (self.top + y) as usize);
                if u >= picture.nx() || v >= picture.ny() {
                    continue;
                }
                let mut halo = 0.0f32;
                for &(dx, dy, near) in &kernel {
                    halo = halo.max(near * ink(x + dx, y + dy));
                }
                if halo > 0.0 {
                    let pixel = &mut picture[(u, v)];
                    blend(pixel, HALO, HALO_OPACITY * halo);
                    blend(pixel, INK, 0.95 * ink(x, y));
                }
            }
        }
    }
}

/// Returns the font size (pixels) of the labels in a picture of the given width and height
/// (pixels).
pub(crate) fn label_font_size(width: f32, height: f32) -> f32 {
    (width.max(height) / 52.0).clamp(11.0, 44.0)
}

/// Draws a line of text. The left end of its baseline is at the point `at` (pixels), and `size` is
/// the font size (pixels).
pub(crate) fn draw_text(
    picture: &mut Picture,
    font: &Typeface,
    text: &str,
    size: f32,
    at: [f32; 2],
) {
    let (letters, width) = font.layout(text, size);
    let margin = 2.0;
    let mut stencil = Stencil::new(
        (at[0] - margin).floor() as i32,
        (at[1] - size).floor() as i32,
        (width + 2.0 * margin).ceil() as usize + 2,
        (1.4 * size).ceil() as usize + 2,
    );
    // The typeface is light; a second copy, offset by a fraction of a pixel, makes it bolder.
    for offset in [0.0, 0.028 * size] {
        for &letter in &letters {
            let at = [at[0] + letter.x + offset, at[1]];
            font.draw_glyph(letter, size, at, |x, y, amount| {
                stencil.add_coverage(x, y, 0.8 * amount);
            });
        }
    }
    stencil.draw(picture, (size / 9.0).clamp(1.2, 3.0));
}
