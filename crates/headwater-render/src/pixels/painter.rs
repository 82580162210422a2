//! [`PixelPainter`]: draws side views of block worlds.

use super::backdrop::Backdrop;
use super::canvas::{self, ArtPixel, PixelScale};
use super::chart::Chart;
use super::colors::BodyColors;
use super::ground::WallCache;
use super::scene::PixelScene;
use super::style::{BlocksContent, PixelStyle};
use super::{liquid, marks, mirror, rock, surface};
use crate::Picture;
use crate::color::{Rgb, rgb_from_hex};
use headwater::InputError;
use headwater::blocks::{Blocks, Liquid};

/// Draws the pictures of one run of a block world, with the size, the background and the scales
/// fixed at the start of the run.
#[derive(Clone, Debug)]
pub struct PixelPainter {
    style: PixelStyle,
    scale: PixelScale,
    backdrop: Backdrop,
    chart: Chart,
    colors: BodyColors,
    ground: WallCache,
}

impl PixelPainter {
    /// Creates a painter for a run. `start` is the world before its first tick; it fixes the
    /// picture size, the background and the scales.
    ///
    /// # Errors
    /// Returns [`InputError`] if a value of the style is out of range.
    pub fn new(style: PixelStyle, start: &Blocks) -> Result<Self, InputError> {
        style.validate()?;
        let scale = PixelScale::new(&style, start.nx(), start.ny())?;
        let scene = PixelScene::new(start, scale.cell_stride);
        let backdrop = Backdrop::new(style.walls, &scene, scale.art_pixels_per_cell);
        let chart = Chart::new(&style, &scene);
        let (colors, ground) = (BodyColors::default(), WallCache::default());
        Ok(Self { style, scale, backdrop, chart, colors, ground })
    }

    /// Returns the colour index of each cell in the previous picture of the kind
    /// [`BlocksContent::Bodies`]; 0 outside bodies of liquid. The indices are stored in checkpoints
    /// and restored by [`set_body_colors`](Self::set_body_colors).
    pub fn body_colors(&self) -> &[u8] {
        &self.colors.last
    }

    /// Sets the colour index of each cell in the previous picture. When a run is resumed, pass the
    /// result of [`body_colors`](Self::body_colors) so that bodies of liquid keep their colours.
    pub fn set_body_colors(&mut self, colors: Vec<u8>) {
        self.colors.last = colors;
    }

    /// Draws the current state of a world and returns the picture.
    pub fn paint(&mut self, world: &Blocks) -> Picture {
        let mut scene = PixelScene::new(world, self.scale.cell_stride);
        if self.style.view == BlocksContent::Bodies {
            scene.colors = self.colors.assign_colors(&scene.body);
        }
        if self.style.view == BlocksContent::World {
            self.ground.update(&self.backdrop, &scene, self.scale.art_pixels_per_cell);
        }
        let mut image =
            canvas::paint(self.scale, [scene.nx, scene.ny], |pixel| self.color(&scene, pixel));
        if self.style.view == BlocksContent::World {
            let art = self.scale.art_pixels_per_cell;
            mirror::draw_reflections(&mut image, self.scale, |[px, py]| {
                let [x, y] = [px / art, py / art];
                surface::free_surface(
                    &scene,
                    ArtPixel { x, y, u: px % art, v: py % art, px, py, art_pixels_per_cell: art },
                )
            });
        }
        if self.style.marks {
            marks::draw_springs_and_drains(&mut image, world, self.scale);
        }
        marks::annotate(&mut image, &self.style, self.scale, None, world.time());
        if self.style.view != BlocksContent::World {
            self.chart.draw_legend(&mut image, &scene);
        }
        image
    }

    fn color(&self, scene: &PixelScene, pixel: ArtPixel) -> Rgb {
        match self.style.view {
            BlocksContent::World => self.world_color(scene, pixel),
            _ => self.chart.color(scene, pixel),
        }
    }

    fn world_color(&self, scene: &PixelScene, pixel: ArtPixel) -> Rgb {
        let behind = self.backdrop.color_at(pixel);
        let here = scene.cell(pixel.x, pixel.y);
        let color = if here.is_wall() && !rock::is_rounded_off(scene, pixel) {
            self.ground.color_at(pixel, scene.nx)
        } else {
            let behind = match surface::free_surface(scene, pixel) {
                Some(surface) => {
                    self.backdrop.color_at(surface::refracted_pixel(surface, pixel, scene.nx))
                }
                None => rock::grass_blade_color(&self.backdrop, scene, pixel).unwrap_or(behind),
            };
            liquid::open_cell_color(scene, pixel, behind)
        };
        let is_lava = here.liquid() == Some(Liquid::Lava) && scene.is_standing(pixel.x, pixel.y);
        match scene.glow.interpolate_at(pixel) {
            glow if glow > 0.0 && !is_lava => add_lava_light(color, glow),
            _ => color,
        }
    }
}

/// Returns `color` brightened and reddened by the light of lava. `glow` is the strength of the
/// light, from 0 (none) to 1.
fn add_lava_light(color: Rgb, glow: f32) -> Rgb {
    const WARM: Rgb = [1.75, 1.02, 0.62];
    const LIGHT: Rgb = rgb_from_hex(0xFF6A14);
    let glow = glow.min(1.0);
    std::array::from_fn(|i| color[i] * (1.0 + glow * (WARM[i] - 1.0)) + 0.13 * glow * LIGHT[i])
}
