//! Triangle grid of the 3-D view. The grid consists of instances of one mesh (patches), whose level
//! of detail depends on the distance to the camera. The sides of the block of land are drawn too.

use super::frame::Frame;
use super::gpu::{Gpu, Instances};
use super::pipelines::Pipelines;
use super::style::Quality;
use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec3, Vec4};

/// Number of quads along each side of a patch, as in `surface.wgsl`.
const PATCH_QUADS: usize = 32;
/// Number of vertices along each side of a patch, including the skirt that hides gaps between
/// patches.
const PATCH_VERTICES: usize = PATCH_QUADS + 3;

#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
struct Patch {
    at: [f32; 2],
    /// Size of a quad, as a multiple of the cell size.
    step: f32,
    /// Depth of the skirt that hides gaps between patches (m of exaggerated height).
    skirt: f32,
}

/// Mesh of a patch (a square piece of the surface), and the patch instances of a frame.
#[derive(Debug)]
pub(super) struct Patches {
    grid: wgpu::Buffer,
    indices: wgpu::Buffer,
    count: u32,
    chosen: Vec<Patch>,
    instances: Instances,
}

struct LevelOfDetail {
    /// Largest size of a quad on the screen (pixels).
    max_quad_pixels: f32,
    /// Smallest size of a quad, as a multiple of the cell size.
    min_quad_size: f32,
    /// Largest number of patches (square pieces of the surface) in a frame.
    max_patches: usize,
}

impl LevelOfDetail {
    fn for_quality(quality: Quality, frame: &Frame, hex: bool) -> Self {
        let large = frame.grid[0].max(frame.grid[1]);
        match quality {
            Quality::Low => Self { max_quad_pixels: 6.0, min_quad_size: 1.0, max_patches: 72 },
            // In small worlds, quads are smaller than cells.
            Quality::High => Self {
                max_quad_pixels: 2.5,
                min_quad_size: if hex || large > 700.0 { 1.0 } else { 0.5 },
                max_patches: 1100,
            },
        }
    }
}

impl Patches {
    pub(super) fn new(gpu: &Gpu) -> Self {
        let corners: Vec<[f32; 2]> = (0..PATCH_VERTICES * PATCH_VERTICES)
            .map(|i| [(i % PATCH_VERTICES) as f32 - 1.0, (i / PATCH_VERTICES) as f32 - 1.0])
            .collect();
        let mut indices: Vec<u16> = Vec::new();
        for y in 0..PATCH_VERTICES - 1 {
            for x in 0..PATCH_VERTICES - 1 {
                let at = |u: usize, v: usize| ((y + v) * PATCH_VERTICES + x + u) as u16;
                let (nw, ne, sw, se) = (at(0, 0), at(1, 0), at(0, 1), at(1, 1));
                // On hexagons, use the shorter diagonal; from an even row (y counts the skirt) it
                // goes southwest.
                if (y + 1) % 2 == 0 {
                    indices.extend([nw, ne, sw, ne, se, sw]);
                } else {
                    indices.extend([nw, ne, se, nw, se, sw]);
                }
            }
        }
        let grid = gpu.create_constant_buffer(&corners, wgpu::BufferUsages::VERTEX);
        let count = indices.len() as u32;
        let indices = gpu.create_constant_buffer(&indices, wgpu::BufferUsages::INDEX);
        Self { grid, indices, count, chosen: Vec::new(), instances: Instances::default() }
    }

    pub(super) fn select_patches(&mut self, gpu: &Gpu, frame: &Frame, quality: Quality, hex: bool) {
        let mut level_of_detail = LevelOfDetail::for_quality(quality, frame, hex);
        let mut chosen = subdivide(frame, &level_of_detail);
        while chosen.len() > level_of_detail.max_patches {
            level_of_detail.max_quad_pixels *= 1.35;
            let fewer = subdivide(frame, &level_of_detail);
            if fewer.len() == chosen.len() && level_of_detail.max_quad_pixels > 400.0 {
                break;
            }
            chosen = fewer;
        }
        if chosen != self.chosen {
            self.instances.set(gpu, &chosen);
            self.chosen = chosen;
        }
    }

