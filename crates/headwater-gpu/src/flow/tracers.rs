//! Tracers on the device: the CPU's particles, moved and born there by the CPU's numbers; they come back with the rest.

use super::on_device::Shared;
use super::records::{halves, words};
use super::shaders::Variant;
use crate::DOUBLE;
use crate::buffer::Buffer;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::{Binding, Bound, Kernel, compose};
use bytemuck::{Pod, Zeroable};
use headwater::flow::{Flow, Particle, TracersProgress, TracersView};

/// Invocations of a workgroup that moves particles.
pub(crate) const MOVERS: u32 = 64;

/// Invocations of the one that closes them up and lets new ones begin.
pub(crate) const GATHERERS: u32 = 256;

/// Jumps of the generator: as many numbers as these may draw at once, and one more try.
pub(crate) const JUMPS: usize = 4 * GATHERERS as usize + 2;

/// Words of `Swarm` of tracers.wgsl before the jumps, and those of them that change.
const HEAD: usize = 16;
const CHANGING: usize = 4;

/// `Particle` of tracers.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
struct Grain {
    position: [f64; 2],
    velocity: [f32; 2],
    age: f64,
}

impl From<&Particle> for Grain {
    fn from(&Particle { position, velocity, age }: &Particle) -> Self {
        Self { position, velocity, age }
    }
}

impl From<Grain> for Particle {
    fn from(Grain { position, velocity, age }: Grain) -> Self {
        Self { position, velocity, age }
    }
}

/// All tracers of a world.
#[derive(Debug)]
pub(crate) struct Tracers {
    swarm: Buffer<u32>,
    particles: Buffer<Grain>,
    movers: (Kernel, Bound, u32),
    gatherers: (Kernel, Bound),
    count: usize,
}

impl Tracers {
    pub(crate) fn new(
        gpu: &Gpu,
        flow: &Flow,
        drifting: TracersView<'_>,
        variant: Variant,
        shared: &Shared<'_>,
        three_pass: bool,
    ) -> Result<Self, GpuError> {
        let tracers = drifting.tracers;
        let count = tracers.count;
        let swarm = Buffer::of(gpu, "the swarm of tracers", &packed(flow, drifting))?;
        let particles = Buffer::new(gpu, "the tracers", 2 * count)?;
        let grains: Vec<Grain> = drifting.particles.iter().map(Grain::from).collect();
        particles.write(gpu, 0, &grains);
        let births = (!tracers.emitters.is_empty()).then_some(drifting.births.len() as u32);
        let drift = Drift { count: count as u32, births, three_pass };
        let kernel = |text: String, entry: &str, numbers: &[u32]| {
            let mut bindings = variant.drift_bindings(shared.window);
            let mut buffers = shared.drift_buffers();
            let mut kept = bindings.iter().map(|(number, _)| numbers.contains(number));
            buffers.retain(|_| kept.next() == Some(true));
            bindings.retain(|(number, _)| numbers.contains(number));
            bindings.extend([(11, Binding::Write), (12, Binding::Write)]);
            buffers.extend([&swarm.raw, &particles.raw]);
            let kernel = Kernel::numbered(gpu, &text, entry, &bindings)?;
            let bound = kernel.bind(gpu, &buffers);
            Ok::<_, GpuError>((kernel, bound))
        };
        let (mover, of_mover) =
            kernel(variant.drift(drift), "move_tracers", &[0, 1, 5, 6, 7, 8, 10])?;
        let gatherers = kernel(variant.gather(drift), "gather_tracers", &[0, 1, 4, 5, 10])?;
        let groups = (count as u32).div_ceil(MOVERS);
        Ok(Self { swarm, particles, movers: (mover, of_mover, groups), gatherers, count })
    }

    /// Records what comes after stage 5 of a step.
    pub(crate) fn record(&self, pass: &mut wgpu::ComputePass<'_>, window: u32) {
        let (kernel, bound, groups) = &self.movers;
        kernel.run(pass, bound, &[window], [*groups, 1]);
        let (kernel, bound) = &self.gatherers;
        kernel.run(pass, bound, &[window], [1, 1]);
    }

    /// Brings them back.
    pub(crate) async fn bring_back(&self, gpu: &Gpu) -> Result<TracersProgress, GpuError> {
        let head = self.swarm.read(gpu, 0, CHANGING)?;
        let grains = self.particles.read(gpu, 0, self.count)?;
        let head = head.await?;
        let alive = head[0] as usize;
        let particles = grains.await?.into_iter().take(alive).map(Particle::from).collect();
        let random = u64::from(head[3]) << 32 | u64::from(head[2]);
        Ok(TracersProgress { particles, random, filled: head[1] != 0 })
    }
}

/// `Swarm` of tracers.wgsl.
fn packed(flow: &Flow, drifting: TracersView<'_>) -> Vec<u32> {
    let lattice = flow.lattice();
    let [state, increment] = drifting.random;
    let around = lattice.nx() as f64 * lattice.dx();
    let mut packed = vec![drifting.particles.len() as u32, u32::from(drifting.filled)];
    packed.extend(halves(state));
    for metres in [
        drifting.tracers.lifetime,
        lattice.dx(),
        lattice.dy(),
        lattice.width(),
        lattice.height(),
        around,
    ] {
        packed.extend(words(metres));
    }
    debug_assert_eq!(packed.len(), HEAD);
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

/// What the kernels of tracers are put together by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drift {
    /// How many tracers there are to be.
    pub(crate) count: u32,
    /// Cells under their emitters; `None` if they begin anywhere.
    pub(crate) births: Option<u32>,
    pub(crate) three_pass: bool,
}

impl Variant {
    /// Bindings of the world that tracers look at.
    pub(crate) fn drift_bindings(self, window: u64) -> Vec<(u32, Binding)> {
        let mut all = self.bindings(window);
        all.retain(|(number, _)| matches!(number, 0 | 1 | 4..=8 | 10));
        all
    }

    /// What all kernels of tracers begin with.
    fn tracers(self) -> Vec<&'static str> {
        let mut parts = self.world();
        parts.extend([DOUBLE, self.guard(), include_str!("tracers.wgsl")]);
        parts.push(if self.hex {
            include_str!("tracers_hex.wgsl")
        } else {
            include_str!("tracers_square.wgsl")
        });
        parts
    }

    /// The kernel `move_tracers`.
    pub(crate) fn drift(self, drift: Drift) -> String {
        let constants = [
            ("THREADS", MOVERS),
            ("COUNT", drift.count),
            ("JUMPS", JUMPS as u32),
            ("THREE_PASS", u32::from(drift.three_pass)),
        ];
        let mut parts = self.tracers();
        parts.extend(self.velocity());
        parts.push(if self.hex {
            include_str!("drift_hex.wgsl")
        } else {
            include_str!("drift_square.wgsl")
        });
        parts.push(include_str!("drift.wgsl"));
        compose(&constants, &parts)
    }

    /// The kernel `gather_tracers`.
    pub(crate) fn gather(self, drift: Drift) -> String {
        let constants = [
            ("THREADS", GATHERERS),
            ("COUNT", drift.count),
            ("JUMPS", JUMPS as u32),
            ("TRIES", TracersView::TRIES as u32),
            ("BIRTHS", drift.births.unwrap_or(0)),
            ("NOWHERE", u32::from(drift.births == Some(0))),
            // A column and a row, or a place among the births; and a place in the cell.
            ("DRAWS", if drift.births.is_some() { 3 } else { 4 }),
        ];
        let mut parts = self.tracers();
        parts.push(include_str!("gather.wgsl"));
        compose(&constants, &parts)
    }
}
