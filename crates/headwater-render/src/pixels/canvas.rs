//! Mapping of cells to art pixels (the squares of the pixel art) and to picture pixels, and
//! rendering of pictures one art pixel at a time.

use super::style::{MAX_SIDE, PixelStyle};
use crate::Picture;
use crate::color::{Rgb, blend, rgb_to_bytes};
use headwater::InputError;
use headwater_io::parallel::*;

/// Preferred number of art pixels along the side of a cell. An art pixel is one square of the pixel
/// art and covers one or more picture pixels.
const PREFERRED_ART_PIXELS: usize = 8;

/// Mapping of cells to pixels. A cell is a square of art pixels, and an art pixel, the smallest
/// unit of the pixel art, is a square of picture pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct PixelScale {
    /// Stride (cells) between drawn cells. It is above 1 only if the world has more cells than the
    /// picture can show.
    pub(super) cell_stride: usize,
    /// Number of art pixels (squares of the pixel art) along the side of a drawn cell.
    pub(super) art_pixels_per_cell: usize,
    /// Number of picture pixels along the side of an art pixel, the smallest unit of the pixel art.
    pub(super) zoom: usize,
}

/// Returns the number of drawn cells along an axis with `cells` cells. Every `stride`-th cell is
/// drawn, and at least one.
pub(super) fn drawn_cell_count(cells: usize, stride: usize) -> usize {
    (cells / stride).max(1)
}

impl PixelScale {
    /// Creates the scale for a world of `nx × ny` cells: picture pixels per art pixel, art pixels
    /// per cell, and the stride of the drawn cells. The picture is about as wide as the style
    /// requests.
    ///
    /// # Errors
    /// Returns [`InputError`] if the cell size set by the style would make the picture too large.
    pub(super) fn new<V>(style: &PixelStyle<V>, nx: usize, ny: usize) -> Result<Self, InputError> {
        let scale = Self::fit_to_style(style, nx, ny);
        let size = [nx, ny]
            .map(|cells| drawn_cell_count(cells, scale.cell_stride) * scale.pixels_per_cell());
        if size.iter().any(|&side| side > MAX_SIDE) {
            let cell = scale.pixels_per_cell();
            let found = format!("{cell} for a picture of {} × {} pixels", size[0], size[1]);
            let allowed = format!("a value that gives at most {MAX_SIDE} × {MAX_SIDE} pixels");
            return Err(InputError::new("cell", found, allowed));
        }
        Ok(scale)
    }

    fn fit_to_style<V>(style: &PixelStyle<V>, nx: usize, ny: usize) -> Self {
        // The height limits the scale of a tall narrow world.
        let longer = nx.max(ny * 2 / 3).max(1);
        let width = style.width as usize;
        let cell = style.cell.map_or(((width + longer / 2) / longer).max(1), |cell| cell as usize);
        let cell_stride = if style.cell.is_some() { 1 } else { longer.div_ceil(2 * width) };
        // Prefer the factorisation nearest to the wanted cell size, then the one nearest to
        // `PREFERRED_ART_PIXELS`.
        let candidates = (PREFERRED_ART_PIXELS - 2..=PREFERRED_ART_PIXELS + 4)
            .map(|art| (art, (cell / art).max(1)));
        let error = |&(art, zoom): &(usize, usize)| {
            (cell.abs_diff(art * zoom), art.abs_diff(PREFERRED_ART_PIXELS))
        };
        let (art, zoom) = match candidates.min_by_key(error) {
            Some((art, zoom))
                if art * zoom == cell || style.cell.is_none() && cell > PREFERRED_ART_PIXELS =>
            {
                (art, zoom)
            }
            _ => (cell, 1),
        };
        Self { cell_stride, art_pixels_per_cell: art, zoom }
    }

    /// Returns the number of picture pixels along the side of a drawn cell.
    pub(super) fn pixels_per_cell(self) -> usize {
        self.art_pixels_per_cell * self.zoom
    }
}

impl PixelScale {
    /// Blends a colour over the art pixel (square of the pixel art) at column `x` and row `y`, with
    /// an opacity from 0 to 1.
    pub(super) fn blend_art_pixel(
        self,
        image: &mut Picture,
        [x, y]: [usize; 2],
        color: Rgb,
        opacity: f32,
    ) {
        for v in y * self.zoom..(y + 1) * self.zoom {
            for u in x * self.zoom..(x + 1) * self.zoom {
                blend_at(image, u, v, color, opacity);
            }
        }
    }
}

/// Position of an art pixel, the smallest unit of the pixel art. An art pixel covers a square of
/// one or more picture pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct ArtPixel {
    /// Column of the cell that contains the art pixel.
    pub(super) x: usize,
    /// Row of the cell that contains the art pixel.
    pub(super) y: usize,
    /// Column of the art pixel within the cell.
    pub(super) u: usize,
    /// Row of the art pixel within the cell.
    pub(super) v: usize,
    /// Column of the art pixel in the whole picture, counted in art pixels.
    pub(super) px: usize,
    /// Row of the art pixel in the whole picture, counted in art pixels.
    pub(super) py: usize,
    /// Number of art pixels along the side of a cell.
    pub(super) art_pixels_per_cell: usize,
}

/// Renders a picture of `nx × ny` drawn cells. The function `color` is called for each art pixel,
/// the smallest unit of the pixel art, and returns its colour.
pub(super) fn paint(
    scale: PixelScale,
    [nx, ny]: [usize; 2],
    color: impl Fn(ArtPixel) -> Rgb + Sync,
) -> Picture {
    let PixelScale { art_pixels_per_cell: art, zoom, .. } = scale;
    let (width, height) = (nx * art * zoom, ny * art * zoom);
    let mut image = Picture::new(width, height, [0; 3]);
    image.as_mut_slice().par_chunks_mut(width * zoom).enumerate().for_each(|(py, rows)| {
        let (first, others) = rows.split_at_mut(width);
        for (px, block) in first.chunks_exact_mut(zoom).enumerate() {
            let pixel = ArtPixel {
                x: px / art,
                y: py / art,
                u: px % art,
                v: py % art,
                px,
                py,
                art_pixels_per_cell: art,
            };
            block.fill(rgb_to_bytes(color(pixel)));
        }
        others.chunks_exact_mut(width).for_each(|row| row.copy_from_slice(first));
    });
    image
}

/// Returns the threshold of ordered dithering (4 × 4 Bayer matrix) at an art pixel (square of the
/// pixel art).
fn dither_threshold(pixel: ArtPixel) -> f32 {
    const BAYER: [[f32; 4]; 4] = [
        [0.03, 0.53, 0.16, 0.66],
        [0.78, 0.28, 0.91, 0.41],
        [0.22, 0.72, 0.09, 0.59],
        [0.97, 0.47, 0.84, 0.34],
    ];
    BAYER[pixel.py % 4][pixel.px % 4]
}

/// Quantises a value from 0 to 1 to the given number of steps, with ordered dithering according to
/// the position of the art pixel (square of the pixel art).
pub(super) fn quantise_dithered(value: f32, steps: f32, pixel: ArtPixel) -> f32 {
    ((value * steps + dither_threshold(pixel)).floor() / steps).clamp(0.0, 1.0)
}

/// Blends a colour over the picture pixel at `(x, y)`, with an opacity from 0 to 1. Does nothing if
/// the pixel is outside the picture.
pub(super) fn blend_at(image: &mut Picture, x: usize, y: usize, color: Rgb, opacity: f32) {
    if x < image.nx() && y < image.ny() {
        blend(&mut image[(x, y)], color, opacity);
    }
}
