//! [`Painter`]: draws pictures of a world from above, with scales fixed by the first view.

use super::bodies::body_sprite;
use super::color::light::{Hillshade, Sun};
use super::color::palette::PaletteTable;
use super::color::{self, Rgb, mix, multiply, rgb_from_hex, scale, smoothstep};
use super::labels::annotations;
use super::labels::annotations::{ScaleBar, format_time_label};
use super::overlay;
use super::scales::{contour_interval, default_deep_depth, default_fast_speed, height_range};
use super::scenery::building_pixels::{self, BuildingPixel};
use super::scenery::tree_pixels;
use super::style::{CellStyle, Palette, Style};
use super::terrain::grid::{BlockAverager, Ground, WaterFields};
use super::terrain::ground::{self, Contours, LandScale};
use super::terrain::hexes::{HexTiling, ViewResampler};
use super::terrain::relief;
use super::terrain::spline::{self, Spline};
use super::view::View;
use super::water::liquid::{self, Batch, LiquidBatch, LiquidColors, PIXELS_PER_BATCH};
use super::water::river_pixels::RiverPixels;
use super::water::shore::{WaterLayers, WaterSample, WaterScale};
use crate::Picture;
use headwater::InputError;
use headwater::Lattice;
use headwater_io::parallel::*;

/// Target slope (m/m) of the automatic vertical exaggeration. The exaggeration is chosen so that a
/// tenth of the exaggerated land is steeper than this slope.
const TARGET_SLOPE: f32 = 0.62;
/// Smallest and largest automatic vertical exaggeration (dimensionless). A larger exaggeration
/// would make noise on level ground visible.
const EXAGGERATION_RANGE: (f32, f32) = (0.2, 12.0);

/// Picture rows per parallel task; each task interpolates one extra row.
const ROWS_PER_TASK: usize = 16;

/// Draws the top-view pictures of one run, with the same scales in all pictures.
///
/// The first view fixes the height range, the exaggeration and the depth and speed scales. The
/// picture of the ground is cached until the ground changes.
#[derive(Clone, Debug)]
pub struct Painter {
    style: Style,
    width: usize,
    height: usize,
    colors: LiquidColors,
    land_scale: LandScale,
    water_scale: WaterScale,
    /// Surface texture of the liquid, one value per pixel.
    texture: Vec<f32>,
    /// Resampler to a square grid; `None` if the lattice is not hexagonal.
    resampler: Option<ViewResampler>,
    /// Hexagons that tile the picture, for pictures in the style [`CellStyle::Hexes`].
    tiling: Option<HexTiling>,
    terrain: Option<Terrain>,
}

/// Drawn terrain, kept until the ground changes.
#[derive(Clone, Debug)]
struct Terrain {
    ground: Ground,
    spline: Spline,
    /// Ground colours of the pixels, row by row. For each batch of adjacent pixels, there are three
    /// arrays: red, green and blue.
    color: Vec<[Batch; 3]>,
    buildings: Vec<BuildingPixel>,
    /// Fraction of each pixel that has no data; empty if all cells have data.
    no_data_fraction: Vec<f32>,
    /// Whether each batch of pixels contains a building, a building's shadow or missing data.
    overlaid: Vec<bool>,
}

impl Painter {
    /// Creates a painter whose scales are all derived from the first view.
    ///
    /// # Errors
    /// Returns [`InputError`] if the style has a value out of range, or requests hexagons for a
    /// square lattice.
    pub fn new(style: Style, first: &View<'_>) -> Result<Self, InputError> {
        style.validate()?;
        let hex_cells = style.cells == CellStyle::Hexes;
        if hex_cells && !first.lattice.is_hex() {
            return Err(InputError::new("cells", "hexes", "surface, on a lattice of squares"));
        }
        let (width, height) = picture_size(style.width, &first.lattice);
        let tiling = hex_cells.then(|| HexTiling::new(first.lattice, width, height));
        let resampler = ViewResampler::new(&first.lattice, width);
        let resampled =
            resampler.as_ref().map(|resampler| resampler.resample(first, style.wet_depth as f32));
        let first = &resampled.as_ref().map_or(*first, |fields| fields.view(first));
        let by = BlockAverager::new(first, width, height);
        let (ground, flow) = (Ground::new(first, by, 1), WaterFields::new(first, by));
        let land_scale = land_scale(&style, first, &ground);
        let water_scale = water_scale(
            &style,
            &flow,
            land_scale.highest_tint_height - land_scale.lowest_tint_height,
        );
        let colors = LiquidColors::new(style.liquid);
        let texture = (0..width * height)
            .map(|i| colors.texture((i % width) as f32, (i / width) as f32))
            .collect();
        Ok(Self {
            style,
            width,
            height,
            colors,
            land_scale,
            water_scale,
            texture,
            resampler,
            tiling,
            terrain: None,
        })
    }

