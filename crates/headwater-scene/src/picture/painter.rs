//! [`Painter`]: from views to pictures, with the scales of the first view.

use super::buildings::{self, Block};
use super::color::{Rgb, bytes, hex, mix, scale, smoothstep, times};
use super::float;
use super::grid::{Flow, Ground, Reduction};
use super::ground::{self, Contours, LandScale};
use super::hexes::{Hexes, Mosaic};
use super::liquid::{Look, Spot};
use super::overlay::{self, Extent};
use super::palette::Tints;
use super::relief::{self, Hillshade, Sun};
use super::scenery::{self, Ribbons};
use super::shore::{Sheet, WaterScale};
use super::spline::Spline;
use super::{Cells, Palette, Style, StyleError, View, label, scale_bar, text};
use crate::parallel::*;
use headwater::Lattice;
use image::RgbImage;

/// Slope (m/m) that the steeper tenth of the land has after exaggeration.
const STEEP: f32 = 0.62;
/// Limits of the exaggeration that is found, so that level ground does not become noise.
const EXAGGERATION: (f32, f32) = (0.2, 12.0);
/// Contours wished for between the lowest and the highest land.
const CONTOURS: f64 = 14.0;

/// Draws the pictures of one run.
///
/// The first view fixes the range of heights, the exaggeration and the deep and fast colours; the
/// picture of the ground is kept until the ground changes.
#[derive(Clone, Debug)]
pub struct Painter {
    style: Style,
    width: usize,
    height: usize,
    look: Look,
    land_scale: LandScale,
    water_scale: WaterScale,
    /// The liquid's texture at all pixels.
    texture: Vec<f32>,
    /// For worlds of hexagons.
    hexes: Option<Hexes>,
    /// For pictures laid out in hexagons.
    mosaic: Option<Mosaic>,
    land: Option<Land>,
}

/// What is kept from frame to frame.
#[derive(Clone, Debug)]
struct Land {
    ground: Ground,
    spline: Spline,
    color: Vec<Rgb>,
    blocks: Vec<Block>,
}

impl Painter {
    /// Fixes all scales from the first view.
    ///
    /// # Errors
    /// [`StyleError`] if the style has a value that is not allowed, or hexagons that the view has not.
    pub fn new(style: Style, first: &View<'_>) -> Result<Self, StyleError> {
        style.validate()?;
        let laid_out = style.cells == Cells::Hexes;
        if laid_out && !first.lattice.is_hex() {
            return Err(StyleError {
                key: "cells",
                found: "hexes".into(),
                allowed: "surface, on a lattice of squares".into(),
            });
        }
        let (width, height) = picture_size(style.width, &first.lattice);
        let mosaic = laid_out.then(|| Mosaic::new(first.lattice, width, height));
        let hexes = Hexes::new(&first.lattice, width);
        let flat = hexes.as_ref().map(|hexes| hexes.flatten(first, style.wet_depth as f32));
        let first = &flat.as_ref().map_or(*first, |flat| flat.view(first));
        let by = Reduction::new(first, width, height);
        let (ground, flow) = (Ground::new(first, by, 1), Flow::new(first, by));
        let land_scale = land_scale(&style, first, &ground);
        let water_scale = water_scale(&style, &flow, land_scale.high - land_scale.low);
        let look = Look::new(style.liquid);
        let texture = (0..width * height)
            .map(|i| look.texture((i % width) as f32, (i / width) as f32))
            .collect();
        Ok(Self {
            style,
            width,
            height,
            look,
            land_scale,
            water_scale,
            texture,
            hexes,
            mosaic,
            land: None,
        })
    }

    /// The depth that has the deepest colour (m).
    pub fn deep_depth(&self) -> f64 {
        self.water_scale.deep.into()
    }

    /// The speed of the longest arrows (m/s).
    pub fn fast_speed(&self) -> f64 {
        self.water_scale.fast.into()
    }

