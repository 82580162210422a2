//! Springs and drains as they stand in the world, the bar of cells and the time.

use super::canvas::Scale;
use super::style::PixelStyle;
use crate::picture::Picture;
use crate::picture::color::hex;
use crate::picture::labels::{self, Bar, time_words};
use headwater::blocks::{Blocks, Liquid};

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
    image: &'a mut Picture,
    scale: Scale,
}

impl Stamp<'_> {
    fn draw(&mut self, (x, y): (usize, usize), [u, v]: [usize; 2], color: u32, opacity: f32) {
        let Scale { skip, art, .. } = self.scale;
        if x.is_multiple_of(skip) && y.is_multiple_of(skip) {
            let place = [x / skip * art + u, y / skip * art + v];
            self.scale.dot(self.image, place, hex(color), opacity);
        }
    }
}

/// The mouth of a pipe on a cell: a rim of brass along the top, and a chevron that points down.
pub(super) fn nozzle(
    image: &mut Picture,
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

pub(super) fn grating(image: &mut Picture, scale: Scale, cell: (usize, usize)) {
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
pub(super) fn springs_and_drains(image: &mut Picture, world: &Blocks, scale: Scale) {
    for (spring, cells) in world.springs() {
        cells.iter().for_each(|&cell| nozzle(image, scale, cell, tones(spring.liquid)));
    }
    for (_, cells) in world.drains() {
        cells.iter().for_each(|&cell| grating(image, scale, cell));
    }
}

/// The bar, of cells or where a cell has a size (m) of metres, and the time.
pub(super) fn annotate<V>(
    image: &mut Picture,
    style: &PixelStyle<V>,
    scale: Scale,
    cell: Option<f64>,
    time: f64,
) {
    let cells = image.nx() as f64 / scale.cell() as f64 * scale.skip as f64;
    let bar = cell.map_or(Bar::Cells(cells), |cell| Bar::Metres(cells * cell));
    let time = style.time_label.then(|| time_words(time));
    labels::draw(image, style.scale_bar.then_some(bar), time.as_deref());
}
