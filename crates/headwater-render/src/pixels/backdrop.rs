//! Background behind the cells of a side view: a sky with hills, the back wall of a cave, or a
//! room. The background is fixed at the start of a run.

use super::canvas::{ArtPixel, quantise_dithered};
use super::light::{CellField, spread_light};
use super::scene::PixelScene;
use super::stone::{WallMaterial, pick_shade, stone_texture};
use super::style::Walls;
use crate::color::{
    Ramp, Rgb, hash_to_unit_interval, mix, rgb_from_hex, scale, smoothstep, value_noise,
};
use headwater::Field;

/// Maximum distance (cells) that the open sky extends down into a narrow shaft, measured from the
/// level of the surrounding ground.
const SKY_IN_SHAFT: usize = 3;
/// Number of columns to the left and to the right of a shaft that count as the surrounding ground
/// (see [`SKY_IN_SHAFT`]).
const SKY_NEIGHBORS: usize = 12;

/// Background of a side view, fixed at the start of a run.
#[derive(Clone, Debug)]
pub(super) struct Backdrop {
    pub(super) walls: Walls,
    /// Whether each cell was a wall at the start of the run.
    pub(super) initial_walls: Field<bool>,
    /// First row below the open sky in each column; row 0 is the top row.
    pub(super) skyline: Vec<usize>,
    picture: Vec<Rgb>,
    width: usize,
}

impl Backdrop {
    pub(super) fn new(walls: Walls, scene: &PixelScene, art: usize) -> Self {
        let (nx, ny) = (scene.nx, scene.ny);
        let initial_walls = Field::from_fn(nx, ny, |x, y| scene.cell(x, y).is_wall());
        let skyline = match walls {
            Walls::Earth => skyline(&initial_walls),
            Walls::Rock | Walls::Brick => vec![0; nx],
        };
        let width = nx * art;
        let mut backdrop = Self { walls, initial_walls, skyline, picture: Vec::new(), width };
        let sky = Field::from_fn(nx, ny, |x, y| f32::from(u8::from(y < backdrop.skyline[x])));
        let painter = BackdropPainter::new(
            &backdrop,
            CellField::new(spread_light(sky)),
            [nx * art, ny * art],
        );
        let mut picture = Vec::with_capacity(width * ny * art);
        for py in 0..ny * art {
            picture.extend((0..width).map(|px| {
                painter.color(ArtPixel {
                    x: px / art,
                    y: py / art,
                    u: px % art,
                    v: py % art,
                    px,
                    py,
                    art_pixels_per_cell: art,
                })
            }));
        }
        backdrop.picture = picture;
        backdrop
    }

    /// Returns the background colour at a square of the pixel art.
    pub(super) fn color_at(&self, pixel: ArtPixel) -> Rgb {
        self.picture[pixel.py * self.width + pixel.px]
    }

    /// Returns the number of rows from the lower edge of the open sky down to row `y` in column
    /// `x`; 0 in the sky.
    pub(super) fn rows_below_sky(&self, x: usize, y: usize) -> usize {
        y.saturating_sub(self.skyline[x])
    }
}

/// Returns, for each column, the first row below the open sky. In narrow shafts the sky ends a few
/// cells below the surrounding ground.
fn skyline(walls: &Field<bool>) -> Vec<usize> {
    let (nx, ny) = (walls.nx(), walls.ny());
    let first: Vec<usize> =
        (0..nx).map(|x| (0..ny).find(|&y| walls[(x, y)]).unwrap_or(ny)).collect();
    (0..nx)
        .map(|x| {
            let around = x.saturating_sub(SKY_NEIGHBORS)..(x + SKY_NEIGHBORS + 1).min(nx);
            let mut around = first[around].to_vec();
            around.sort_unstable();
            first[x].min(around[around.len() / 2] + SKY_IN_SHAFT)
        })
        .collect()
}

struct BackdropPainter<'a> {
    backdrop: &'a Backdrop,
    daylight: CellField,
    sky: Ramp,
    horizon: f32,
    width: f32,
}

