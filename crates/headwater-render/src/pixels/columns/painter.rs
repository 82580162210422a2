//! [`ColumnsPainter`]: draws side views of column worlds.

use super::super::backdrop::Backdrop;
use super::super::canvas::{self, ArtPixel, PixelScale};
use super::super::ground::WallCache;
use super::super::scene::PixelScene;
use super::super::style::PixelStyle;
use super::super::{chart, legend, marks, mirror, rock};
use super::bodies::{self, PoolBodyKind};
use super::pool_water::{PoolWater, WaterSpan};
use super::{falls, ice, mesh, steam, water};
use crate::Picture;
use crate::color::{Ramp, Rgb, mix, rgb_from_hex, scale};
use headwater::InputError;
use headwater::blocks::Liquid;
use headwater::columns::{Anchor, Columns, Light, Sun};
use headwater::{Field, Square};
use serde::{Deserialize, Serialize};

/// Content of a picture of a column world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ColumnsContent {
    /// Realistic view of the world.
    #[default]
    World,
    /// Temperature of water and ice.
    Temperature,
    /// Horizontal velocity of the water.
    Velocity,
    /// Polygons, bounding boxes and openings of the pools, and anchors (points that define the
    /// initial water or trapped air).
    Mesh,
}

/// Speed at the ends of the velocity colour scale (m/s).
const MAX_SPEED: f32 = 2.0;

/// Lowest temperature of the colour scale (°C). The lowest fifth of the scale, below 0 °C, shows
/// ice.
const MIN_TEMPERATURE: f32 = -25.0;
/// Highest temperature of the colour scale (°C).
const MAX_TEMPERATURE: f32 = 100.0;

/// Direction of the incoming sunlight (degrees from vertical; positive if the rays travel to the
/// east).
const SUN_ANGLE: f64 = 20.0;
/// Horizontal distance that refracted sunlight travels per metre of depth (m/m).
const SLANT: f32 = 0.265;
/// Number of light samples along the side of a cell.
const LIGHT_SAMPLES_PER_CELL: usize = 4;

/// Contrast of the caustics (pattern of focused light) in the water (dimensionless).
const LIGHT_CONTRAST: f32 = 0.2;

/// Number of animation steps per second of simulated time.
const ANIMATION_STEPS_PER_SECOND: f64 = 10.0;

/// Draws the pictures of one run of a column world, seen from the side. The same world and style
/// give the same bytes for any number of threads.
///
/// ```
/// use headwater::columns::{Columns, Params};
/// use headwater_render::{ColumnsPainter, PixelStyle};
/// let mut world = Columns::from_text("#..~..#\n#.....#\n#######", 1.0, Params::default())?;
/// let style = PixelStyle { width: 112, ..PixelStyle::default() };
/// let mut painter = ColumnsPainter::new(style, &world, &[], Vec::new())?;
/// world.step();
/// let picture = painter.paint(&world);
/// assert_eq!((picture.nx(), picture.ny()), (112, 48));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ColumnsPainter {
    style: PixelStyle<ColumnsContent>,
    scale: PixelScale,
    backdrop: Backdrop,
    ground: WallCache,
    speeds: Ramp,
    temperatures: Ramp,
    /// Cell size (m).
    cell: f32,
    /// Anchors (points that define the initial water or trapped air), drawn in the mesh view.
    anchors: Vec<Anchor>,
    /// Kinds of the bodies by body index. Bodies without a kind in this list are drawn as crates.
    body_kinds: Vec<PoolBodyKind>,
}

/// State of the world, prepared for drawing one picture.
struct FrameState {
    scene: PixelScene,
    pool_water: PoolWater,
    /// Value that a chart shows in each cell: temperature (°C) or horizontal velocity (m/s,
    /// positive to the east).
    chart_values: Field<f32>,
    /// Light in the water, with [`LIGHT_SAMPLES_PER_CELL`] samples along the side of a cell.
    light: Light,
    /// Hydraulic head of each cell (m above the bottom of the world); 0 in cells without water.
    head: Field<f32>,
    animation_step: f32,
}

