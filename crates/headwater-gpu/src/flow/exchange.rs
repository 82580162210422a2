//! Water exchange by springs, rain, soil, evaporation and drains on the device. The rounding
//! remainders of the exchanged amounts stay on the device and are read back together with the
//! fields.

use super::buffers::records::SoilCell;
use super::buffers::{Buffers, Dispatch};
use super::shaders::{
    EXCHANGE_FIELD, EXCHANGE_OUTLETS, RESCALE_MOMENTUM, SAVE_DEPTHS, THREADS, weather_constants,
};
use crate::buffer::Buffer;
use crate::device::Gpu;
use crate::error::GpuError;
use crate::layout::Layout;
use headwater::Field;
use headwater::flow::{self, DeviceView, Flow, OutletView, RoundingRemainders};
use std::collections::BTreeMap;

#[derive(Debug)]
pub(crate) struct WaterExchange {
    springs: Option<Outlets>,
    field: Option<FieldExchange>,
    drains: Option<Outlets>,
    /// Two kernels that reduce the momentum of each cell in proportion to the water withdrawn from
    /// it. The first runs before the water exchange, the second after it. `None` if no water is
    /// withdrawn or the scheme stores no momentum.
    momentum_rescaling: Option<[Dispatch; 2]>,
}

/// Springs or drains of a world on the device, as a list of their cells sorted by cell index.
#[derive(Debug)]
struct Outlets {
    dispatch: Dispatch,
    remainder: Buffer<f32>,
    /// Origin of each element of `remainder`. The first index is that of the spring or drain; the
    /// second is that of the cell in the cell list of this spring or drain.
    remainder_origins: Vec<(usize, usize)>,
}

/// Kernel and buffers for the exchange by rain, soil and evaporation in all cells.
#[derive(Debug)]
struct FieldExchange {
    dispatch: Dispatch,
    layout: Layout,
    rain: Option<Buffer<f32>>,
    air: Option<Buffer<f32>>,
    soil: Option<Buffer<SoilCell>>,
}

impl WaterExchange {
    pub(crate) fn new(gpu: &Gpu, flow: &Flow, buffers: &Buffers) -> Result<Self, GpuError> {
        let view = flow.device_view();
        let first = view.boundaries().len();
        let springs: Vec<_> = view.springs().collect();
        let drains: Vec<_> = view.drains().collect();
        let outlets = |list: &[OutletView<'_>], first, drain| {
            let some = list.iter().any(|outlet| !outlet.cells.is_empty());
            some.then(|| Outlets::new(gpu, buffers, list, first, drain)).transpose()
        };
        let has_field_exchange =
            view.rain().is_some() || view.evaporation().is_some() || view.soil().is_some();
        let withdraws_with_momentum = buffers.fields.momentum.is_some() && view.removes_water();
        let momentum_rescaling = |shader| {
            buffers.create_dispatch(gpu, shader, &[], Vec::new(), buffers.workgroups_over_cells())
        };
        Ok(Self {
            springs: outlets(&springs, first, false)?,
            drains: outlets(&drains, first + springs.len(), true)?,
            field: has_field_exchange
                .then(|| FieldExchange::new(gpu, buffers, view))
                .transpose()?,
            momentum_rescaling: if withdraws_with_momentum {
                Some([momentum_rescaling(&SAVE_DEPTHS)?, momentum_rescaling(&RESCALE_MOMENTUM)?])
            } else {
                None
            },
        })
    }

    /// Records the water exchange of a step into a compute pass, before the kernels of the flow
    /// itself. `record_offset` is the offset (bytes) of the step record in the buffer `schedule`.
    pub(crate) fn record(&self, dispatch: &mut wgpu::ComputePass<'_>, record_offset: u32) {
        let [before, after] = match &self.momentum_rescaling {
            Some([before, after]) => [Some(before), Some(after)],
            None => [None, None],
        };
        let springs = self.springs.as_ref().map(|springs| &springs.dispatch);
        let field = self.field.as_ref().map(|field| &field.dispatch);
        let drains = self.drains.as_ref().map(|drains| &drains.dispatch);
        let all = [before, springs, field, drains, after];
        all.into_iter().flatten().for_each(|kernel| kernel.record(dispatch, record_offset));
    }

