//! Springs and drains as they stand in the world, the bar of cells, the time and the caption.

use super::{PixelStyle, Scale, touch};
use crate::picture::color::hex;
use crate::picture::{label, scale_bar, text};
use headwater::blocks::{Blocks, Liquid};
use image::RgbImage;

/// A nozzle on every cell of a spring, a grating on every cell of a drain.
pub(super) fn springs_and_drains(image: &mut RgbImage, world: &Blocks, scale: Scale) {
    let Scale { skip, art, zoom } = scale;
    let side = art * zoom;
    let mut draw = |(x, y): (usize, usize), u: usize, v: usize, color: u32, opacity: f32| {
        if !x.is_multiple_of(skip) || !y.is_multiple_of(skip) {
            return;
        }
        let (left, top) = (x / skip * side + u * zoom, y / skip * side + v * zoom);
        for (dx, dy) in (0..zoom).flat_map(|dy| (0..zoom).map(move |dx| (dx, dy))) {
            touch(image, left + dx, top + dy, hex(color), opacity);
        }
    };
    let last = art - 1;
    for (spring, cells) in world.springs() {
        let [dark, light] = match spring.liquid {
            Liquid::Oil => [0x6B4A12, 0xF2CF74],
            Liquid::Water => [0x1D5FA8, 0xE6F8FF],
            Liquid::Lava => [0x8C2408, 0xFFE98A],
        };
        for &cell in cells {
            // The mouth of a pipe: a rim of brass along the top, and a chevron that points down.
            for u in 0..art {
                draw(cell, u, 0, if u == 0 || u == last { 0x7A5B22 } else { 0xD9B45A }, 1.0);
                let aside = u.abs_diff(last / 2).min(u.abs_diff(art / 2));
                let v = (art * 5 / 8).saturating_sub(aside);
                if art >= 6 && aside < art / 4 {
                    draw(cell, u, v.min(last), light, 0.9);
                    draw(cell, u, (v + 1).min(last), dark, 0.6);
                }
            }
        }
    }
    for (_, cells) in world.drains() {
        for &cell in cells {
            for (u, v) in (0..art).flat_map(|v| (0..art).map(move |u| (u, v))) {
                let is_bar = art < 4 || u % 3 == 1;
                let is_frame = art >= 6 && (v == 0 || v == last);
                if is_bar || is_frame {
                    draw(cell, u, v, if is_frame { 0x8C96A3 } else { 0x20262E }, 0.7);
                }
            }
        }
    }
}

/// The bar, the time and the caption.
pub(super) fn annotate(image: &mut RgbImage, style: &PixelStyle, scale: Scale, time: f64) {
    let Some(font) = text::typeface() else { return };
    let (width, height) = (image.width() as f32, image.height() as f32);
    let size = text::size(width, height);
    if style.scale_bar {
        let cells = f64::from(width) / scale.cell() as f64 * scale.skip as f64;
        scale_bar::draw_cells(image, &font, cells, size);
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
