//! Lines, rectangles and discs over a picture, in its own pixels.

use super::canvas::touch;
use crate::picture::Picture;
use crate::picture::color::Rgb;
use crate::picture::strokes::Stroke;

#[derive(Clone, Copy, Debug)]
pub(super) struct Pen {
    pub(super) color: Rgb,
    pub(super) opacity: f32,
    /// Half its width (pixels).
    pub(super) half: f32,
}

/// A straight line with soft edges and round ends.
pub(super) fn line(image: &mut Picture, from: [f32; 2], to: [f32; 2], pen: Pen) {
    let size = [image.nx(), image.ny()];
    Stroke { from, to }.pixels(pen.half + 1.0, size, |[x, y], _, away| {
        let cover = (pen.half + 0.5 - away).clamp(0.0, 1.0);
        if cover > 0.0 {
            touch(image, x, y, pen.color, pen.opacity * cover);
        }
    });
}

/// The rim of a rectangle.
pub(super) fn rectangle(image: &mut Picture, min: [f32; 2], max: [f32; 2], pen: Pen) {
    let corners = [min, [max[0], min[1]], max, [min[0], max[1]]];
    for i in 0..4 {
        line(image, corners[i], corners[(i + 1) % 4], pen);
    }
}

pub(super) fn disc(image: &mut Picture, center: [f32; 2], radius: f32, pen: Pen) {
    line(image, center, center, Pen { half: radius, ..pen });
}