    /// One picture.
    pub fn paint(&mut self, view: &View<'_>) -> RgbImage {
        if self.hexes.as_ref().map(Hexes::lattice) != Some(view.lattice) {
            self.hexes = Hexes::new(&view.lattice, self.width);
        }
        let wet = self.water_scale.wet;
        let flat = self.hexes.as_ref().map(|hexes| hexes.flatten(view, wet));
        let view = &flat.as_ref().map_or(*view, |flat| flat.view(view));
        let by = Reduction::new(view, self.width, self.height);
        let ground = Ground::new(view, by, self.hexes.as_ref().map_or(1, Hexes::fineness));
        let flow = Flow::new(view, by);
        let land = match self.land.take() {
            Some(land) if land.ground == ground => land,
            _ => self.new_land(ground),
        };
        let rivers = view
            .scenery
            .filter(|scenery| !scenery.rivers.is_empty())
            .map(|scenery| Ribbons::new(&scenery.rivers, view, self.width, self.height));
        let mut picture = self.land_and_water(&land, &flow, rivers.as_ref());
        if let Some(mosaic) = &self.mosaic {
            mosaic.lay(&mut picture);
        }
        if let Some(scenery) = view.scenery {
            let (sun, rivers) = (&self.land_scale.sun, rivers.as_ref());
            scenery::draw_trees(&mut picture, &scenery.trees, view, sun, rivers);
        }
        self.annotate(&mut picture, view, &land, &flow);
        self.land = Some(land);
        picture
    }

    fn new_land(&self, ground: Ground) -> Land {
        let (width, height) = (self.width, self.height);
        let spline = Spline::new(ground.nx, ground.ny, width, height);
        let color = ground::paint(&ground, &self.land_scale, &spline, width, height);
        let blocks = buildings::paint(&ground, &self.land_scale.sun, width, height);
        Land { ground, spline, color, blocks }
    }

    /// Land, rivers, water, buildings.
    fn land_and_water(&self, land: &Land, flow: &Flow, rivers: Option<&Ribbons>) -> RgbImage {
        let (width, height) = (self.width, self.height);
        let sheet = Sheet::new(&land.ground, flow, &self.water_scale, &self.land_scale.sun);
        let glow = self.look.glows().then(|| glow(&land.ground, &sheet));
        let void: Vec<f32> = land.ground.void.iter().map(|&v| f32::from(u8::from(v))).collect();
        // Signed depths of all pixels first: the shore's distance needs those of the next row.
        let mut signed = vec![0.0; width * height];
        signed.par_chunks_mut(width).enumerate().for_each_init(Vec::new, |line, (y, row)| {
            land.spline.row(&sheet.signed, y, line, row);
        });
        let mut image = RgbImage::new(width as u32, height as u32);
        image.par_chunks_mut(3 * width).enumerate().for_each_init(
            || Rows::new(width),
            |rows, (y, pixels)| {
                rows.fill(land, &sheet, glow.as_deref(), &void, y);
                let next = if y + 1 < height { y + 1 } else { y.saturating_sub(1) };
                let here = &signed[y * width..(y + 1) * width];
                let below = &signed[next * width..(next + 1) * width];
                for (x, pixel) in pixels.chunks_exact_mut(3).enumerate() {
                    let color = self.pixel(land, rivers, rows, [here, below], (x, y));
                    pixel.copy_from_slice(&bytes(color));
                }
            },
        );
        image
    }

    fn pixel(
        &self,
        land: &Land,
        rivers: Option<&Ribbons>,
        rows: &Rows,
        [here, below]: [&[f32]; 2],
        (x, y): (usize, usize),
    ) -> Rgb {
        let i = y * self.width + x;
        let mut color = land.color[i];
        if let Some(&glow) = rows.glow.get(x) {
            color = self.look.lit_by_glow(color, glow);
        }
        if let Some(rivers) = rivers {
            color = mix(color, rivers.color[i], rivers.cover[i]);
        }
        let (body, film) = (rows.body[x], rows.film[x]);
        if body > 0.0 || film > 0.0 {
            let depth = here[x];
            let next = if x + 1 < here.len() { x + 1 } else { x.saturating_sub(1) };
            // Metres of depth from one pixel to the next. The floor keeps still dry land dry.
            let fall = (here[next] - depth).hypot(below[x] - depth) + 1e-3 * self.water_scale.wet;
            let spot = Spot {
                texture: self.texture[i],
                deep: (depth.max(0.0) / self.water_scale.deep).sqrt().min(1.0),
                body,
                film,
                cover: (depth / fall + 0.5).clamp(0.0, 1.0),
                offshore: depth / fall,
                open: rows.open[x],
                sheen: rows.sheen[x],
                quick: rows.quick[x].clamp(0.0, 1.0),
                white: rows.white[x].clamp(0.0, 1.0),
            };
            color = self.look.over(color, &spot);
        }
        if let Some(block) = land.blocks.get(i) {
            color = times(color, mix([1.0; 3], [0.56, 0.58, 0.68], block.shadow));
            color = mix(color, block.color, block.roof);
        }
        if let Some(&void) = rows.void.get(x) {
            color = mix(color, hatched(x, y), smoothstep(0.45, 0.55, void));
        }
        color
    }

