//! The picture of the dry ground: tints by height, rock on steep slopes, light and shadow, contour
//! lines. Water and everything above it come later.

use super::color::{Rgb, grain, mix, scale, smoothstep, times};
use super::grid::Ground;
use super::light::{Hillshade, Sun};
use super::palette::Tints;
use super::relief;
use super::spline::Spline;
use crate::parallel::*;

/// What a picture's first view fixes for the ground.
#[derive(Clone, Debug)]
pub(super) struct LandScale {
    /// Heights of the lowest and the highest tint (m above the view's datum).
    pub(super) low: f32,
    pub(super) high: f32,
    pub(super) tints: Tints,
    pub(super) sun: Sun,
    pub(super) light: Hillshade,
    pub(super) contours: Option<Contours>,
}

/// Lines of equal height.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contours {
    /// Height from one to the next (m).
    pub(super) interval: f32,
    /// Height of the sea (m above the view's datum); every fifth line from there is a heavy one.
    pub(super) sea: f32,
    /// Whether the sea's own line is drawn; where there is water it shows the coast already.
    pub(super) coast: bool,
}

/// Tint of light and of shade, so that neither is grey.
const SUNLIT: Rgb = [1.0, 0.985, 0.94];
const SHADED: Rgb = [0.27, 0.30, 0.42];
const INK: Rgb = [0.30, 0.22, 0.14];

/// The colours of all pixels of the dry ground, row after row.
pub(super) fn paint(
    ground: &Ground,
    scale_of: &LandScale,
    spline: &Spline,
    width: usize,
    height: usize,
) -> Vec<Rgb> {
    let heights = relief::fine_heights(ground, spline);
    let shadows = relief::cast_shadows(ground, &scale_of.sun);
    let hollows = relief::hollows(ground, scale_of.sun.exaggeration);
    let cells: Vec<[f32; 2]> =
        shadows.iter().zip(&hollows).map(|(&shadow, &hollow)| [shadow, hollow]).collect();
    // Metres from pixel to pixel.
    let step = [
        ground.nx as f32 * ground.cell[0] / width as f32,
        ground.ny as f32 * ground.cell[1] / height as f32,
    ];
    let mut land = vec![[0.0; 3]; width * height];
    land.par_chunks_mut(width).enumerate().for_each_init(
        || (Vec::new(), vec![[0.0; 2]; width], Vec::new(), vec![[0.0; 3]; width]),
        |(line, shades, colors, own), (y, row)| {
            spline.rows_of(&cells, y, line, shades);
            if !ground.tint.is_empty() {
                spline.rows_of(&ground.tint, y, colors, own);
            }
            for (x, color) in row.iter_mut().enumerate() {
                let z = heights[y * width + x];
                let slope = relief::slope(&heights, [width, height], [x, y], step, 1.0);
                // Metres of height from one pixel to the next, for the width of contours.
                let climb = (slope[0] * step[0]).hypot(slope[1] * step[1]);
                let own = (!ground.tint.is_empty()).then_some(own[x]);
                let [shadow, hollow] = shades[x];
                let site = Site { x, y, z, slope, climb, shadow, hollow, own };
                *color = scale_of.color(&site);
            }
        },
    );
    land
}

struct Site {
    x: usize,
    y: usize,
    z: f32,
    slope: [f32; 2],
    climb: f32,
    shadow: f32,
    hollow: f32,
    /// The ground's own colour, if it has one.
    own: Option<Rgb>,
}

impl LandScale {
    fn color(&self, site: &Site) -> Rgb {
        let (px, py) = (site.x as f32, site.y as f32);
        let rough = grain(px / 23.0, py / 23.0, 1) * 0.6 + grain(px / 7.0, py / 7.0, 2) * 0.4;
        let steep = self.sun.exaggeration * site.slope[0].hypot(site.slope[1]);
        // Hollows are moist and greener, crests drier, as if they lay a little lower and higher.
        let t = (site.z - self.low) / (self.high - self.low) - 0.05 * site.hollow + 0.016 * rough;
        let bare = 0.75 * smoothstep(0.62, 1.35, steep + 0.15 * rough - 0.2 * site.hollow);
        let tint = site.own.unwrap_or_else(|| self.tints.at(t.clamp(0.0, 1.0), bare));
        let tint = scale(tint, 1.0 + 0.018 * rough);
        self.contour(lit(tint, self.brightness(site)), site)
    }

    /// Relative to level ground in the open.
    fn brightness(&self, site: &Site) -> f32 {
        let slopes = self.light.at(site.slope[0], site.slope[1]);
        let shadow = site.shadow.clamp(0.0, 1.0);
        slopes * (1.0 - 0.36 * shadow) * (1.0 - 0.22 * site.hollow.clamp(-0.5, 1.0))
    }

    fn contour(&self, color: Rgb, site: &Site) -> Rgb {
        let Some(Contours { interval, sea, coast }) = self.contours else { return color };
        let lines = (site.z - sea) / interval;
        let nearest = lines.round();
        // Distance in pixels. On ground this flat a line would spread over many pixels.
        let climb = site.climb / interval;
        if climb < 1e-4 || (nearest == 0.0 && !coast) {
            return color;
        }
        let distance = (lines - nearest).abs() / climb;
        let main = nearest.rem_euclid(5.0) == 0.0;
        let (half, ink) = if main { (0.62, 0.34) } else { (0.42, 0.22) };
        // Where lines crowd together they would only darken the slope.
        let room = 1.0 - smoothstep(0.12, 0.4, climb);
        mix(color, INK, (half + 0.5 - distance).clamp(0.0, 1.0) * ink * room)
    }
}

/// `tint` under light of a brightness relative to level ground.
pub(super) fn lit(tint: Rgb, brightness: f32) -> Rgb {
    if brightness < 1.0 {
        let dark = times(tint, SHADED);
        return mix(dark, tint, brightness.max(0.0).powf(0.9));
    }
    mix(tint, SUNLIT, 0.75 * (1.0 - (-(brightness - 1.0) * 1.1).exp()))
}
