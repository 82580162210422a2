//! Springs, rain, soil, air and drains on the device: what they owe lives there, and comes back with the rest.

use super::fields::Layout;
use super::on_device::Shared;
use super::records::two_floats;
use super::shaders::Variant;
use crate::buffer::Buffer;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::kernel::{Binding, Bound, Kernel};
use bytemuck::{Pod, Zeroable};
use headwater::Field;
use headwater::flow::{DeviceView, Flow, OutletView, Remainders, SoilCell};
use std::collections::BTreeMap;

/// Invocations of a workgroup.
pub(crate) const THREADS: u32 = 64;

/// All exchange of a world.
#[derive(Debug)]
pub(crate) struct Exchange {
    springs: Option<Outlets>,
    field: Option<OverCells>,
    drains: Option<Outlets>,
    follow: Option<Follow>,
}

/// Momentum that goes with water that is taken: what comes before all exchange, and what after.
#[derive(Debug)]
struct Follow {
    kernels: [(Kernel, Bound); 2],
    groups: [u32; 2],
}

/// Springs or drains.
#[derive(Debug)]
struct Outlets {
    kernel: Kernel,
    bound: Bound,
    groups: u32,
    owed: Buffer<f32>,
    /// For each of `owed`, which outlet it belongs to and which of its cells.
    order: Vec<(usize, usize)>,
}

/// Rain, soil and air.
#[derive(Debug)]
struct OverCells {
    kernel: Kernel,
    bound: Bound,
    groups: [u32; 2],
    layout: Layout,
    rain: Option<Buffer<f32>>,
    air: Option<Buffer<f32>>,
    soil: Option<Buffer<Ground>>,
}

/// `Ground` of exchange.wgsl.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
struct Ground {
    held: [f32; 2],
    to_take: f32,
    to_give: f32,
}

impl From<&SoilCell> for Ground {
    fn from(cell: &SoilCell) -> Self {
        Self { held: two_floats(cell.held), to_take: cell.to_take, to_give: cell.to_give }
    }
}

impl From<Ground> for SoilCell {
    fn from(ground: Ground) -> Self {
        let [held, rest] = ground.held.map(f64::from);
        Self { held: held + rest, to_take: ground.to_take, to_give: ground.to_give }
    }
}

impl Exchange {
    pub(crate) fn new(
        gpu: &Gpu,
        flow: &Flow,
        variant: Variant,
        shared: &Shared<'_>,
    ) -> Result<Self, GpuError> {
        let elsewhere = flow.device_view();
        let first = elsewhere.boundaries().len();
        let springs: Vec<_> = elsewhere.springs().collect();
        let drains: Vec<_> = elsewhere.drains().collect();
        let outlets = |list: &[OutletView<'_>], first, drain| {
            let some = list.iter().any(|outlet| !outlet.cells.is_empty());
            some.then(|| Outlets::new(gpu, variant, shared, list, first, drain)).transpose()
        };
        let soaked = elsewhere.rain().is_some()
            || elsewhere.evaporation().is_some()
            || elsewhere.soil().is_some();
        Ok(Self {
            springs: outlets(&springs, first, false)?,
            drains: outlets(&drains, first + springs.len(), true)?,
            field: soaked.then(|| OverCells::new(gpu, variant, shared, elsewhere)).transpose()?,
            follow: match &shared.fields.momentum {
                Some(momentum) if elsewhere.takes() => {
                    Some(Follow::new(gpu, variant, shared, momentum)?)
                }
                _ => None,
            },
        })
    }

