//! [`ColumnsPainter`]: from worlds of pools to pictures.

use super::super::backdrop::Backdrop;
use super::super::canvas::{self, Scale, Spot};
use super::super::ground::Ground;
use super::super::scene::Scene;
use super::super::style::PixelStyle;
use super::super::{chart, legend, marks, mirror, rock};
use super::bodies::{self, PoolBodyKind};
use super::sheet::{Sheet, Span};
use super::{falls, ice, mesh, steam, water};
use crate::picture::Picture;
use crate::picture::color::{Ramp, Rgb, hex, mix, scale};
use headwater::InputError;
use headwater::blocks::Liquid;
use headwater::columns::{Anchor, Columns, Light, Sun};
use headwater::{Field, Square};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a picture of pools shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ColumnsShown {
    /// The world as it looks.
    #[default]
    World,
    /// How warm water and ice are.
    Temperature,
    /// How fast the water moves, and which way.
    Velocity,
    /// Polygons, bounding boxes, joints and anchors.
    Mesh,
}

/// The speed that has the strongest colour (m/s).
const FAST: f32 = 2.0;

/// The temperatures at the ends of the scale (°C): a fifth of it is ice.
const COLDEST: f32 = -25.0;
const HOTTEST: f32 = 100.0;

/// Where the sun's light goes (degrees from straight down to the east).
const SUN: f64 = 20.0;
/// How far its light goes aside in water for each metre down.
const SLANT: f32 = 0.265;
/// Samples of light along a cell.
const SAMPLES: usize = 4;

/// How much the light in the water shows.
const GLEAM: f32 = 0.2;

/// Beats of what moves in the pictures by itself (1/s).
const BEATS: f64 = 10.0;

/// Draws the pictures of one run of a world of pools. Same world and style: same bytes, for every number of
/// threads.
///
/// ```
/// use headwater::columns::{Columns, Params};
/// use headwater_scene::picture::{ColumnsPainter, PixelStyle};
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
    style: PixelStyle<ColumnsShown>,
    scale: Scale,
    backdrop: Backdrop,
    ground: Ground,
    speeds: Ramp,
    temperatures: Ramp,
    /// Size of a cell (m).
    cell: f32,
    /// Drawn with polygons and joints.
    anchors: Vec<Anchor>,
    /// What bodies look like, by number; those beyond are crates.
    looks: Vec<PoolBodyKind>,
}

struct Moment {
    scene: Scene,
    sheet: Sheet,
    /// What a chart shows, by cell: velocity or temperature.
    charted: Field<f32>,
    /// Light in the water, [`SAMPLES`] along a cell.
    light: Light,
    /// How high water would stand in a tube (m above the bottom); 0 where there is none.
    head: Field<f32>,
    beat: f32,
}

impl ColumnsPainter {
    /// Says what the bodies look like, in their order.
    pub fn set_body_kinds(&mut self, looks: Vec<PoolBodyKind>) {
        self.looks = looks;
    }

    /// Fixes all that lasts from the world as it is before its first step. The anchors are those that it was made
    /// with, for the picture of polygons and joints; `looks` says what its bodies look like, in their order.
    ///
    /// # Errors
    /// [`InputError`] if the style has a value that is not allowed.
    pub fn new(
        style: PixelStyle<ColumnsShown>,
        start: &Columns,
        anchors: &[Anchor],
        looks: Vec<PoolBodyKind>,
    ) -> Result<Self, InputError> {
        style.validate()?;
        let walls = start.walls();
        let scale = Scale::new(&style, walls.nx(), walls.ny())?;
        let scene = Scene::of_pools(start, scale.skip);
        let backdrop = Backdrop::new(style.walls, &scene, scale.art);
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
        let (ground, anchors) = (Ground::default(), anchors.to_vec());
        let cell = start.cell() as f32;
        Ok(Self { style, scale, backdrop, ground, speeds, temperatures, cell, anchors, looks })
    }

