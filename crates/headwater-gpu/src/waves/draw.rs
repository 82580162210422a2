//! Waves drawn on the device, as they are there: nothing comes back, and nothing waits.

use super::{GpuWaves, shader};
use crate::buffer::Buffer;
use crate::canvas::strokes;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::{Binding, Bound, Kernel};
use headwater::waves::Waves;
use headwater::{Field, InputError};

/// What draws a world. It is made when a world is drawn for the first time.
#[derive(Debug)]
pub(super) struct Drawing {
    kernel: Kernel,
    /// For each cell the height of its ground (m), and 1 if water can stand there.
    ground: Buffer<[f32; 2]>,
    /// The ground that was asked for last, if it is not that of the water at rest.
    asked: Option<Field<f32>>,
}

impl Drawing {
    fn new(
        gpu: &Gpu,
        waves: &Waves,
        layout: super::Layout,
        asked: Option<&Field<f32>>,
    ) -> Result<Self, GpuError> {
        let bindings = [Binding::Uniform, Binding::Read, Binding::Read, Binding::Texture];
        let kernel = Kernel::new(gpu, &shader::draw(), "draw", &bindings)?;
        let ground = Field::from_fn(layout.nx, layout.ny, |x, y| match asked {
            Some(ground) => [ground[(x, y)], f32::from(!waves.is_land(x, y))],
            None => {
                let still = waves.still_depth(x, y);
                [-still, f32::from(still > 0.0)]
            }
        });
        let ground = layout.packed(&ground, |cell| cell);
        let ground = Buffer::of(gpu, "the ground", &ground)?;
        Ok(Self { kernel, ground, asked: asked.cloned() })
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
        self.draw_over(view, None)
    }

    /// As [`draw_into`](Self::draw_into), over another ground: heights (m) in place of the bed's, and water up to the surface
    /// wherever there is no land. As long as the ground is the same, it stays on the device.
    ///
    /// # Errors
    /// As [`draw_into`](Self::draw_into), and [`GpuError::Input`] if the ground is of another grid.
    pub fn draw_over(
        &mut self,
        view: &wgpu::TextureView,
        ground: Option<&Field<f32>>,
    ) -> Result<(), GpuError> {
        let Self { gpu, waves, on_device, .. } = self;
        gpu.check()?;
        let layout = on_device.fields.layout;
        gpu.check_canvas(view, layout.nx, layout.ny)?;
        if let Some(field) = ground {
            let grid = [layout.nx, layout.ny];
            InputError::check_shape("the ground", [field.nx(), field.ny()], grid)?;
        }
        let drawing = match on_device.drawing.take() {
            Some(drawing) if drawing.asked.as_ref() == ground => drawing,
            _ => Drawing::new(gpu, waves, layout, ground)?,
        };
        let bound: Bound = drawing.kernel.bind_all(
            gpu,
            &[
                on_device.fields.rule.binding(),
                on_device.fields.sides[on_device.side].height.binding(),
                drawing.ground.binding(),
                wgpu::BindingResource::TextureView(view),
            ],
        );
        let groups = strokes(layout.nx, layout.ny);
        gpu.submit(|pass| drawing.kernel.run(pass, &bound, &[], groups));
        on_device.drawing = Some(drawing);
        Ok(())
    }
}
