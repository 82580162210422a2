//! Waves drawn on the device, as they are there: nothing comes back, and nothing waits.

use super::fields::Fields;
use super::shader;
use crate::buffer::Buffer;
use crate::canvas::draw_groups;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::Kernel;
use crate::layout::Layout;
use headwater::Field;
use headwater::waves::Waves;

/// What draws a world. It is made when a world is drawn for the first time.
#[derive(Debug)]
pub(super) struct Drawing {
    kernel: Kernel,
    /// For each cell the height of its ground (m), and 1 if water can stand there.
    ground: Buffer<[f32; 2]>,
    /// The ground that was asked for last, if it is not that of the water at rest.
    pub(super) asked: Option<Field<f32>>,
}

impl Drawing {
    pub(super) fn new(
        gpu: &Gpu,
        waves: &Waves,
        layout: Layout,
        asked: Option<&Field<f32>>,
    ) -> Result<Self, GpuError> {
        let kernel = Kernel::new(gpu, &shader::draw(), "draw", None)?;
        let ground = Field::from_fn(layout.nx, layout.ny, |x, y| match asked {
            Some(ground) => [ground[(x, y)], f32::from(!waves.is_land(x, y))],
            None => {
                let still = waves.still_depth(x, y);
                [-still, f32::from(still > 0.0)]
            }
        });
        let ground = layout.packed_as(&ground, |&cell| cell);
        let ground = Buffer::of(gpu, "the ground", &ground)?;
        Ok(Self { kernel, ground, asked: asked.cloned() })
    }

    /// Draws the world that one of the sets of buffers holds into a texture.
    pub(super) fn draw(&self, gpu: &Gpu, fields: &Fields, side: usize, view: &wgpu::TextureView) {
        let bound = self.kernel.bind(
            gpu,
            &[
                ("rule", fields.rule.binding()),
                ("height", fields.sides[side].height.binding()),
                ("ground", self.ground.binding()),
                ("canvas", wgpu::BindingResource::TextureView(view)),
            ],
        );
        let groups = draw_groups(fields.layout.nx, fields.layout.ny);
        gpu.submit(|pass| self.kernel.run(pass, &bound, 0, groups));
    }
}
