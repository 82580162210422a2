//! [`PoolPainter`]: from views of a pool to pictures.

use super::banks::{self, HIGHER};
use super::floor;
use super::liquid::{PoolColors, Spot};
use super::optics::{Surface, between, sample};
use super::style::PoolStyle;
use super::view::PoolView;
use crate::parallel::*;
use crate::picture::Picture;
use crate::picture::color::{Rgb, bytes, hex, mix, scale, smoothstep};
use crate::picture::grid::{Ground, Reduction};
use crate::picture::labels::{self, Bar, time_words};
use crate::picture::light::Sun;
use crate::picture::painter::{land_scale, picture_size};
use crate::picture::relief::sharpen;
use crate::picture::spline::Spline;
use crate::picture::style::Style;
use crate::picture::view::View;
use crate::picture::{body_sprite, ground};
use headwater::Field;
use headwater::InputError;

/// Draws the pictures of one pool. The picture of land and bed is kept until the land changes.
#[derive(Clone, Debug)]
pub struct PoolPainter {
    style: PoolStyle,
    width: usize,
    height: usize,
    colors: PoolColors,
    floor: Vec<Rgb>,
    land: Option<Land>,
}

/// What is kept from frame to frame.
#[derive(Clone, Debug)]
struct Land {
    mask: Field<bool>,
    /// Distance from the shore at all pixels (pixels), above 0 on land.
    inland: Vec<f32>,
    /// Depth as a share of the full one.
    deep: Vec<f32>,
    color: Vec<Rgb>,
    sun: Sun,
}

/// Pixels of wet land along the shore, for each 960 of the picture.
const DAMP: f32 = 14.0;

/// How many pixels the light of a liquid that glows reaches, for each 960 of the picture.
const GLOW: f32 = 42.0;

/// The stones along the edge of a quay, at a distance from it (pixels of 960).
fn coping(ground: Rgb, inland: f32) -> Rgb {
    let stone = 1.0 - smoothstep(5.0, 6.0, inland);
    let seam = (1.0 - (inland - 6.0).abs()).clamp(0.0, 1.0);
    scale(mix(ground, hex(0xE4E1DA), 0.55 * stone), 1.0 - 0.28 * seam)
}

impl PoolPainter {
    /// A painter for views of the grid of `first`.
    ///
    /// # Errors
    /// [`InputError`] if the style has a value that is not allowed.
    pub fn new(style: PoolStyle, first: &PoolView<'_>) -> Result<Self, InputError> {
        style.validate()?;
        let lattice = first.lattice.into();
        let (width, height) = picture_size(style.width, &lattice);
        let sun = Sun::new(style.sun_azimuth, style.sun_altitude, 1.0);
        let colors = PoolColors::new(style.liquid, sun.towards);
        let longer = first.lattice.width().max(first.lattice.height());
        let size = style.grain.unwrap_or(longer / 60.0) * width as f64 / first.lattice.width();
        let floor = floor::paint(style.floor, (size as f32).max(1.0), width, height);
        Ok(Self { style, width, height, colors, floor, land: None })
    }

    /// One picture.
    pub fn paint(&mut self, view: &PoolView<'_>) -> Picture {
        let (nx, ny) = (view.lattice.nx(), view.lattice.ny());
        let mask = Field::from_fn(nx, ny, |x, y| {
            view.land.and_then(|land| land.get(x, y)).copied().unwrap_or(false)
        });
        let land = match self.land.take() {
            Some(land) if land.mask == mask => land,
            _ => self.new_land(view, mask),
        };
        let mut picture = self.scenery(view, &land);
        let scale =
            [self.width as f64 / view.lattice.width(), self.height as f64 / view.lattice.height()];
        body_sprite::draw(&mut picture, view.bodies, scale, &land.sun);
        let PoolStyle { scale_bar, time_label, .. } = &self.style;
        let time = time_label.then(|| time_words(view.time));
        let bar = scale_bar.then(|| Bar::Metres(view.lattice.width()));
        labels::draw(&mut picture, bar, time.as_deref());
        self.land = Some(land);
        picture
    }

    fn pixels(&self, cells: &Field<f32>) -> Vec<f32> {
        let (nx, ny) = (cells.nx(), cells.ny());
        // So many cells a side are one, so that a picture has no fewer pixels than cells.
        let by = (nx / self.width).max(1);
        let means = Reduction::square(nx, ny, by).means(0.0, |x, y| Some(cells[(x, y)]));
        Spline::new(nx.div_ceil(by), ny.div_ceil(by), self.width, self.height).all(&means)
    }

