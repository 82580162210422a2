//! Springs, rain, soil, air and drains on the device: what they owe lives there, and comes back with the rest.

use super::buffers::{Buffers, Dispatch};
use super::records::SoilCell;
use super::shaders::{EXCHANGE_FIELD, FOLLOW, PASS_OUTLETS, REMEMBER, THREADS, weather_constants};
use crate::buffer::Buffer;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::layout::Layout;
use headwater::Field;
use headwater::flow::{self, DeviceView, Flow, OutletView, Remainders};
use std::collections::BTreeMap;

#[derive(Debug)]
pub(crate) struct Exchange {
    springs: Option<Outlets>,
    field: Option<OverCells>,
    drains: Option<Outlets>,
    /// Momentum that goes with water that is taken: what comes before all exchange, and what after.
    follow: Option<[Dispatch; 2]>,
}

#[derive(Debug)]
struct Outlets {
    pass: Dispatch,
    remainder: Buffer<f32>,
    /// For each of `remainder`, which outlet it belongs to and which of its cells.
    order: Vec<(usize, usize)>,
}

#[derive(Debug)]
struct OverCells {
    pass: Dispatch,
    layout: Layout,
    rain: Option<Buffer<f32>>,
    air: Option<Buffer<f32>>,
    soil: Option<Buffer<SoilCell>>,
}

impl Exchange {
    pub(crate) fn new(gpu: &Gpu, flow: &Flow, buffers: &Buffers) -> Result<Self, GpuError> {
        let elsewhere = flow.device_view();
        let first = elsewhere.boundaries().len();
        let springs: Vec<_> = elsewhere.springs().collect();
        let drains: Vec<_> = elsewhere.drains().collect();
        let outlets = |list: &[OutletView<'_>], first, drain| {
            let some = list.iter().any(|outlet| !outlet.cells.is_empty());
            some.then(|| Outlets::new(gpu, buffers, list, first, drain)).transpose()
        };
        let soaked = elsewhere.rain().is_some()
            || elsewhere.evaporation().is_some()
            || elsewhere.soil().is_some();
        let follows = buffers.fields.momentum.is_some() && elsewhere.removes_water();
        let follow = |shader| buffers.dispatch(gpu, shader, &[], Vec::new(), buffers.over_cells());
        Ok(Self {
            springs: outlets(&springs, first, false)?,
            drains: outlets(&drains, first + springs.len(), true)?,
            field: soaked.then(|| OverCells::new(gpu, buffers, elsewhere)).transpose()?,
            follow: if follows { Some([follow(&REMEMBER)?, follow(&FOLLOW)?]) } else { None },
        })
    }

    /// Records what comes before stage 1 of a step.
    pub(crate) fn record(&self, pass: &mut wgpu::ComputePass<'_>, window: u32) {
        let [before, after] = match &self.follow {
            Some([before, after]) => [Some(before), Some(after)],
            None => [None, None],
        };
        let springs = self.springs.as_ref().map(|springs| &springs.pass);
        let field = self.field.as_ref().map(|field| &field.pass);
        let drains = self.drains.as_ref().map(|drains| &drains.pass);
        let all = [before, springs, field, drains, after];
        all.into_iter().flatten().for_each(|kernel| kernel.run(pass, window));
    }