    /// One picture.
    pub fn paint(&mut self, world: &Columns) -> Picture {
        let scale = self.scale;
        let moment = self.moment(world);
        if self.style.view == ColumnsShown::World {
            self.ground.update(&self.backdrop, &moment.scene, scale.art);
        }
        let size = [moment.scene.nx, moment.scene.ny];
        let mut image = canvas::paint(scale, size, |spot| self.pixel(&moment, spot));
        match self.style.view {
            ColumnsShown::World => {
                bodies::draw(&mut image, world, &self.looks, &moment.sheet, scale);
                let sideways =
                    moment.light.reflection.map(|way| way[0] / self.cell / scale.skip as f32);
                let sample = |at: usize| at * SAMPLES * scale.skip / scale.art;
                mirror::draw(&mut image, scale, |[px, py]| {
                    let aside = sideways.get(sample(px), sample(py)).copied().unwrap_or(0.0);
                    moment.sheet.at(px, py)?.surface(aside)
                });
                falls::draw(&mut image, world, &moment.scene, &moment.sheet, scale, moment.beat);
                steam::draw(&mut image, world, &moment.sheet, scale, moment.beat);
            }
            ColumnsShown::Temperature => {
                let [low, high] = [COLDEST, HOTTEST].map(|t| format!("{t} °C"));
                legend::draw(&mut image, &[(&self.temperatures, low, high)]);
            }
            ColumnsShown::Velocity => {
                let [low, high] = [-FAST, FAST].map(|speed| format!("{speed:+} m/s"));
                legend::draw(&mut image, &[(&self.speeds, low, high)]);
            }
            ColumnsShown::Mesh => {
                mesh::draw(&mut image, world, scale);
                mesh::anchors(&mut image, world, &self.anchors, scale);
            }
        }
        if self.style.marks {
            sources(&mut image, world, scale);
        }
        marks::annotate(&mut image, &self.style, scale, Some(world.cell()), world.time());
        image
    }

    fn moment(&self, world: &Columns) -> Moment {
        let scene = Scene::of_pools(world, self.scale.skip);
        let sheet = Sheet::new(world, &scene, self.scale);
        let none = || Field::new(1, 1, 0.0);
        let charted = match self.style.view {
            ColumnsShown::Temperature => "temperature",
            _ => "velocity",
        };
        let [charted, head] = [charted, "head"].map(|name| world.layer(name).unwrap_or_else(none));
        let sun = Sun { angle: SUN, samples: SAMPLES };
        let light = match self.style.view {
            ColumnsShown::World => world.light(&sun).unwrap_or_default(),
            _ => Light::default(),
        };
        // Numbers of beats that grow without end would lose their digits.
        let beat = (world.time() * BEATS).rem_euclid(65_536.0) as f32;
        Moment { scene, sheet, charted, light, head, beat }
    }

    fn pixel(&self, moment: &Moment, spot: Spot) -> Rgb {
        match self.style.view {
            ColumnsShown::World => self.world(moment, spot),
            ColumnsShown::Mesh => mesh::ground(&moment.scene, spot),
            ColumnsShown::Velocity | ColumnsShown::Temperature => self.chart(moment, spot),
        }
    }

    fn world(&self, moment: &Moment, spot: Spot) -> Rgb {
        let Moment { scene, sheet, beat, .. } = moment;
        let behind = self.backdrop.at(spot);
        let is_wall = scene.cell(spot.x, spot.y).is_wall();
        if is_wall && !rock::is_rounded_off(scene, spot) {
            return self.ground.at(spot, scene.nx);
        }
        let behind = rock::grass_blade(&self.backdrop, scene, spot).unwrap_or(behind);
        if let Some(span) = sheet.at(spot.px, spot.py) {
            if let Some(color) = ice::color(span, spot, scene) {
                return color;
            }
            let deep = self.depth(moment, spot);
            let behind = self.backdrop.at(self.bent(moment, span, spot));
            let color = water::color(span, spot, deep, *beat, behind);
            return scale(color, self.lit(moment, spot));
        }
        match water::spray(sheet, spot, *beat) {
            Some(opacity) => mix(behind, hex(0xF2FBFF), opacity),
            None => behind,
        }
    }