impl ColumnsPainter {
    /// Sets the kinds of the floating and sunken bodies, indexed by body.
    pub fn set_body_kinds(&mut self, body_kinds: Vec<PoolBodyKind>) {
        self.body_kinds = body_kinds;
    }

    /// Creates a painter for a run. `start` is the world before its first step; it fixes the
    /// picture size and the background. `anchors` are drawn in the mesh view. `body_kinds` are the
    /// kinds of the bodies, indexed by body.
    ///
    /// # Errors
    /// Returns [`InputError`] if a value of the style is out of range.
    pub fn new(
        style: PixelStyle<ColumnsContent>,
        start: &Columns,
        anchors: &[Anchor],
        body_kinds: Vec<PoolBodyKind>,
    ) -> Result<Self, InputError> {
        style.validate()?;
        let walls = start.walls();
        let scale = PixelScale::new(&style, walls.nx(), walls.ny())?;
        let scene = PixelScene::from_pools(start, scale.cell_stride);
        let backdrop = Backdrop::new(style.walls, &scene, scale.art_pixels_per_cell);
        let speeds = Ramp::new(&[
            (0.0, 0x8A2BE2),
            (0.25, 0x3B6FE0),
            (0.5, 0x1C3350),
            (0.75, 0xE07B2F),
            (1.0, 0xFFE066),
        ]);
        let temperatures = Ramp::new(&[
            (0.0, 0xF3FBFF),
            (0.19, 0x9AD4F5),
            (0.2, 0x2C3FA8),
            (0.36, 0x1F8FBF),
            (0.52, 0x58B56B),
            (0.68, 0xF2D04A),
            (0.84, 0xEE7A2C),
            (1.0, 0xD01F3C),
        ]);
        let (ground, anchors) = (WallCache::default(), anchors.to_vec());
        let cell = start.cell_size() as f32;
        Ok(Self { style, scale, backdrop, ground, speeds, temperatures, cell, anchors, body_kinds })
    }

    /// Draws the current state of a world and returns the picture.
    pub fn paint(&mut self, world: &Columns) -> Picture {
        let scale = self.scale;
        let frame = self.frame(world);
        if self.style.view == ColumnsContent::World {
            self.ground.update(&self.backdrop, &frame.scene, scale.art_pixels_per_cell);
        }
        let size = [frame.scene.nx, frame.scene.ny];
        let mut image = canvas::paint(scale, size, |pixel| self.color(&frame, pixel));
        match self.style.view {
            ColumnsContent::World => {
                bodies::draw_bodies(&mut image, world, &self.body_kinds, &frame.pool_water, scale);
                let sideways = frame
                    .light
                    .reflection
                    .map(|shift| shift[0] / self.cell / scale.cell_stride as f32);
                let sample = |at: usize| {
                    at * LIGHT_SAMPLES_PER_CELL * scale.cell_stride / scale.art_pixels_per_cell
                };
                mirror::draw_reflections(&mut image, scale, |[px, py]| {
                    let shift = sideways.get(sample(px), sample(py)).copied().unwrap_or(0.0);
                    frame.pool_water.span_at(px, py)?.surface(shift)
                });
                falls::draw_waterfalls(
                    &mut image,
                    world,
                    &frame.scene,
                    &frame.pool_water,
                    scale,
                    frame.animation_step,
                );
                steam::draw_steam(
                    &mut image,
                    world,
                    &frame.pool_water,
                    scale,
                    frame.animation_step,
                );
            }
            ColumnsContent::Temperature => {
                let [low, high] = [MIN_TEMPERATURE, MAX_TEMPERATURE].map(|t| format!("{t} °C"));
                legend::draw_color_bars(&mut image, &[(&self.temperatures, low, high)]);
            }
            ColumnsContent::Velocity => {
                let [low, high] = [-MAX_SPEED, MAX_SPEED].map(|speed| format!("{speed:+} m/s"));
                legend::draw_color_bars(&mut image, &[(&self.speeds, low, high)]);
            }
            ColumnsContent::Mesh => {
                mesh::draw_meshes(&mut image, world, scale);
                mesh::draw_anchors(&mut image, world, &self.anchors, scale);
            }
        }
        if self.style.marks {
            draw_sources(&mut image, world, scale);
        }
        marks::annotate(&mut image, &self.style, scale, Some(world.cell_size()), world.time());
        image
    }

