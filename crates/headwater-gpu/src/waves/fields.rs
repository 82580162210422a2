//! Fields of a wave world on the device: surface heights, fluxes across faces, flux gains (flux per
//! unit of height difference) and forcing. Contains their upload, bindings and read-back.

use super::params::WaveParams;
use super::shader::{STEP_GROUP_SIZE, Variant};
use crate::buffer::Buffer;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::NamedBinding;
use crate::layout::Layout;
use headwater::Field;
use headwater::waves::Waves;

/// Returns the number of workgroups (x, y) of the step kernel. They cover all cells, and one more
/// column and row for the faces at the east and south edges.
pub(super) fn step_workgroups(layout: Layout) -> [u32; 2] {
    let [wide, tall] = STEP_GROUP_SIZE;
    [(layout.nx as u32 + 1).div_ceil(wide), (layout.ny as u32 + 1).div_ceil(tall)]
}

/// One of the two sets of state buffers. It contains the surface heights, as multiples of the
/// model's fixed height unit, and the fluxes across faces.
#[derive(Debug)]
pub(super) struct StateBuffers {
    pub(super) height: Buffer<i32>,
    pub(super) x: Buffer<f32>,
    pub(super) y: Buffer<f32>,
}

/// Device buffers of a wave world. Buffers of features that the world does not use are empty.
#[derive(Debug)]
pub(super) struct Fields {
    pub(super) layout: Layout,
    pub(super) per_quantum: f32,
    pub(super) params: Buffer<WaveParams>,
    pub(super) sets: [StateBuffers; 2],
    gains: [Buffer<f32>; 2],
    /// Pressure head that the forcing of the current step exerts on each cell, in multiples of the
    /// model's fixed height unit. It is 0 between steps.
    pub(super) pressure_head: Buffer<i32>,
    absorbing_profile: Buffer<f32>,
    parts: [Buffer<i32>; 2],
    ledger: Buffer<u32>,
    variant: Variant,
}

impl Fields {
    pub(super) fn new(gpu: &Gpu, waves: &Waves, variant: Variant) -> Result<Self, GpuError> {
        let (nx, ny) = (waves.lattice().nx(), waves.lattice().ny());
        let layout = Layout::new(nx, ny);
        let view = waves.device_view();
        let params = WaveParams::new(waves, layout.pitch);
        let per_quantum = params.per_quantum;
        let profile = view.absorbing_profile();
        // Heights are integer multiples of the height unit, which is a power of two, so the
        // conversion is exact.
        let quanta = |z: &f32| (z * per_quantum) as i32;
        let plane = layout.element_count();
        let state = waves.state();
        let set = |height: &[i32], x: &[f32], y: &[f32]| -> Result<StateBuffers, GpuError> {
            let set = StateBuffers {
                height: Buffer::new(gpu, "heights", plane)?,
                x: Buffer::new(gpu, "fluxes through x-faces", plane)?,
                y: Buffer::new(gpu, "fluxes through y-faces", plane)?,
            };
            set.height.write(gpu, 0, height);
            set.x.write(gpu, 0, x);
            set.y.write(gpu, 0, y);
            Ok(set)
        };
        let current = set(
            &layout.pack_with(&state.height, quanta),
            &layout.pack(&state.flux_x),
            &layout.pack(&state.flux_y),
        )?;
        let next = set(&[], &[], &[])?;
        let gains = |i: usize| {
            let packed = view.flux_gains().map(|gains| layout.pack(gains[i]));
            Buffer::from_slice(gpu, "gains of faces", &packed.unwrap_or_default())
        };
        let part = |i: usize| {
            let packed = profile.map(|profile| layout.pack_with(profile.parts[i], quanta));
            Buffer::from_slice(gpu, "heights in absorbing layers", &packed.unwrap_or_default())
        };
        let loss_factors = profile.map_or(Vec::new(), |profile| {
            [profile.columns, profile.x_faces, profile.rows, profile.y_faces].concat()
        });
        let groups = step_workgroups(layout);
        let ledger =
            if variant.records_edge_flow { 2 * (groups[0] * groups[1]) as usize } else { 0 };
        Ok(Self {
            layout,
            per_quantum,
            params: Buffer::new_uniform(gpu, "wave parameters", params)?,
            sets: [current, next],
            gains: [gains(0)?, gains(1)?],
            pressure_head: Buffer::new(gpu, "heads", if variant.has_pressure { plane } else { 0 })?,
            absorbing_profile: Buffer::from_slice(
                gpu,
                "damping of absorbing layers",
                &loss_factors,
            )?,
            parts: [part(0)?, part(1)?],
            ledger: Buffer::new(gpu, "inflow through edges", ledger)?,
            variant,
        })
    }

