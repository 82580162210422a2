//! Device part of a wave world: its buffers, and the kernels that step the world and apply forcing.

use super::draw::Drawing;
use super::fields::{Fields, step_workgroups};
use super::shader::{self, FORCING_THREADS, Variant};
use crate::buffer::Buffer;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::{BindGroup, Kernel, WINDOW_ALIGNMENT};
use crate::layout::Layout;
use headwater::waves::{Forcing, Waves};

/// Distance between two forcing records in their buffer, in `u32` elements. It satisfies the
/// alignment of dynamic offsets.
const RECORD_STRIDE: usize = WINDOW_ALIGNMENT as usize / size_of::<u32>();

#[derive(Debug)]
pub(super) struct DeviceWorld {
    pub(super) fields: Fields,
    step: Kernel,
    /// Bind groups of the step kernel: one that reads the first set of state buffers and writes the
    /// second, and one for the reverse.
    bind_groups: [BindGroup; 2],
    apply_forcing: Kernel,
    groups: [u32; 2],
    /// Index (0 or 1) of the set of state buffers that contains the current state.
    pub(super) current_set: usize,
    /// Kernel that draws the world. Created when the world is first drawn.
    pub(super) drawing: Option<Drawing>,
}

impl DeviceWorld {
    pub(super) fn new(gpu: &Gpu, waves: &Waves) -> Result<Self, GpuError> {
        let view = waves.device_view();
        let absorbs = view.absorbing_profile().is_some();
        let variant = Variant {
            has_gain_map: view.flux_gains().is_some(),
            has_pressure: view.has_forcing(),
            has_absorbing_layers: absorbs,
            records_edge_flow: absorbs || view.pinned_edges().contains(&true),
        };
        let layout = Layout::new(waves.lattice().nx(), waves.lattice().ny());
        let groups = step_workgroups(layout);
        let limit = u64::from(gpu.limits().max_compute_workgroups_per_dimension);
        let count = u64::from(groups[0].max(groups[1]));
        gpu.check_limit(
            "a grid",
            (count, limit),
            "workgroups",
            "max_compute_workgroups_per_dimension",
        )?;
        let fields = Fields::new(gpu, waves, variant)?;
        let step = Kernel::new(gpu, &variant.source_code(), "step", None)?;
        let bind_groups = [0, 1].map(|set| step.bind(gpu, &fields.step_bindings(set)));
        let apply_forcing = Kernel::new(
            gpu,
            &shader::forcing_source(),
            "apply_forcing",
            Some(("record", WINDOW_ALIGNMENT)),
        )?;
        Ok(Self { fields, step, bind_groups, apply_forcing, groups, current_set: 0, drawing: None })
    }

    /// Submits `count` steps. `forcing` has one element for each step, or is empty if there is no
    /// forcing.
    pub(super) fn submit_steps(
        &mut self,
        gpu: &Gpu,
        count: u64,
        forcing: &[Forcing],
    ) -> Result<(), GpuError> {
        let lists = ForcingLists::new(gpu, self.fields.layout, self.fields.per_quantum, forcing)?;
        let height_bindings =
            [0, 1].map(|set| self.bind_forcing(gpu, &lists, &self.fields.sets[set].height));
        let head_bindings = self.bind_forcing(gpu, &lists, &self.fields.pressure_head);
        let mut current_set = self.current_set;
        gpu.submit(|pass| {
            let apply_forcing =
                |pass: &mut wgpu::ComputePass, bind_group: &BindGroup, record: usize| {
                    let entries = lists.lengths[record];
                    if entries > 0 {
                        let groups = [entries.div_ceil(FORCING_THREADS), 1];
                        self.apply_forcing.dispatch(
                            pass,
                            bind_group,
                            (record as u64 * WINDOW_ALIGNMENT) as u32,
                            groups,
                        );
                    }
                };
            for i in 0..count as usize {
                let record = 3 * i;
                let has_forcing = i < forcing.len();
                if has_forcing {
                    apply_forcing(pass, &height_bindings[current_set], record);
                    apply_forcing(pass, &head_bindings, record + 1);
                }
                self.step.dispatch(pass, &self.bind_groups[current_set], 0, self.groups);
                if has_forcing {
                    apply_forcing(pass, &head_bindings, record + 2);
                }
                current_set = 1 - current_set;
            }
        });
        self.current_set = current_set;
        gpu.check()
    }

    pub(super) fn add_height_changes(
        &self,
        gpu: &Gpu,
        rises: Vec<(usize, f32)>,
    ) -> Result<(), GpuError> {
        let forcing = [Forcing { rises, heads: Vec::new() }];
        let lists = ForcingLists::new(gpu, self.fields.layout, self.fields.per_quantum, &forcing)?;
        let height = &self.fields.sets[self.current_set].height;
        let bind_group = self.bind_forcing(gpu, &lists, height);
        let groups = [lists.lengths[0].div_ceil(FORCING_THREADS), 1];
        gpu.submit(|pass| self.apply_forcing.dispatch(pass, &bind_group, 0, groups));
        gpu.check()
    }

    /// Creates the bind group of the forcing kernel. The kernel adds the values in `lists` to the
    /// buffer `cells`.
    fn bind_forcing(&self, gpu: &Gpu, lists: &ForcingLists, cells: &Buffer<i32>) -> BindGroup {
        let (record, list) = (lists.records.binding(), lists.entries.binding());
        self.apply_forcing
            .bind(gpu, &[("record", record), ("list", list), ("cells", cells.binding())])
    }
}

/// Forcing of a batch of steps, in device buffers.
struct ForcingLists {
    /// Forcing records of [`RECORD_STRIDE`] elements each. Each step has three records: the changes
    /// in surface height, the pressure heads applied before the step, and the same pressure heads
    /// with opposite sign, which are added after the step to reset them.
    records: Buffer<u32>,
    entries: Buffer<[i32; 2]>,
    lengths: Vec<u32>,
}

impl ForcingLists {
    fn new(
        gpu: &Gpu,
        layout: Layout,
        per_quantum: f32,
        forcing: &[Forcing],
    ) -> Result<Self, GpuError> {
        let mut entries: Vec<[i32; 2]> = Vec::new();
        let mut records: Vec<u32> = Vec::new();
        let mut lengths = Vec::new();
        let push_list = |list: &[(usize, f32)], entries: &mut Vec<[i32; 2]>| {
            let start = entries.len() as u32;
            // The forcing numbers cells row by row, without padding.
            let place = |cell| layout.index((cell % layout.nx, cell / layout.nx)) as i32;
            let entry = |&(cell, by): &(usize, f32)| [place(cell), (by * per_quantum) as i32];
            entries.extend(list.iter().map(entry));
            [start, list.len() as u32]
        };
        let mut record = |[start, length]: [u32; 2], subtract: bool| {
            let at = records.len();
            records.extend([start, length, u32::from(subtract)]);
            records.resize(at + RECORD_STRIDE, 0);
            lengths.push(length);
        };
        for Forcing { rises, heads } in forcing {
            record(push_list(rises, &mut entries), false);
            let heads = push_list(heads, &mut entries);
            record(heads, false);
            record(heads, true);
        }
        records.resize(records.len().max(RECORD_STRIDE), 0);
        Ok(Self {
            records: Buffer::from_slice(gpu, "wave forcing records", &records)?,
            entries: Buffer::from_slice(gpu, "wave forcing entries", &entries)?,
            lengths,
        })
    }
}
