//! [`Painter`]: from views to pictures, with the scales of the first view.

use super::body_sprite;
use super::buildings::{self, Block};
use super::color::{self, Rgb, hex, mix, scale, smoothstep, times};
use super::grid::{Flow, Ground, Reduction};
use super::ground::{self, Contours, LandScale};
use super::hexes::{Hexes, Mosaic};
use super::labels::{Bar, time_words};
use super::light::{Hillshade, Sun};
use super::liquid::{self, LiquidColors, Numbers, Spots, TOGETHER};
use super::overlay;
use super::palette::Tints;
use super::relief;
use super::ribbons::Ribbons;
use super::scales::{contour_interval, deep_depth, fast_speed, height_range};
use super::shore::{Shades, WaterLayers, WaterScale};
use super::spline::{self, Spline};
use super::style::{Cells, Palette, Style};
use super::view::View;
use super::{labels, trees};
use crate::parallel::*;
use crate::picture::Picture;
use headwater::InputError;
use headwater::Lattice;

/// Slope (m/m) that the steeper tenth of the land has after exaggeration.
const STEEP: f32 = 0.62;
/// Limits of the exaggeration that is found, so that level ground does not become noise.
const EXAGGERATION: (f32, f32) = (0.2, 12.0);

/// Rows of pixels that a thread does at once: it works out the look of one more.
const ROWS: usize = 16;

/// Draws the pictures of one run.
///
/// The first view fixes the range of heights, the exaggeration and the deep and fast colours; the
/// picture of the ground is kept until the ground changes.
#[derive(Clone, Debug)]
pub struct Painter {
    style: Style,
    width: usize,
    height: usize,
    colors: LiquidColors,
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
    /// Red, green and blue of pixels beside one another, row after row.
    color: Vec<[Numbers; 3]>,
    blocks: Vec<Block>,
    /// How much of a pixel has no data; empty where everything is known.
    void: Vec<f32>,
    /// Whether a building, its shadow or what has no data is among pixels beside one another.
    covered: Vec<bool>,
}

