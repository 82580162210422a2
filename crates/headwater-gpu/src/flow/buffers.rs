//! What all kernels of a world share: its fields, what it is told, and its ledger, by the names that shaders have for
//! them.

use super::fields::Fields;
use super::ledger;
use super::limit::{NOTE, SURVEYS};
use super::options::Options;
use super::records::World;
use super::schedule::{owners, record_bytes};
use super::shaders::{Shader, THREADS};
use super::variant::Variant;
use crate::buffer::Buffer;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::{Bound, Kernel, Named};
use headwater::flow::Flow;

/// What lies on the device of a world.
#[derive(Debug)]
pub(crate) struct Buffers {
    pub(crate) variant: Variant,
    pub(crate) fields: Fields,
    world: Buffer<World>,
    pub(crate) schedule: Buffer<u32>,
    owners: Buffer<u32>,
    pub(crate) ledger: Buffer<u32>,
    roughness: Option<Buffer<f32>>,
    /// What the steps of a batch leave to be known of the water, where the length of a step depends on it.
    pub(crate) notes: Option<Buffer<u32>>,
    /// Bytes of a record of the schedule.
    pub(crate) window: u64,
}

#[derive(Debug)]
pub(crate) struct Dispatch {
    kernel: Kernel,
    bound: Bound,
    groups: [u32; 2],
}

impl Dispatch {
    /// Runs it for the step whose record begins at `window` (bytes).
    pub(crate) fn run(&self, pass: &mut wgpu::ComputePass<'_>, window: u32) {
        self.kernel.run(pass, &self.bound, window, self.groups);
    }
}

impl Buffers {
    pub(crate) fn new(gpu: &Gpu, flow: &Flow, options: Options) -> Result<Self, GpuError> {
        let physics = flow.params().level;
        let elsewhere = flow.device_view();
        let mut variant = Variant { hex: flow.lattice().is_hex(), physics, rough_map: false };
        let roughness = elsewhere.roughness().filter(|_| variant.is_limited());
        variant.rough_map = roughness.is_some();
        let fields = Fields::new(gpu, flow.state())?;
        let layout = fields.layout;
        let sources = elsewhere.springs().len() + elsewhere.drains().len();
        let window = record_bytes(elsewhere.boundaries().len() + sources);
        // Edits tell as many records.
        let batch = options.batch.max(SURVEYS as usize);
        let of_world = World::new(flow, layout.pitch, layout.plane());
        Ok(Self {
            variant,
            schedule: Buffer::new(gpu, "the schedule", batch * window as usize / 4)?,
            world: Buffer::uniform(gpu, "the world", of_world)?,
            owners: Buffer::of(gpu, "the boundary", &owners(flow))?,
            ledger: Buffer::new(gpu, "the ledger", ledger::LEN)?,
            roughness: roughness
                .map(|map| Buffer::of(gpu, "the roughness", &layout.packed(map)))
                .transpose()?,
            notes: variant
                .is_limited()
                .then(|| Buffer::new(gpu, "the notes of steps", NOTE * (batch + 1)))
                .transpose()?,
            fields,
            window,
        })
    }

    pub(crate) fn named(&self) -> Vec<Named<'_>> {
        let fields = &self.fields;
        let mut all = vec![
            ("world", self.world.binding()),
            ("now", self.schedule.binding()),
            ("schedule", self.schedule.binding()),
            ("owners", self.owners.binding()),
            ("ledger", self.ledger.binding()),
            ("bed", fields.bed.binding()),
            ("depth", fields.depth.binding()),
            ("discharge_x", fields.x.binding()),
            ("discharge_y", fields.y.binding()),
        ];
        all.extend(fields.z.iter().map(|z| ("discharge_z", z.binding())));
        all.extend(self.roughness.iter().map(|map| ("roughness", map.binding())));
        all.extend(self.notes.iter().map(|notes| ("notes", notes.binding())));
        if let Some([x, y]) = &fields.momentum {
            all.extend([("momentum_x", x.binding()), ("momentum_y", y.binding())]);
        }
        all
    }

    /// A kernel for this world, with the constants that depend on it.
    pub(crate) fn kernel(
        &self,
        gpu: &Gpu,
        shader: &Shader,
        constants: &[(&'static str, u32)],
    ) -> Result<Kernel, GpuError> {
        let text = self.variant.text(shader, constants);
        Kernel::new(gpu, &text, shader.entry, Some(("now", self.window)))
    }

    /// The same with its buffers, those of the world and its `own`, to be run by so many workgroups.
    pub(crate) fn dispatch(
        &self,
        gpu: &Gpu,
        shader: &Shader,
        constants: &[(&'static str, u32)],
        own: Vec<Named<'_>>,
        groups: [u32; 2],
    ) -> Result<Dispatch, GpuError> {
        let kernel = self.kernel(gpu, shader, constants)?;
        let bound = kernel.bind(gpu, &[self.named(), own].concat());
        Ok(Dispatch { kernel, bound, groups })
    }

    /// Workgroups of [`THREADS`] that go through all cells, row by row.
    pub(crate) fn over_cells(&self) -> [u32; 2] {
        let layout = self.fields.layout;
        [(layout.nx as u32).div_ceil(THREADS), layout.ny as u32]
    }
}