    fn frame(&self, world: &Columns) -> FrameState {
        let scene = PixelScene::from_pools(world, self.scale.cell_stride);
        let pool_water = PoolWater::new(world, &scene, self.scale);
        let none = || Field::new(1, 1, 0.0);
        let chart_values = match self.style.view {
            ColumnsContent::Temperature => "temperature",
            _ => "velocity",
        };
        let [chart_values, head] =
            [chart_values, "head"].map(|name| world.layer(name).unwrap_or_else(none));
        let sun = Sun { angle: SUN_ANGLE, samples: LIGHT_SAMPLES_PER_CELL };
        let light = match self.style.view {
            ColumnsContent::World => world.light(&sun).unwrap_or_default(),
            _ => Light::default(),
        };
        // Wrap the beat, so that large values keep their precision.
        let animation_step =
            (world.time() * ANIMATION_STEPS_PER_SECOND).rem_euclid(65_536.0) as f32;
        FrameState { scene, pool_water, chart_values, light, head, animation_step }
    }

    fn color(&self, frame: &FrameState, pixel: ArtPixel) -> Rgb {
        match self.style.view {
            ColumnsContent::World => self.world_color(frame, pixel),
            ColumnsContent::Mesh => mesh::background_color(&frame.scene, pixel),
            ColumnsContent::Velocity | ColumnsContent::Temperature => {
                self.chart_color(frame, pixel)
            }
        }
    }

    fn world_color(&self, frame: &FrameState, pixel: ArtPixel) -> Rgb {
        let FrameState { scene, pool_water, animation_step, .. } = frame;
        let behind = self.backdrop.color_at(pixel);
        let is_wall = scene.cell(pixel.x, pixel.y).is_wall();
        if is_wall && !rock::is_rounded_off(scene, pixel) {
            return self.ground.color_at(pixel, scene.nx);
        }
        let behind = rock::grass_blade_color(&self.backdrop, scene, pixel).unwrap_or(behind);
        if let Some(span) = pool_water.span_at(pixel.px, pixel.py) {
            if let Some(color) = ice::ice_color(span, pixel, scene) {
                return color;
            }
            let depth = self.depth(frame, pixel);
            let behind = self.backdrop.color_at(self.refracted_pixel(frame, span, pixel));
            let color = water::water_color(span, pixel, depth, *animation_step, behind);
            return scale(color, self.brightness(frame, pixel));
        }
        match water::spray_opacity(pool_water, pixel, *animation_step) {
            Some(opacity) => mix(behind, rgb_from_hex(0xF2FBFF), opacity),
            None => behind,
        }
    }

    /// Returns the depth (cells) of an art pixel (square of the pixel art) below the water level of
    /// its cell, as given by the cell's hydraulic head; 0 above that level.
    fn depth(&self, frame: &FrameState, pixel: ArtPixel) -> f32 {
        let (scene, skip) = (&frame.scene, self.scale.cell_stride);
        let head = frame.head[(pixel.x * skip, pixel.y * skip)] / self.cell;
        let above = scene.ny as f32 - (pixel.py as f32 + 0.5) / pixel.art_pixels_per_cell as f32;
        (head / skip as f32 - above).max(0.0)
    }

