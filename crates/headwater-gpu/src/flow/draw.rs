//! Drawing of a flow world on the device, without read-back or waiting.

use super::buffers::Buffers;
use super::buffers::records::{DT_WORD, DrawParams};
use super::shaders::DRAW;
use crate::buffer::Buffer;
use crate::canvas::drawing_workgroups;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::Kernel;
use headwater::flow::Flow;
use std::ops::Range;

/// Kernel that draws the world into a texture, with its buffers. Created when the world is first
/// drawn.
#[derive(Debug)]
pub(super) struct Drawing {
    kernel: Kernel,
    params: Buffer<DrawParams>,
    /// Ground elevations (m) of all cells. Unlike the bed buffer, it contains the true elevations
    /// of closed cells.
    ground: Buffer<f32>,
}

impl Drawing {
    pub(super) fn new(gpu: &Gpu, flow: &Flow, buffers: &Buffers) -> Result<Self, GpuError> {
        debug_assert!(DT_WORD < buffers.record_bytes as u32 / 4);
        let ground = buffers.fields.layout.pack(&flow.state().bed);
        Ok(Self {
            kernel: buffers.compile_kernel(gpu, &DRAW, &[])?,
            params: Buffer::new_uniform(gpu, "drawing parameters", DrawParams::default())?,
            ground: Buffer::from_slice(gpu, "the ground", &ground)?,
        })
    }

    pub(super) fn set_ground(&self, gpu: &Gpu, flow: &Flow, buffers: &Buffers, rows: Range<usize>) {
        let layout = buffers.fields.layout;
        let packed = layout.pack_rows(&flow.state().bed, rows.clone());
        self.ground.write(gpu, rows.start * layout.pitch, &packed);
    }

    pub(super) fn draw(
        &self,
        gpu: &Gpu,
        buffers: &Buffers,
        params: DrawParams,
        view: &wgpu::TextureView,
    ) {
        self.params.write(gpu, 0, &[params]);
        let mut all = buffers.bindings();
        all.extend([("params", self.params.binding()), ("ground", self.ground.binding())]);
        all.push(("canvas", wgpu::BindingResource::TextureView(view)));
        let bound = self.kernel.bind(gpu, &all);
        let layout = buffers.fields.layout;
        let groups = drawing_workgroups(layout.nx, layout.ny);
        gpu.submit(|pass| self.kernel.dispatch(pass, &bound, 0, groups));
    }
}
