//! Rasterisation of rivers to the pixels of a picture.

use crate::color::{Ramp, Rgb, mix, rgb_from_hex, smoothstep};
use crate::scenery::segments::Segment;
use crate::scenery::{MIN_AREA_FRACTION, River, RiverPoint};
use crate::view::View;

/// Colour of the foam in waterfalls.
const FOAM: Rgb = rgb_from_hex(0xF6FBFD);

/// Rivers of a picture, as coverage and colour per pixel.
pub(crate) struct RiverPixels {
    /// Fraction of each pixel that a river covers, 0 to 1.
    pub(crate) cover: Vec<f32>,
    /// Colour of the river water in each pixel.
    pub(crate) color: Vec<Rgb>,
}

impl RiverPixels {
    pub(crate) fn new(rivers: &[River], view: &View<'_>, width: usize, height: usize) -> Self {
        let pixels = width as f64 / view.lattice.width();
        let unit = (width.max(height) as f32 / 960.0).max(0.4);
        let water = Ramp::new(&[(0.0, 0x6FB2D2), (0.4, 0x4A97C6), (1.0, 0x2B71AE)]);
        let mut ribbons =
            Self { cover: vec![0.0; width * height], color: vec![[0.0; 3]; width * height] };
        for river in rivers {
            let line = river.smoothed_points();
            for pair in line.windows(2) {
                let end = |(point, share, white): RiverPoint| {
                    let root = share.max(0.0).sqrt();
                    let at = point.map(|metres| metres * pixels as f32);
                    (at, unit * River::half_width(share), root, white)
                };
                ribbons.add_segment(width, end(pair[0]), end(pair[1]), &water);
            }
        }
        ribbons
    }

    /// Adds a river segment to the picture. Width, colour and whiteness vary linearly between its
    /// two ends. `width` is the width of the picture (pixels), and `water` is the colour ramp of
    /// the water.
    fn add_segment(&mut self, width: usize, from: SegmentEnd, to: SegmentEnd, water: &Ramp) {
        let size = [width, self.cover.len() / width];
        let segment = Segment { from: from.0, to: to.0 };
        segment.for_each_pixel(from.1.max(to.1) + 1.0, size, |[x, y], along, distance| {
            let t = along.clamp(0.0, 1.0);
            let half = from.1 + (to.1 - from.1) * t;
            let root = from.2 + (to.2 - from.2) * t;
            let white = from.3 + (to.3 - from.3) * t;
            // The thinnest brooks fade instead of getting thinner than a pixel, except at
            // waterfalls.
            let clear =
                smoothstep(0.5 * MIN_AREA_FRACTION.sqrt(), 2.2 * MIN_AREA_FRACTION.sqrt(), root)
                    .max(white);
            let cover = (half + 0.5 - distance).clamp(0.0, 1.0) * clear;
            let i = y * width + x;
            if cover > self.cover[i] {
                self.cover[i] = cover;
                self.color[i] = mix(water.sample((root - 0.03) / 0.5), FOAM, white);
            }
        });
    }
}

/// End of a river segment: position (pixels), half-width of the river (pixels), square root of the
/// drainage area as a fraction of the map area, and whiteness of the water (0 to 1).
type SegmentEnd = ([f32; 2], f32, f32, f32);
