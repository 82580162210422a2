//! What shows how the water moves: tracers, arrows.

use super::frame::Frame;
use super::pipelines::Pipelines;
use super::things::write;
use super::{Camera, Shot};
use bytemuck::{Pod, Zeroable};
use headwater_scene::picture::Particle;

#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
struct Tracer {
    place: [f32; 2],
    velocity: [f32; 2],
    age: f32,
}

/// The tracers.
#[derive(Debug, Default)]
pub(super) struct Tracers {
    buffer: Option<wgpu::Buffer>,
    count: u32,
}

impl Tracers {
    pub(super) fn write(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        particles: &[Particle],
    ) {
        let tracers: Vec<Tracer> = particles
            .iter()
            .map(|particle| Tracer {
                place: particle.position.map(|v| v as f32),
                velocity: particle.velocity.map(|v| v as f32),
                age: particle.age,
            })
            .collect();
        self.count = tracers.len() as u32;
        write(device, queue, &mut self.buffer, &tracers);
    }

    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, pipelines: &Pipelines) {
        let Some(buffer) = self.buffer.as_ref().filter(|_| self.count > 0) else { return };
        pass.set_pipeline(&pipelines.tracer);
        pass.set_vertex_buffer(0, buffer.slice(..));
        pass.draw(0..4, 0..self.count);
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
struct Arrow {
    cell: [f32; 2],
    every: f32,
}

/// Points between arrows on a map.
const APART: f64 = 26.0;
/// Arrows along the longer side of a world seen in three dimensions.
const ALONG: f32 = 56.0;
/// Arrows at most.
const MOST: usize = 20_000;

/// The arrows.
#[derive(Debug, Default)]
pub(super) struct Arrows {
    buffer: Option<wgpu::Buffer>,
    chosen: Vec<Arrow>,
}

impl Arrows {
    /// An arrow for every so many cells, as the view has room.
    pub(super) fn choose(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        frame: &Frame,
        shot: &Shot,
    ) {
        let (nx, ny) = (frame.grid[0], frame.grid[1]);
        let every = match shot.camera {
            Camera::Map { zoom, .. } => (APART / (zoom * f64::from(frame.grid[2]))) as f32,
            Camera::Orbit { .. } => nx.max(ny) / ALONG,
        };
        // Powers of two, so that arrows stay where they are when one comes nearer.
        let mut every = 2.0_f32.powf(every.max(1.0).log2().round());
        while (nx / every) * (ny / every) > MOST as f32 {
            every *= 2.0;
        }
        let (columns, rows) = ((nx / every).ceil() as usize, (ny / every).ceil() as usize);
        let middle = (0.5 * every - 0.5).floor().max(0.0);
        let chosen: Vec<Arrow> = (0..columns * rows)
            .map(|i| {
                let (x, y) = ((i % columns) as f32, (i / columns) as f32);
                Arrow { cell: [x * every + middle, y * every + middle], every }
            })
            .filter(|arrow| arrow.cell[0] < nx && arrow.cell[1] < ny)
            .collect();
        if chosen != self.chosen {
            write(device, queue, &mut self.buffer, &chosen);
            self.chosen = chosen;
        }
    }

    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, pipelines: &Pipelines) {
        let Some(buffer) = self.buffer.as_ref().filter(|_| !self.chosen.is_empty()) else {
            return;
        };
        pass.set_pipeline(&pipelines.arrow);
        pass.set_vertex_buffer(0, buffer.slice(..));
        pass.draw(0..9, 0..self.chosen.len() as u32);
    }
}
