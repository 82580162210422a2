//! What of a world is on the device: its buffers, and the kernels that step it.

use super::buffers::{Buffers, Dispatch};
use super::draw::Drawing;
use super::exchange::Exchange;
use super::options::{Options, Sweep};
use super::shaders::{PASSES_OF_STEP, STEP_TILE};
use super::tracers::Tracers;
use crate::device::Gpu;
use crate::error::GpuError;
use headwater::flow::Flow;

/// What is on the device.
#[derive(Debug)]
pub(super) struct OnDevice {
    pub(super) buffers: Buffers,
    pub(super) exchange: Exchange,
    pub(super) tracers: Option<Tracers>,
    /// The kernels of a step, in order.
    step: Vec<Dispatch>,
    pub(super) three_pass: bool,
    /// What draws it, once somebody has asked for that.
    pub(super) drawing: Option<Drawing>,
}

impl OnDevice {
    pub(super) fn new(gpu: &Gpu, flow: &Flow, options: Options) -> Result<Self, GpuError> {
        let buffers = Buffers::new(gpu, flow, options)?;
        let (variant, layout) = (buffers.variant, buffers.fields.layout);
        let tile = variant.tile(gpu, options.sweep, layout.ny)?;
        let (nx, ny) = (layout.nx as u32, layout.ny as u32);
        let three_pass = options.sweep == Sweep::ThreePass;
        let groups = match three_pass {
            false => [nx.div_ceil(tile.x), ny.div_ceil(tile.y)],
            true => [(nx + 1).div_ceil(tile.threads), ny + 1],
        };
        let most = u64::from(gpu.limits().max_compute_workgroups_per_dimension);
        let name = "max_compute_workgroups_per_dimension";
        for count in groups {
            gpu.within("the grid", (u64::from(count), most), "workgroups", name)?;
        }
        let step = match three_pass {
            false => {
                let constants = variant.tile_constants(tile);
                vec![buffers.dispatch(gpu, &STEP_TILE, &constants, Vec::new(), groups)?]
            }
            true => PASSES_OF_STEP
                .iter()
                .map(|pass| {
                    let constants = [("THREADS", tile.threads)];
                    buffers.dispatch(gpu, pass, &constants, Vec::new(), groups)
                })
                .collect::<Result<_, _>>()?,
        };
        let exchange = Exchange::new(gpu, flow, &buffers)?;
        let tracers = flow
            .device_view()
            .tracers()
            .map(|drifting| Tracers::new(gpu, flow, drifting, &buffers, three_pass))
            .transpose()?;
        gpu.check()?;
        Ok(Self { buffers, exchange, tracers, step, three_pass, drawing: None })
    }

    /// Records the step that the schedule has at a place: exchange, the step itself, tracers.
    pub(super) fn record(&self, pass: &mut wgpu::ComputePass<'_>, slot: usize) {
        let window = (slot as u64 * self.buffers.window) as u32;
        self.exchange.record(pass, window);
        self.step.iter().for_each(|kernel| kernel.run(pass, window));
        if let Some(tracers) = &self.tracers {
            tracers.record(pass, window);
        }
    }
}