    pub(crate) async fn read_back(&self, gpu: &Gpu, flow: &Flow) -> Result<Remainders, GpuError> {
        let elsewhere = flow.device_view();
        let mut remainder = Remainders {
            springs: elsewhere.springs().map(|outlet| outlet.remainders.to_vec()).collect(),
            drains: elsewhere.drains().map(|outlet| outlet.remainders.to_vec()).collect(),
            ..Remainders::default()
        };
        for (outlets, remainder) in
            [(&self.springs, &mut remainder.springs), (&self.drains, &mut remainder.drains)]
        {
            let Some(outlets) = outlets else { continue };
            let values = outlets.remainder.read(gpu, 0, outlets.order.len())?.await?;
            for (&(outlet, cell), value) in outlets.order.iter().zip(values) {
                remainder[outlet][cell] = value;
            }
        }
        if let Some(OverCells { layout, rain, air, soil, .. }) = &self.field {
            let Layout { nx, ny, .. } = *layout;
            if let Some(rain) = rain {
                let values = rain.read(gpu, 0, rain.len())?.await?;
                remainder.rain = Some(layout.unpacked(&values, nx, ny));
            }
            if let Some(air) = air {
                let values = air.read(gpu, 0, air.len())?.await?;
                remainder.evaporation = Some(layout.unpacked(&values, nx, ny));
            }
            if let Some(soil) = soil {
                let values = soil.read(gpu, 0, soil.len())?.await?;
                let cell = |&cell: &SoilCell| flow::SoilCell::from(cell);
                remainder.soil = Some(layout.unpacked_as(&values, [nx, ny], cell));
            }
        }
        Ok(remainder)
    }
}

impl Outlets {
    fn new(
        gpu: &Gpu,
        buffers: &Buffers,
        list: &[OutletView<'_>],
        first: usize,
        drains: bool,
    ) -> Result<Self, GpuError> {
        // By cell, so that no two invocations touch the same one.
        let mut by_cell: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
        for (number, outlet) in list.iter().enumerate() {
            for (i, &(x, y)) in outlet.cells.iter().enumerate() {
                let at = buffers.fields.layout.place((x, y));
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
        let remainder: Vec<f32> =
            order.iter().map(|&(number, i)| list[number].remainders[i]).collect();
        let cells = Buffer::of(gpu, "the cells of sources", &cells)?;
        let starts = Buffer::of(gpu, "the sources of cells", &starts)?;
        let outlets = Buffer::of(gpu, "the sources of cells", &outlets)?;
        let remainder = Buffer::of(gpu, "remainders of outlets", &remainder)?;
        let own = vec![
            ("cells", cells.binding()),
            ("starts", starts.binding()),
            ("outlets", outlets.binding()),
            ("remainder", remainder.binding()),
        ];
        let groups = [(cells.len() as u32).div_ceil(THREADS), 1];
        let constants = [("DRAINS", u32::from(drains))];
        let pass = buffers.dispatch(gpu, &PASS_OUTLETS, &constants, own, groups)?;
        Ok(Self { pass, remainder, order })
    }
}

impl OverCells {
    fn new(gpu: &Gpu, buffers: &Buffers, elsewhere: DeviceView<'_>) -> Result<Self, GpuError> {
        let layout = buffers.fields.layout;
        let of = |what: &str, field: Option<&Field<f32>>| {
            field.map(|field| Buffer::of(gpu, what, &layout.packed(field))).transpose()
        };
        let rain = of("remainders of the rain", elsewhere.rain().map(|(_, remainder)| remainder))?;
        let air =
            of("remainders of the air", elsewhere.evaporation().map(|(_, remainder)| remainder))?;
        let map = of("the map of rain", elsewhere.rain().and_then(|(rain, _)| rain.map.as_ref()))?;
        let soil = elsewhere.soil().map(|cells| layout.packed_as(cells, |cell| cell.into()));
        let soil = soil.map(|soil| Buffer::of(gpu, "the soil", &soil)).transpose()?;
        let parts = [rain.is_some(), map.is_some(), soil.is_some(), air.is_some()];
        let mut own = Vec::new();
        own.extend(rain.iter().map(|rain| ("remainder_rain", rain.binding())));
        own.extend(map.iter().map(|map| ("rain_map", map.binding())));
        own.extend(soil.iter().map(|soil| ("soil", soil.binding())));
        own.extend(air.iter().map(|air| ("remainder_air", air.binding())));
        let constants = weather_constants(parts);
        let pass = buffers.dispatch(gpu, &EXCHANGE_FIELD, &constants, own, buffers.over_cells())?;
        Ok(Self { pass, layout, rain, air, soil })
    }
}
