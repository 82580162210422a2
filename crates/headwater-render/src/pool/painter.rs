//! [`PoolPainter`]: draws views of a pool.

use super::banks::{self, PALETTE_HEIGHT_RATIO};
use super::floor;
use super::liquid::{PoolColors, PoolPixel};
use super::optics::{SurfaceOptics, interpolation_taps, sample};
use super::style::PoolStyle;
use super::view::PoolView;
use crate::Picture;
use crate::bodies::body_sprite;
use crate::color::light::Sun;
use crate::color::{Rgb, mix, rgb_from_hex, rgb_to_bytes, scale, smoothstep};
use crate::labels::annotations::{self, ScaleBar, format_time_label};
use crate::painter::{land_scale, picture_size};
use crate::style::Style;
use crate::terrain::grid::{BlockAverager, Ground};
use crate::terrain::ground;
use crate::terrain::relief::sharpen;
use crate::terrain::spline::Spline;
use crate::view::View;
use headwater::Field;
use headwater::InputError;
use headwater_io::parallel::*;

/// Draws the pictures of one wave world as a pool. The picture of the land and the bed is cached
/// until the land changes.
#[derive(Clone, Debug)]
pub struct PoolPainter {
    style: PoolStyle,
    width: usize,
    height: usize,
    colors: PoolColors,
    floor: Vec<Rgb>,
    land: Option<PreparedLand>,
}

/// Land and bed prepared for drawing, reused from frame to frame.
#[derive(Clone, Debug)]
struct PreparedLand {
    mask: Field<bool>,
    /// Signed distance of each pixel from the shore (pixels), positive on land.
    inland: Vec<f32>,
    /// Depth of the water at rest in each pixel as a fraction of the depth far from the shore.
    relative_depth: Vec<f32>,
    color: Vec<Rgb>,
    sun: Sun,
}

/// Width of the damp ground along the shore (pixels at a picture width of 960).
const DAMP_WIDTH: f32 = 14.0;

/// Distance from the shore over which the glow that a liquid casts on the land decreases to 1/e
/// (pixels at a picture width of 960).
const GLOW_LENGTH: f32 = 42.0;

/// Returns the ground colour with the coping of a quay (the pale stones along its edge) added.
/// `inland` is the distance from the edge of the water (pixels at a picture width of 960).
fn add_coping(ground: Rgb, inland: f32) -> Rgb {
    let stone = 1.0 - smoothstep(5.0, 6.0, inland);
    let seam = (1.0 - (inland - 6.0).abs()).clamp(0.0, 1.0);
    scale(mix(ground, rgb_from_hex(0xE4E1DA), 0.55 * stone), 1.0 - 0.28 * seam)
}

impl PoolPainter {
    /// Creates a painter for a sequence of views that have the same grid as `first`.
    ///
    /// # Errors
    /// Returns [`InputError`] if a value of the style is out of range.
    pub fn new(style: PoolStyle, first: &PoolView<'_>) -> Result<Self, InputError> {
        style.validate()?;
        let lattice = first.lattice.into();
        let (width, height) = picture_size(style.width, &lattice);
        let sun = Sun::new(style.sun_azimuth, style.sun_altitude, 1.0);
        let colors = PoolColors::new(style.liquid, sun.direction);
        let longer = first.lattice.width().max(first.lattice.height());
        let size = style.grain.unwrap_or(longer / 60.0) * width as f64 / first.lattice.width();
        let floor = floor::render_floor(style.floor, (size as f32).max(1.0), width, height);
        Ok(Self { style, width, height, colors, floor, land: None })
    }

    /// Draws a view and returns the picture.
    pub fn paint(&mut self, view: &PoolView<'_>) -> Picture {
        let (nx, ny) = (view.lattice.nx(), view.lattice.ny());
        let mask = Field::from_fn(nx, ny, |x, y| {
            view.land.and_then(|land| land.get(x, y)).copied().unwrap_or(false)
        });
        let land = match self.land.take() {
            Some(land) if land.mask == mask => land,
            _ => self.prepare_land(view, mask),
        };
        let mut picture = self.paint_surface(view, &land);
        let scale =
            [self.width as f64 / view.lattice.width(), self.height as f64 / view.lattice.height()];
        body_sprite::draw_sprites(&mut picture, view.bodies, scale, &land.sun);
        let PoolStyle { scale_bar, time_label, .. } = &self.style;
        let time = time_label.then(|| format_time_label(view.time));
        let bar = scale_bar.then(|| ScaleBar::Metres(view.lattice.width()));
        annotations::draw_annotations(&mut picture, bar, time.as_deref());
        self.land = Some(land);
        picture
    }

    fn interpolate_to_pixels(&self, cells: &Field<f32>) -> Vec<f32> {
        let (nx, ny) = (cells.nx(), cells.ny());
        // Average cells, so that a picture has no fewer pixels than cells.
        let by = (nx / self.width).max(1);
        let means =
            BlockAverager::with_block_size(nx, ny, by).block_means(0.0, |x, y| Some(cells[(x, y)]));
        Spline::new(nx.div_ceil(by), ny.div_ceil(by), self.width, self.height)
            .interpolate_all(&means)
    }