    /// Returns the depth (m) that is drawn in the deepest colour.
    pub fn deep_depth(&self) -> f64 {
        self.water_scale.max_depth.into()
    }

    /// Returns the speed (m/s) at which the streaks of particles are longest and lava has its
    /// hottest colour.
    pub fn fast_speed(&self) -> f64 {
        self.water_scale.max_speed.into()
    }

    /// Draws a view with the scales of the first view.
    pub fn paint(&mut self, view: &View<'_>) -> Picture {
        if self.resampler.as_ref().map(ViewResampler::lattice) != Some(view.lattice) {
            self.resampler = ViewResampler::new(&view.lattice, self.width);
        }
        let wet = self.water_scale.min_depth;
        let resampled = self.resampler.as_ref().map(|resampler| resampler.resample(view, wet));
        let view = &resampled.as_ref().map_or(*view, |fields| fields.view(view));
        let by = BlockAverager::new(view, self.width, self.height);
        let ground = Ground::new(
            view,
            by,
            self.resampler.as_ref().map_or(1, ViewResampler::squares_per_hexagon),
        );
        let flow = WaterFields::new(view, by);
        let terrain = match self.terrain.take() {
            Some(terrain) if terrain.ground == ground => terrain,
            _ => self.new_terrain(ground),
        };
        let rivers = view
            .scenery
            .filter(|scenery| !scenery.rivers.is_empty())
            .map(|scenery| RiverPixels::new(&scenery.rivers, view, self.width, self.height));
        let mut picture = self.paint_terrain_and_water(&terrain, &flow, rivers.as_ref());
        if let Some(tiling) = &self.tiling {
            tiling.fill_hexagons(&mut picture);
        }
        if let Some(scenery) = view.scenery {
            let (sun, rivers) = (&self.land_scale.sun, rivers.as_ref());
            tree_pixels::draw_trees(&mut picture, &scenery.trees, view, sun, rivers);
        }
        self.annotate(&mut picture, view);
        self.terrain = Some(terrain);
        picture
    }

    fn new_terrain(&self, ground: Ground) -> Terrain {
        let (width, height) = (self.width, self.height);
        let spline = Spline::new(ground.nx, ground.ny, width, height);
        let color = ground::render_ground(&ground, &self.land_scale, &spline, width, height);
        let color = color
            .chunks(width)
            .flat_map(|row| row.chunks(PIXELS_PER_BATCH).map(to_planes))
            .collect();
        let buildings =
            building_pixels::render_buildings(&ground, &self.land_scale.sun, width, height);
        let no_data_fraction: Vec<f32> =
            ground.lacks_data.iter().map(|&lacks_data| f32::from(u8::from(lacks_data))).collect();
        let no_data_fraction = if no_data_fraction.is_empty() {
            no_data_fraction
        } else {
            spline.interpolate_all(&no_data_fraction)
        };
        let part_of = |y: usize, i: usize| {
            y * width + i * PIXELS_PER_BATCH..y * width + width.min((i + 1) * PIXELS_PER_BATCH)
        };
        let overlaid = (0..height * width.div_ceil(PIXELS_PER_BATCH)).map(|k| {
            let part =
                part_of(k / width.div_ceil(PIXELS_PER_BATCH), k % width.div_ceil(PIXELS_PER_BATCH));
            let built = |pixel: &BuildingPixel| pixel.roof > 0.0 || pixel.shadow > 0.0;
            buildings.get(part.clone()).is_some_and(|pixels| pixels.iter().any(built))
                || no_data_fraction
                    .get(part)
                    .is_some_and(|fractions| fractions.iter().any(|&fraction| fraction > 0.0))
        });
        let overlaid = overlaid.collect();
        Terrain { ground, spline, color, buildings, no_data_fraction, overlaid }
    }