    pub(crate) async fn read_back(
        &self,
        gpu: &Gpu,
        flow: &Flow,
    ) -> Result<RoundingRemainders, GpuError> {
        let view = flow.device_view();
        let mut remainder = RoundingRemainders {
            springs: view.springs().map(|outlet| outlet.remainders.to_vec()).collect(),
            drains: view.drains().map(|outlet| outlet.remainders.to_vec()).collect(),
            ..RoundingRemainders::default()
        };
        for (outlets, remainder) in
            [(&self.springs, &mut remainder.springs), (&self.drains, &mut remainder.drains)]
        {
            let Some(outlets) = outlets else { continue };
            let values = outlets.remainder.read(gpu, 0, outlets.remainder_origins.len())?.await?;
            for (&(outlet, cell), value) in outlets.remainder_origins.iter().zip(values) {
                remainder[outlet][cell] = value;
            }
        }
        if let Some(FieldExchange { layout, rain, air, soil, .. }) = &self.field {
            let Layout { nx, ny, .. } = *layout;
            if let Some(rain) = rain {
                let values = rain.read(gpu, 0, rain.len())?.await?;
                remainder.rain = Some(layout.unpack(&values, nx, ny));
            }
            if let Some(air) = air {
                let values = air.read(gpu, 0, air.len())?.await?;
                remainder.evaporation = Some(layout.unpack(&values, nx, ny));
            }
            if let Some(soil) = soil {
                let values = soil.read(gpu, 0, soil.len())?.await?;
                let cell = |&cell: &SoilCell| flow::SoilCell::from(cell);
                remainder.soil = Some(layout.unpack_with(&values, [nx, ny], cell));
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
        // Springs or drains are grouped by cell, so that one invocation handles each cell.
        let mut by_cell: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
        for (number, outlet) in list.iter().enumerate() {
            for (i, &(x, y)) in outlet.cells.iter().enumerate() {
                let at = buffers.fields.layout.index((x, y));
                by_cell.entry(at).or_default().push((number, i));
            }
        }
        let cells: Vec<u32> = by_cell.keys().map(|&at| at as u32).collect();
        let remainder_origins: Vec<_> = by_cell.values().flatten().copied().collect();
        let mut starts = vec![0_u32];
        let mut end = 0;
        for parts in by_cell.values() {
            end += parts.len() as u32;
            starts.push(end);
        }
        let outlets: Vec<u32> =
            remainder_origins.iter().map(|&(number, _)| (first + number) as u32).collect();
        let remainder: Vec<f32> =
            remainder_origins.iter().map(|&(number, i)| list[number].remainders[i]).collect();
        let cells = Buffer::from_slice(gpu, "the cells of sources", &cells)?;
        let starts = Buffer::from_slice(gpu, "the sources of cells", &starts)?;
        let outlets = Buffer::from_slice(gpu, "the sources of cells", &outlets)?;
        let remainder = Buffer::from_slice(gpu, "remainders of outlets", &remainder)?;
        let own = vec![
            ("cells", cells.binding()),
            ("starts", starts.binding()),
            ("outlets", outlets.binding()),
            ("remainder", remainder.binding()),
        ];
        let groups = [(cells.len() as u32).div_ceil(THREADS), 1];
        let constants = [("DRAINS", u32::from(drains))];
        let dispatch = buffers.create_dispatch(gpu, &EXCHANGE_OUTLETS, &constants, own, groups)?;
        Ok(Self { dispatch, remainder, remainder_origins })
    }
}

impl FieldExchange {
    fn new(gpu: &Gpu, buffers: &Buffers, view: DeviceView<'_>) -> Result<Self, GpuError> {
        let layout = buffers.fields.layout;
        let of = |what: &str, field: Option<&Field<f32>>| {
            field.map(|field| Buffer::from_slice(gpu, what, &layout.pack(field))).transpose()
        };
        let rain = of("remainders of the rain", view.rain().map(|(_, remainder)| remainder))?;
        let air = of("remainders of the air", view.evaporation().map(|(_, remainder)| remainder))?;
        let map = of("the map of rain", view.rain().and_then(|(rain, _)| rain.map.as_ref()))?;
        let soil = view.soil().map(|cells| layout.pack_with(cells, |cell| cell.into()));
        let soil = soil.map(|soil| Buffer::from_slice(gpu, "the soil", &soil)).transpose()?;
        let parts = [rain.is_some(), map.is_some(), soil.is_some(), air.is_some()];
        let mut own = Vec::new();
        own.extend(rain.iter().map(|rain| ("remainder_rain", rain.binding())));
        own.extend(map.iter().map(|map| ("rain_map", map.binding())));
        own.extend(soil.iter().map(|soil| ("soil", soil.binding())));
        own.extend(air.iter().map(|air| ("remainder_air", air.binding())));
        let constants = weather_constants(parts);
        let dispatch = buffers.create_dispatch(
            gpu,
            &EXCHANGE_FIELD,
            &constants,
            own,
            buffers.workgroups_over_cells(),
        )?;
        Ok(Self { dispatch, layout, rain, air, soil })
    }
}
