//! Stages of a stream-power step.

use super::super::params::{EdgeKind, Edges, Params};
use super::super::world::Hydrology;
use super::catchment::Catchments;
use super::hillslopes::{self, HillslopeDiffusion};
use super::law::{AREA_UNIT, StreamPowerLaw};
use super::links::{self, Drainage, Link};
use super::params::StreamPower;
use super::trees::{self, ErosionModel, ErosionOutput, SedimentBudget};
use super::uplift::Uplift;
use crate::field::Field;
use crate::hydrology::ground::rock::Rock;
use crate::hydrology::lakes::remap_storage::StoredVolume;
use crate::hydrology::lakes::silt::LakeDeposits;
use crate::hydrology::lakes::water::Outflow;
use crate::hydrology::state::fixed;
use crate::hydrology::state::grid::{DIRECTIONS, Grid};
use crate::hydrology::state::land::Land;
use crate::hydrology::state::sums::AtomicSums;
use crate::hydrology::state::workspace::Workspace;
use crate::ledger::Cause;
use crate::parallel;
use crate::scratch::{PooledVec, ScratchPool};
use std::ops::Range;
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};

type DiffuseFn = fn(HillslopeDiffusion, [&mut [i64]; 2], &mut Vec<i64>, &ScratchPool) -> i64;

pub(in super::super) struct Stages {
    pub(in super::super) creep: DiffuseFn,
    pub(in super::super) links: fn(Drainage, &mut Vec<Link>, &mut Vec<i64>, &ScratchPool),
    pub(in super::super) erode:
        for<'s> fn(ErosionModel, &[Link], ErosionOutput, &'s ScratchPool) -> SedimentBudget<'s>,
}

const FAST_STAGES: Stages =
    Stages { creep: hillslopes::diffuse, links: links::find_links, erode: trees::erode };

impl Hydrology {
    /// Performs one step of the stream-power model. Its stages are:
    ///
    /// 1. **Rain.** Rain falls on all drainage basins and fills lakes. Excess water spills and
    ///    leaves the map.
    /// 2. **Links.** The water of each cell is routed to its steepest neighbour, and through full
    ///    lakes to their outlets.
    /// 3. **Storage.** Open water evaporates. The contents of lakes are stored by cell while the
    ///    land changes.
    /// 4. **Hillslopes.** Hillslopes diffuse, soil slides, and rock weathers.
    /// 5. **Rivers.** The land rises, and the stream-power law is solved from the outlets upstream.
    ///    Lakes retain nine tenths of the sediment that enters them, and the rest leaves the map.
    /// 6. **Refill.** The stored water fills the depressions of the new land.
    /// 7. **Plants.** Plants germinate, grow and die.
    pub(in super::super) fn step_stream_power(&mut self) {
        self.step_with(&FAST_STAGES);
    }

    pub(in super::super) fn step_with(&mut self, stages: &Stages) {
        let rain = self.land.params.stream_power.step;
        let intensity = self.land.mean_intensity(rain);
        let scratch = std::mem::take(&mut self.scratch);
        self.land.time += rain;
        self.fill_lakes(rain, &scratch);
        let Self { land, waters, workspace, .. } = self;
        let drainage = Drainage { terrain: land.terrain(), waters };
        (stages.links)(drainage, &mut workspace.links, &mut workspace.change, &scratch);
        let (mut stored, evaporated) =
            waters.stored_volumes(land.terrain(), land.evaporation_depth(rain), &scratch);
        self.ledgers.record_evaporation(evaporated);
        // Rivers have no width in the stream-power model, so they have no banks.
        self.apply_creep(rain, 0.0);
        self.diffuse_hillslopes(stages, rain, &scratch);
        self.erode(stages, [rain, intensity], &mut stored, &scratch);
        self.refill_lakes_from_storage(&stored, &scratch);
        self.grow_plants(rain as f32);
        drop(stored);
        self.scratch = scratch;
        self.land.steps += 1;
        self.changes.next_tick();
        self.changes.mark_all();
    }