    /// Records what comes before stage 1 of a step.
    pub(crate) fn record(&self, pass: &mut wgpu::ComputePass<'_>, window: u32) {
        let outlets = |pass: &mut wgpu::ComputePass<'_>, outlets: &Option<Outlets>| {
            if let Some(outlets) = outlets {
                outlets.kernel.run(pass, &outlets.bound, &[window], [outlets.groups, 1]);
            }
        };
        let follow = |pass: &mut wgpu::ComputePass<'_>, which: usize| {
            if let Some(Follow { kernels, groups }) = &self.follow {
                let (kernel, bound) = &kernels[which];
                kernel.run(pass, bound, &[window], *groups);
            }
        };
        follow(pass, 0);
        outlets(pass, &self.springs);
        if let Some(field) = &self.field {
            field.kernel.run(pass, &field.bound, &[window], field.groups);
        }
        outlets(pass, &self.drains);
        follow(pass, 1);
    }

    /// Brings back what is owed.
    pub(crate) async fn bring_back(&self, gpu: &Gpu, flow: &Flow) -> Result<Remainders, GpuError> {
        let elsewhere = flow.device_view();
        let mut owed = Remainders {
            springs: elsewhere.springs().map(|outlet| outlet.remainders.to_vec()).collect(),
            drains: elsewhere.drains().map(|outlet| outlet.remainders.to_vec()).collect(),
            ..Remainders::default()
        };
        for (outlets, owed) in
            [(&self.springs, &mut owed.springs), (&self.drains, &mut owed.drains)]
        {
            let Some(outlets) = outlets else { continue };
            let values = outlets.owed.read(gpu, 0, outlets.order.len())?.await?;
            for (&(outlet, cell), value) in outlets.order.iter().zip(values) {
                owed[outlet][cell] = value;
            }
        }
        if let Some(field) = &self.field {
            let Layout { nx, ny, .. } = field.layout;
            if let Some(rain) = &field.rain {
                let values = rain.read(gpu, 0, rain.len())?.await?;
                owed.rain = Some(field.layout.unpacked(&values, nx, ny));
            }
            if let Some(air) = &field.air {
                let values = air.read(gpu, 0, air.len())?.await?;
                owed.evaporation = Some(field.layout.unpacked(&values, nx, ny));
            }
            if let Some(soil) = &field.soil {
                let values = soil.read(gpu, 0, soil.len())?.await?;
                let cell = |x, y| SoilCell::from(values[y * field.layout.pitch + x]);
                owed.soil = Some(Field::from_fn(nx, ny, cell));
            }
        }
        Ok(owed)
    }
}

impl Follow {
    fn new(
        gpu: &Gpu,
        variant: Variant,
        shared: &Shared<'_>,
        [x, y]: &[Buffer<f32>; 2],
    ) -> Result<Self, GpuError> {
        let text = variant.follow();
        let mut bindings = variant.exchange_bindings(shared.window);
        bindings.extend([(11, Binding::Write), (12, Binding::Write)]);
        let mut buffers = shared.exchange_buffers();
        buffers.extend([&x.raw, &y.raw]);
        let kernel = |entry| {
            let kernel = Kernel::numbered(gpu, &text, entry, &bindings)?;
            let bound = kernel.bind(gpu, &buffers);
            Ok::<_, GpuError>((kernel, bound))
        };
        let layout = shared.fields.layout;
        let groups = [(layout.nx as u32).div_ceil(THREADS), layout.ny as u32];
        Ok(Self { kernels: [kernel("remember")?, kernel("follow")?], groups })
    }
}

