//! Lines, rectangles and discs over a picture, in its own pixels.

use super::canvas::touch;
use crate::picture::color::Rgb;
use image::RgbImage;

/// How a line is drawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pen {
    pub(super) color: Rgb,
    pub(super) opacity: f32,
    /// Half its width (pixels).
    pub(super) half: f32,
}

/// A straight line with soft edges and round ends.
pub(super) fn line(image: &mut RgbImage, from: [f32; 2], to: [f32; 2], pen: Pen) {
    let reach = pen.half + 1.0;
    let low = [0, 1].map(|i| (from[i].min(to[i]) - reach).floor().max(0.0) as usize);
    let size = [image.width() as usize, image.height() as usize];
    let high = [0, 1].map(|i| ((from[i].max(to[i]) + reach).ceil().max(0.0) as usize).min(size[i]));
    let along = [to[0] - from[0], to[1] - from[1]];
    let square = (along[0] * along[0] + along[1] * along[1]).max(1e-9);
    for y in low[1]..high[1] {
        for x in low[0]..high[0] {
            let off = [x as f32 + 0.5 - from[0], y as f32 + 0.5 - from[1]];
            let t = ((off[0] * along[0] + off[1] * along[1]) / square).clamp(0.0, 1.0);
            let away = (off[0] - t * along[0]).hypot(off[1] - t * along[1]);
            let cover = (pen.half + 0.5 - away).clamp(0.0, 1.0);
            if cover > 0.0 {
                touch(image, x, y, pen.color, pen.opacity * cover);
            }
        }
    }
}

/// The rim of a rectangle.
pub(super) fn rectangle(image: &mut RgbImage, min: [f32; 2], max: [f32; 2], pen: Pen) {
    let corners = [min, [max[0], min[1]], max, [min[0], max[1]]];
    for i in 0..4 {
        line(image, corners[i], corners[(i + 1) % 4], pen);
    }
}

/// A full disc.
pub(super) fn disc(image: &mut RgbImage, center: [f32; 2], radius: f32, pen: Pen) {
    line(image, center, center, Pen { half: radius, ..pen });
}
