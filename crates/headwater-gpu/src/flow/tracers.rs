//! Tracer particles on the device. They are advected and respawned with the same arithmetic as on
//! the CPU, and read back together with the fields.

use super::buffers::records::{Particle, TracerHeader};
use super::buffers::{Buffers, Dispatch};
use super::shaders::{
    EXPORT_TRACERS, JUMP_COEFFICIENT_COUNT, MOVE_TRACERS, RESPAWN_TRACERS, THREADS, TracerConstants,
};
use crate::buffer::Buffer;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::Kernel;
use headwater::flow::{Flow, TracersState, TracersView};

/// Number of words (`u32`) of the tracer header.
const HEADER_WORDS: usize = size_of::<TracerHeader>() / size_of::<u32>();
/// Number of words (`u32`) at the start of the tracer header that kernels change. The other words
/// of the header are constant.
const MUTABLE_WORDS: usize = 4;

#[derive(Debug)]
pub(crate) struct Tracers {
    state: Buffer<u32>,
    particles: Buffer<Particle>,
    /// Two kernels, in execution order: the first advects the tracers, the second respawns the
    /// expired ones.
    kernels: [Dispatch; 2],
    count: usize,
    /// Kernel that writes the tracers into a vertex buffer. `None` until the tracers are first
    /// exported.
    export_kernel: Option<Kernel>,
}

impl Tracers {
    pub(crate) fn new(
        gpu: &Gpu,
        flow: &Flow,
        view: TracersView<'_>,
        buffers: &Buffers,
    ) -> Result<Self, GpuError> {
        let tracers = view.tracers;
        let count = tracers.count;
        let state = Buffer::from_slice(gpu, "the state of tracers", &pack_tracers(flow, view))?;
        let particles = Buffer::new(gpu, "the tracers", 2 * count)?;
        let now: Vec<Particle> = view.particles.iter().map(Particle::from).collect();
        particles.write(gpu, 0, &now);
        let spawn_cells = (!tracers.emitters.is_empty()).then_some(view.start_cells.len() as u32);
        let tracer_constants = TracerConstants { count: count as u32, spawn_cells };
        let kernel = |shader, constants: &[_], groups| {
            let own = vec![("tracers", state.binding()), ("particles", particles.binding())];
            buffers.create_dispatch(gpu, shader, constants, own, [groups, 1])
        };
        let move_groups = (count as u32).div_ceil(THREADS);
        let kernels = [
            kernel(&MOVE_TRACERS, &[("COUNT", tracer_constants.count)], move_groups)?,
            kernel(&RESPAWN_TRACERS, &tracer_constants.respawn_constants(), 1)?,
        ];
        Ok(Self { state, particles, kernels, count, export_kernel: None })
    }

    /// Records the advection and the respawning of the tracers into a compute pass, after the
    /// kernels of the flow itself. `record_offset` is the offset (bytes) of the step record in the
    /// buffer `schedule`.
    pub(crate) fn record(&self, pass: &mut wgpu::ComputePass<'_>, record_offset: u32) {
        self.kernels.iter().for_each(|kernel| kernel.record(pass, record_offset));
    }

    /// Writes the tracers into a vertex buffer, as described at
    /// [`GpuFlow::write_tracers`](super::GpuFlow::write_tracers).
    pub(crate) fn write_vertices(
        &mut self,
        gpu: &Gpu,
        buffers: &Buffers,
        target: &wgpu::Buffer,
    ) -> Result<(), GpuError> {
        let kernel = match self.export_kernel.take() {
            Some(kernel) => kernel,
            None => {
                buffers.compile_kernel(gpu, &EXPORT_TRACERS, &[("COUNT", self.count as u32)])?
            }
        };
        let mut all = buffers.bindings();
        all.extend([("tracers", self.state.binding()), ("particles", self.particles.binding())]);
        all.push(("vertices", target.as_entire_binding()));
        let bound = kernel.bind(gpu, &all);
        let groups = [(self.count as u32).div_ceil(THREADS), 1];
        gpu.submit(|pass| kernel.dispatch(pass, &bound, 0, groups));
        self.export_kernel = Some(kernel);
        Ok(())
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }

    pub(crate) async fn read_back(&self, gpu: &Gpu) -> Result<TracersState, GpuError> {
        let head = self.state.read(gpu, 0, MUTABLE_WORDS)?;
        let particles = self.particles.read(gpu, 0, self.count)?;
        let head = head.await?;
        let alive = head[0] as usize;
        let particles = particles.await?.into_iter().take(alive).map(Into::into).collect();
        let random = u64::from(head[3]) << 32 | u64::from(head[2]);
        Ok(TracersState { particles, random, filled: head[1] != 0 })
    }
}

/// Splits a 64-bit integer into two words, low word first.
fn split_words(bits: u64) -> [u32; 2] {
    [bits as u32, (bits >> 32) as u32]
}

/// Returns the initial contents of the buffer `TracerState` in tracers.wgsl as words (`u32`): the
/// header, the coefficients of the random number generator, and the cells in which tracers start.
fn pack_tracers(flow: &Flow, view: TracersView<'_>) -> Vec<u32> {
    let lattice = flow.lattice();
    let [state, increment] = view.random;
    let head = TracerHeader {
        alive: view.particles.len() as u32,
        filled: u32::from(view.filled),
        random: split_words(state),
        lifetime: view.tracers.lifetime,
        dx: lattice.dx(),
        dy: lattice.dy(),
        width: lattice.width(),
        height: lattice.height(),
        period_x: lattice.nx() as f64 * lattice.dx(),
    };
    let mut packed: Vec<u32> = bytemuck::cast_slice(bytemuck::bytes_of(&head)).to_vec();
    let (mut multiplier, mut increment_sum) = (1_u64, 0_u64);
    for _ in 0..JUMP_COEFFICIENT_COUNT {
        packed.extend(split_words(multiplier));
        packed.extend(split_words(increment_sum));
        multiplier = multiplier.wrapping_mul(TracersView::MULTIPLIER);
        increment_sum = increment_sum.wrapping_mul(TracersView::MULTIPLIER).wrapping_add(increment);
    }
    packed.extend(view.start_cells.iter().flat_map(|&(x, y)| [x as u32, y as u32]));
    // There is space for at least one spawn cell. Padding to vectors of four is required by WGSL.
    packed.resize(
        packed.len().max(HEADER_WORDS + 4 * JUMP_COEFFICIENT_COUNT + 1).next_multiple_of(4),
        0,
    );
    packed
}
