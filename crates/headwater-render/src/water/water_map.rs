//! Hydrological map with faint relief, pale streams and dark blue pools (after N. McDonald,
//! "Procedural hydrology", 2020).

use crate::Picture;
use crate::color::light::Hillshade;
use crate::color::{Ramp, mix, rgb_from_hex, rgb_to_bytes, scale, smoothstep};
use crate::painter::picture_size;
use crate::terrain::grid::{BlockAverager, Ground, WaterFields};
use crate::terrain::relief;
use crate::terrain::relief::typical_slope;
use crate::terrain::spline::Spline;
use crate::view::View;
use headwater::Field;
use headwater_io::parallel::*;

/// Draws a hydrological map of a view's land and water, `width` pixels wide. The field `stream`
/// contains the strength of the stream in each cell, from 0 to 1.
///
/// The map is narrower than `width` if the grid is more than three times as high as wide, or if the
/// map would have more than 2²⁵ pixels.
pub fn draw_water_map(view: &View<'_>, stream: &Field<f32>, width: u32) -> Picture {
    let (width, height) = picture_size(width, &view.lattice);
    let by = BlockAverager::new(view, width, height);
    let (ground, flow) = (Ground::new(view, by, 1), WaterFields::new(view, by));
    let strength = WaterFields::new(&View { depth: stream, ..*view }, by).depth;
    let spline = Spline::new(ground.nx, ground.ny, width, height);
    let heights = relief::interpolate_heights(&ground, &spline);
    let steep = typical_slope(&ground, 0.1).max(1e-6);
    let light = Hillshade::new(315.0, 45.0, (0.5 / steep).clamp(0.05, 20.0));
    let step = view.lattice.width() as f32 / width as f32;
    let runs = Ramp::new(&[(0.0, 0x6E8C7C), (0.35, 0x9CC0B4), (0.7, 0xD6EFEA), (1.0, 0xF6FFFF)]);
    let land = rgb_from_hex(0x6A8676);
    let pool = Ramp::new(&[(0.0, 0x2A5A9A), (0.25, 0x1B4384), (1.0, 0x0B2154)]);
    let deep = flow.depth.iter().copied().fold(1e-6, f32::max);
    // Without sharpening, brooks one cell wide would fade into their neighbours.
    let strength = relief::sharpen(&strength, ground.nx, ground.ny);
    let cell = |(&stream, &depth): (&f32, &f32)| [stream, depth, f32::from(u8::from(depth > 0.0))];
    let cells: Vec<[f32; 3]> = strength.iter().zip(&flow.depth).map(cell).collect();
    let mut picture = Picture::new(width, height, [0; 3]);
    picture.as_mut_slice().par_chunks_mut(width).enumerate().for_each_init(
        || (Vec::new(), vec![[0.0; 3]; width]),
        |(line, pixels), (y, row)| {
            spline.interpolate_vector_row(&cells, y, line, pixels);
            for (x, pixel) in row.iter_mut().enumerate() {
                let slope = relief::slope(&heights, [width, height], [x, y], [step; 2], 1.0);
                let shade = 0.7 + 0.3 * light.relative_brightness(slope[0], slope[1]);
                let [stream, depth, wet] = pixels[x];
                let strong = stream.clamp(0.0, 1.0);
                let run =
                    mix(scale(land, shade), runs.sample(strong), smoothstep(0.04, 0.4, strong));
                let still = pool.sample((depth / deep).max(0.0).sqrt());
                let color = mix(run, still, smoothstep(0.4, 0.6, wet));
                *pixel = rgb_to_bytes(color);
            }
        },
    );
    picture
}
