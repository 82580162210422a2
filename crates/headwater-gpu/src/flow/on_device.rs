//! What of a world is on the device: its fields, what it is told, its books, and the kernels that step it.

use super::draw::Drawing;
use super::exchange::Exchange;
use super::fields::Fields;
use super::records::{self, World};
use super::shaders::Variant;
use super::tracers::Tracers;
use super::{Options, Sweep, books, edit, guard};
use crate::buffer::Buffer;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::{Binding, Bound, Kernel};
use headwater::flow::{Flow, Physics};

/// What all kernels of a world share.
pub(crate) struct Shared<'a> {
    pub(crate) fields: &'a Fields,
    pub(crate) world: &'a Buffer<World>,
    pub(crate) schedule: &'a Buffer<u32>,
    pub(crate) owners: &'a Buffer<u32>,
    pub(crate) books: &'a Buffer<u32>,
    pub(crate) roughness: Option<&'a Buffer<f32>>,
    pub(crate) guards: Option<&'a Buffer<u32>>,
    /// Bytes of a record.
    pub(crate) window: u64,
}

impl Shared<'_> {
    /// In the order of [`Variant::bindings`].
    fn buffers(&self) -> Vec<&wgpu::Buffer> {
        let fields = self.fields;
        let mut all = vec![&self.world.raw, &self.schedule.raw, &self.owners.raw, &self.books.raw];
        all.extend([&fields.bed.raw, &fields.depth.raw, &fields.x.raw, &fields.y.raw]);
        all.extend(fields.z.as_ref().map(|z| &z.raw));
        all.extend(self.roughness.map(|map| &map.raw));
        all.extend(self.guards.map(|guards| &guards.raw));
        all.extend(fields.momentum.iter().flatten().map(|q| &q.raw));
        all
    }

    /// In the order of [`Variant::drift_bindings`].
    pub(crate) fn drift_buffers(&self) -> Vec<&wgpu::Buffer> {
        let fields = self.fields;
        let mut all = vec![&self.world.raw, &self.schedule.raw];
        all.extend([&fields.bed.raw, &fields.depth.raw, &fields.x.raw, &fields.y.raw]);
        all.extend(fields.z.as_ref().map(|z| &z.raw));
        all.extend(self.guards.map(|guards| &guards.raw));
        all
    }

    /// In the order of [`Variant::exchange_bindings`].
    pub(crate) fn exchange_buffers(&self) -> Vec<&wgpu::Buffer> {
        let mut all = vec![&self.world.raw, &self.schedule.raw, &self.books.raw];
        all.extend([&self.fields.bed.raw, &self.fields.depth.raw]);
        all.extend(self.guards.map(|guards| &guards.raw));
        all
    }
}

/// What is on the device.
#[derive(Debug)]
pub(super) struct OnDevice {
    pub(super) variant: Variant,
    pub(super) fields: Fields,
    pub(super) world: Buffer<World>,
    pub(super) schedule: Buffer<u32>,
    pub(super) owners: Buffer<u32>,
    pub(super) books: Buffer<u32>,
    pub(super) guards: Option<Buffer<u32>>,
    pub(super) exchange: Exchange,
    pub(super) tracers: Option<Tracers>,
    /// The kernels of a step, in order, with the workgroups of each.
    pub(super) kernels: Vec<(Kernel, Bound, [u32; 2])>,
    /// Bytes of a record.
    pub(super) window: u64,
    pub(super) three_pass: bool,
    /// What draws it, once somebody has asked for that.
    pub(super) drawing: Option<Drawing>,
}

