//! Visualisation of the flow by tracers and arrows.

use super::camera::Camera;
use super::frame::Frame;
use super::frame_description::FrameDescription;
use super::gpu::{Gpu, Instances};
use super::pipelines::Pipelines;
use bytemuck::{Pod, Zeroable};
use headwater_scene::picture::Particle;

/// Tracer (a drawn particle that drifts with the flow) in the instance layout that `streaks.wgsl`
/// declares.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(super) struct Tracer {
    place: [f32; 2],
    velocity: [f32; 2],
    age: f32,
}

pub(super) fn tracers(particles: &[Particle]) -> Vec<Tracer> {
    let tracer = |particle: &Particle| Tracer {
        place: particle.position.map(|v| v as f32),
        velocity: particle.velocity.map(|v| v as f32),
        age: particle.age,
    };
    particles.iter().map(tracer).collect()
}

#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
struct Arrow {
    cell: [f32; 2],
    every: f32,
}

/// Distance between arrows on a map (points).
const ARROW_DISTANCE: f64 = 26.0;
/// Number of arrows along the longer side of the world in 3-D.
const ARROWS_ALONG: f32 = 56.0;
const MAX_ARROWS: usize = 20_000;

#[derive(Debug, Default)]
pub(super) struct Arrows {
    instances: Instances,
    chosen: Vec<Arrow>,
}

impl Arrows {
    /// Selects the cells at which arrows are drawn, at a spacing that suits the view.
    pub(super) fn select_arrow_cells(
        &mut self,
        gpu: &Gpu,
        frame: &Frame,
        description: &FrameDescription,
    ) {
        let (nx, ny) = (frame.grid[0], frame.grid[1]);
        let every = match description.camera {
            Camera::Map { zoom, .. } => (ARROW_DISTANCE / (zoom * f64::from(frame.grid[2]))) as f32,
            Camera::Orbit { .. } => nx.max(ny) / ARROWS_ALONG,
        };
        // Use powers of two, so that arrows keep their positions while zooming.
        let mut every = 2.0_f32.powf(every.max(1.0).log2().round());
        while (nx / every) * (ny / every) > MAX_ARROWS as f32 {
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
            self.instances.set(gpu, &chosen);
            self.chosen = chosen;
        }
    }

    pub(super) fn draw(&self, pass: &mut wgpu::RenderPass<'_>, pipelines: &Pipelines) {
        self.instances.draw(pass, &pipelines.arrow, 9);
    }
}
