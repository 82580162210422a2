//! What of a wave world lies on the device, and the kernels that step and stir it.

use super::draw::Drawing;
use super::fields::{Fields, groups};
use super::shader::{self, ENTRIES, Variant};
use crate::buffer::Buffer;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::{Bound, Kernel, WINDOW};
use crate::layout::Layout;
use headwater::waves::{Forcing, Waves};

/// Numbers of a window into the records of a batch.
const RECORD: usize = WINDOW as usize / size_of::<u32>();

#[derive(Debug)]
pub(super) struct OnDevice {
    pub(super) fields: Fields,
    step: Kernel,
    /// From the first set of buffers into the second, and back.
    bound: [Bound; 2],
    stir: Kernel,
    groups: [u32; 2],
    /// Which set holds the world now.
    pub(super) side: usize,
    /// What draws it, once somebody has asked for that.
    pub(super) drawing: Option<Drawing>,
}

impl OnDevice {
    pub(super) fn new(gpu: &Gpu, waves: &Waves) -> Result<Self, GpuError> {
        let elsewhere = waves.device_view();
        let absorbs = elsewhere.absorbing_profile().is_some();
        let variant = Variant {
            map: elsewhere.gains().is_some(),
            press: elsewhere.has_forcing(),
            layers: absorbs,
            ledger: absorbs || elsewhere.pinned().contains(&true),
        };
        let layout = Layout::new(waves.lattice().nx(), waves.lattice().ny());
        let groups = groups(layout);
        let limit = u64::from(gpu.limits().max_compute_workgroups_per_dimension);
        let most = u64::from(groups[0].max(groups[1]));
        gpu.within("a grid", (most, limit), "workgroups", "max_compute_workgroups_per_dimension")?;
        let fields = Fields::new(gpu, waves, variant)?;
        let step = Kernel::new(gpu, &variant.text(), "step", None)?;
        let bound = [0, 1].map(|side| step.bind(gpu, &fields.of_step(side)));
        let stir = Kernel::new(gpu, &shader::stir(), "stir", Some(("record", WINDOW)))?;
        Ok(Self { fields, step, bound, stir, groups, side: 0, drawing: None })
    }

    /// Submits steps, each stirred as the list says; without one, nothing stirs them.
    pub(super) fn run(
        &mut self,
        gpu: &Gpu,
        count: u64,
        stirred: &[Forcing],
    ) -> Result<(), GpuError> {
        let lists = Lists::new(gpu, self.fields.layout, self.fields.per_quantum, stirred)?;
        let to_height = [0, 1].map(|side| self.stirs(gpu, &lists, &self.fields.sides[side].height));
        let to_head = self.stirs(gpu, &lists, &self.fields.head);
        let mut side = self.side;
        gpu.submit(|pass| {
            let stir = |pass: &mut wgpu::ComputePass, bound: &Bound, record: usize| {
                let entries = lists.lengths[record];
                if entries > 0 {
                    let groups = [entries.div_ceil(ENTRIES), 1];
                    self.stir.run(pass, bound, (record as u64 * WINDOW) as u32, groups);
                }
            };
            for i in 0..count as usize {
                let record = 3 * i;
                let stirs = i < stirred.len();
                if stirs {
                    stir(pass, &to_height[side], record);
                    stir(pass, &to_head, record + 1);
                }
                self.step.run(pass, &self.bound[side], 0, self.groups);
                if stirs {
                    stir(pass, &to_head, record + 2);
                }
                side = 1 - side;
            }
        });
        self.side = side;
        gpu.check()
    }

    pub(super) fn raise(&self, gpu: &Gpu, rises: Vec<(usize, f32)>) -> Result<(), GpuError> {
        let stirred = [Forcing { rises, heads: Vec::new() }];
        let lists = Lists::new(gpu, self.fields.layout, self.fields.per_quantum, &stirred)?;
        let height = &self.fields.sides[self.side].height;
        let bound = self.stirs(gpu, &lists, height);
        let groups = [lists.lengths[0].div_ceil(ENTRIES), 1];
        gpu.submit(|pass| self.stir.run(pass, &bound, 0, groups));
        gpu.check()
    }

    /// The buffers of what adds lists to cells.
    fn stirs(&self, gpu: &Gpu, lists: &Lists, cells: &Buffer<i32>) -> Bound {
        let (record, list) = (lists.records.binding(), lists.entries.binding());
        self.stir.bind(gpu, &[("record", record), ("list", list), ("cells", cells.binding())])
    }
}

/// What stirs a batch of steps, on the device.
struct Lists {
    /// Three of [`RECORD`] numbers for each step: rises, heads, and heads to be taken off again.
    records: Buffer<u32>,
    entries: Buffer<[i32; 2]>,
    lengths: Vec<u32>,
}

impl Lists {
    fn new(
        gpu: &Gpu,
        layout: Layout,
        per_quantum: f32,
        stirred: &[Forcing],
    ) -> Result<Self, GpuError> {
        let mut entries: Vec<[i32; 2]> = Vec::new();
        let mut records: Vec<u32> = Vec::new();
        let mut lengths = Vec::new();
        let put = |list: &[(usize, f32)], entries: &mut Vec<[i32; 2]>| {
            let start = entries.len() as u32;
            // Cells are numbered row by row.
            let place = |cell| layout.place((cell % layout.nx, cell / layout.nx)) as i32;
            let entry = |&(cell, by): &(usize, f32)| [place(cell), (by * per_quantum) as i32];
            entries.extend(list.iter().map(entry));
            [start, list.len() as u32]
        };
        let mut record = |[start, length]: [u32; 2], off: bool| {
            let at = records.len();
            records.extend([start, length, u32::from(off)]);
            records.resize(at + RECORD, 0);
            lengths.push(length);
        };
        for Forcing { rises, heads } in stirred {
            record(put(rises, &mut entries), false);
            let heads = put(heads, &mut entries);
            record(heads, false);
            record(heads, true);
        }
        records.resize(records.len().max(RECORD), 0);
        Ok(Self {
            records: Buffer::of(gpu, "what stirs the surface", &records)?,
            entries: Buffer::of(gpu, "the cells that are stirred", &entries)?,
            lengths,
        })
    }
}
