//! Waves drawn on the device, as they are there: nothing comes back, and nothing waits.

use super::{GpuWaves, shader};
use crate::buffer::Buffer;
use crate::canvas::strokes;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::{Binding, Bound, Kernel};
use headwater::Field;
use headwater::waves::Waves;

/// What draws a world. It is made when a world is drawn for the first time.
#[derive(Debug)]
pub(super) struct Drawing {
    kernel: Kernel,
    /// Depth of the water at rest (m); 0 on land.
    still: Buffer<f32>,
}

impl Drawing {
    fn new(gpu: &Gpu, waves: &Waves, layout: super::Layout) -> Result<Self, GpuError> {
        let bindings = [Binding::Uniform, Binding::Read, Binding::Read, Binding::Texture];
        let kernel = Kernel::new(gpu, &shader::draw(), "draw", &bindings)?;
        let still = Field::from_fn(layout.nx, layout.ny, |x, y| waves.still_depth(x, y));
        let still = layout.packed(&still, |depth| depth);
        Ok(Self { kernel, still: Buffer::of(gpu, "the water at rest", &still)? })
    }
}

impl GpuWaves {
    /// Draws the world, as it is after all that was submitted so far, into a texture of the format
    /// [`CANVAS`](crate::CANVAS): a texel for each cell, column by column to the east and row by row to the south, of the
    /// height of its bed, below 0 by [`Waves::still_depth`] (m), the depth of its water, waves included, 0 or above
    /// and 0 on land (m), and two times 0: waves do not tell how their water moves. [`Gpu::canvas`] makes such a texture.
    ///
    /// It submits the drawing and does not wait, in browsers neither: what is submitted afterwards on the same
    /// [`queue`](Gpu::queue) finds it done.
    ///
    /// # Errors
    /// [`GpuError::Canvas`] if the texture is none of these or too small, or the device's first fault.
    pub fn draw_into(&mut self, view: &wgpu::TextureView) -> Result<(), GpuError> {
        let Self { gpu, waves, on_device, .. } = self;
        gpu.check()?;
        let layout = on_device.fields.layout;
        gpu.check_canvas(view, layout.nx, layout.ny)?;
        let drawing = match on_device.drawing.take() {
            Some(drawing) => drawing,
            None => Drawing::new(gpu, waves, layout)?,
        };
        let bound: Bound = drawing.kernel.bind_all(
            gpu,
            &[
                on_device.fields.rule.binding(),
                on_device.fields.sides[on_device.side].height.binding(),
                drawing.still.binding(),
                wgpu::BindingResource::TextureView(view),
            ],
        );
        let groups = strokes(layout.nx, layout.ny);
        gpu.submit(|pass| drawing.kernel.run(pass, &bound, &[], groups));
        on_device.drawing = Some(drawing);
        Ok(())
    }
}