    fn new_land(&self, view: &PoolView<'_>, mask: Field<bool>) -> Land {
        let (width, height) = (self.width, self.height);
        let lattice = view.lattice;
        let from_shore = banks::from_shore(&mask);
        let per_cell = width as f32 / lattice.nx() as f32;
        let inland: Vec<f32> =
            self.pixels(&from_shore).into_iter().map(|cells| cells * per_cell).collect();
        let per_metre = width as f64 / lattice.width();
        let shore = self.style.shore.unwrap_or(3.0 * view.depth) * per_metre;
        // Even a wall is a pixel wide.
        let shore = (shore as f32).max(1.0);
        let deep = inland.iter().map(|inland| (-inland / shore).clamp(0.0, 1.0));
        let deep = deep.map(|way| way * (2.0 - way)).collect();
        let wall = self.style.shore == Some(0.0);
        let bed = banks::rising(&from_shore, lattice.dx(), wall);
        let dry = Field::new(bed.nx(), bed.ny(), 0.0);
        let flat = View::new(lattice, &bed, &dry);
        let style = Style {
            palette: self.style.palette,
            sun_azimuth: self.style.sun_azimuth,
            sun_altitude: self.style.sun_altitude,
            contours: false,
            exaggeration: Some(1.4),
            ..Style::default()
        };
        let ground = Ground::new(&flat, Reduction::new(&flat, width, height), 1);
        let mut scale_of = land_scale(&style, &flat, &ground);
        // Banks are no mountains: the upper half of the palette, where rock and snow are, is not for them.
        scale_of.high = scale_of.low + (scale_of.high - scale_of.low) * HIGHER;
        let spline = Spline::new(ground.nx, ground.ny, width, height);
        let mut color = ground::paint(&ground, &scale_of, &spline, width, height);
        let unit = width as f32 / 960.0;
        for (color, &inland) in color.iter_mut().zip(&inland) {
            let inland = inland.max(0.0) / unit;
            if wall {
                *color = coping(*color, inland);
            } else {
                *color = self.colors.damp(*color, 1.0 - smoothstep(0.0, DAMP, inland));
            }
            if self.colors.glows() {
                *color = self.colors.lit_by_glow(*color, (-inland / GLOW).exp());
            }
        }
        Land { mask, inland, deep, color, sun: scale_of.sun }
    }

    fn scenery(&self, view: &PoolView<'_>, land: &Land) -> Picture {
        let (width, height) = (self.width, self.height);
        let surface = banks::extended(view.height, &land.mask);
        let sharp = sharpen(surface.as_slice(), surface.nx(), surface.ny());
        let sharp = Field::from_fn(surface.nx(), surface.ny(), |x, y| sharp[y * surface.nx() + x]);
        let step = (view.lattice.width() / width as f64) as f32;
        let sheet = Surface::new(self.pixels(&sharp), width, height, step, self.style.exaggeration);
        let full = view.depth as f32 / step;
        let depth: Vec<f32> = land.deep.iter().map(|deep| full * deep).collect();
        let bent = sheet.bent(&depth);
        let light = sheet.caustics(&bent);
        // A wave that is steep at a length of a 40th of the picture.
        let typical = self.style.exaggeration / (0.004 * width as f32 * step);
        let mut image = Picture::new(width, height, [0; 3]);
        image.as_mut_slice().par_chunks_mut(width).enumerate().for_each(|(y, pixels)| {
            for (x, pixel) in pixels.iter_mut().enumerate() {
                let i = y * width + x;
                let inland = land.inland[i];
                let mut color = land.color[i];
                // The share of the pixel on the water's side of the shore.
                let cover = (0.5 - inland).clamp(0.0, 1.0);
                if cover > 0.0 {
                    let (u, v) = (x as f32 + bent[i][0], y as f32 + bent[i][1]);
                    let crest = (sheet.z[i] * typical).clamp(-2.0, 2.0);
                    let spot = Spot {
                        floor: self.floor_at(u, v),
                        light: sample(&light, width, height, u, v),
                        deep: land.deep[i],
                        normal: sheet.normal(i),
                        crest,
                    };
                    color = mix(color, self.shaded(self.colors.color(&spot), inland), cover);
                }
                *pixel = bytes(color);
            }
        });
        image
    }

    /// The bank's shade on the water beside it, and a thin bright rim where they meet.
    fn shaded(&self, color: Rgb, inland: f32) -> Rgb {
        let unit = self.width as f32 / 960.0;
        let near = 1.0 - smoothstep(0.0, 7.0 * unit, -inland);
        let rim = (1.0 - ((-inland - 1.2) / 1.4).abs()).max(0.0);
        mix(scale(color, 1.0 - 0.22 * near), hex(0xF3FBFA), 0.34 * rim)
    }

    /// The bed's colour between pixels.
    fn floor_at(&self, x: f32, y: f32) -> Rgb {
        let (x0, x1, tx) = between(x, self.width);
        let (y0, y1, ty) = between(y, self.height);
        let at = |x: usize, y: usize| self.floor[y * self.width + x];
        mix(mix(at(x0, y0), at(x1, y0), tx), mix(at(x0, y1), at(x1, y1), tx), ty)
    }
}
