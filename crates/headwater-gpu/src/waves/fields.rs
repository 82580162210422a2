//! The fields of a wave world on the device: how they lie there, how they go and how they come back.

use super::rule::Rule;
use super::shader::{GROUP, Variant};
use crate::buffer::Buffer;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::Named;
use crate::layout::Layout;
use headwater::Field;
use headwater::waves::Waves;

/// Workgroups of a step, which cover all faces.
pub(super) fn groups(layout: Layout) -> [u32; 2] {
    let [wide, tall] = GROUP;
    [(layout.nx as u32 + 1).div_ceil(wide), (layout.ny as u32 + 1).div_ceil(tall)]
}

#[derive(Debug)]
pub(super) struct Side {
    pub(super) height: Buffer<i32>,
    pub(super) x: Buffer<f32>,
    pub(super) y: Buffer<f32>,
}

/// All fields of a world. What it does not have is as small as a buffer can be.
#[derive(Debug)]
pub(super) struct Fields {
    pub(super) layout: Layout,
    pub(super) per_quantum: f32,
    pub(super) rule: Buffer<Rule>,
    pub(super) sides: [Side; 2],
    gains: [Buffer<f32>; 2],
    /// What presses on each cell (quanta); 0 between steps.
    pub(super) head: Buffer<i32>,
    fading: Buffer<f32>,
    parts: [Buffer<i32>; 2],
    ledger: Buffer<u32>,
    variant: Variant,
}

impl Fields {
    pub(super) fn new(gpu: &Gpu, waves: &Waves, variant: Variant) -> Result<Self, GpuError> {
        let (nx, ny) = (waves.lattice().nx(), waves.lattice().ny());
        let layout = Layout::new(nx, ny);
        let elsewhere = waves.device_view();
        let rule = Rule::new(waves, layout.pitch);
        let per_quantum = rule.per_quantum;
        let fading = elsewhere.absorbing_profile();
        // Whole quanta, and a quantum is a power of two: nothing is rounded.
        let quanta = |z: &f32| (z * per_quantum) as i32;
        let plane = layout.plane();
        let state = waves.state();
        let side = |height: &[i32], x: &[f32], y: &[f32]| -> Result<Side, GpuError> {
            let side = Side {
                height: Buffer::new(gpu, "heights", plane)?,
                x: Buffer::new(gpu, "fluxes over x-faces", plane)?,
                y: Buffer::new(gpu, "fluxes over y-faces", plane)?,
            };
            side.height.write(gpu, 0, height);
            side.x.write(gpu, 0, x);
            side.y.write(gpu, 0, y);
            Ok(side)
        };
        let now = side(
            &layout.packed_as(&state.height, quanta),
            &layout.packed(&state.flux_x),
            &layout.packed(&state.flux_y),
        )?;
        let then = side(&[], &[], &[])?;
        let gains = |i: usize| {
            let packed = elsewhere.gains().map(|gains| layout.packed(gains[i]));
            Buffer::of(gpu, "gains of faces", &packed.unwrap_or_default())
        };
        let part = |i: usize| {
            let packed = fading.map(|fading| layout.packed_as(fading.parts[i], quanta));
            Buffer::of(gpu, "heights in absorbing layers", &packed.unwrap_or_default())
        };
        let lost = fading.map_or(Vec::new(), |fading| {
            [fading.columns, fading.x_faces, fading.rows, fading.y_faces].concat()
        });
        let groups = groups(layout);
        let ledger = if variant.ledger { 2 * (groups[0] * groups[1]) as usize } else { 0 };
        Ok(Self {
            layout,
            per_quantum,
            rule: Buffer::uniform(gpu, "the rule of waves", rule)?,
            sides: [now, then],
            gains: [gains(0)?, gains(1)?],
            head: Buffer::new(gpu, "heads", if variant.press { plane } else { 0 })?,
            fading: Buffer::of(gpu, "how waves fade", &lost)?,
            parts: [part(0)?, part(1)?],
            ledger: Buffer::new(gpu, "what came over edges", ledger)?,
            variant,
        })
    }

    pub(super) fn of_step(&self, side: usize) -> Vec<Named<'_>> {
        let (old, new) = (&self.sides[side], &self.sides[1 - side]);
        vec![
            ("rule", self.rule.binding()),
            ("old_height", old.height.binding()),
            ("old_x", old.x.binding()),
            ("old_y", old.y.binding()),
            ("new_height", new.height.binding()),
            ("new_x", new.x.binding()),
            ("new_y", new.y.binding()),
            ("gains_x", self.gains[0].binding()),
            ("gains_y", self.gains[1].binding()),
            ("head", self.head.binding()),
            ("fading", self.fading.binding()),
            ("part_x", self.parts[0].binding()),
            ("part_y", self.parts[1].binding()),
            ("ledger", self.ledger.binding()),
        ]
    }

    pub(super) async fn read_back(
        &self,
        gpu: &Gpu,
        side: usize,
        quantum: f32,
    ) -> Result<Returned, GpuError> {
        let (layout @ Layout { nx, ny, .. }, plane) = (self.layout, self.layout.plane());
        let Side { height, x, y } = &self.sides[side];
        let (height, x, y) =
            (height.read(gpu, 0, plane)?, x.read(gpu, 0, plane)?, y.read(gpu, 0, plane)?);
        let part = |i: usize| self.parts[i].read(gpu, 0, plane);
        let parts = if self.variant.layers { Some([part(0)?, part(1)?]) } else { None };
        let ledger = self.ledger.read(gpu, 0, self.ledger.len())?;
        let cells = |packed: &[i32]| {
            layout.unpacked_as(packed, [nx, ny], |&quanta| quanta as f32 * quantum)
        };
        let parts = match parts {
            Some([x, y]) => Some([cells(&x.await?), cells(&y.await?)]),
            None => None,
        };
        let ledger = ledger.await?;
        let (pairs, _) = ledger.as_chunks::<2>();
        let came: i64 =
            pairs.iter().map(|&[low, high]| i64::from(high) << 32 | i64::from(low)).sum();
        Ok(Returned {
            height: cells(&height.await?),
            flux_x: layout.unpacked(&x.await?, nx + 1, ny),
            flux_y: layout.unpacked(&y.await?, nx, ny + 1),
            parts,
            came: came as f64 * f64::from(quantum),
        })
    }

    pub(super) fn clear_ledger(&self, gpu: &Gpu) {
        self.ledger.write(gpu, 0, &vec![0; self.ledger.len()]);
    }
}

pub(super) struct Returned {
    pub(super) height: Field<f32>,
    pub(super) flux_x: Field<f32>,
    pub(super) flux_y: Field<f32>,
    pub(super) parts: Option<[Field<f32>; 2]>,
    /// The height (m, summed over cells) that came over edges.
    pub(super) came: f64,
}
