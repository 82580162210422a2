//! [`PixelPainter`]: from worlds of blocks to pictures.

use super::backdrop::Backdrop;
use super::canvas::{self, Scale, Spot};
use super::chart::Chart;
use super::colors::BodyColors;
use super::ground::Ground;
use super::scene::Scene;
use super::style::{PixelStyle, Shown};
use super::{liquid, marks, mirror, rock, surface};
use crate::picture::Picture;
use crate::picture::color::{Rgb, hex};
use headwater::InputError;
use headwater::blocks::{Blocks, Liquid};

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
    /// [`InputError`] if the style has a value that is not allowed.
    pub fn new(style: PixelStyle, start: &Blocks) -> Result<Self, InputError> {
        style.validate()?;
        let scale = Scale::new(&style, start.nx(), start.ny())?;
        let scene = Scene::new(start, scale.skip);
        let backdrop = Backdrop::new(style.walls, &scene, scale.art);
        let chart = Chart::new(&style, &scene);
        let (colors, ground) = (BodyColors::default(), Ground::default());
        Ok(Self { style, scale, backdrop, chart, colors, ground })
    }

    /// Which cells had which colour of a body in the last picture: what [`set_body_colors`](Self::set_body_colors) needs for the
    /// pictures to go on as if they had never stopped.
    pub fn body_colors(&self) -> &[u8] {
        &self.colors.last
    }

    /// Goes on from the [`body_colors`](Self::body_colors) of another painter of the same run.
    pub fn set_body_colors(&mut self, memory: Vec<u8>) {
        self.colors.last = memory;
    }

    /// One picture.
    pub fn paint(&mut self, world: &Blocks) -> Picture {
        let mut scene = Scene::new(world, self.scale.skip);
        if self.style.view == Shown::Bodies {
            scene.colors = self.colors.next(&scene.body);
        }
        if self.style.view == Shown::World {
            self.ground.update(&self.backdrop, &scene, self.scale.art);
        }
        let mut image =
            canvas::paint(self.scale, [scene.nx, scene.ny], |spot| self.pixel(&scene, spot));
        if self.style.view == Shown::World {
            let art = self.scale.art;
            mirror::draw(&mut image, self.scale, |[px, py]| {
                let [x, y] = [px / art, py / art];
                surface::over(&scene, Spot { x, y, u: px % art, v: py % art, px, py, art })
            });
        }
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
            let behind = match surface::over(scene, spot) {
                Some(surface) => self.backdrop.at(surface::bent(surface, spot, scene.nx)),
                None => rock::grass_blade(&self.backdrop, scene, spot).unwrap_or(behind),
            };
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
