//! What lies behind the cells: sky with hills, the back wall of caves, a room. Fixed at the start of a run.

use super::canvas::{Spot, stepped};
use super::light::{Soft, spread};
use super::scene::Scene;
use super::stone::{Rock, shade_of, stones};
use super::style::Walls;
use crate::picture::color::{Ramp, Rgb, grain, hex, mix, random, scale, smoothstep};
use headwater::Field;

/// A column's first wall may lie so many cells below its neighbours' before the sky ends above it: so far
/// the sky reaches into a shaft.
const SKY_IN_SHAFT: usize = 3;
/// Columns to each side that count as neighbours there.
const NEIGHBORS: usize = 12;

/// What the start of a run fixes.
#[derive(Clone, Debug)]
pub(super) struct Backdrop {
    pub(super) walls: Walls,
    /// Cells that were wall at the start.
    pub(super) first_walls: Field<bool>,
    /// The first row of each column that is not under the open sky.
    pub(super) skyline: Vec<usize>,
    picture: Vec<Rgb>,
    width: usize,
}

impl Backdrop {
    pub(super) fn new(walls: Walls, scene: &Scene, art: usize) -> Self {
        let (nx, ny) = (scene.nx, scene.ny);
        let first_walls = Field::from_fn(nx, ny, |x, y| scene.cell(x, y).is_wall());
        let skyline = match walls {
            Walls::Earth => skyline(&first_walls),
            Walls::Rock | Walls::Brick => vec![0; nx],
        };
        let width = nx * art;
        let mut backdrop = Self { walls, first_walls, skyline, picture: Vec::new(), width };
        let sky = Field::from_fn(nx, ny, |x, y| f32::from(u8::from(y < backdrop.skyline[x])));
        let painter = Behind::new(&backdrop, Soft::new(spread(sky)), [nx * art, ny * art]);
        let mut picture = Vec::with_capacity(width * ny * art);
        for py in 0..ny * art {
            picture.extend((0..width).map(|px| {
                painter.pixel(Spot {
                    x: px / art,
                    y: py / art,
                    u: px % art,
                    v: py % art,
                    px,
                    py,
                    art,
                })
            }));
        }
        backdrop.picture = picture;
        backdrop
    }

    /// The colour behind a pixel.
    pub(super) fn at(&self, spot: Spot) -> Rgb {
        self.picture[spot.py * self.width + spot.px]
    }

    /// How many cells below the open sky a row lies.
    pub(super) fn below_sky(&self, x: usize, y: usize) -> usize {
        y.saturating_sub(self.skyline[x])
    }
}

/// The first row of each column that is not under the open sky.
fn skyline(walls: &Field<bool>) -> Vec<usize> {
    let (nx, ny) = (walls.nx(), walls.ny());
    let first: Vec<usize> =
        (0..nx).map(|x| (0..ny).find(|&y| walls[(x, y)]).unwrap_or(ny)).collect();
    (0..nx)
        .map(|x| {
            let around = x.saturating_sub(NEIGHBORS)..(x + NEIGHBORS + 1).min(nx);
            let mut around = first[around].to_vec();
            around.sort_unstable();
            first[x].min(around[around.len() / 2] + SKY_IN_SHAFT)
        })
        .collect()
}

struct Behind<'a> {
    backdrop: &'a Backdrop,
    daylight: Soft,
    sky: Ramp,
    horizon: f32,
    width: f32,
}

impl<'a> Behind<'a> {
    fn new(backdrop: &'a Backdrop, daylight: Soft, size: [usize; 2]) -> Self {
        let sky = Ramp::new(&[(0.0, 0x4A97D6), (0.45, 0x86C5EA), (0.8, 0xC9E8F2), (1.0, 0xF6F0DC)]);
        let rows: usize = backdrop.skyline.iter().sum();
        let mean = rows as f32 / backdrop.skyline.len() as f32;
        let ny = backdrop.first_walls.ny() as f32;
        let horizon = (mean / ny * size[1] as f32).max(1.0);
        Self { backdrop, daylight, sky, horizon, width: size[0] as f32 }
    }

    fn pixel(&self, spot: Spot) -> Rgb {
        match self.backdrop.walls {
            Walls::Brick => room(spot),
            _ if spot.y < self.backdrop.skyline[spot.x] => self.sky(spot),
            _ => self.cave(spot),
        }
    }

    /// Sky, clouds, and two rows of far hills.
    fn sky(&self, spot: Spot) -> Rgb {
        let (px, py) = (spot.px as f32, spot.py as f32);
        let down = py / self.horizon;
        let mut color = self.sky.at(stepped(down, 24.0, spot));
        let cloud = grain(px / 40.0, py / 10.0, 5) + 0.45 * grain(px / 14.0, py / 5.0, 6);
        let high = smoothstep(0.75, 0.25, down) * smoothstep(0.0, 0.12, down);
        if cloud * high > 0.44 {
            color = mix(color, hex(0xFFFFFF), if cloud * high > 0.54 { 0.85 } else { 0.45 });
        }
        for (i, (foot, size, far)) in
            [(0.72, 0.22, 0xA9CCDC), (0.86, 0.17, 0x86B3B4)].into_iter().enumerate()
        {
            let bumps = grain(px / self.width * 9.0, 0.5, 20 + i as u32)
                + 0.45 * grain(px / self.width * 26.0, 0.5, 30 + i as u32)
                + 0.12 * grain(px / 5.0, 0.5, 40 + i as u32);
            if down > foot - size * (0.5 + 0.6 * bumps) {
                let haze = smoothstep(foot - size, 1.15, down);
                color = mix(hex(far), hex(0xD9E6DC), stepped(0.75 * haze, 12.0, spot));
            }
        }
        color
    }

    /// The back wall of a cave: the rock that was there, dark, lighter towards the open.
    fn cave(&self, spot: Spot) -> Rgb {
        let rock = Rock::of(self.backdrop.walls, &self.backdrop.skyline, spot);
        let color = match rock {
            Rock::Earth => {
                let ramp = [0x33241D, 0x392920, 0x402E24, 0x473428].map(hex);
                shade_of(ramp, spot, 91)
            }
            _ => {
                let ramp = [0x1C1E28, 0x21242E, 0x252833, 0x292D38].map(hex);
                stones(spot, 1.35, 92).color(ramp)
            }
        };
        let deep = self.backdrop.below_sky(spot.x, spot.y) as f32 + spot.v as f32 / spot.art as f32;
        let dim = 1.0 - 0.3 * smoothstep(20.0, 140.0, deep);
        let light = stepped(self.daylight.at(spot).min(1.0), 8.0, spot);
        mix(scale(color, dim), scale(color, 1.9), light)
    }
}

/// The wall of a dark room, tiled.
fn room(spot: Spot) -> Rgb {
    let size = (2 * spot.art).max(4);
    let (u, v) = (spot.px % size, spot.py % size);
    let tile = random((spot.px / size) as u32 * 7919 + (spot.py / size) as u32 * 104_729);
    let base = mix(hex(0x1A2029), hex(0x1E2530), tile);
    match (u, v) {
        _ if spot.art < 4 => base,
        (0, _) | (_, 0) => hex(0x161B23),
        (1, 1..) | (1.., 1) => scale(base, 1.12),
        _ => base,
    }
}