    /// Stage 1 of a step: fills lakes with rain and with the water of rivers that enter the map.
    /// `rain` is the length of the step (drops per cell).
    fn fill_lakes(&mut self, rain: f64, scratch: &ScratchPool) {
        let Self { land, waters, ledgers, .. } = self;
        let (grid, size) = (land.grid(), land.lattice.dx());
        let catchments = Catchments::new(&land.rain, grid, size, scratch);
        let label = &waters.hierarchy.label;
        let mut areas = AtomicSums::new(waters.hierarchy.leaves, scratch);
        areas.add_all(label.len(), |cell| Some((label[cell], catchments.rain_area(cell) as i64)));
        let weight = land.rain.catchment_in_cells(grid, land.lattice.cell_area());
        let depth = rain_depth(land, rain, weight);
        let volume = |area: u64| rain_volume(area, depth);
        let mut volumes = scratch.take_collected(areas.iter().map(|area| volume(area as u64)));
        let sum = |volumes: &[i64]| volumes.iter().map(|&volume| i128::from(volume)).sum();
        ledgers.water.record(Cause::Rain, sum(&volumes));
        for &(cell, area) in catchments.rivers() {
            let volume = volume(area);
            volumes[label[cell as usize] as usize] += volume;
            ledgers.water.record(Cause::Source, volume.into());
        }
        land.drops += (rain * weight).round() as u64;
        let water = waters.add_rain(land.terrain(), &volumes, scratch);
        ledgers.record_outflow(Outflow { water, sediment: 0 });
    }

    /// Stage 4 of a step: diffuses the hillslopes. `rain` is the length of the step (drops per
    /// cell).
    fn diffuse_hillslopes(&mut self, stages: &Stages, rain: f64, scratch: &ScratchPool) {
        let Self { land, ledgers, workspace, .. } = self;
        let r = diffusion_number(land, rain);
        if r > 0.0 {
            let hills = HillslopeDiffusion { grid: land.grid(), edges: &land.params.edges, r };
            let ground = [&mut land.bed[..], &mut land.soil[..]];
            let sediment = (stages.creep)(hills, ground, &mut workspace.change, scratch);
            ledgers.record_outflow(Outflow { water: 0, sediment });
        }
    }

    /// Stage 5 of a step: raises the land and lets rivers erode it. Appends the sediment that is
    /// suspended in lakes to `stored`.
    fn erode(
        &mut self,
        stages: &Stages,
        [rain, intensity]: [f64; 2],
        stored: &mut PooledVec<StoredVolume>,
        scratch: &ScratchPool,
    ) {
        let Self { land, rock_factors, ledgers, waters, heights, cover, workspace, .. } = self;
        let (grid, size) = (land.grid(), land.lattice.dx());
        let params = &land.params;
        let law = stream_power_law(params, [rain, intensity], size);
        let map = land.uplift.as_ref().map(Field::as_slice);
        let uplift = Uplift::new(params.stream_power.uplift * rain, map);
        let catchments = Catchments::new(&land.rain, grid, size, scratch);
        let Workspace { links, visits, erosion, .. } = workspace;
        visits.resize_with(grid.cell_count(), AtomicU32::default);
        erosion.resize_with(grid.cell_count(), AtomicU32::default);
        let model = ErosionModel {
            drainage: Drainage { terrain: land.terrain(), waters },
            law: &law,
            uplift,
            catchments: &catchments,
            rock: Rock::from_land(land, rock_factors),
            soil: &land.soil,
            cover: cover.as_slice(),
            roots: params.roots as f32,
        };
        let SedimentBudget { outflow, retained } =
            (stages.erode)(model, links, ErosionOutput { area: visits, erosion }, scratch);
        ledgers.record_outflow(Outflow { water: 0, sediment: outflow });
        for &(node, sediment) in retained.iter() {
            waters.suspended[node as usize] += sediment;
        }
        let LakeDeposits { deposits, outflow } = waters.deposit_suspended(land.terrain(), scratch);
        ledgers.record_outflow(Outflow { water: 0, sediment: outflow });

        let ground = [&mut land.bed[..], &mut land.soil[..]];
        let risen = uplift_and_erode((grid, &params.edges), ground, uplift, erosion, 0..grid.ny);
        ledgers.sediment.record(Cause::Uplift, risen.into());
        for &(cell, deposits) in deposits.iter() {
            land.bed[cell as usize] += deposits;
            land.soil[cell as usize] += deposits;
        }
        stored.extend(waters.suspended_volumes());
        drop(catchments);
        update_streams(land, visits, links);
        land.update_heights(heights);
    }
}