    fn prepare_land(&self, view: &PoolView<'_>, mask: Field<bool>) -> PreparedLand {
        let (width, height) = (self.width, self.height);
        let lattice = view.lattice;
        let shore_distance = banks::shore_distance(&mask);
        let per_cell = width as f32 / lattice.nx() as f32;
        let inland: Vec<f32> = self
            .interpolate_to_pixels(&shore_distance)
            .into_iter()
            .map(|cells| cells * per_cell)
            .collect();
        let pixels_per_metre = width as f64 / lattice.width();
        let shore = self.style.shore.unwrap_or(3.0 * view.depth) * pixels_per_metre;
        // The transition is at least one pixel wide, also at a wall.
        let shore = (shore as f32).max(1.0);
        let relative_depth = inland.iter().map(|inland| (-inland / shore).clamp(0.0, 1.0));
        let relative_depth = relative_depth.map(|way| way * (2.0 - way)).collect();
        let wall = self.style.shore == Some(0.0);
        let bed = banks::land_height(&shore_distance, lattice.dx(), wall);
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
        let ground = Ground::new(&flat, BlockAverager::new(&flat, width, height), 1);
        let mut terrain_scale = land_scale(&style, &flat, &ground);
        // Banks must not use the upper half of the palette, which is rock and snow.
        terrain_scale.highest_tint_height = terrain_scale.lowest_tint_height
            + (terrain_scale.highest_tint_height - terrain_scale.lowest_tint_height)
                * PALETTE_HEIGHT_RATIO;
        let spline = Spline::new(ground.nx, ground.ny, width, height);
        let mut color = ground::render_ground(&ground, &terrain_scale, &spline, width, height);
        let unit = width as f32 / 960.0;
        for (color, &inland) in color.iter_mut().zip(&inland) {
            let inland = inland.max(0.0) / unit;
            if wall {
                *color = add_coping(*color, inland);
            } else {
                *color = self
                    .colors
                    .darken_by_moisture(*color, 1.0 - smoothstep(0.0, DAMP_WIDTH, inland));
            }
            if self.colors.glows() {
                *color = self.colors.add_glow(*color, (-inland / GLOW_LENGTH).exp());
            }
        }
        PreparedLand { mask, inland, relative_depth, color, sun: terrain_scale.sun }
    }

    fn paint_surface(&self, view: &PoolView<'_>, land: &PreparedLand) -> Picture {
        let (width, height) = (self.width, self.height);
        let surface = banks::extrapolate_over_land(view.height, &land.mask);
        let sharp = sharpen(surface.as_slice(), surface.nx(), surface.ny());
        let sharp = Field::from_fn(surface.nx(), surface.ny(), |x, y| sharp[y * surface.nx() + x]);
        let step = (view.lattice.width() / width as f64) as f32;
        let surface_map = SurfaceOptics::new(
            self.interpolate_to_pixels(&sharp),
            width,
            height,
            step,
            self.style.exaggeration,
        );
        let full = view.depth as f32 / step;
        let depth: Vec<f32> =
            land.relative_depth.iter().map(|relative_depth| full * relative_depth).collect();
        let offsets = surface_map.refracted_offsets(&depth);
        let light = surface_map.caustics(&offsets);
        // Height of a steep wave with a length of a 40th of the picture.
        let crest_scale = self.style.exaggeration / (0.004 * width as f32 * step);
        let mut image = Picture::new(width, height, [0; 3]);
        image.as_mut_slice().par_chunks_mut(width).enumerate().for_each(|(y, pixels)| {
            for (x, pixel) in pixels.iter_mut().enumerate() {
                let i = y * width + x;
                let inland = land.inland[i];
                let mut color = land.color[i];
                // Fraction of the pixel on the wet side of the shore.
                let cover = (0.5 - inland).clamp(0.0, 1.0);
                if cover > 0.0 {
                    let (u, v) = (x as f32 + offsets[i][0], y as f32 + offsets[i][1]);
                    let crest = (surface_map.z[i] * crest_scale).clamp(-2.0, 2.0);
                    let pixel_input = PoolPixel {
                        floor: self.floor_at(u, v),
                        light: sample(&light, width, height, u, v),
                        relative_depth: land.relative_depth[i],
                        normal: surface_map.normal(i),
                        crest,
                    };
                    color = mix(
                        color,
                        self.shade_shore(self.colors.color(&pixel_input), inland),
                        cover,
                    );
                }
                *pixel = rgb_to_bytes(color);
            }
        });
        image
    }

    /// Shades the water next to the bank and draws a thin bright rim along the bank. `inland` is
    /// the signed distance from the shore (pixels), negative on the water.
    fn shade_shore(&self, color: Rgb, inland: f32) -> Rgb {
        let unit = self.width as f32 / 960.0;
        let near = 1.0 - smoothstep(0.0, 7.0 * unit, -inland);
        let rim = (1.0 - ((-inland - 1.2) / 1.4).abs()).max(0.0);
        mix(scale(color, 1.0 - 0.22 * near), rgb_from_hex(0xF3FBFA), 0.34 * rim)
    }

    /// Returns the bilinearly interpolated colour of the bed at a point (pixels).
    fn floor_at(&self, x: f32, y: f32) -> Rgb {
        let (x0, x1, tx) = interpolation_taps(x, self.width);
        let (y0, y1, ty) = interpolation_taps(y, self.height);
        let at = |x: usize, y: usize| self.floor[y * self.width + x];
        mix(mix(at(x0, y0), at(x1, y0), tx), mix(at(x0, y1), at(x1, y1), tx), ty)
    }
}
