//! Device buffers that all kernels of a flow world share: fields, step parameters and ledger.
//! Kernels bind the buffers by the names of the shader variables.

pub(super) mod fields;
pub(super) mod ledger;
pub(super) mod records;
pub(super) mod schedule;

use super::limit::{SUMMARY_PASSES, SUMMARY_WORDS};
use super::options::Options;
use super::shaders::{Shader, THREADS};
use super::variant::Variant;
use crate::buffer::Buffer;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::{BindGroup, Kernel, NamedBinding};
use fields::Fields;
use headwater::flow::Flow;
use records::World;
use schedule::{boundary_indices, record_bytes};

/// Device buffers that the kernels of a flow world share.
#[derive(Debug)]
pub(crate) struct Buffers {
    pub(crate) variant: Variant,
    pub(crate) fields: Fields,
    world: Buffer<World>,
    pub(crate) schedule: Buffer<u32>,
    boundary_indices: Buffer<u32>,
    pub(crate) ledger: Buffer<u32>,
    roughness: Option<Buffer<f32>>,
    /// Summaries of the states before and after each step of a batch. A summary contains the
    /// numbers that determine the stable time step. `None` if the stable time step does not depend
    /// on the water.
    pub(crate) summaries: Option<Buffer<u32>>,
    /// Size of one step record in the buffer `schedule` (bytes).
    pub(crate) record_bytes: u64,
}

/// Kernel with its bind group and the number of workgroups to run.
#[derive(Debug)]
pub(crate) struct Dispatch {
    kernel: Kernel,
    bind_group: BindGroup,
    groups: [u32; 2],
}

impl Dispatch {
    /// Records a dispatch of the kernel into a compute pass. `record_offset` is the offset (bytes)
    /// of the step record in the buffer `schedule`.
    pub(crate) fn record(&self, pass: &mut wgpu::ComputePass<'_>, record_offset: u32) {
        self.kernel.dispatch(pass, &self.bind_group, record_offset, self.groups);
    }
}

impl Buffers {
    pub(crate) fn new(gpu: &Gpu, flow: &Flow, options: Options) -> Result<Self, GpuError> {
        let physics = flow.params().level;
        let view = flow.device_view();
        let mut variant = Variant { hex: flow.lattice().is_hex(), physics, roughness_map: false };
        let roughness = view.roughness().filter(|_| variant.has_dynamic_limit());
        variant.roughness_map = roughness.is_some();
        let fields = Fields::new(gpu, flow.state())?;
        let layout = fields.layout;
        let sources = view.springs().len() + view.drains().len();
        let record_bytes = record_bytes(view.boundaries().len() + sources);
        // The summary passes after an edit need [`SUMMARY_PASSES`] records.
        let batch = options.max_batch_steps.max(SUMMARY_PASSES as usize);
        let world = World::new(flow, layout.pitch, layout.element_count());
        Ok(Self {
            variant,
            schedule: Buffer::new(gpu, "the schedule", batch * record_bytes as usize / 4)?,
            world: Buffer::new_uniform(gpu, "the world", world)?,
            boundary_indices: Buffer::from_slice(gpu, "the boundary", &boundary_indices(flow))?,
            ledger: Buffer::new(gpu, "the ledger", ledger::LEN)?,
            roughness: roughness
                .map(|map| Buffer::from_slice(gpu, "the roughness", &layout.pack(map)))
                .transpose()?,
            summaries: variant
                .has_dynamic_limit()
                .then(|| Buffer::new(gpu, "the notes of steps", SUMMARY_WORDS * (batch + 1)))
                .transpose()?,
            fields,
            record_bytes,
        })
    }

    pub(crate) fn bindings(&self) -> Vec<NamedBinding<'_>> {
        let fields = &self.fields;
        let mut all = vec![
            ("world", self.world.binding()),
            ("current", self.schedule.binding()),
            ("schedule", self.schedule.binding()),
            ("boundary_indices", self.boundary_indices.binding()),
            ("ledger", self.ledger.binding()),
            ("bed", fields.bed.binding()),
            ("depth", fields.depth.binding()),
            ("discharge_x", fields.x.binding()),
            ("discharge_y", fields.y.binding()),
        ];
        all.extend(fields.z.iter().map(|z| ("discharge_z", z.binding())));
        all.extend(self.roughness.iter().map(|map| ("roughness", map.binding())));
        all.extend(self.summaries.iter().map(|summaries| ("summaries", summaries.binding())));
        if let Some([x, y]) = &fields.momentum {
            all.extend([("momentum_x", x.binding()), ("momentum_y", y.binding())]);
        }
        all
    }

    /// Compiles a kernel for this world with the constants in `constants` and the constants that
    /// follow from the world, such as those for its scheme and lattice.
    pub(crate) fn compile_kernel(
        &self,
        gpu: &Gpu,
        shader: &Shader,
        constants: &[(&'static str, u32)],
    ) -> Result<Kernel, GpuError> {
        let text = self.variant.source_code(shader, constants);
        Kernel::new(gpu, &text, shader.entry, Some(("current", self.record_bytes)))
    }

    /// Compiles the kernel `shader` and binds the shared buffers of the world and the kernel's own
    /// buffers `kernel_bindings`. Dispatches of the kernel run `groups` workgroups (x, y).
    pub(crate) fn create_dispatch(
        &self,
        gpu: &Gpu,
        shader: &Shader,
        constants: &[(&'static str, u32)],
        kernel_bindings: Vec<NamedBinding<'_>>,
        groups: [u32; 2],
    ) -> Result<Dispatch, GpuError> {
        let kernel = self.compile_kernel(gpu, shader, constants)?;
        let bind_group = kernel.bind(gpu, &[self.bindings(), kernel_bindings].concat());
        Ok(Dispatch { kernel, bind_group, groups })
    }

    /// Returns the number of workgroups (x, y) of [`THREADS`] invocations that covers all cells.
    /// Each row of cells has its own row of workgroups.
    pub(crate) fn workgroups_over_cells(&self) -> [u32; 2] {
        let layout = self.fields.layout;
        [(layout.nx as u32).div_ceil(THREADS), layout.ny as u32]
    }
}