/// Returns the stream-power law for a step of `rain` (drops per cell) with a given erosion
/// intensity, on square cells of side `size` (m).
pub(in super::super) fn stream_power_law(
    params: &Params,
    [rain, intensity]: [f64; 2],
    size: f64,
) -> StreamPowerLaw {
    let StreamPower { erodibility, area_exponent, slope_exponent, .. } = params.stream_power;
    let exponents = [erodibility * intensity, area_exponent, slope_exponent];
    StreamPowerLaw::new(exponents, rain, size, params.rock_repose, fixed::PER_METRE)
}

/// Returns the depth of rain during a step (quanta of 2⁻²⁰ m). `weight` is the total catchment area
/// (cells with mean rain). The depth is limited so that the total volume fits in the ledger.
pub(in super::super) fn rain_depth(land: &Land, rain: f64, weight: f64) -> f64 {
    (rain * land.drop_volume() as f64).min(MAX_STEP_WATER / weight)
}

pub(in super::super) fn rain_volume(area: u64, depth: f64) -> i64 {
    (area as f64 / AREA_UNIT as f64 * depth).round() as i64
}

pub(in super::super) fn diffusion_number(land: &Land, rain: f64) -> f64 {
    let spread = land.params.stream_power.diffusivity * rain / land.lattice.cell_area();
    spread.min(MAX_DIFFUSION_NUMBER)
}

/// Raises the ground of all cells by the uplift, and then removes the eroded thickness from ground
/// and soil (all in quanta of 2⁻²⁰ m). Cells on open edges do not change. Returns the total uplift
/// volume in the row range `rows` (quanta of 2⁻²⁰ m times the cell area).
pub(in super::super) fn uplift_and_erode(
    (grid, edges): (Grid, &Edges),
    [bed, soil]: [&mut [i64]; 2],
    uplift: Uplift,
    erosion: &[AtomicU32],
    rows: Range<usize>,
) -> i64 {
    let risen = AtomicI64::new(0);
    parallel::for_each_row_pair(bed, grid.nx, soil, grid.nx, |y, bed, soil| {
        let erosion = &erosion[y * grid.nx..];
        let mut sum = 0;
        for (x, ((bed, soil), erosion)) in bed.iter_mut().zip(soil).zip(erosion).enumerate() {
            let on_edge = !grid.is_inside(x, y);
            if on_edge
                && edges.kinds_at_cell(x, y, grid.nx, grid.ny).contains(&Some(EdgeKind::Open))
            {
                continue;
            }
            let (up, erosion) =
                (uplift.uplift_at(y * grid.nx + x, *bed), erosion.load(Ordering::Relaxed));
            *bed += up - i64::from(erosion);
            *soil = (*soil - i64::from(erosion)).max(0);
            sum += up;
        }
        if rows.contains(&y) {
            risen.fetch_add(sum, Ordering::Relaxed);
        }
    });
    risen.into_inner()
}

/// Updates the upstream areas and the flow directions of the land. `areas` holds the upstream area
/// of each cell, in cells, as the bits of an `f32`. `links` holds the direction in which each cell
/// drains.
pub(in super::super) fn update_streams(land: &mut Land, areas: &[AtomicU32], links: &[Link]) {
    let nx = land.lattice.nx();
    parallel::for_each_row_pair(&mut land.area, nx, &mut land.momentum, nx, |y, area, momentum| {
        for (x, (area, momentum)) in area.iter_mut().zip(momentum).enumerate() {
            let cell = y * nx + x;
            *area = f32::from_bits(areas[cell].load(Ordering::Relaxed));
            *momentum = unit_direction(links[cell]).map(|part| part * *area);
        }
    });
}

/// Largest diffusion number of a step (dimensionless). At larger values, height differences between
/// neighbours are lost to `f64` rounding.
const MAX_DIFFUSION_NUMBER: f64 = 1e6;
/// Largest volume of rain in a step (quanta of 2⁻²⁰ m times the cell area).
const MAX_STEP_WATER: f64 = (1_u64 << 60) as f64;

fn unit_direction(link: Link) -> [f32; 2] {
    let Some(&(x, y)) = DIRECTIONS.get(usize::from(links::direction_index(link))) else {
        return [0.0; 2];
    };
    let length = if x != 0 && y != 0 { std::f32::consts::FRAC_1_SQRT_2 } else { 1.0 };
    [x as f32 * length, y as f32 * length]
}