impl<'a> BackdropPainter<'a> {
    fn new(backdrop: &'a Backdrop, daylight: CellField, size: [usize; 2]) -> Self {
        let sky = Ramp::new(&[(0.0, 0x4A97D6), (0.45, 0x86C5EA), (0.8, 0xC9E8F2), (1.0, 0xF6F0DC)]);
        let rows: usize = backdrop.skyline.iter().sum();
        let mean = rows as f32 / backdrop.skyline.len() as f32;
        let ny = backdrop.initial_walls.ny() as f32;
        let horizon = (mean / ny * size[1] as f32).max(1.0);
        Self { backdrop, daylight, sky, horizon, width: size[0] as f32 }
    }

    fn color(&self, pixel: ArtPixel) -> Rgb {
        match self.backdrop.walls {
            Walls::Brick => room_wall_color(pixel),
            _ if pixel.y < self.backdrop.skyline[pixel.x] => self.sky_color(pixel),
            _ => self.cave_wall_color(pixel),
        }
    }

    /// Returns the colour of the sky, with clouds and two ranges of distant hills.
    fn sky_color(&self, pixel: ArtPixel) -> Rgb {
        let (px, py) = (pixel.px as f32, pixel.py as f32);
        let down = py / self.horizon;
        let mut color = self.sky.sample(quantise_dithered(down, 24.0, pixel));
        let cloud =
            value_noise(px / 40.0, py / 10.0, 5) + 0.45 * value_noise(px / 14.0, py / 5.0, 6);
        let high = smoothstep(0.75, 0.25, down) * smoothstep(0.0, 0.12, down);
        if cloud * high > 0.44 {
            color =
                mix(color, rgb_from_hex(0xFFFFFF), if cloud * high > 0.54 { 0.85 } else { 0.45 });
        }
        for (i, (foot, size, far)) in
            [(0.72, 0.22, 0xA9CCDC), (0.86, 0.17, 0x86B3B4)].into_iter().enumerate()
        {
            let bumps = value_noise(px / self.width * 9.0, 0.5, 20 + i as u32)
                + 0.45 * value_noise(px / self.width * 26.0, 0.5, 30 + i as u32)
                + 0.12 * value_noise(px / 5.0, 0.5, 40 + i as u32);
            if down > foot - size * (0.5 + 0.6 * bumps) {
                let haze = smoothstep(foot - size, 1.15, down);
                color = mix(
                    rgb_from_hex(far),
                    rgb_from_hex(0xD9E6DC),
                    quantise_dithered(0.75 * haze, 12.0, pixel),
                );
            }
        }
        color
    }

    /// Returns the colour of a cave's back wall: a darkened copy of the original rock, lighter near
    /// openings.
    fn cave_wall_color(&self, pixel: ArtPixel) -> Rgb {
        let rock =
            WallMaterial::original_material_at(self.backdrop.walls, &self.backdrop.skyline, pixel);
        let color = match rock {
            WallMaterial::Earth => {
                let ramp = [0x33241D, 0x392920, 0x402E24, 0x473428].map(rgb_from_hex);
                pick_shade(ramp, pixel, 91)
            }
            _ => {
                let ramp = [0x1C1E28, 0x21242E, 0x252833, 0x292D38].map(rgb_from_hex);
                stone_texture(pixel, 1.35, 92).color(ramp)
            }
        };
        let depth = self.backdrop.rows_below_sky(pixel.x, pixel.y) as f32
            + pixel.v as f32 / pixel.art_pixels_per_cell as f32;
        let dim = 1.0 - 0.3 * smoothstep(20.0, 140.0, depth);
        let light = quantise_dithered(self.daylight.interpolate_at(pixel).min(1.0), 8.0, pixel);
        mix(scale(color, dim), scale(color, 1.9), light)
    }
}

/// Returns the colour of a dark room's tiled wall.
fn room_wall_color(pixel: ArtPixel) -> Rgb {
    let size = (2 * pixel.art_pixels_per_cell).max(4);
    let (u, v) = (pixel.px % size, pixel.py % size);
    let tile =
        hash_to_unit_interval((pixel.px / size) as u32 * 7919 + (pixel.py / size) as u32 * 104_729);
    let base = mix(rgb_from_hex(0x1A2029), rgb_from_hex(0x1E2530), tile);
    match (u, v) {
        _ if pixel.art_pixels_per_cell < 4 => base,
        (0, _) | (_, 0) => rgb_from_hex(0x161B23),
        (1, 1..) | (1.., 1) => scale(base, 1.12),
        _ => base,
    }
}