impl Outlets {
    fn new(
        gpu: &Gpu,
        variant: Variant,
        shared: &Shared<'_>,
        list: &[OutletView<'_>],
        first: usize,
        drains: bool,
    ) -> Result<Self, GpuError> {
        // By cell, so that no two invocations touch the same one.
        let mut by_cell: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
        for (number, outlet) in list.iter().enumerate() {
            for (i, &(x, y)) in outlet.cells.iter().enumerate() {
                let at = y * shared.fields.layout.pitch + x;
                by_cell.entry(at).or_default().push((number, i));
            }
        }
        let cells: Vec<u32> = by_cell.keys().map(|&at| at as u32).collect();
        let order: Vec<_> = by_cell.values().flatten().copied().collect();
        let mut starts = vec![0_u32];
        let mut end = 0;
        for parts in by_cell.values() {
            end += parts.len() as u32;
            starts.push(end);
        }
        let outlets: Vec<u32> = order.iter().map(|&(number, _)| (first + number) as u32).collect();
        let owed: Vec<f32> = order.iter().map(|&(number, i)| list[number].remainders[i]).collect();
        let cells = Buffer::of(gpu, "the cells of sources", &cells)?;
        let starts = Buffer::of(gpu, "the sources of cells", &starts)?;
        let outlets = Buffer::of(gpu, "the sources of cells", &outlets)?;
        let owed = Buffer::of(gpu, "what sources owe", &owed)?;
        let text = variant.outlets(cells.len() as u32, drains);
        let mut bindings = variant.exchange_bindings(shared.window);
        bindings.extend((11..14).map(|i| (i, Binding::Read)));
        bindings.push((14, Binding::Write));
        let kernel = Kernel::numbered(gpu, &text, "pass_outlets", &bindings)?;
        let mut buffers = shared.exchange_buffers();
        buffers.extend([&cells.raw, &starts.raw, &outlets.raw, &owed.raw]);
        let bound = kernel.bind(gpu, &buffers);
        let groups = (cells.len() as u32).div_ceil(THREADS);
        Ok(Self { kernel, bound, groups, owed, order })
    }
}

impl OverCells {
    fn new(
        gpu: &Gpu,
        variant: Variant,
        shared: &Shared<'_>,
        elsewhere: DeviceView<'_>,
    ) -> Result<Self, GpuError> {
        let layout = shared.fields.layout;
        let of = |what: &str, field: Option<&Field<f32>>| {
            field.map(|field| Buffer::of(gpu, what, &layout.packed(field))).transpose()
        };
        let rain = of("what the rain owes", elsewhere.rain().map(|(_, owed)| owed))?;
        let air = of("what is owed to the air", elsewhere.evaporation().map(|(_, owed)| owed))?;
        let map = of("the map of rain", elsewhere.rain().and_then(|(rain, _)| rain.map.as_ref()))?;
        let soil = match elsewhere.soil() {
            None => None,
            Some(cells) => {
                let mut packed = vec![Ground::default(); layout.plane()];
                for (row, place) in cells.rows().zip(packed.chunks_exact_mut(layout.pitch)) {
                    place.iter_mut().zip(row).for_each(|(place, cell)| *place = cell.into());
                }
                Some(Buffer::of(gpu, "the soil", &packed)?)
            }
        };
        let parts = [rain.is_some(), map.is_some(), soil.is_some(), air.is_some()];
        let text = variant.over_cells(parts);
        let mut bindings = variant.exchange_bindings(shared.window);
        bindings.extend((11..14).map(|i| (i, Binding::Write)));
        bindings.push((14, Binding::Read));
        let kernel = Kernel::numbered(gpu, &text, "exchange_field", &bindings)?;
        // What is not there is never looked at, but has to be bound.
        let none = [
            Buffer::<f32>::new(gpu, "no rain", 1)?,
            Buffer::new(gpu, "no air", 1)?,
            Buffer::new(gpu, "no map", 1)?,
        ];
        let no_soil = Buffer::<Ground>::new(gpu, "no soil", 1)?;
        let mut buffers = shared.exchange_buffers();
        buffers.extend([
            &rain.as_ref().unwrap_or(&none[0]).raw,
            &air.as_ref().unwrap_or(&none[1]).raw,
            &soil.as_ref().unwrap_or(&no_soil).raw,
            &map.as_ref().unwrap_or(&none[2]).raw,
        ]);
        let bound = kernel.bind(gpu, &buffers);
        let groups = [(layout.nx as u32).div_ceil(THREADS), layout.ny as u32];
        Ok(Self { kernel, bound, groups, layout, rain, air, soil })
    }
}