    /// Arrows, particles, structures and labels.
    fn annotate(&self, picture: &mut RgbImage, view: &View<'_>, land: &Land, flow: &Flow) {
        if self.style.arrows {
            overlay::arrows(picture, &land.ground, flow, &self.water_scale);
        }
        if self.style.particles {
            let color = if self.look.glows() { hex(0xFFF0B8) } else { hex(0xFFFFFF) };
            let extent = Extent([view.lattice.width(), view.lattice.height()]);
            overlay::particles(picture, extent, view.particles, &self.water_scale, color);
        }
        let extent = Extent([view.lattice.width(), view.lattice.height()]);
        overlay::structures(picture, extent, view.structures);
        let scale =
            [self.width as f64 / view.lattice.width(), self.height as f64 / view.lattice.height()];
        float::draw(picture, view.bodies, scale, &self.land_scale.sun);
        let metres = self.style.scale_bar.then(|| view.lattice.width());
        let time = self
            .style
            .time_label
            .then(|| view.label.map_or_else(|| time_words(view.time), str::to_owned));
        labels(picture, metres, time.as_deref(), self.style.caption.as_deref());
    }
}

/// What the time label says of a simulated time (s).
pub(super) fn time_words(time: f64) -> String {
    format!("t = {}", label::time(time))
}

/// A bar for a picture that many `metres` wide, words about the time and a caption, as far as they are given.
pub(super) fn labels(
    picture: &mut RgbImage,
    metres: Option<f64>,
    time: Option<&str>,
    caption: Option<&str>,
) {
    let Some(font) = text::typeface() else { return };
    let (width, height) = (picture.width() as f32, picture.height() as f32);
    let size = text::size(width, height);
    if let Some(metres) = metres {
        scale_bar::draw(picture, &font, metres, size);
    }
    if let Some(words) = time {
        let left = width - text::width(&font, words, size) - 0.9 * size;
        if left > 0.0 && height > 4.0 * size {
            text::write(picture, &font, words, size, [left, height - 0.95 * size]);
        }
    }
    if let Some(caption) = caption {
        text::write(picture, &font, caption, 1.3 * size, [0.9 * size, 1.9 * size]);
    }
}

/// The fields of one row of pixels.
struct Rows {
    line: Vec<f32>,
    body: Vec<f32>,
    film: Vec<f32>,
    sheen: Vec<f32>,
    quick: Vec<f32>,
    white: Vec<f32>,
    open: Vec<f32>,
    /// Empty where nothing glows.
    glow: Vec<f32>,
    /// Empty where everything is known.
    void: Vec<f32>,
}

impl Rows {
    fn new(width: usize) -> Self {
        let row = vec![0.0; width];
        Self {
            line: Vec::new(),
            body: row.clone(),
            film: row.clone(),
            sheen: row.clone(),
            quick: row.clone(),
            white: row.clone(),
            open: row,
            glow: Vec::new(),
            void: Vec::new(),
        }
    }

    fn fill(&mut self, land: &Land, sheet: &Sheet, glow: Option<&[f32]>, void: &[f32], y: usize) {
        let line = &mut self.line;
        land.spline.row(&sheet.body, y, line, &mut self.body);
        land.spline.row(&sheet.film, y, line, &mut self.film);
        land.spline.row(&sheet.sheen, y, line, &mut self.sheen);
        land.spline.row(&sheet.open, y, line, &mut self.open);
        if sheet.moving {
            land.spline.row(&sheet.quick, y, line, &mut self.quick);
            land.spline.row(&sheet.white, y, line, &mut self.white);
        }
        let width = self.body.len();
        if let Some(glow) = glow {
            self.glow.resize(width, 0.0);
            land.spline.row(glow, y, line, &mut self.glow);
        }
        if !void.is_empty() {
            self.void.resize(width, 0.0);
            land.spline.row(void, y, line, &mut self.void);
        }
    }
}