    /// Returns the brightness of the water at an art pixel (square of the pixel art), relative to
    /// water with a flat surface.
    fn brightness(&self, frame: &FrameState, pixel: ArtPixel) -> f32 {
        let light = self.sample(&frame.light.brightness, pixel);
        1.0 + LIGHT_CONTRAST * (light.unwrap_or(1.0).min(3.0) - 1.0)
    }

    /// Returns the art pixel (square of the pixel art) of the background that is visible through
    /// the water at `pixel`. Waves change the refraction, so this art pixel moves with the waves.
    fn refracted_pixel(&self, frame: &FrameState, span: &WaterSpan, pixel: ArtPixel) -> ArtPixel {
        let Some(shift) = self.sample(&frame.light.refraction, pixel).filter(|&m| m != 0.0) else {
            return pixel;
        };
        let pixels = pixel.art_pixels_per_cell as f32 / (self.cell * self.scale.cell_stride as f32);
        let shift = shift * pixels - SLANT * (pixel.py as f32 + 0.5 - span.surface_y);
        let last = frame.scene.nx * pixel.art_pixels_per_cell - 1;
        let px = (pixel.px as f32 - shift).round().clamp(0.0, last as f32) as usize;
        ArtPixel {
            px,
            x: px / pixel.art_pixels_per_cell,
            u: px % pixel.art_pixels_per_cell,
            ..pixel
        }
    }

    /// Returns the value of `map` at an art pixel (square of the pixel art), or `None` if the map
    /// does not cover the art pixel. The map has [`LIGHT_SAMPLES_PER_CELL`] samples along the side
    /// of a cell.
    fn sample(&self, map: &Field<f32>, pixel: ArtPixel) -> Option<f32> {
        let samples = LIGHT_SAMPLES_PER_CELL * self.scale.cell_stride;
        let at = |cell: usize, part: usize| {
            (cell * pixel.art_pixels_per_cell + part) * samples / pixel.art_pixels_per_cell
        };
        map.get(at(pixel.x, pixel.u), at(pixel.y, pixel.v)).copied()
    }

    fn chart_color(&self, frame: &FrameState, pixel: ArtPixel) -> Rgb {
        if frame.scene.cell(pixel.x, pixel.y).is_wall() {
            return chart::wall_color(&frame.scene, pixel);
        }
        if frame.pool_water.span_at(pixel.px, pixel.py).is_none() {
            return chart::AIR;
        }
        let skip = self.scale.cell_stride;
        let value = frame.chart_values[(pixel.x * skip, pixel.y * skip)];
        match self.style.view {
            ColumnsContent::Temperature => {
                let part = (value - MIN_TEMPERATURE) / (MAX_TEMPERATURE - MIN_TEMPERATURE);
                self.temperatures.sample(part.clamp(0.0, 1.0))
            }
            _ => self.speeds.sample((0.5 + 0.5 * value / MAX_SPEED).clamp(0.0, 1.0)),
        }
    }
}

/// Draws a nozzle on each cell of a spring and a grating on each cell of a drain. Springs and
/// drains whose rate is currently zero are not drawn.
fn draw_sources(image: &mut Picture, world: &Columns, scale: PixelScale) {
    let walls = world.walls();
    let Ok(square) = Square::new(walls.nx(), walls.ny(), world.cell_size(), world.cell_size())
    else {
        return;
    };
    let time = world.time();
    let springs = world.springs().map(|(_, spring)| (spring, true));
    let drains = world.drains().map(|(_, drain)| (drain, false));
    for (source, is_spring) in springs.chain(drains) {
        if source.rate.value_at(time) == 0.0 {
            continue;
        }
        for (x, y, _) in source.region.cells(square) {
            if walls[(x, y)] {
                continue;
            }
            if is_spring {
                marks::draw_nozzle(image, scale, (x, y), marks::chevron_colors(Liquid::Water));
            } else {
                marks::draw_grating(image, scale, (x, y));
            }
        }
    }
}