    fn paint_terrain_and_water(
        &self,
        terrain: &Terrain,
        flow: &WaterFields,
        rivers: Option<&RiverPixels>,
    ) -> Picture {
        let (width, height) = (self.width, self.height);
        let water =
            WaterLayers::new(&terrain.ground, flow, &self.water_scale, &self.land_scale.sun);
        let glow = self
            .colors
            .glows()
            .then(|| terrain.spline.interpolate_all(&glow_strength(&terrain.ground, &water)));
        let over = (glow.as_deref(), rivers);
        let mut image = Picture::new(width, height, [0; 3]);
        image.as_mut_slice().par_chunks_mut(width * ROWS_PER_TASK).enumerate().for_each_init(
            || {
                (
                    Vec::new(),
                    [(); 2].map(|()| vec![WaterSample::default(); width]),
                    LiquidBatch::default(),
                )
            },
            |(line, [this_row, next_row], batch), (part, pixels)| {
                let mut interpolate = |y, samples: &mut _| {
                    spline::interpolate_row_of_eight(
                        &terrain.spline,
                        &water.samples,
                        y,
                        line,
                        samples,
                    );
                };
                let first = part * ROWS_PER_TASK;
                interpolate(first, this_row);
                for (y, pixels) in (first..).zip(pixels.chunks_mut(width)) {
                    // The distance from the shore needs the depths of the next row.
                    interpolate(if y + 1 < height { y + 1 } else { y.saturating_sub(1) }, next_row);
                    for (i, pixels) in pixels.chunks_mut(PIXELS_PER_BATCH).enumerate() {
                        let at = (i * PIXELS_PER_BATCH, y);
                        self.shade_batch(terrain, over, [this_row, next_row], at, batch, pixels);
                    }
                    std::mem::swap(this_row, next_row);
                }
            },
        );
        image
    }

    /// Shades the batch of pixels that begins at column `from` of row `y`, and writes the result to
    /// `pixels`. `this_row` contains the water samples of row `y`, and `next_row` those of the row
    /// below it.
    fn shade_batch(
        &self,
        terrain: &Terrain,
        (glow, rivers): (Option<&[f32]>, Option<&RiverPixels>),
        [this_row, next_row]: [&[WaterSample]; 2],
        (from, y): (usize, usize),
        batch: &mut LiquidBatch,
        pixels: &mut [[u8; 3]],
    ) {
        let (start, n) = (y * self.width + from, pixels.len());
        let part = y * self.width.div_ceil(PIXELS_PER_BATCH) + from / PIXELS_PER_BATCH;
        let mut colors = terrain.color[part];
        if glow.is_some() || rivers.is_some() {
            for (k, i) in (start..start + n).enumerate() {
                let mut color = colors.map(|plane| plane[k]);
                if let Some(glow) = glow {
                    color = self.colors.add_glow(color, glow[i]);
                }
                if let Some(rivers) = rivers {
                    color = mix(color, rivers.color[i], rivers.cover[i]);
                }
                (colors[0][k], colors[1][k], colors[2][k]) = (color[0], color[1], color[2]);
            }
        }
        let own = &this_row[from..from + n];
        if own.iter().any(|&[_, body, film, ..]| body > 0.0 || film > 0.0) {
            for (k, &[depth, body, film, sheen, speed, white, wet_neighbour_fraction, _]) in
                own.iter().enumerate()
            {
                (batch.depth[k], batch.below[k]) = (depth, next_row[from + k][0]);
                (batch.body_opacity[k], batch.film[k], batch.sheen[k]) = (body, film, sheen);
                (batch.speed[k], batch.white[k], batch.wet_neighbour_fraction[k]) =
                    (speed, white, wet_neighbour_fraction);
                let x = from + k;
                let right = if x + 1 < this_row.len() { x + 1 } else { x.saturating_sub(1) };
                batch.right[k] = this_row[right][0];
            }
            batch.texture[..n].copy_from_slice(&self.texture[start..start + n]);
            liquid::shade_liquid(&self.colors, &self.water_scale, &mut colors, batch);
        }
        if terrain.overlaid[part] {
            for k in 0..n {
                let color = self.draw_overlay(terrain, colors.map(|plane| plane[k]), (from + k, y));
                (colors[0][k], colors[1][k], colors[2][k]) = (color[0], color[1], color[2]);
            }
        }
        color::write_pixels(&colors, pixels);
    }

    /// Draws buildings and missing data over the colour of the pixel at `(x, y)`.
    fn draw_overlay(&self, terrain: &Terrain, mut color: Rgb, (x, y): (usize, usize)) -> Rgb {
        let i = y * self.width + x;
        if let Some(building) = terrain.buildings.get(i) {
            color = multiply(color, mix([1.0; 3], [0.56, 0.58, 0.68], building.shadow));
            color = mix(color, building.color, building.roof);
        }
        if let Some(&no_data_fraction) = terrain.no_data_fraction.get(i) {
            color = mix(color, hatch_color(x, y), smoothstep(0.45, 0.55, no_data_fraction));
        }
        color
    }

