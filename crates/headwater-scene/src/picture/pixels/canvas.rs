//! Pixel art on a grid of cells: how cells become pixels, and a picture pixel by pixel.

use super::style::{MAX_SIDE, PixelStyle};
use crate::parallel::*;
use crate::picture::Picture;
use crate::picture::color::{Rgb, blend, bytes};
use headwater::InputError;

/// Pixels of pixel art along a cell, where there is room for them.
const ART: usize = 8;

/// How cells become pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    /// Cells of which one is shown, along each axis: above 1 only for worlds wider than the picture.
    pub(super) skip: usize,
    /// Pixels of pixel art along a shown cell.
    pub(super) art: usize,
    /// Pixels of the picture along a pixel of pixel art.
    pub(super) zoom: usize,
}

impl Scale {
    /// The whole numbers that come nearest to a style's width, for a world of that many cells.
    pub(super) fn new<V>(style: &PixelStyle<V>, nx: usize, ny: usize) -> Result<Self, InputError> {
        let scale = Self::fitting(style, nx, ny);
        let size = [nx, ny].map(|cells| cells / scale.skip * scale.cell());
        if size.iter().any(|&side| side > MAX_SIDE) {
            let cell = scale.cell();
            let found = format!("{cell} for a picture of {} × {} pixels", size[0], size[1]);
            let allowed = format!("what gives at most {MAX_SIDE} × {MAX_SIDE} pixels");
            return Err(InputError::new("cell", found, allowed));
        }
        Ok(scale)
    }

    fn fitting<V>(style: &PixelStyle<V>, nx: usize, ny: usize) -> Self {
        // A high and narrow world is fitted by its height.
        let longer = nx.max(ny * 2 / 3).max(1);
        let width = style.width as usize;
        let cell = style.cell.map_or(((width + longer / 2) / longer).max(1), |cell| cell as usize);
        let skip = if style.cell.is_some() { 1 } else { longer.div_ceil(2 * width) };
        // Of the ways to make up the cell, that which comes nearest, and of those that nearest to `ART`.
        let ways = (ART - 2..=ART + 4).map(|art| (art, (cell / art).max(1)));
        let miss = |&(art, zoom): &(usize, usize)| (cell.abs_diff(art * zoom), art.abs_diff(ART));
        let (art, zoom) = match ways.min_by_key(miss) {
            Some((art, zoom)) if art * zoom == cell || style.cell.is_none() && cell > ART => {
                (art, zoom)
            }
            _ => (cell, 1),
        };
        Self { skip, art, zoom }
    }

    /// Pixels of the picture along a shown cell.
    pub(super) fn cell(self) -> usize {
        self.art * self.zoom
    }
}

impl Scale {
    /// Mixes a colour into the picture at a pixel of pixel art.
    pub(super) fn dot(self, image: &mut Picture, [x, y]: [usize; 2], color: Rgb, opacity: f32) {
        for v in y * self.zoom..(y + 1) * self.zoom {
            for u in x * self.zoom..(x + 1) * self.zoom {
                touch(image, u, v, color, opacity);
            }
        }
    }
}

/// A pixel of pixel art.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    /// Column and row of its cell.
    pub(super) x: usize,
    pub(super) y: usize,
    /// Column and row in its cell.
    pub(super) u: usize,
    pub(super) v: usize,
    /// Column and row in the picture.
    pub(super) px: usize,
    pub(super) py: usize,
    /// Pixels along a cell.
    pub(super) art: usize,
}

/// The picture of `nx` × `ny` shown cells whose pixels of pixel art have these colours.
pub(super) fn paint(
    scale: Scale,
    [nx, ny]: [usize; 2],
    color: impl Fn(Spot) -> Rgb + Sync,
) -> Picture {
    let Scale { art, zoom, .. } = scale;
    let (width, height) = (nx * art * zoom, ny * art * zoom);
    let mut image = Picture::new(width, height, [0; 3]);
    image.as_mut_slice().par_chunks_mut(width * zoom).enumerate().for_each(|(py, rows)| {
        let (first, others) = rows.split_at_mut(width);
        for (px, block) in first.chunks_exact_mut(zoom).enumerate() {
            let spot = Spot { x: px / art, y: py / art, u: px % art, v: py % art, px, py, art };
            block.fill(bytes(color(spot)));
        }
        others.chunks_exact_mut(width).for_each(|row| row.copy_from_slice(first));
    });
    image
}

/// Where a threshold lies in a square of four pixels, for steps of colour that run into one another.
fn dither(spot: Spot) -> f32 {
    const BAYER: [[f32; 4]; 4] = [
        [0.03, 0.53, 0.16, 0.66],
        [0.78, 0.28, 0.91, 0.41],
        [0.22, 0.72, 0.09, 0.59],
        [0.97, 0.47, 0.84, 0.34],
    ];
    BAYER[spot.py % 4][spot.px % 4]
}

/// A number from 0 to 1 in so many steps, dithered.
pub(super) fn stepped(value: f32, steps: f32, spot: Spot) -> f32 {
    ((value * steps + dither(spot)).floor() / steps).clamp(0.0, 1.0)
}

/// Mixes a colour into a pixel of the picture, if it is there.
pub(super) fn touch(image: &mut Picture, x: usize, y: usize, color: Rgb, opacity: f32) {
    if x < image.nx() && y < image.ny() {
        blend(&mut image[(x, y)], color, opacity);
    }
}