    pub(super) fn step_bindings(&self, set_index: usize) -> Vec<NamedBinding<'_>> {
        let (old, new) = (&self.sets[set_index], &self.sets[1 - set_index]);
        vec![
            ("params", self.params.binding()),
            ("old_height", old.height.binding()),
            ("old_x", old.x.binding()),
            ("old_y", old.y.binding()),
            ("new_height", new.height.binding()),
            ("new_x", new.x.binding()),
            ("new_y", new.y.binding()),
            ("gains_x", self.gains[0].binding()),
            ("gains_y", self.gains[1].binding()),
            ("head", self.pressure_head.binding()),
            ("absorbing_profile", self.absorbing_profile.binding()),
            ("part_x", self.parts[0].binding()),
            ("part_y", self.parts[1].binding()),
            ("ledger", self.ledger.binding()),
        ]
    }

    pub(super) async fn read_back(
        &self,
        gpu: &Gpu,
        set_index: usize,
        quantum: f32,
    ) -> Result<ReadBackFields, GpuError> {
        let (layout @ Layout { nx, ny, .. }, plane) = (self.layout, self.layout.element_count());
        let StateBuffers { height, x, y } = &self.sets[set_index];
        let (height, x, y) =
            (height.read(gpu, 0, plane)?, x.read(gpu, 0, plane)?, y.read(gpu, 0, plane)?);
        let part = |i: usize| self.parts[i].read(gpu, 0, plane);
        let parts =
            if self.variant.has_absorbing_layers { Some([part(0)?, part(1)?]) } else { None };
        let ledger = self.ledger.read(gpu, 0, self.ledger.len())?;
        let cells = |packed: &[i32]| {
            layout.unpack_with(packed, [nx, ny], |&quanta| quanta as f32 * quantum)
        };
        let parts = match parts {
            Some([x, y]) => Some([cells(&x.await?), cells(&y.await?)]),
            None => None,
        };
        let ledger = ledger.await?;
        let (pairs, _) = ledger.as_chunks::<2>();
        let inflow: i64 =
            pairs.iter().map(|&[low, high]| i64::from(high) << 32 | i64::from(low)).sum();
        Ok(ReadBackFields {
            height: cells(&height.await?),
            flux_x: layout.unpack(&x.await?, nx + 1, ny),
            flux_y: layout.unpack(&y.await?, nx, ny + 1),
            parts,
            inflow: inflow as f64 * f64::from(quantum),
        })
    }

    pub(super) fn clear_ledger(&self, gpu: &Gpu) {
        self.ledger.write(gpu, 0, &vec![0; self.ledger.len()]);
    }
}

pub(super) struct ReadBackFields {
    pub(super) height: Field<f32>,
    pub(super) flux_x: Field<f32>,
    pub(super) flux_y: Field<f32>,
    pub(super) parts: Option<[Field<f32>; 2]>,
    /// Sum over all cells of the height change (m) due to net inflow across the edges. Multiplied
    /// by the cell area, it is the net inflow volume.
    pub(super) inflow: f64,
}
