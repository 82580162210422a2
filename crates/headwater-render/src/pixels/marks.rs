//! Symbols of springs and drains, the scale bar and the time label.

use super::canvas::PixelScale;
use super::style::PixelStyle;
use crate::Picture;
use crate::color::rgb_from_hex;
use crate::labels::annotations::{self, ScaleBar, format_time_label};
use headwater::blocks::{Blocks, Liquid};

/// Returns two colours (`0xRRGGBB`, sRGB) for the chevron on a spring's nozzle, first the dark one,
/// then the light one.
pub(super) fn chevron_colors(liquid: Liquid) -> [u32; 2] {
    match liquid {
        Liquid::Oil => [0x6B4A12, 0xF2CF74],
        Liquid::Water => [0x1D5FA8, 0xE6F8FF],
        Liquid::Lava => [0x8C2408, 0xFFE98A],
    }
}

/// Pen that draws single art pixels (squares of the pixel art). Positions are relative to a cell.
struct CellPen<'a> {
    image: &'a mut Picture,
    scale: PixelScale,
}

impl CellPen<'_> {
    fn draw(&mut self, (x, y): (usize, usize), [u, v]: [usize; 2], color: u32, opacity: f32) {
        let PixelScale { cell_stride, art_pixels_per_cell: art, .. } = self.scale;
        if x.is_multiple_of(cell_stride) && y.is_multiple_of(cell_stride) {
            let place = [x / cell_stride * art + u, y / cell_stride * art + v];
            self.scale.blend_art_pixel(self.image, place, rgb_from_hex(color), opacity);
        }
    }
}

/// Draws a nozzle, the symbol of a spring, in a cell. The nozzle has a brass rim along the top and
/// a chevron that points down.
pub(super) fn draw_nozzle(
    image: &mut Picture,
    scale: PixelScale,
    cell: (usize, usize),
    [dark, light]: [u32; 2],
) {
    let (mut pen, art) = (CellPen { image, scale }, scale.art_pixels_per_cell);
    let last = art - 1;
    for u in 0..art {
        let rim = if u == 0 || u == last { 0x7A5B22 } else { 0xD9B45A };
        pen.draw(cell, [u, 0], rim, 1.0);
        let offset = u.abs_diff(last / 2).min(u.abs_diff(art / 2));
        let v = (art * 5 / 8).saturating_sub(offset);
        if art >= 6 && offset < art / 4 {
            pen.draw(cell, [u, v.min(last)], light, 0.9);
            pen.draw(cell, [u, (v + 1).min(last)], dark, 0.6);
        }
    }
}

/// Draws a grating, the symbol of a drain, on a cell.
pub(super) fn draw_grating(image: &mut Picture, scale: PixelScale, cell: (usize, usize)) {
    let (mut pen, art) = (CellPen { image, scale }, scale.art_pixels_per_cell);
    for (u, v) in (0..art).flat_map(|v| (0..art).map(move |u| (u, v))) {
        let is_bar = art < 4 || u % 3 == 1;
        let is_frame = art >= 6 && (v == 0 || v + 1 == art);
        if is_bar || is_frame {
            pen.draw(cell, [u, v], if is_frame { 0x8C96A3 } else { 0x20262E }, 0.7);
        }
    }
}

/// Draws a nozzle on every cell of each spring and a grating on every cell of each drain.
pub(super) fn draw_springs_and_drains(image: &mut Picture, world: &Blocks, scale: PixelScale) {
    for (spring, cells) in world.springs() {
        cells
            .iter()
            .for_each(|&cell| draw_nozzle(image, scale, cell, chevron_colors(spring.liquid)));
    }
    for (_, cells) in world.drains() {
        cells.iter().for_each(|&cell| draw_grating(image, scale, cell));
    }
}

/// Draws the scale bar and the time label if the style requests them. The scale bar is in metres if
/// the cell size `cell` (m) is given, otherwise in cells. `time` is the simulated time (s).
pub(super) fn annotate<V>(
    image: &mut Picture,
    style: &PixelStyle<V>,
    scale: PixelScale,
    cell: Option<f64>,
    time: f64,
) {
    let cells = image.nx() as f64 / scale.pixels_per_cell() as f64 * scale.cell_stride as f64;
    let bar = cell.map_or(ScaleBar::Cells(cells), |cell| ScaleBar::Metres(cells * cell));
    let time = style.time_label.then(|| format_time_label(time));
    annotations::draw_annotations(image, style.scale_bar.then_some(bar), time.as_deref());
}
