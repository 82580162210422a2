//! Shading of the dry ground: tints by height, rock on steep slopes, light, shadow and contour
//! lines. The painter draws water over this ground.

use super::grid::Ground;
use super::relief;
use super::spline::Spline;
use crate::color::light::{Hillshade, Sun};
use crate::color::palette::PaletteTable;
use crate::color::{Rgb, mix, multiply, scale as scaled, smoothstep, value_noise};
use headwater_io::parallel::*;

/// Height scale, tints and lighting of the terrain, fixed by a painter's first view.
#[derive(Clone, Debug)]
pub(crate) struct LandScale {
    /// Ground height that is drawn in the lowest tint (m above the view's datum).
    pub(crate) lowest_tint_height: f32,
    /// Ground height that is drawn in the highest tint (m above the view's datum).
    pub(crate) highest_tint_height: f32,
    pub(crate) tints: PaletteTable,
    pub(crate) sun: Sun,
    pub(crate) light: Hillshade,
    pub(crate) contours: Option<Contours>,
}

/// Spacing and reference level of contour lines.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contours {
    /// Height difference between adjacent contours (m).
    pub(crate) interval: f32,
    /// Sea level (m above the view's datum). Every fifth contour above or below sea level is heavy.
    pub(crate) sea: f32,
    /// Whether the contour at sea level is drawn. It is left out with the palette `island`, whose
    /// colours already show the coast.
    pub(crate) draws_sea_level: bool,
}

/// Tint of lit ground.
const SUNLIT: Rgb = [1.0, 0.985, 0.94];
/// Tint of shaded ground, so that shadows are not gray.
const SHADED: Rgb = [0.27, 0.30, 0.42];
const INK: Rgb = [0.30, 0.22, 0.14];

/// Returns the colours of the dry ground at all pixels in row-major order.
pub(crate) fn render_ground(
    ground: &Ground,
    scale: &LandScale,
    spline: &Spline,
    width: usize,
    height: usize,
) -> Vec<Rgb> {
    let heights = relief::interpolate_heights(ground, spline);
    let shadows = relief::cast_shadows(ground, &scale.sun);
    let hollows = relief::hollow_depth(ground, scale.sun.exaggeration);
    let cells: Vec<[f32; 2]> =
        shadows.iter().zip(&hollows).map(|(&shadow, &hollow)| [shadow, hollow]).collect();
    // Pixel spacing (m).
    let step = [
        ground.nx as f32 * ground.cell[0] / width as f32,
        ground.ny as f32 * ground.cell[1] / height as f32,
    ];
    let mut land = vec![[0.0; 3]; width * height];
    land.par_chunks_mut(width).enumerate().for_each_init(
        || (Vec::new(), vec![[0.0; 2]; width], Vec::new(), vec![[0.0; 3]; width]),
        |(line, shades, colors, own_color), (y, row)| {
            spline.interpolate_vector_row(&cells, y, line, shades);
            if !ground.tint.is_empty() {
                spline.interpolate_vector_row(&ground.tint, y, colors, own_color);
            }
            for (x, color) in row.iter_mut().enumerate() {
                let z = heights[y * width + x];
                let slope = relief::slope(&heights, [width, height], [x, y], step, 1.0);
                // Height difference per pixel (m), which sets the width of contours.
                let rise = (slope[0] * step[0]).hypot(slope[1] * step[1]);
                let own_color = (!ground.tint.is_empty()).then_some(own_color[x]);
                let [shadow, hollow] = shades[x];
                let pixel = GroundPixel { x, y, z, slope, rise, shadow, hollow, own_color };
                *color = scale.color(&pixel);
            }
        },
    );
    land
}

struct GroundPixel {
    x: usize,
    y: usize,
    z: f32,
    slope: [f32; 2],
    rise: f32,
    shadow: f32,
    hollow: f32,
    /// Ground colour of the pixel from the scenery; `None` if the view has no ground colours.
    own_color: Option<Rgb>,
}

impl LandScale {
    fn color(&self, pixel: &GroundPixel) -> Rgb {
        let (px, py) = (pixel.x as f32, pixel.y as f32);
        let rough =
            value_noise(px / 23.0, py / 23.0, 1) * 0.6 + value_noise(px / 7.0, py / 7.0, 2) * 0.4;
        let steep = self.sun.exaggeration * pixel.slope[0].hypot(pixel.slope[1]);
        // Hollows are tinted as lower (greener) ground, crests as higher (drier) ground.
        let t = (pixel.z - self.lowest_tint_height)
            / (self.highest_tint_height - self.lowest_tint_height)
            - 0.05 * pixel.hollow
            + 0.016 * rough;
        let bare = 0.75 * smoothstep(0.62, 1.35, steep + 0.15 * rough - 0.2 * pixel.hollow);
        let tint =
            pixel.own_color.unwrap_or_else(|| self.tints.color_at_height(t.clamp(0.0, 1.0), bare));
        let tint = scaled(tint, 1.0 + 0.018 * rough);
        self.draw_contour(apply_brightness(tint, self.brightness(pixel)), pixel)
    }

    /// Returns the brightness of a pixel relative to level ground in full sunlight.
    fn brightness(&self, pixel: &GroundPixel) -> f32 {
        let slopes = self.light.relative_brightness(pixel.slope[0], pixel.slope[1]);
        let shadow = pixel.shadow.clamp(0.0, 1.0);
        slopes * (1.0 - 0.36 * shadow) * (1.0 - 0.22 * pixel.hollow.clamp(-0.5, 1.0))
    }

    fn draw_contour(&self, color: Rgb, pixel: &GroundPixel) -> Rgb {
        let Some(Contours { interval, sea, draws_sea_level }) = self.contours else { return color };
        let lines = (pixel.z - sea) / interval;
        let nearest = lines.round();
        // Distance in pixels. On nearly flat ground a contour would spread over many pixels.
        let rise = pixel.rise / interval;
        if rise < 1e-4 || (nearest == 0.0 && !draws_sea_level) {
            return color;
        }
        let distance = (lines - nearest).abs() / rise;
        let main = nearest.rem_euclid(5.0) == 0.0;
        let (half, ink) = if main { (0.62, 0.34) } else { (0.42, 0.22) };
        // Dense contours fade out: they would only darken the slope.
        let fade = 1.0 - smoothstep(0.12, 0.4, rise);
        mix(color, INK, (half + 0.5 - distance).clamp(0.0, 1.0) * ink * fade)
    }
}

/// Returns the ground colour `tint` under the given illumination. A brightness of 1 is that of
/// level ground in full sunlight; lower values give shade, higher values highlights.
pub(crate) fn apply_brightness(tint: Rgb, brightness: f32) -> Rgb {
    if brightness < 1.0 {
        let dark = multiply(tint, SHADED);
        return mix(dark, tint, brightness.max(0.0).powf(0.9));
    }
    mix(tint, SUNLIT, 0.75 * (1.0 - (-(brightness - 1.0) * 1.1).exp()))
}
