//! Pictures of block worlds in side view: pixel art scaled by whole numbers, and charts of bodies,
//! pressure and fill.
//!
//! A [`PixelPainter`] fixes from the first moment of a run what does not change: the size, where the open
//! sky was, what lies behind dug-out cells, the scale of pressures. Same world and style: same bytes, for
//! every number of threads. What a cell looks like follows from the cell, its neighbours and its place, so
//! a run that is resumed goes on with the same pictures. Only the colours of bodies follow what was drawn
//! before; a run keeps them with its state.
//!
//! ```
//! use headwater::blocks::{Blocks, Params};
//! use headwater_scene::picture::{PixelPainter, PixelStyle};
//! let mut world = Blocks::from_text("#~#.#\n#~~~#\n#####", Params::default())?;
//! let mut painter = PixelPainter::new(PixelStyle { width: 80, ..PixelStyle::default() }, &world)?;
//! world.run_to_rest(10);
//! assert_eq!(painter.paint(&world).dimensions(), (80, 48));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod backdrop;
mod chart;
mod colors;
mod ground;
mod light;
mod liquid;
mod marks;
mod rock;
mod scene;
mod style;

pub use style::{PixelStyle, Shown, Walls};

use super::StyleError;
use super::color::{Rgb, bytes, hex, mix};
use backdrop::Backdrop;
use chart::Chart;
use colors::BodyColors;
use ground::Ground;
use headwater::blocks::{Blocks, Liquid};
use image::{Rgb as Pixel, RgbImage};
use rayon::prelude::*;
use scene::Scene;

/// Pixels of pixel art along a cell, where there is room for them.
const ART: usize = 8;

/// How cells become pixels.
#[derive(Clone, Copy, Debug)]
struct Scale {
    /// Cells of which one is shown, along each axis: above 1 only for worlds wider than the picture.
    skip: usize,
    /// Pixels of pixel art along a shown cell.
    art: usize,
    /// Pixels of the picture along a pixel of pixel art.
    zoom: usize,
}

impl Scale {
    /// The whole numbers that come nearest to a width.
    fn new(style: &PixelStyle, nx: usize, ny: usize) -> Self {
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
    fn cell(self) -> usize {
        self.art * self.zoom
    }
}

/// Draws the pictures of one run of a block world.
#[derive(Clone, Debug)]
pub struct PixelPainter {
    style: PixelStyle,
    scale: Scale,
    backdrop: Backdrop,
    chart: Chart,
    colors: BodyColors,
    ground: Ground,
}

/// A pixel of pixel art.
#[derive(Clone, Copy, Debug)]
struct Spot {
    /// Column and row of its cell.
    x: usize,
    y: usize,
    /// Column and row in its cell.
    u: usize,
    v: usize,
    /// Column and row in the picture.
    px: usize,
    py: usize,
    /// Pixels along a cell.
    art: usize,
}

impl PixelPainter {
    /// Fixes all that lasts from the world as it is before its first tick.
    ///
    /// # Errors
    /// [`StyleError`] if the style has a value that is not allowed.
    pub fn new(style: PixelStyle, start: &Blocks) -> Result<Self, StyleError> {
        style.validate()?;
        let scale = Scale::new(&style, start.nx(), start.ny());
        let size = [start.nx() / scale.skip * scale.cell(), start.ny() / scale.skip * scale.cell()];
        if size.iter().any(|&side| side > style::MAX_SIDE) {
            return Err(StyleError {
                key: "cell",
                found: format!(
                    "{} for a picture of {} × {} pixels",
                    scale.cell(),
                    size[0],
                    size[1]
                ),
                allowed: format!("what gives at most {0} × {0} pixels", style::MAX_SIDE),
            });
        }
        let scene = Scene::new(start, scale.skip);
        let backdrop = Backdrop::new(&style, &scene, scale.art);
        let chart = Chart::new(&style, &scene);
        let (colors, ground) = (BodyColors::default(), Ground::default());
        Ok(Self { style, scale, backdrop, chart, colors, ground })
    }

