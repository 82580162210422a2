//! A flow drawn on the device, as it is there: nothing comes back, and nothing waits.

use super::GpuFlow;
use super::on_device::OnDevice;
use super::records::DT_WORD;
use super::shaders::Variant;
use crate::buffer::Buffer;
use crate::canvas::strokes;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::{Binding, Kernel, compose};
use bytemuck::{Pod, Zeroable};
use headwater::flow::{Flow, Physics};
use std::ops::Range;

/// `Drawn` of draw.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
struct Drawn {
    side_h: u32,
    side_q: u32,
    steps: u32,
    record: u32,
    dt: f32,
    spare: [u32; 3],
}

/// What draws a world. It is made when a world is drawn for the first time.
#[derive(Debug)]
pub(super) struct Drawing {
    kernel: Kernel,
    drawn: Buffer<Drawn>,
    /// Heights of the ground, of closed cells too.
    ground: Buffer<f32>,
}

impl Drawing {
    fn new(gpu: &Gpu, flow: &Flow, on_device: &OnDevice) -> Result<Self, GpuError> {
        debug_assert!(DT_WORD < on_device.window as u32 / 4);
        let variant = on_device.variant;
        let kernel = Kernel::numbered(gpu, &variant.draw(), "draw", &variant.draw_bindings())?;
        let ground = on_device.fields.layout.packed(&flow.state().bed);
        Ok(Self {
            kernel,
            drawn: Buffer::uniform(gpu, "what is drawn", Drawn::default())?,
            ground: Buffer::of(gpu, "the ground", &ground)?,
        })
    }

    /// Tells it that some rows of the ground have changed.
    pub(super) fn set_ground(
        &self,
        gpu: &Gpu,
        flow: &Flow,
        on_device: &OnDevice,
        rows: Range<usize>,
    ) {
        let layout = on_device.fields.layout;
        let packed = layout.packed_rows(&flow.state().bed, rows.clone());
        self.ground.write(gpu, rows.start * layout.pitch, &packed);
    }
}

impl GpuFlow {
    /// Draws the world, as it is after all that was submitted so far, into a texture of the format
    /// [`CANVAS`](crate::CANVAS): a texel for each cell, column by column to the east and row by row to the south, of the
    /// height of its ground (m), the depth of its water (m), and the velocity of that to the east and to the south
    /// (m/s), as [`State`](headwater::flow::State) and [`Flow::velocity`] have them.
    /// [`Gpu::canvas`] makes such a texture.
    ///
    /// It submits the drawing and does not wait, in browsers neither: what is submitted afterwards on the same
    /// [`queue`](Gpu::queue) finds it done.
    ///
    /// # Errors
    /// [`GpuError::Canvas`] if the texture is none of these or too small, or the device's first fault.
    pub fn draw_into(&mut self, view: &wgpu::TextureView) -> Result<(), GpuError> {
        let Self { gpu, flow, on_device, now, batch, .. } = self;
        gpu.check()?;
        let layout = on_device.fields.layout;
        gpu.check_canvas(view, layout.nx, layout.ny)?;
        let drawing = match on_device.drawing.take() {
            Some(drawing) => drawing,
            None => Drawing::new(gpu, flow, on_device)?,
        };
        let guarded = flow.params().level != Physics::Pipes;
        let drawn = Drawn {
            side_h: now.side_h,
            side_q: now.side_q,
            steps: batch.as_ref().map_or(0, |batch| batch.len() as u32),
            record: (on_device.window / 4) as u32,
            dt: now.last_dt,
            spare: [0; 3],
        };
        drawing.drawn.write(gpu, 0, &[drawn]);
        let fields = &on_device.fields;
        let mut all = vec![on_device.world.binding(), fields.depth.binding()];
        all.extend([fields.x.binding(), fields.y.binding()]);
        all.extend(fields.z.as_ref().map(Buffer::binding));
        all.extend(on_device.guards.as_ref().map(Buffer::binding));
        all.extend([drawing.drawn.binding(), drawing.ground.binding()]);
        all.push(wgpu::BindingResource::TextureView(view));
        if guarded {
            all.push(on_device.schedule.binding());
        }
        let bound = drawing.kernel.bind_all(gpu, &all);
        let groups = strokes(layout.nx, layout.ny);
        gpu.submit(|pass| drawing.kernel.run(pass, &bound, &[], groups));
        on_device.drawing = Some(drawing);
        Ok(())
    }
}

impl Variant {
    /// What velocities follow from.
    pub(super) fn velocity(self) -> [&'static str; 3] {
        let own = if self.hex {
            include_str!("velocity_hex.wgsl")
        } else {
            include_str!("velocity_square.wgsl")
        };
        [include_str!("edges.wgsl"), include_str!("velocity.wgsl"), own]
    }

    /// The kernel `draw`.
    pub(crate) fn draw(self) -> String {
        let [x, y] = crate::canvas::BRUSH;
        let constants = [("BRUSH_X", x), ("BRUSH_Y", y), ("DT_WORD", DT_WORD)];
        let mut parts = self.world();
        parts.extend(self.velocity());
        parts.push(include_str!("draw.wgsl"));
        parts.push(if self.guarded() {
            include_str!("draw_guarded.wgsl")
        } else {
            include_str!("draw_unguarded.wgsl")
        });
        compose(&constants, &parts)
    }

    /// Bindings of the kernel `draw`, in the order in which they are bound.
    fn draw_bindings(self) -> Vec<(u32, Binding)> {
        let mut all = self.bindings(0);
        all.retain(|(number, _)| matches!(number, 0 | 5..=8 | 10));
        all.extend([(11, Binding::Uniform), (12, Binding::Read), (13, Binding::Texture)]);
        if self.physics != Physics::Pipes {
            all.push((14, Binding::Read));
        }
        all
    }
}