impl Painter {
    /// Fixes all scales from the first view.
    ///
    /// # Errors
    /// [`InputError`] if the style has a value that is not allowed, or hexagons that the view has not.
    pub fn new(style: Style, first: &View<'_>) -> Result<Self, InputError> {
        style.validate()?;
        let laid_out = style.cells == Cells::Hexes;
        if laid_out && !first.lattice.is_hex() {
            return Err(InputError::new("cells", "hexes", "surface, on a lattice of squares"));
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
            hexes,
            mosaic,
            land: None,
        })
    }

    /// The depth that has the deepest colour (m).
    pub fn deep_depth(&self) -> f64 {
        self.water_scale.deep.into()
    }

    /// The speed of the longest streaks (m/s).
    pub fn fast_speed(&self) -> f64 {
        self.water_scale.fast.into()
    }

    /// One picture.
    pub fn paint(&mut self, view: &View<'_>) -> Picture {
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
            trees::draw(&mut picture, &scenery.trees, view, sun, rivers);
        }
        self.annotate(&mut picture, view);
        self.land = Some(land);
        picture
    }

    fn new_land(&self, ground: Ground) -> Land {
        let (width, height) = (self.width, self.height);
        let spline = Spline::new(ground.nx, ground.ny, width, height);
        let color = ground::paint(&ground, &self.land_scale, &spline, width, height);
        let color = color.chunks(width).flat_map(|row| row.chunks(TOGETHER).map(apart)).collect();
        let blocks = buildings::paint(&ground, &self.land_scale.sun, width, height);
        let void: Vec<f32> = ground.void.iter().map(|&void| f32::from(u8::from(void))).collect();
        let void = if void.is_empty() { void } else { spline.all(&void) };
        let part_of = |y: usize, i: usize| {
            y * width + i * TOGETHER..y * width + width.min((i + 1) * TOGETHER)
        };
        let covered = (0..height * width.div_ceil(TOGETHER)).map(|k| {
            let part = part_of(k / width.div_ceil(TOGETHER), k % width.div_ceil(TOGETHER));
            let built = |block: &Block| block.roof > 0.0 || block.shadow > 0.0;
            blocks.get(part.clone()).is_some_and(|blocks| blocks.iter().any(built))
                || void.get(part).is_some_and(|void| void.iter().any(|&void| void > 0.0))
        });
        let covered = covered.collect();
        Land { ground, spline, color, blocks, void, covered }
    }

    fn land_and_water(&self, land: &Land, flow: &Flow, rivers: Option<&Ribbons>) -> Picture {
        let (width, height) = (self.width, self.height);
        let water = WaterLayers::new(&land.ground, flow, &self.water_scale, &self.land_scale.sun);
        let glow = self.colors.glows().then(|| land.spline.all(&glow(&land.ground, &water)));
        let over = (glow.as_deref(), rivers);
        let mut image = Picture::new(width, height, [0; 3]);
        image.as_mut_slice().par_chunks_mut(width * ROWS).enumerate().for_each_init(
            || (Vec::new(), [(); 2].map(|()| vec![Shades::default(); width]), Spots::default()),
            |(line, [here, below], spots), (part, pixels)| {
                let mut look = |y, shades: &mut _| {
                    spline::eight_of(&land.spline, &water.shades, y, line, shades);
                };
                let first = part * ROWS;
                look(first, here);
                for (y, pixels) in (first..).zip(pixels.chunks_mut(width)) {
                    // The shore's distance needs the depths of the next row.
                    look(if y + 1 < height { y + 1 } else { y.saturating_sub(1) }, below);
                    for (i, pixels) in pixels.chunks_mut(TOGETHER).enumerate() {
                        let at = (i * TOGETHER, y);
                        self.pixels(land, over, [here, below], at, spots, pixels);
                    }
                    std::mem::swap(here, below);
                }
            },
        );
        image
    }

    /// Pixels beside one another from the place `(from, y)` on; `here` and `below` are the looks of their row and of the next.
    fn pixels(
        &self,
        land: &Land,
        (glow, rivers): (Option<&[f32]>, Option<&Ribbons>),
        [here, below]: [&[Shades]; 2],
        (from, y): (usize, usize),
        spots: &mut Spots,
        pixels: &mut [[u8; 3]],
    ) {
        let (start, n) = (y * self.width + from, pixels.len());
        let part = y * self.width.div_ceil(TOGETHER) + from / TOGETHER;
        let mut colors = land.color[part];
        if glow.is_some() || rivers.is_some() {
            for (k, i) in (start..start + n).enumerate() {
                let mut color = colors.map(|numbers| numbers[k]);
                if let Some(glow) = glow {
                    color = self.colors.lit_by_glow(color, glow[i]);
                }
                if let Some(rivers) = rivers {
                    color = mix(color, rivers.color[i], rivers.cover[i]);
                }
                (colors[0][k], colors[1][k], colors[2][k]) = (color[0], color[1], color[2]);
            }
        }
        let own = &here[from..from + n];
        if own.iter().any(|&[_, body, film, ..]| body > 0.0 || film > 0.0) {
            for (k, &[depth, body, film, sheen, quick, white, open, _]) in own.iter().enumerate() {
                (spots.depth[k], spots.below[k]) = (depth, below[from + k][0]);
                (spots.body[k], spots.film[k], spots.sheen[k]) = (body, film, sheen);
                (spots.quick[k], spots.white[k], spots.open[k]) = (quick, white, open);
                let x = from + k;
                let beside = if x + 1 < here.len() { x + 1 } else { x.saturating_sub(1) };
                spots.beside[k] = here[beside][0];
            }
            spots.texture[..n].copy_from_slice(&self.texture[start..start + n]);
            liquid::pour(&self.colors, &self.water_scale, &mut colors, spots);
        }
        if land.covered[part] {
            for k in 0..n {
                let color = self.covered(land, colors.map(|numbers| numbers[k]), (from + k, y));
                (colors[0][k], colors[1][k], colors[2][k]) = (color[0], color[1], color[2]);
            }
        }
        color::write(&colors, pixels);
    }

    /// A colour with what stands over land and water: buildings, and the paper where nothing is known.
    fn covered(&self, land: &Land, mut color: Rgb, (x, y): (usize, usize)) -> Rgb {
        let i = y * self.width + x;
        if let Some(block) = land.blocks.get(i) {
            color = times(color, mix([1.0; 3], [0.56, 0.58, 0.68], block.shadow));
            color = mix(color, block.color, block.roof);
        }
        if let Some(&void) = land.void.get(i) {
            color = mix(color, hatched(x, y), smoothstep(0.45, 0.55, void));
        }
        color
    }

    /// Particles, structures and labels.
    fn annotate(&self, picture: &mut Picture, view: &View<'_>) {
        let scale =
            [self.width as f64 / view.lattice.width(), self.height as f64 / view.lattice.height()];
        if self.style.particles {
            let color = if self.colors.glows() { hex(0xFFF0B8) } else { hex(0xFFFFFF) };
            overlay::particles(picture, scale, view.particles, &self.water_scale, color);
        }
        overlay::structures(picture, scale, view.structures);
        body_sprite::draw(picture, view.bodies, scale, &self.land_scale.sun);
        let bar = self.style.scale_bar.then(|| Bar::Metres(view.lattice.width()));
        let time = self
            .style
            .time_label
            .then(|| view.label.map_or_else(|| time_words(view.time), str::to_owned));
        labels::draw(picture, bar, time.as_deref());
    }
}

/// Red, green and blue of pixels, each by itself.
fn apart(pixels: &[Rgb]) -> [Numbers; 3] {
    let mut apart = [[0.0; TOGETHER]; 3];
    for (k, color) in pixels.iter().enumerate() {
        for (numbers, &v) in apart.iter_mut().zip(color) {
            numbers[k] = v;
        }
    }
    apart
}

/// How much each cell is lit by what glows around it.
fn glow(ground: &Ground, water: &WaterLayers) -> Vec<f32> {
    let (nx, ny) = (ground.nx, ground.ny);
    let radius = (nx.max(ny) / 60).max(1);
    let source: Vec<f32> = (0..nx * ny)
        .map(|i| {
            let [depth, body, _, _, quick, ..] = water.shades[i];
            if depth > 0.0 { body * (0.15 + quick) } else { 0.0 }
        })
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
    let known = (0..ground.bed.len()).filter(|&i| !ground.is_void(i));
    let (low, high) = height_range(known.map(|i| ground.bed[i]));
    let steep = relief::typical_slope(ground, 0.1);
    let exaggeration = style.exaggeration.unwrap_or({
        if steep > 1e-9 { (STEEP / steep).clamp(EXAGGERATION.0, EXAGGERATION.1) } else { 1.0 }
    });
    let sea = (-view.datum as f32 - low) / (high - low);
    // A line would colour the hexagons in whose middle it happens to lie.
    let contours = (style.contours && style.cells == Cells::Surface).then(|| {
        let coast = style.palette != Palette::Island;
        Contours { interval: contour_interval(high - low) as f32, sea: -view.datum as f32, coast }
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
    let deep =
        style.deep_depth.map_or_else(|| deep_depth(&flow.depth, wet, relief), |depth| depth as f32);
    let fast = style.fast_speed.map_or_else(|| fast_speed(deep), |speed| speed as f32);
    WaterScale { wet, deep, fast }
}
