//! Part of a flow world that exists on the device: its buffers and the kernels that step it.

use super::buffers::{Buffers, Dispatch};
use super::draw::Drawing;
use super::exchange::WaterExchange;
use super::options::Options;
use super::shaders::STEP_TILE;
use super::tracers::Tracers;
use crate::device::Gpu;
use crate::error::GpuError;
use headwater::flow::Flow;

#[derive(Debug)]
pub(super) struct DeviceWorld {
    pub(super) buffers: Buffers,
    pub(super) exchange: WaterExchange,
    pub(super) tracers: Option<Tracers>,
    step: Dispatch,
    /// Kernel that draws the world. `None` until the world is first drawn.
    pub(super) drawing: Option<Drawing>,
}

impl DeviceWorld {
    pub(super) fn new(gpu: &Gpu, flow: &Flow, options: Options) -> Result<Self, GpuError> {
        let buffers = Buffers::new(gpu, flow, options)?;
        let (variant, layout) = (buffers.variant, buffers.fields.layout);
        let tile = variant.select_tile(gpu, options.tiling, layout.ny)?;
        let (nx, ny) = (layout.nx as u32, layout.ny as u32);
        let groups = [nx.div_ceil(tile.x), ny.div_ceil(tile.y)];
        let max_groups = u64::from(gpu.limits().max_compute_workgroups_per_dimension);
        let name = "max_compute_workgroups_per_dimension";
        for count in groups {
            gpu.check_limit("the grid", (u64::from(count), max_groups), "workgroups", name)?;
        }
        let constants = variant.tile_constants(tile);
        let step = buffers.create_dispatch(gpu, &STEP_TILE, &constants, Vec::new(), groups)?;
        let exchange = WaterExchange::new(gpu, flow, &buffers)?;
        let tracers = flow
            .device_view()
            .tracers()
            .map(|tracers_view| Tracers::new(gpu, flow, tracers_view, &buffers))
            .transpose()?;
        gpu.check()?;
        Ok(Self { buffers, exchange, tracers, step, drawing: None })
    }

    /// Records a step into a compute pass: first the water exchange (rain, soil, springs, drains),
    /// then the flow, then the tracers. `slot` is the index of the step's record in the buffer
    /// `schedule`.
    pub(super) fn record(&self, pass: &mut wgpu::ComputePass<'_>, slot: usize) {
        let record_offset = (slot as u64 * self.buffers.record_bytes) as u32;
        self.exchange.record(pass, record_offset);
        self.step.record(pass, record_offset);
        if let Some(tracers) = &self.tracers {
            tracers.record(pass, record_offset);
        }
    }
}
