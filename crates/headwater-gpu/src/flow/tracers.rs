//! Tracers on the device: the CPU's particles, moved and born there by the CPU's numbers; they come back with the rest.

use super::buffers::{Buffers, Dispatch};
use super::records::{Particle, SwarmHead};
use super::shaders::{Drift, GATHER_TRACERS, JUMPS, MOVE_TRACERS, SHOW_TRACERS, THREADS};
use crate::buffer::Buffer;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::Kernel;
use headwater::flow::{Flow, TracersState, TracersView};

/// Words of the head of the state, and those of them that change.
const HEAD: usize = size_of::<SwarmHead>() / size_of::<u32>();
const CHANGING: usize = 4;

#[derive(Debug)]
pub(crate) struct Tracers {
    state: Buffer<u32>,
    particles: Buffer<Particle>,
    /// What moves them, and what then lets new ones begin.
    kernels: [Dispatch; 2],
    count: usize,
    /// What shows them, once somebody has asked for that.
    showing: Option<Kernel>,
}

impl Tracers {
    pub(crate) fn new(
        gpu: &Gpu,
        flow: &Flow,
        drifting: TracersView<'_>,
        buffers: &Buffers,
    ) -> Result<Self, GpuError> {
        let tracers = drifting.tracers;
        let count = tracers.count;
        let state = Buffer::of(gpu, "the state of tracers", &packed(flow, drifting))?;
        let particles = Buffer::new(gpu, "the tracers", 2 * count)?;
        let now: Vec<Particle> = drifting.particles.iter().map(Particle::from).collect();
        particles.write(gpu, 0, &now);
        let births = (!tracers.emitters.is_empty()).then_some(drifting.births.len() as u32);
        let drift = Drift { count: count as u32, births };
        let kernel = |shader, constants: &[_], groups| {
            let own = vec![("tracers", state.binding()), ("particles", particles.binding())];
            buffers.dispatch(gpu, shader, constants, own, [groups, 1])
        };
        let movers = (count as u32).div_ceil(THREADS);
        let kernels = [
            kernel(&MOVE_TRACERS, &[("COUNT", drift.count)], movers)?,
            kernel(&GATHER_TRACERS, &drift.gathering(), 1)?,
        ];
        Ok(Self { state, particles, kernels, count, showing: None })
    }

    /// Records what comes after stage 5 of a step.
    pub(crate) fn record(&self, pass: &mut wgpu::ComputePass<'_>, window: u32) {
        self.kernels.iter().for_each(|kernel| kernel.run(pass, window));
    }

    /// Writes them into a buffer, as [`GpuFlow::draw_tracers`](super::GpuFlow::draw_tracers) says.
    pub(crate) fn show(
        &mut self,
        gpu: &Gpu,
        buffers: &Buffers,
        target: &wgpu::Buffer,
    ) -> Result<(), GpuError> {
        let kernel = match self.showing.take() {
            Some(kernel) => kernel,
            None => buffers.kernel(gpu, &SHOW_TRACERS, &[("COUNT", self.count as u32)])?,
        };
        let mut all = buffers.named();
        all.extend([("tracers", self.state.binding()), ("particles", self.particles.binding())]);
        all.push(("shown", target.as_entire_binding()));
        let bound = kernel.bind(gpu, &all);
        let groups = [(self.count as u32).div_ceil(THREADS), 1];
        gpu.submit(|pass| kernel.run(pass, &bound, 0, groups));
        self.showing = Some(kernel);
        Ok(())
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }

    pub(crate) async fn read_back(&self, gpu: &Gpu) -> Result<TracersState, GpuError> {
        let head = self.state.read(gpu, 0, CHANGING)?;
        let particles = self.particles.read(gpu, 0, self.count)?;
        let head = head.await?;
        let alive = head[0] as usize;
        let particles = particles.await?.into_iter().take(alive).map(Into::into).collect();
        let random = u64::from(head[3]) << 32 | u64::from(head[2]);
        Ok(TracersState { particles, random, filled: head[1] != 0 })
    }
}

/// A whole number of 64 bits as two words, the low one first.
fn halves(bits: u64) -> [u32; 2] {
    [bits as u32, (bits >> 32) as u32]
}

/// `TracerState` of tracers.wgsl.
fn packed(flow: &Flow, drifting: TracersView<'_>) -> Vec<u32> {
    let lattice = flow.lattice();
    let [state, increment] = drifting.random;
    let head = SwarmHead {
        alive: drifting.particles.len() as u32,
        filled: u32::from(drifting.filled),
        random: halves(state),
        lifetime: drifting.tracers.lifetime,
        dx: lattice.dx(),
        dy: lattice.dy(),
        width: lattice.width(),
        height: lattice.height(),
        around: lattice.nx() as f64 * lattice.dx(),
    };
    let mut packed: Vec<u32> = bytemuck::cast_slice(bytemuck::bytes_of(&head)).to_vec();
    let (mut times, mut plus) = (1_u64, 0_u64);
    for _ in 0..JUMPS {
        packed.extend(halves(times));
        packed.extend(halves(plus));
        times = times.wrapping_mul(TracersView::MULTIPLIER);
        plus = plus.wrapping_mul(TracersView::MULTIPLIER).wrapping_add(increment);
    }
    packed.extend(drifting.births.iter().flat_map(|&(x, y)| [x as u32, y as u32]));
    // There is room for one at least, and all is whole vectors of four, as WGSL has it.
    packed.resize(packed.len().max(HEAD + 4 * JUMPS + 1).next_multiple_of(4), 0);
    packed
}
