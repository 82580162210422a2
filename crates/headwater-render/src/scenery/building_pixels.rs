//! Buildings seen from above: cells that are closed to water, drawn as blocks with hipped roofs and
//! a short shadow. The buildings are symbols for obstacles and do not represent real structures.

use super::find_buildings;
use crate::color::light::Sun;
use crate::color::{Rgb, mix, rgb_from_hex, scale};
use crate::terrain::grid::Ground;
use headwater_io::parallel::*;

/// Contribution of the buildings to one pixel.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct BuildingPixel {
    /// Fraction of the pixel covered by a roof.
    pub(crate) roof: f32,
    /// Colour of the roof.
    pub(crate) color: Rgb,
    /// Fraction of the pixel in the shadow of a building.
    pub(crate) shadow: f32,
}

/// Horizontal distance from the eaves (cells) over which a roof slopes upward. Farther inside, the
/// roof is flat.
const ROOF_RUN: f32 = 1.6;
/// Number of antialiasing samples per pixel along each axis.
const SAMPLES: usize = 3;

/// Computes the contribution of buildings, which are the cells closed to water, to each pixel of a
/// `width × height` picture. Returns the pixels in row-major order, or an empty vector if there are
/// no buildings.
pub(crate) fn render_buildings(
    ground: &Ground,
    sun: &Sun,
    width: usize,
    height: usize,
) -> Vec<BuildingPixel> {
    if ground.closed.is_empty() {
        return Vec::new();
    }
    let shader = BuildingShader::new(ground, sun);
    let mut blocks = vec![BuildingPixel::default(); width * height];
    blocks.par_chunks_mut(width).enumerate().for_each(|(y, row)| {
        let v = (y as f32 + 0.5) / height as f32 * ground.ny as f32;
        for (x, block) in row.iter_mut().enumerate() {
            let u = (x as f32 + 0.5) / width as f32 * ground.nx as f32;
            if shader.is_near_building[shader.cell(u, v)] {
                let footprint = [ground.nx as f32 / width as f32, ground.ny as f32 / height as f32];
                *block = shader.shade_pixel([u, v], footprint);
            }
        }
    });
    blocks
}

struct BuildingShader<'a> {
    ground: &'a Ground,
    /// Roof colour of each cell. Only the colours of cells that are closed to water are used.
    color: Vec<Rgb>,
    /// Whether each cell is within two cells of a building; only these cells are sampled.
    is_near_building: Vec<bool>,
    sun: [f32; 3],
    /// Horizontal vector (cells) toward the sun, as long as the shadow of a building. A point is in
    /// shadow if a building lies on the line from the point along this vector.
    shadow_offset: [f32; 2],
}

impl<'a> BuildingShader<'a> {
    fn new(ground: &'a Ground, sun: &Sun) -> Self {
        let (nx, ny) = (ground.nx, ground.ny);
        let [east, south, up] = sun.direction;
        let level = east.hypot(south).max(1e-6);
        let length = (0.8 * level / up).min(1.5);
        let margin = 2usize;
        let mut is_near_building = vec![false; nx * ny];
        for i in (0..nx * ny).filter(|&i| ground.closed[i]) {
            let (x, y) = (i % nx, i / nx);
            for v in y.saturating_sub(margin)..=(y + margin).min(ny - 1) {
                let row = v * nx;
                is_near_building[row + x.saturating_sub(margin)..=row + (x + margin).min(nx - 1)]
                    .fill(true);
            }
        }
        let mut color = vec![[0.0; 3]; nx * ny];
        for building in find_buildings([nx, ny], ground.fineness, |i| ground.closed[i]) {
            building.cells.iter().for_each(|&i| color[i] = rgb_from_hex(building.color));
        }
        let shadow_offset = [east / level * length, south / level * length];
        Self { ground, color, is_near_building, sun: sun.direction, shadow_offset }
    }

    fn cell(&self, u: f32, v: f32) -> usize {
        let x = (u.max(0.0) as usize).min(self.ground.nx - 1);
        let y = (v.max(0.0) as usize).min(self.ground.ny - 1);
        y * self.ground.nx + x
    }

    fn shade_pixel(&self, [u, v]: [f32; 2], footprint: [f32; 2]) -> BuildingPixel {
        let (mut roofs, mut shadows, mut color) = (0u32, 0u32, [0.0; 3]);
        for k in 0..SAMPLES * SAMPLES {
            let offset = |i: usize| (i as f32 + 0.5) / SAMPLES as f32 - 0.5;
            let u = u + offset(k % SAMPLES) * footprint[0];
            let v = v + offset(k / SAMPLES) * footprint[1];
            let cell = self.cell(u, v);
            if self.ground.closed[cell] {
                roofs += 1;
                let roof = self.roof_color(cell, u, v);
                color = std::array::from_fn(|i| color[i] + roof[i]);
            } else if self.is_shaded(u, v) {
                shadows += 1;
            }
        }
        let total = (SAMPLES * SAMPLES) as f32;
        BuildingPixel {
            roof: roofs as f32 / total,
            color: scale(color, 1.0 / roofs.max(1) as f32),
            shadow: shadows as f32 / total,
        }
    }

    fn is_shaded(&self, u: f32, v: f32) -> bool {
        const STEPS: usize = 5;
        (1..=STEPS).any(|step| {
            let t = step as f32 / STEPS as f32;
            let (u, v) = (u + self.shadow_offset[0] * t, v + self.shadow_offset[1] * t);
            let inside = u >= 0.0 && v >= 0.0;
            inside && self.ground.closed[self.cell(u, v)]
        })
    }

    /// Returns the shaded roof colour at a point of the building cell with index `cell`; `u` and
    /// `v` are the coordinates of the point in the grid (cells). Each roof plane slopes down toward
    /// the nearest wall.
    fn roof_color(&self, cell: usize, u: f32, v: f32) -> Rgb {
        let (x, y) = ((cell % self.ground.nx) as isize, (cell / self.ground.nx) as isize);
        let (fx, fy) = (u - x as f32, v - y as f32);
        let sides = [
            ([-1.0, 0.0], fx + self.count_closed_cells(x, y, -1, 0)),
            ([1.0, 0.0], 1.0 - fx + self.count_closed_cells(x, y, 1, 0)),
            ([0.0, -1.0], fy + self.count_closed_cells(x, y, 0, -1)),
            ([0.0, 1.0], 1.0 - fy + self.count_closed_cells(x, y, 0, 1)),
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
            mix(base, rgb_from_hex(0xFFF3E2), (0.6 * (light - 1.0)).min(0.6))
        } else {
            scale(base, 0.45 + 0.55 * light)
        }
    }

    /// Returns the number of consecutive cells that are closed to water, counted from the cell `(x,
    /// y)` (exclusive) in the direction `(dx, dy)`. The count is at most 3, because a roof rises
    /// over a shorter distance. Cells beyond the edge of the grid count as closed.
    fn count_closed_cells(&self, x: isize, y: isize, dx: isize, dy: isize) -> f32 {
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