    /// Draws the land, then the sides of the block of land. `longest` is the number of cells along
    /// the longer side of the world.
    pub(super) fn draw(
        &self,
        pass: &mut wgpu::RenderPass<'_>,
        pipelines: &Pipelines,
        longest: usize,
    ) {
        let Some((instances, count)) = self.instances.get() else { return };
        pass.set_pipeline(&pipelines.patch);
        pass.set_vertex_buffer(0, self.grid.slice(..));
        pass.set_vertex_buffer(1, instances.slice(..));
        pass.set_index_buffer(self.indices.slice(..), wgpu::IndexFormat::Uint16);
        pass.draw_indexed(0..self.count, 0, 0..count);
        pass.set_pipeline(&pipelines.side);
        pass.draw(0..2 * longest as u32, 0..4);
    }
}

/// Returns the patches (square pieces of the surface) that cover the visible part of the world.
/// Patches near the camera are smaller.
fn subdivide(frame: &Frame, level_of_detail: &LevelOfDetail) -> Vec<Patch> {
    let last = [frame.grid[0] - 1.0, frame.grid[1] - 1.0];
    let mut step = level_of_detail.min_quad_size;
    while PATCH_QUADS as f32 * step < last[0].max(last[1]) {
        step *= 2.0;
    }
    let clip = Mat4::from_cols_array_2d(&frame.clip);
    let mut open = vec![([0.0, 0.0], step)];
    let mut chosen = Vec::new();
    while let Some((at, step)) = open.pop() {
        if at[0] >= last[0] || at[1] >= last[1] {
            continue;
        }
        let (low, high) = patch_bounds(frame, at, step);
        if !may_be_visible(&clip, low, high) {
            continue;
        }
        let eye = Vec3::new(frame.eye[0], frame.eye[1], frame.eye[2]);
        let way = (eye.clamp(low, high) - eye).length().max(1e-6);
        let wide = step * frame.grid[2].max(frame.grid[3]);
        let quad_pixels = wide / (way * frame.ahead[3]);
        if quad_pixels > level_of_detail.max_quad_pixels && step > level_of_detail.min_quad_size {
            let half = 0.5 * step;
            let reach = PATCH_QUADS as f32 * half;
            for k in 0..4 {
                let aside = [(k % 2) as f32 * reach, (k / 2) as f32 * reach];
                open.push(([at[0] + aside[0], at[1] + aside[1]], half));
            }
        } else {
            chosen.push(Patch { at, step, skirt: 2.0 * wide });
        }
        if chosen.len() > 4 * level_of_detail.max_patches {
            break;
        }
    }
    chosen
}

fn patch_bounds(frame: &Frame, at: [f32; 2], step: f32) -> (Vec3, Vec3) {
    let place = |i: usize, cell: f32| cell * frame.grid[2 + i];
    let reach = PATCH_QUADS as f32 * step + 1.5;
    let heights = frame.bounds();
    (
        Vec3::new(place(0, at[0]), place(1, at[1]), heights[0]),
        Vec3::new(place(0, at[0] + reach), place(1, at[1] + reach), heights[1]),
    )
}

/// Returns whether a box may be visible. Returns false if all corners of the box are outside the
/// same plane of the view frustum.
fn may_be_visible(clip: &Mat4, low: Vec3, high: Vec3) -> bool {
    let mut beyond = [0; 5];
    for k in 0..8 {
        let pick = |bit: usize, a: f32, b: f32| if k >> bit & 1 == 0 { a } else { b };
        let corner =
            Vec4::new(pick(0, low.x, high.x), pick(1, low.y, high.y), pick(2, low.z, high.z), 1.0);
        let seen = *clip * corner;
        let sides =
            [seen.x > seen.w, seen.x < -seen.w, seen.y > seen.w, seen.y < -seen.w, seen.w < 0.0];
        for (count, beyond) in beyond.iter_mut().zip(sides) {
            *count += i32::from(beyond);
        }
    }
    beyond.iter().all(|&count| count < 8)
}
