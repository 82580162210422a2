//! Obstacles seen from above: blocks with hipped roofs that cast a short shadow. They say where
//! water cannot go, and nothing of what really stands there.

use super::color::{Rgb, hex, mix, scale};
use super::grid::Ground;
use super::light::Sun;
use super::scenery::buildings;
use crate::parallel::*;

/// What buildings do to one pixel.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Block {
    /// Share of the pixel that is roof, and the roof's colour.
    pub(super) roof: f32,
    pub(super) color: Rgb,
    /// Share of the pixel that lies in a building's shadow.
    pub(super) shadow: f32,
}

/// Roofs rise over this many cells from the eaves and are flat from there on.
const ROOF_RUN: f32 = 1.6;
/// Samples per side of a pixel.
const SAMPLES: usize = 3;

/// All pixels, row after row; empty without buildings.
pub(super) fn paint(ground: &Ground, sun: &Sun, width: usize, height: usize) -> Vec<Block> {
    if ground.closed.is_empty() {
        return Vec::new();
    }
    let town = Town::new(ground, sun);
    let mut blocks = vec![Block::default(); width * height];
    blocks.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
        let v = (y as f32 + 0.5) / height as f32 * ground.ny as f32;
        for (x, block) in row.iter_mut().enumerate() {
            let u = (x as f32 + 0.5) / width as f32 * ground.nx as f32;
            if town.near[town.cell(u, v)] {
                let footprint = [ground.nx as f32 / width as f32, ground.ny as f32 / height as f32];
                *block = town.block([u, v], footprint);
            }
        }
    });
    blocks
}

struct Town<'a> {
    ground: &'a Ground,
    /// Colour of each closed cell's roof.
    color: Vec<Rgb>,
    /// Cells with a building in or close to them.
    near: Vec<bool>,
    sun: [f32; 3],
    /// From a shaded spot to the corner of the roof that shades it (cells).
    reach: [f32; 2],
}

impl<'a> Town<'a> {
    fn new(ground: &'a Ground, sun: &Sun) -> Self {
        let (nx, ny) = (ground.nx, ground.ny);
        let [east, south, up] = sun.towards;
        let level = east.hypot(south).max(1e-6);
        let length = (0.8 * level / up).min(1.5);
        let around = 2usize;
        let mut near = vec![false; nx * ny];
        for i in (0..nx * ny).filter(|&i| ground.closed[i]) {
            let (x, y) = (i % nx, i / nx);
            for v in y.saturating_sub(around)..=(y + around).min(ny - 1) {
                let row = v * nx;
                near[row + x.saturating_sub(around)..=row + (x + around).min(nx - 1)].fill(true);
            }
        }
        let mut color = vec![[0.0; 3]; nx * ny];
        for building in buildings([nx, ny], ground.fineness, |i| ground.closed[i]) {
            building.cells.iter().for_each(|&i| color[i] = hex(building.color));
        }
        let reach = [east / level * length, south / level * length];
        Self { ground, color, near, sun: sun.towards, reach }
    }

    fn cell(&self, u: f32, v: f32) -> usize {
        let x = (u.max(0.0) as usize).min(self.ground.nx - 1);
        let y = (v.max(0.0) as usize).min(self.ground.ny - 1);
        y * self.ground.nx + x
    }

    fn block(&self, [u, v]: [f32; 2], footprint: [f32; 2]) -> Block {
        let (mut roofs, mut shadows, mut color) = (0u32, 0u32, [0.0; 3]);
        for k in 0..SAMPLES * SAMPLES {
            let offset = |i: usize| (i as f32 + 0.5) / SAMPLES as f32 - 0.5;
            let u = u + offset(k % SAMPLES) * footprint[0];
            let v = v + offset(k / SAMPLES) * footprint[1];
            let cell = self.cell(u, v);
            if self.ground.closed[cell] {
                roofs += 1;
                let roof = self.roof(cell, u, v);
                color = std::array::from_fn(|i| color[i] + roof[i]);
            } else if self.shaded(u, v) {
                shadows += 1;
            }
        }
        let total = (SAMPLES * SAMPLES) as f32;
        Block {
            roof: roofs as f32 / total,
            color: scale(color, 1.0 / roofs.max(1) as f32),
            shadow: shadows as f32 / total,
        }
    }

    fn shaded(&self, u: f32, v: f32) -> bool {
        const STEPS: usize = 5;
        (1..=STEPS).any(|step| {
            let t = step as f32 / STEPS as f32;
            let (u, v) = (u + self.reach[0] * t, v + self.reach[1] * t);
            let inside = u >= 0.0 && v >= 0.0;
            inside && self.ground.closed[self.cell(u, v)]
        })
    }

    /// The roof falls towards the nearest side of the building.
    fn roof(&self, cell: usize, u: f32, v: f32) -> Rgb {
        let (x, y) = ((cell % self.ground.nx) as isize, (cell / self.ground.nx) as isize);
        let (fx, fy) = (u - x as f32, v - y as f32);
        let sides = [
            ([-1.0, 0.0], fx + self.run(x, y, -1, 0)),
            ([1.0, 0.0], 1.0 - fx + self.run(x, y, 1, 0)),
            ([0.0, -1.0], fy + self.run(x, y, 0, -1)),
            ([0.0, 1.0], 1.0 - fy + self.run(x, y, 0, 1)),
        ];
        let (outward, inset) = sides.into_iter().fold(([0.0, 0.0], f32::INFINITY), |best, side| {
            if side.1 < best.1 { side } else { best }
        });
        let pitch = if inset < ROOF_RUN { 0.55 } else { 0.0 };
        let [east, south, up] = self.sun;
        let facing = (up + pitch * (outward[0] * east + outward[1] * south))
            / (1.0f32 + pitch * pitch).sqrt();
        let eaves = if inset < 0.07 { 0.86 } else { 1.0 };
        let base = self.color[cell];
        let light = facing.max(0.0) / up.max(0.3) * eaves;
        if light > 1.0 {
            mix(base, hex(0xFFF3E2), (0.6 * (light - 1.0)).min(0.6))
        } else {
            scale(base, 0.45 + 0.55 * light)
        }
    }

    /// How many closed cells follow in a direction, up to what a roof needs.
    fn run(&self, x: isize, y: isize, dx: isize, dy: isize) -> f32 {
        let (nx, ny) = (self.ground.nx as isize, self.ground.ny as isize);
        let mut run = 0;
        while run < 3 {
            let (u, v) = (x + dx * (run + 1), y + dy * (run + 1));
            let inside = u >= 0 && v >= 0 && u < nx && v < ny;
            if inside && !self.ground.closed[(v * nx + u) as usize] {
                break;
            }
            run += 1;
        }
        run as f32
    }
}
