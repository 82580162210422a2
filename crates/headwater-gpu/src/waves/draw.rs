//! Drawing of a wave world on the device, without read-back or waiting.

use super::fields::Fields;
use super::shader;
use crate::buffer::Buffer;
use crate::canvas::drawing_workgroups;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::Kernel;
use crate::layout::Layout;
use headwater::Field;
use headwater::waves::Waves;

/// Kernel that draws the world into a texture, with the ground elevations to draw. Created when the
/// world is first drawn.
#[derive(Debug)]
pub(super) struct Drawing {
    kernel: Kernel,
    /// Two values per cell: the ground elevation relative to the water surface at rest (m), and a
    /// flag that is 1 if the cell can contain water, otherwise 0.
    ground: Buffer<[f32; 2]>,
    /// Ground elevations (m) that the caller has given. They are drawn in place of the bed.
    pub(super) custom_ground: Option<Field<f32>>,
}

impl Drawing {
    pub(super) fn new(
        gpu: &Gpu,
        waves: &Waves,
        layout: Layout,
        custom_ground: Option<&Field<f32>>,
    ) -> Result<Self, GpuError> {
        let kernel = Kernel::new(gpu, &shader::draw_source(), "draw", None)?;
        let ground = Field::from_fn(layout.nx, layout.ny, |x, y| match custom_ground {
            Some(ground) => [ground[(x, y)], f32::from(!waves.is_land(x, y))],
            None => {
                let still = waves.still_depth(x, y);
                [-still, f32::from(still > 0.0)]
            }
        });
        let ground = layout.pack_with(&ground, |&cell| cell);
        let ground = Buffer::from_slice(gpu, "the ground", &ground)?;
        Ok(Self { kernel, ground, custom_ground: custom_ground.cloned() })
    }

    /// Draws the world into a texture. `set` is the index (0 or 1) of the set of state buffers that
    /// contains the current state.
    pub(super) fn draw(&self, gpu: &Gpu, fields: &Fields, set: usize, view: &wgpu::TextureView) {
        let bound = self.kernel.bind(
            gpu,
            &[
                ("params", fields.params.binding()),
                ("height", fields.sets[set].height.binding()),
                ("ground", self.ground.binding()),
                ("canvas", wgpu::BindingResource::TextureView(view)),
            ],
        );
        let groups = drawing_workgroups(fields.layout.nx, fields.layout.ny);
        gpu.submit(|pass| self.kernel.dispatch(pass, &bound, 0, groups));
    }
}
