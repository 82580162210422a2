//! Springs and drains as they stand in the world, the bar of cells, the time and the caption.

use super::{PixelStyle, Scale, touch};
use crate::picture::color::hex;
use crate::picture::{label, scale_bar, text};
use headwater::blocks::{Blocks, Liquid};
use image::RgbImage;

/// The dark and the light of a nozzle's chevron.
pub(super) fn tones(liquid: Liquid) -> [u32; 2] {
    match liquid {
        Liquid::Oil => [0x6B4A12, 0xF2CF74],
        Liquid::Water => [0x1D5FA8, 0xE6F8FF],
        Liquid::Lava => [0x8C2408, 0xFFE98A],
    }
}

/// A pen for pixel art on the cells of a picture.
struct Stamp<'a> {
    image: &'a mut RgbImage,
    scale: Scale,
}

impl Stamp<'_> {
    fn draw(&mut self, (x, y): (usize, usize), [u, v]: [usize; 2], color: u32, opacity: f32) {
        let Scale { skip, zoom, .. } = self.scale;
        if !x.is_multiple_of(skip) || !y.is_multiple_of(skip) {
            return;
        }
        let side = self.scale.cell();
        let (left, top) = (x / skip * side + u * zoom, y / skip * side + v * zoom);
        for (dx, dy) in (0..zoom).flat_map(|dy| (0..zoom).map(move |dx| (dx, dy))) {
            touch(self.image, left + dx, top + dy, hex(color), opacity);
        }
    }
}

/// The mouth of a pipe on a cell: a rim of brass along the top, and a chevron that points down.
pub(super) fn nozzle(
    image: &mut RgbImage,
    scale: Scale,
    cell: (usize, usize),
    [dark, light]: [u32; 2],
) {
    let (mut stamp, art) = (Stamp { image, scale }, scale.art);
    let last = art - 1;
    for u in 0..art {
        let rim = if u == 0 || u == last { 0x7A5B22 } else { 0xD9B45A };
        stamp.draw(cell, [u, 0], rim, 1.0);
        let aside = u.abs_diff(last / 2).min(u.abs_diff(art / 2));
        let v = (art * 5 / 8).saturating_sub(aside);
        if art >= 6 && aside < art / 4 {
            stamp.draw(cell, [u, v.min(last)], light, 0.9);
            stamp.draw(cell, [u, (v + 1).min(last)], dark, 0.6);
        }
    }
}

/// A grating on a cell of a drain.
pub(super) fn grating(image: &mut RgbImage, scale: Scale, cell: (usize, usize)) {
    let (mut stamp, art) = (Stamp { image, scale }, scale.art);
    for (u, v) in (0..art).flat_map(|v| (0..art).map(move |u| (u, v))) {
        let is_bar = art < 4 || u % 3 == 1;
        let is_frame = art >= 6 && (v == 0 || v + 1 == art);
        if is_bar || is_frame {
            stamp.draw(cell, [u, v], if is_frame { 0x8C96A3 } else { 0x20262E }, 0.7);
        }
    }
}

/// A nozzle on every cell of a spring, a grating on every cell of a drain.
pub(super) fn springs_and_drains(image: &mut RgbImage, world: &Blocks, scale: Scale) {
    for (spring, cells) in world.springs() {
        cells.iter().for_each(|&cell| nozzle(image, scale, cell, tones(spring.liquid)));
    }
    for (_, cells) in world.drains() {
        cells.iter().for_each(|&cell| grating(image, scale, cell));
    }
}

/// The bar, of cells or where a cell has a size (m) of metres, the time and the caption.
pub(super) fn annotate<V>(
    image: &mut RgbImage,
    style: &PixelStyle<V>,
    scale: Scale,
    cell: Option<f64>,
    time: f64,
) {
    let Some(font) = text::typeface() else { return };
    let (width, height) = (image.width() as f32, image.height() as f32);
    let size = text::size(width, height);
    if style.scale_bar {
        let cells = f64::from(width) / scale.cell() as f64 * scale.skip as f64;
        match cell {
            Some(cell) => scale_bar::draw(image, &font, cells * cell, size),
            None => scale_bar::draw_cells(image, &font, cells, size),
        }
    }
    if style.time_label {
        let words = format!("t = {}", label::time(time));
        let left = width - text::width(&font, &words, size) - 0.9 * size;
        if left > 0.0 && height > 4.0 * size {
            text::write(image, &font, &words, size, [left, height - 0.95 * size]);
        }
    }
    if let Some(caption) = &style.caption {
        text::write(image, &font, caption, 1.3 * size, [0.9 * size, 1.9 * size]);
    }
}
