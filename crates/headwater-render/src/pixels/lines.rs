//! Antialiased lines, rectangles and discs drawn over a picture.

use super::canvas::blend_at;
use crate::Picture;
use crate::color::Rgb;
use crate::scenery::segments::Segment;

/// Colour, opacity and half-width of lines and shapes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pen {
    pub(super) color: Rgb,
    pub(super) opacity: f32,
    /// Half the line width (pixels).
    pub(super) half_width: f32,
}

/// Draws an antialiased line with round ends between two points (pixels).
pub(super) fn draw_line(image: &mut Picture, from: [f32; 2], to: [f32; 2], pen: Pen) {
    let size = [image.nx(), image.ny()];
    Segment { from, to }.for_each_pixel(pen.half_width + 1.0, size, |[x, y], _, distance| {
        let cover = (pen.half_width + 0.5 - distance).clamp(0.0, 1.0);
        if cover > 0.0 {
            blend_at(image, x, y, pen.color, pen.opacity * cover);
        }
    });
}

/// Draws the outline of a rectangle, given by its top-left and bottom-right corners (pixels).
pub(super) fn draw_rectangle(image: &mut Picture, min: [f32; 2], max: [f32; 2], pen: Pen) {
    let corners = [min, [max[0], min[1]], max, [min[0], max[1]]];
    for i in 0..4 {
        draw_line(image, corners[i], corners[(i + 1) % 4], pen);
    }
}

/// Draws a filled disc around `center` with the given radius (pixels).
pub(super) fn fill_disc(image: &mut Picture, center: [f32; 2], radius: f32, pen: Pen) {
    draw_line(image, center, center, Pen { half_width: radius, ..pen });
}