    /// How many cells a pixel lies below the height to which its water would rise.
    fn depth(&self, moment: &Moment, spot: Spot) -> f32 {
        let (scene, skip) = (&moment.scene, self.scale.skip);
        let head = moment.head[(spot.x * skip, spot.y * skip)] / self.cell;
        let above = scene.ny as f32 - (spot.py as f32 + 0.5) / spot.art as f32;
        (head / skip as f32 - above).max(0.0)
    }

    /// How bright the water is at a pixel, as a part of how bright it is below a flat surface.
    fn lit(&self, moment: &Moment, spot: Spot) -> f32 {
        let light = self.sample(&moment.light.brightness, spot);
        1.0 + GLEAM * (light.unwrap_or(1.0).min(3.0) - 1.0)
    }

    /// The pixel that is seen at one in the water: the waves have shifted the light on its way there, against where it would be
    /// below a flat surface.
    fn bent(&self, moment: &Moment, span: &Span, spot: Spot) -> Spot {
        let Some(shift) = self.sample(&moment.light.refraction, spot).filter(|&m| m != 0.0) else {
            return spot;
        };
        let pixels = spot.art as f32 / (self.cell * self.scale.skip as f32);
        let aside = shift * pixels - SLANT * (spot.py as f32 + 0.5 - span.top);
        let last = moment.scene.nx * spot.art - 1;
        let px = (spot.px as f32 - aside).round().clamp(0.0, last as f32) as usize;
        Spot { px, x: px / spot.art, u: px % spot.art, ..spot }
    }

    /// A map of light at a pixel.
    fn sample(&self, map: &Field<f32>, spot: Spot) -> Option<f32> {
        let samples = SAMPLES * self.scale.skip;
        let at = |cell: usize, part: usize| (cell * spot.art + part) * samples / spot.art;
        map.get(at(spot.x, spot.u), at(spot.y, spot.v)).copied()
    }

    fn chart(&self, moment: &Moment, spot: Spot) -> Rgb {
        if moment.scene.cell(spot.x, spot.y).is_wall() {
            return chart::wall(&moment.scene, spot);
        }
        if moment.sheet.at(spot.px, spot.py).is_none() {
            return chart::AIR;
        }
        let skip = self.scale.skip;
        let value = moment.charted[(spot.x * skip, spot.y * skip)];
        match self.style.view {
            ColumnsShown::Temperature => {
                let part = (value - COLDEST) / (HOTTEST - COLDEST);
                self.temperatures.at(part.clamp(0.0, 1.0))
            }
            _ => self.speeds.at((0.5 + 0.5 * value / FAST).clamp(0.0, 1.0)),
        }
    }
}

/// Nozzles on springs, gratings on drains that do something.
fn sources(image: &mut Picture, world: &Columns, scale: Scale) {
    let walls = world.walls();
    let Ok(square) = Square::new(walls.nx(), walls.ny(), world.cell(), world.cell()) else {
        return;
    };
    let time = world.time();
    let springs = world.springs().map(|(_, spring)| (spring, true));
    let drains = world.drains().map(|(_, drain)| (drain, false));
    for (source, is_spring) in springs.chain(drains) {
        if source.rate.at(time) == 0.0 {
            continue;
        }
        for (x, y, _) in source.region.cells(square) {
            if walls[(x, y)] {
                continue;
            }
            if is_spring {
                marks::nozzle(image, scale, (x, y), marks::tones(Liquid::Water));
            } else {
                marks::grating(image, scale, (x, y));
            }
        }
    }
}
