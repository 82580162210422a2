//! Pictures of worlds in side view, blocks and pools: pixel art scaled by whole numbers, and charts.
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
mod canvas;
mod chart;
mod colors;
mod columns;
mod ground;
mod legend;
mod light;
mod lines;
mod liquid;
mod marks;
mod rock;
mod scene;
mod style;

pub use columns::{ColumnsPainter, ColumnsShown, FloaterLook};
pub use style::{PixelStyle, Shown, Walls};

use super::StyleError;
use super::color::{Rgb, hex};
use backdrop::Backdrop;
use canvas::{Scale, Spot, stepped, touch};
use chart::Chart;
use colors::BodyColors;
use ground::Ground;
use headwater::blocks::{Blocks, Liquid};
use image::RgbImage;
use scene::Scene;

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

impl PixelPainter {
    /// Fixes all that lasts from the world as it is before its first tick.
    ///
    /// # Errors
    /// [`StyleError`] if the style has a value that is not allowed.
    pub fn new(style: PixelStyle, start: &Blocks) -> Result<Self, StyleError> {
        style.validate()?;
        let scale = Scale::new(&style, start.nx(), start.ny())?;
        let scene = Scene::new(start, scale.skip);
        let backdrop = Backdrop::new(style.walls, &scene, scale.art);
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
        if self.style.view == Shown::World {
            self.ground.update(&self.backdrop, &scene, self.scale.art);
        }
        let mut image =
            canvas::paint(self.scale, [scene.nx, scene.ny], |spot| self.pixel(&scene, spot));
        if self.style.marks {
            marks::springs_and_drains(&mut image, world, self.scale);
        }
        marks::annotate(&mut image, &self.style, self.scale, None, world.time());
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
