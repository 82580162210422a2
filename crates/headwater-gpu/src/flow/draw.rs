//! A flow drawn on the device, as it is there: nothing comes back, and nothing waits.

use super::buffers::Buffers;
use super::records::{DT_WORD, Drawn};
use super::shaders::DRAW;
use crate::buffer::Buffer;
use crate::canvas::draw_groups;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::Kernel;
use headwater::flow::Flow;
use std::ops::Range;

/// What draws a world. It is made when a world is drawn for the first time.
#[derive(Debug)]
pub(super) struct Drawing {
    kernel: Kernel,
    drawn: Buffer<Drawn>,
    /// Heights of the ground, of closed cells too.
    ground: Buffer<f32>,
}

impl Drawing {
    pub(super) fn new(gpu: &Gpu, flow: &Flow, buffers: &Buffers) -> Result<Self, GpuError> {
        debug_assert!(DT_WORD < buffers.window as u32 / 4);
        let ground = buffers.fields.layout.packed(&flow.state().bed);
        Ok(Self {
            kernel: buffers.kernel(gpu, &DRAW, &[])?,
            drawn: Buffer::uniform(gpu, "what is drawn", Drawn::default())?,
            ground: Buffer::of(gpu, "the ground", &ground)?,
        })
    }

    pub(super) fn set_ground(&self, gpu: &Gpu, flow: &Flow, buffers: &Buffers, rows: Range<usize>) {
        let layout = buffers.fields.layout;
        let packed = layout.packed_rows(&flow.state().bed, rows.clone());
        self.ground.write(gpu, rows.start * layout.pitch, &packed);
    }

    pub(super) fn draw(
        &self,
        gpu: &Gpu,
        buffers: &Buffers,
        drawn: Drawn,
        view: &wgpu::TextureView,
    ) {
        self.drawn.write(gpu, 0, &[drawn]);
        let mut all = buffers.named();
        all.extend([("drawn", self.drawn.binding()), ("ground", self.ground.binding())]);
        all.push(("canvas", wgpu::BindingResource::TextureView(view)));
        let bound = self.kernel.bind(gpu, &all);
        let layout = buffers.fields.layout;
        let groups = draw_groups(layout.nx, layout.ny);
        gpu.submit(|pass| self.kernel.run(pass, &bound, 0, groups));
    }
}