impl OnDevice {
    pub(super) fn new(gpu: &Gpu, flow: &Flow, options: Options) -> Result<Self, GpuError> {
        let guarded = flow.params().level != Physics::Pipes;
        let elsewhere = flow.device_view();
        let roughness = elsewhere.roughness().filter(|_| guarded);
        let variant = Variant {
            hex: flow.lattice().is_hex(),
            physics: flow.params().level,
            rough_map: roughness.is_some(),
        };
        let tile = options.sweep.tile(gpu, variant, flow.lattice().ny())?;
        let fields = Fields::new(gpu, flow.state())?;
        let layout = fields.layout;
        let sources = elsewhere.springs().len() + elsewhere.drains().len();
        let window = records::record_bytes(elsewhere.boundaries().len() + sources);
        // Edits tell as many records.
        let batch = options.batch.max(edit::SURVEYS as usize);
        let schedule = Buffer::new(gpu, "the schedule", batch * window as usize / 4)?;
        let world =
            Buffer::uniform(gpu, "the world", World::new(flow, layout.pitch, layout.plane()))?;
        let owners = Buffer::of(gpu, "the boundary", &records::owners(flow))?;
        let books = Buffer::new(gpu, "the ledger", books::LEN)?;
        let roughness = roughness
            .map(|map| Buffer::of(gpu, "the roughness", &layout.packed(map)))
            .transpose()?;
        let guards = guarded
            .then(|| Buffer::new(gpu, "the guard", guard::NOTE * (batch + 1)))
            .transpose()?;
        let shared = Shared {
            fields: &fields,
            world: &world,
            schedule: &schedule,
            owners: &owners,
            books: &books,
            roughness: roughness.as_ref(),
            guards: guards.as_ref(),
            window,
        };
        let bindings = variant.bindings(window);
        let three_pass = options.sweep == Sweep::ThreePass;
        let texts = if three_pass {
            variant.passes(tile.threads).to_vec()
        } else {
            vec![("step_tile", variant.tile(tile))]
        };
        let groups = |entry: &str| match entry {
            "step_tile" => {
                [(layout.nx as u32).div_ceil(tile.x), (layout.ny as u32).div_ceil(tile.y)]
            }
            _ => [(layout.nx as u32 + 1).div_ceil(tile.threads), layout.ny as u32 + 1],
        };
        let mut kernels = Vec::new();
        for (entry, text) in texts {
            let kernel = Kernel::numbered(gpu, &text, entry, &bindings)?;
            let bound = kernel.bind(gpu, &shared.buffers());
            let groups = groups(entry);
            let most = u64::from(gpu.limits().max_compute_workgroups_per_dimension);
            let name = "max_compute_workgroups_per_dimension";
            for count in groups {
                gpu.within("the grid", (u64::from(count), most), "workgroups", name)?;
            }
            kernels.push((kernel, bound, groups));
        }
        let exchange = Exchange::new(gpu, flow, variant, &shared)?;
        let tracers = elsewhere
            .tracers()
            .map(|drifting| Tracers::new(gpu, flow, drifting, variant, &shared, three_pass))
            .transpose()?;
        gpu.check()?;
        Ok(Self {
            variant,
            fields,
            world,
            schedule,
            owners,
            books,
            guards,
            exchange,
            tracers,
            kernels,
            window,
            three_pass,
            drawing: None,
        })
    }

    /// Some of the world's buffers by the numbers of their bindings, and how kernels take them; what a world of its kind
    /// does not have is left out.
    pub(super) fn some(&self, numbers: &[u32]) -> (Vec<(u32, Binding)>, Vec<&wgpu::Buffer>) {
        let fields = &self.fields;
        let mut all = vec![
            (0, &self.world.raw),
            (1, &self.schedule.raw),
            (2, &self.owners.raw),
            (3, &self.books.raw),
            (4, &fields.bed.raw),
            (5, &fields.depth.raw),
            (6, &fields.x.raw),
            (7, &fields.y.raw),
        ];
        all.extend(fields.z.iter().map(|z| (8, &z.raw)));
        all.extend(self.guards.iter().map(|guards| (10, &guards.raw)));
        all.extend((11..).zip(fields.momentum.iter().flatten().map(|q| &q.raw)));
        all.retain(|(number, _)| numbers.contains(number));
        let kinds = self.variant.bindings(self.window);
        let kind = |number: &u32| kinds.iter().find(|(known, _)| known == number).copied();
        let (bindings, buffers): (Vec<_>, Vec<_>) =
            all.into_iter().filter_map(|(number, buffer)| Some((kind(&number)?, buffer))).unzip();
        (bindings, buffers)
    }
}