    /// The head that has the hottest colour (cells).
    pub fn hottest_head(&self) -> f64 {
        self.chart.head()
    }

    /// Which cells had which colour of a body in the last picture: what [`recall`](Self::recall) needs for the
    /// pictures to go on as if they had never stopped.
    pub fn memory(&self) -> &[u8] {
        &self.colors.last
    }

    /// Goes on from the [`memory`](Self::memory) of another painter of the same run.
    pub fn recall(&mut self, memory: Vec<u8>) {
        self.colors.last = memory;
    }

    /// One picture.
    pub fn paint(&mut self, world: &Blocks) -> RgbImage {
        let mut scene = Scene::new(world, self.scale.skip);
        if self.style.view == Shown::Bodies {
            scene.colors = self.colors.next(&scene.body);
        }
        let Scale { art, zoom, .. } = self.scale;
        if self.style.view == Shown::World {
            self.ground.update(&self.backdrop, &scene, art);
        }
        let (width, height) = (scene.nx * art * zoom, scene.ny * art * zoom);
        let mut image = RgbImage::new(width as u32, height as u32);
        image.par_chunks_mut(3 * width * zoom).enumerate().for_each(|(py, rows)| {
            let (first, others) = rows.split_at_mut(3 * width);
            for (px, block) in first.chunks_exact_mut(3 * zoom).enumerate() {
                let spot = Spot { x: px / art, y: py / art, u: px % art, v: py % art, px, py, art };
                let color = bytes(self.pixel(&scene, spot));
                block.chunks_exact_mut(3).for_each(|pixel| pixel.copy_from_slice(&color));
            }
            others.chunks_exact_mut(3 * width).for_each(|row| row.copy_from_slice(first));
        });
        if self.style.marks {
            marks::springs_and_drains(&mut image, world, self.scale);
        }
        marks::annotate(&mut image, &self.style, self.scale, world.time());
        if self.style.view != Shown::World {
            self.chart.legend(&mut image, &scene);
        }
        image
    }

    fn pixel(&self, scene: &Scene, spot: Spot) -> Rgb {
        match self.style.view {
            Shown::World => self.world(scene, spot),
            _ => self.chart.pixel(scene, spot),
        }
    }

    fn world(&self, scene: &Scene, spot: Spot) -> Rgb {
        let behind = self.backdrop.at(spot);
        let here = scene.cell(spot.x, spot.y);
        let color = if here.is_wall() && !rock::is_rounded_off(scene, spot) {
            self.ground.at(spot, scene.nx)
        } else {
            let behind = rock::grass_blade(&self.backdrop, scene, spot).unwrap_or(behind);
            liquid::color(scene, spot, behind)
        };
        let is_lava = here.liquid() == Some(Liquid::Lava) && scene.stands(spot.x, spot.y);
        match scene.glow.at(spot) {
            glow if glow > 0.0 && !is_lava => lit(color, glow),
            _ => color,
        }
    }
}

/// A colour in the light of lava.
fn lit(color: Rgb, glow: f32) -> Rgb {
    const WARM: Rgb = [1.75, 1.02, 0.62];
    const LIGHT: Rgb = hex(0xFF6A14);
    let glow = glow.min(1.0);
    std::array::from_fn(|i| color[i] * (1.0 + glow * (WARM[i] - 1.0)) + 0.13 * glow * LIGHT[i])
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
fn stepped(value: f32, steps: f32, spot: Spot) -> f32 {
    ((value * steps + dither(spot)).floor() / steps).clamp(0.0, 1.0)
}

/// Mixes a colour into a pixel of the picture, if it is there.
fn touch(image: &mut RgbImage, x: usize, y: usize, color: Rgb, opacity: f32) {
    if let Some(pixel) = image.get_pixel_mut_checked(x as u32, y as u32) {
        let below = pixel.0.map(|v| f32::from(v) / 255.0);
        *pixel = Pixel(bytes(mix(below, color, opacity)));
    }
}