/// How much each cell is lit by what glows around it.
fn glow(ground: &Ground, sheet: &Sheet) -> Vec<f32> {
    let (nx, ny) = (ground.nx, ground.ny);
    let radius = (nx.max(ny) / 60).max(1);
    let source: Vec<f32> = (0..nx * ny)
        .map(|i| if sheet.signed[i] > 0.0 { sheet.body[i] * (0.15 + sheet.quick[i]) } else { 0.0 })
        .collect();
    let once = relief::blur(&source, nx, ny, radius);
    relief::blur(&once, nx, ny, radius).into_iter().map(|glow| 0.75 * glow).collect()
}

/// The quiet ground of cells without data.
fn hatched(x: usize, y: usize) -> Rgb {
    const PAPER: Rgb = hex(0xE9E7E2);
    let stroke = (x + y) % 9;
    scale(PAPER, if stroke == 0 { 0.92 } else { 1.0 })
}

/// Width and height in pixels, the height at most three times the width wished for.
pub(super) fn picture_size(wished: u32, lattice: &Lattice) -> (usize, usize) {
    let ratio = lattice.height() / lattice.width();
    let wished = f64::from(wished);
    let height = wished * ratio;
    let width = if height > 3.0 * wished { 3.0 * wished / ratio } else { wished };
    let pixels = |length: f64| (length.round() as usize).max(8);
    (pixels(width), pixels(width * ratio))
}

pub(super) fn land_scale(style: &Style, view: &View<'_>, ground: &Ground) -> LandScale {
    let mut heights: Vec<f32> =
        (0..ground.bed.len()).filter(|&i| !ground.is_void(i)).map(|i| ground.bed[i]).collect();
    if heights.is_empty() {
        heights.push(0.0);
    }
    // A lone spike or pit shall not take the colours from all the rest.
    let mut quantile = |share: f32| {
        let at = ((heights.len() - 1) as f32 * share) as usize;
        *heights.select_nth_unstable_by(at, f32::total_cmp).1
    };
    let (low, high) = (quantile(0.002), quantile(0.998));
    let high = high.max(low + 1e-3 + 1e-6 * low.abs());
    let steep = relief::typical_slope(ground, 0.1);
    let exaggeration = style.exaggeration.unwrap_or({
        if steep > 1e-9 { (STEEP / steep).clamp(EXAGGERATION.0, EXAGGERATION.1) } else { 1.0 }
    });
    let sea = (-view.datum as f32 - low) / (high - low);
    // A line would colour the hexagons in whose middle it happens to lie.
    let contours = (style.contours && style.cells == Cells::Surface).then(|| {
        let wished = f64::from(high - low) / CONTOURS;
        let interval = style.contour_interval.unwrap_or_else(|| label::round_below(2.0 * wished));
        let coast = style.palette != Palette::Island;
        Contours { interval: interval as f32, sea: -view.datum as f32, coast }
    });
    LandScale {
        low,
        high,
        tints: Tints::new(style.palette, sea, high - low),
        sun: Sun::new(style.sun_azimuth, style.sun_altitude, exaggeration),
        light: Hillshade::new(style.sun_azimuth, style.sun_altitude, exaggeration),
        contours,
    }
}

fn water_scale(style: &Style, flow: &Flow, relief: f32) -> WaterScale {
    let wet = style.wet_depth as f32;
    let mut depths: Vec<f32> = flow.depth.iter().copied().filter(|&h| h > 10.0 * wet).collect();
    // A puddle or a spring's first drops say little of how deep it will become.
    let telling = depths.len() * 500 > flow.depth.len();
    let found = if telling {
        let at = (depths.len() - 1) * 98 / 100;
        (1.25 * *depths.select_nth_unstable_by(at, f32::total_cmp).1).max(0.004 * relief)
    } else {
        0.03 * relief
    };
    let deep = style.deep_depth.map_or(found.max(50.0 * wet), |depth| depth as f32);
    let fast = style.fast_speed.map_or_else(|| 0.5 * (9.81 * deep).sqrt(), |speed| speed as f32);
    WaterScale { wet, deep, fast }
}