    /// Draws particles, structures, bodies, the scale bar and the time label.
    fn annotate(&self, picture: &mut Picture, view: &View<'_>) {
        let scale =
            [self.width as f64 / view.lattice.width(), self.height as f64 / view.lattice.height()];
        if self.style.particles {
            let color =
                if self.colors.glows() { rgb_from_hex(0xFFF0B8) } else { rgb_from_hex(0xFFFFFF) };
            overlay::draw_particles(picture, scale, view.particles, &self.water_scale, color);
        }
        overlay::draw_structures(picture, scale, view.structures);
        body_sprite::draw_sprites(picture, view.bodies, scale, &self.land_scale.sun);
        let bar = self.style.scale_bar.then(|| ScaleBar::Metres(view.lattice.width()));
        let time = self
            .style
            .time_label
            .then(|| view.label.map_or_else(|| format_time_label(view.time), str::to_owned));
        annotations::draw_annotations(picture, bar, time.as_deref());
    }
}

/// Converts a batch of pixels to separate arrays of red, green and blue.
fn to_planes(pixels: &[Rgb]) -> [Batch; 3] {
    let mut to_planes = [[0.0; PIXELS_PER_BATCH]; 3];
    for (k, color) in pixels.iter().enumerate() {
        for (plane, &v) in to_planes.iter_mut().zip(color) {
            plane[k] = v;
        }
    }
    to_planes
}

/// Returns, for each cell, the strength of the light (0 to 1) that it receives from glowing liquid
/// in its surroundings.
fn glow_strength(ground: &Ground, water: &WaterLayers) -> Vec<f32> {
    let (nx, ny) = (ground.nx, ground.ny);
    let radius = (nx.max(ny) / 60).max(1);
    let source: Vec<f32> = (0..nx * ny)
        .map(|i| {
            let [depth, body, _, _, speed, ..] = water.samples[i];
            if depth > 0.0 { body * (0.15 + speed) } else { 0.0 }
        })
        .collect();
    let once = relief::box_blur(&source, nx, ny, radius);
    relief::box_blur(&once, nx, ny, radius).into_iter().map(|glow| 0.75 * glow).collect()
}

/// Returns the colour of the hatching that marks cells without data.
fn hatch_color(x: usize, y: usize) -> Rgb {
    const PAPER: Rgb = rgb_from_hex(0xE9E7E2);
    let stroke = (x + y) % 9;
    scale(PAPER, if stroke == 0 { 0.92 } else { 1.0 })
}

/// Maximum number of pixels of a picture. Drawing a picture needs up to 66 bytes of memory per
/// pixel.
const MAX_PIXELS: f64 = (1 << 25) as f64;

/// Returns the size of the picture (pixels) for a requested width. The width is reduced if the
/// lattice is more than three times as high as wide, or if the picture would have too many pixels.
pub(super) fn picture_size(requested: u32, lattice: &Lattice) -> (usize, usize) {
    let ratio = lattice.height() / lattice.width();
    let requested = f64::from(requested);
    let height = requested * ratio;
    let width = if height > 3.0 * requested { 3.0 * requested / ratio } else { requested };
    let width = width.min((MAX_PIXELS / ratio).sqrt());
    let pixels = |length: f64| (length.round() as usize).max(8);
    (pixels(width), pixels(width * ratio))
}

pub(super) fn land_scale(style: &Style, view: &View<'_>, ground: &Ground) -> LandScale {
    let known = (0..ground.bed.len()).filter(|&i| !ground.lacks_data(i));
    let (low, high) = height_range(known.map(|i| ground.bed[i]));
    let steep = relief::typical_slope(ground, 0.1);
    let exaggeration = style.exaggeration.unwrap_or({
        if steep > 1e-9 {
            (TARGET_SLOPE / steep).clamp(EXAGGERATION_RANGE.0, EXAGGERATION_RANGE.1)
        } else {
            1.0
        }
    });
    let sea = (-view.datum as f32 - low) / (high - low);
    // A contour would colour the hexagons whose centres it crosses.
    let contours = (style.contours && style.cells == CellStyle::Surface).then(|| {
        let draws_sea_level = style.palette != Palette::Island;
        Contours {
            interval: contour_interval(high - low) as f32,
            sea: -view.datum as f32,
            draws_sea_level,
        }
    });
    LandScale {
        lowest_tint_height: low,
        highest_tint_height: high,
        tints: PaletteTable::new(style.palette, sea, high - low),
        sun: Sun::new(style.sun_azimuth, style.sun_altitude, exaggeration),
        light: Hillshade::new(style.sun_azimuth, style.sun_altitude, exaggeration),
        contours,
    }
}

fn water_scale(style: &Style, flow: &WaterFields, relief: f32) -> WaterScale {
    let min_depth = style.wet_depth as f32;
    let max_depth = style
        .deep_depth
        .map_or_else(|| default_deep_depth(&flow.depth, min_depth, relief), |depth| depth as f32);
    let max_speed =
        style.fast_speed.map_or_else(|| default_fast_speed(max_depth), |speed| speed as f32);
    WaterScale { min_depth, max_depth, max_speed }
}
