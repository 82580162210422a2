//! A step of stream power, stage by stage.

use super::super::fixed;
use super::super::grid::{DIRECTIONS, Grid};
use super::super::held::Holding;
use super::super::land::Land;
use super::super::params::{EdgeKind, Edges, Params};
use super::super::rock::Rock;
use super::super::silt::Settled;
use super::super::sums::Sums;
use super::super::water::Gone;
use super::super::workspace::Workspace;
use super::super::world::Hydrology;
use super::catchment::Catchments;
use super::law::{CELL, Law};
use super::links::{self, Drainage, Link};
use super::params::StreamPower;
use super::rise::Rise;
use super::slopes::{self, Hills};
use super::trees::{self, Basin, Found, Washed};
use crate::field::Field;
use crate::ledger::Cause;
use crate::parallel;
use crate::scratch::{PooledVec, ScratchPool};
use std::ops::Range;
use std::sync::atomic::{AtomicI64, AtomicU32, Ordering};

type Creep = fn(Hills, [&mut [i64]; 2], &mut Vec<i64>, &ScratchPool) -> i64;

pub(in super::super) struct Stages {
    pub(in super::super) creep: Creep,
    pub(in super::super) links: fn(Drainage, &mut Vec<Link>, &mut Vec<i64>, &ScratchPool),
    pub(in super::super) wear: for<'s> fn(Basin, &[Link], Found, &'s ScratchPool) -> Washed<'s>,
}

const QUICK: Stages = Stages { creep: slopes::creep, links: links::find, wear: trees::wear };

impl Hydrology {
    /// One step of stream power:
    ///
    /// 1. **Rain** falls on all basins. Lakes take what they can hold, the rest runs over and off the map.
    /// 2. **Links.** Each cell's water goes to its steepest neighbour, and through full lakes to their outlets.
    /// 3. **Lakes.** Open water dries, and what lakes hold is noted by cell, for the land under them changes from here on.
    /// 4. **Hills** creep, soil slides, rock weathers.
    /// 5. **Rivers.** The land rises, and the law of stream power is solved from the outlets up. Lakes keep nine tenths of the
    ///    sediment that comes through, the rest leaves.
    /// 6. **Level.** The hierarchy of depressions of the new land is built, and takes the lakes in.
    /// 7. **Plants** come up, grow and die.
    pub(in super::super) fn step_by_power(&mut self) {
        self.step_by(&QUICK);
    }

    pub(in super::super) fn step_by(&mut self, stages: &Stages) {
        let rain = self.land.params.stream_power.step;
        let intensity = self.land.intensity(rain);
        let scratch = std::mem::take(&mut self.scratch);
        self.land.time += rain;
        self.fill_lakes(rain, &scratch);
        let Self { land, waters, workspace, .. } = self;
        let drainage = Drainage { terrain: land.terrain(), waters };
        (stages.links)(drainage, &mut workspace.links, &mut workspace.change, &scratch);
        let (mut held, dried) = waters.holdings(land.terrain(), land.dry(rain), &scratch);
        self.ledgers.dry(dried);
        // Stream power has no banks: its rivers have no width.
        self.creep(rain, 0.0);
        self.round_hills(stages, rain, &scratch);
        self.wear(stages, [rain, intensity], &mut held, &scratch);
        self.refill(&held, &scratch);
        self.grow(rain as f32);
        drop(held);
        self.scratch = scratch;
        self.land.steps += 1;
        self.changes.next_tick();
        self.changes.mark_all();
    }

    /// 1. Rain, and rivers from outside.
    fn fill_lakes(&mut self, rain: f64, scratch: &ScratchPool) {
        let Self { land, waters, ledgers, .. } = self;
        let (grid, size) = (land.grid(), land.lattice.dx());
        let catchments = Catchments::new(&land.rain, grid, size, scratch);
        let label = &waters.hierarchy.label;
        let mut areas = Sums::new(waters.hierarchy.leaves, scratch);
        areas.add_all(label.len(), |cell| Some((label[cell], catchments.of_rain(cell) as i64)));
        let weight = land.rain.weight(grid, land.lattice.cell_area());
        let depth = depth_of_rain(land, rain, weight);
        let volume = |area: u64| volume(area, depth);
        let mut volumes = scratch.collect(areas.iter().map(|area| volume(area as u64)));
        let sum = |volumes: &[i64]| volumes.iter().map(|&volume| i128::from(volume)).sum();
        ledgers.water.record(Cause::Rain, sum(&volumes));
        for &(cell, area) in catchments.rivers() {
            let volume = volume(area);
            volumes[label[cell as usize] as usize] += volume;
            ledgers.water.record(Cause::Source, volume.into());
        }
        land.drops += (rain * weight).round() as u64;
        let water = waters.rain(land.terrain(), &volumes, scratch);
        ledgers.book(Gone { water, sediment: 0 });
    }

    /// 4. Hills creep.
    fn round_hills(&mut self, stages: &Stages, rain: f64, scratch: &ScratchPool) {
        let Self { land, ledgers, workspace, .. } = self;
        let r = spread(land, rain);
        if r > 0.0 {
            let hills = Hills { grid: land.grid(), edges: &land.params.edges, r };
            let ground = [&mut land.bed[..], &mut land.soil[..]];
            let sediment = (stages.creep)(hills, ground, &mut workspace.change, scratch);
            ledgers.book(Gone { water: 0, sediment });
        }
    }

    /// 5. The land rises, and rivers cut down. Notes what is suspended in lakes.
    fn wear(
        &mut self,
        stages: &Stages,
        [rain, intensity]: [f64; 2],
        held: &mut PooledVec<Holding>,
        scratch: &ScratchPool,
    ) {
        let Self { land, fabric, ledgers, waters, heights, cover, workspace, .. } = self;
        let (grid, size) = (land.grid(), land.lattice.dx());
        let params = &land.params;
        let law = law(params, [rain, intensity], size);
        let uplift = land.uplift.as_ref().map(Field::as_slice);
        let rise = Rise::new(params.stream_power.uplift * rain, uplift);
        let catchments = Catchments::new(&land.rain, grid, size, scratch);
        let Workspace { links, visits, worn, .. } = workspace;
        visits.resize_with(grid.cells(), AtomicU32::default);
        worn.resize_with(grid.cells(), AtomicU32::default);
        let basin = Basin {
            drainage: Drainage { terrain: land.terrain(), waters },
            law: &law,
            rise,
            catchments: &catchments,
            rock: Rock::of(land, fabric),
            soil: &land.soil,
            cover: cover.as_slice(),
            roots: params.roots as f32,
        };
        let Washed { gone, kept } =
            (stages.wear)(basin, links, Found { area: visits, worn }, scratch);
        ledgers.book(Gone { water: 0, sediment: gone });
        for &(node, sediment) in kept.iter() {
            waters.suspended[node as usize] += sediment;
        }
        let Settled { laid, gone } = waters.sink(land.terrain(), scratch);
        ledgers.book(Gone { water: 0, sediment: gone });

        let ground = [&mut land.bed[..], &mut land.soil[..]];
        let risen = raise((grid, &params.edges), ground, rise, worn, 0..grid.ny);
        ledgers.sediment.record(Cause::Uplift, risen.into());
        for &(cell, laid) in laid.iter() {
            land.bed[cell as usize] += laid;
            land.soil[cell as usize] += laid;
        }
        held.extend(waters.suspensions());
        drop(catchments);
        note_ways(land, visits, links);
        land.read_heights(heights);
    }
}

/// The law of some parameters over a step of `rain` of an intensity, on cells of `size` m.
pub(in super::super) fn law(params: &Params, [rain, intensity]: [f64; 2], size: f64) -> Law {
    let StreamPower { erodibility, area_exponent, slope_exponent, .. } = params.stream_power;
    let exponents = [erodibility * intensity, area_exponent, slope_exponent];
    Law::new(exponents, rain, size, params.rock_repose, fixed::PER_METRE)
}

/// Water of a step per whole cell upstream (quanta), where so many cells with a mean rain drain on
/// the map: all must fit the ledger.
pub(in super::super) fn depth_of_rain(land: &Land, rain: f64, weight: f64) -> f64 {
    (rain * land.drop() as f64).min(MOST / weight)
}

pub(in super::super) fn volume(area: u64, depth: f64) -> i64 {
    (area as f64 / CELL as f64 * depth).round() as i64
}

pub(in super::super) fn spread(land: &Land, rain: f64) -> f64 {
    let spread = land.params.stream_power.diffusivity * rain / land.lattice.cell_area();
    spread.min(MOST_SPREAD)
}

/// Raises ground and takes off it, and off its soil, what is worn (all in quanta). Gives how much some of its rows have risen.
pub(in super::super) fn raise(
    (grid, edges): (Grid, &Edges),
    [bed, soil]: [&mut [i64]; 2],
    rise: Rise,
    worn: &[AtomicU32],
    rows: Range<usize>,
) -> i64 {
    let risen = AtomicI64::new(0);
    parallel::for_each_row_pair(bed, grid.nx, soil, grid.nx, |y, bed, soil| {
        let worn = &worn[y * grid.nx..];
        let mut sum = 0;
        for (x, ((bed, soil), worn)) in bed.iter_mut().zip(soil).zip(worn).enumerate() {
            let on_edge = !grid.is_inside(x, y);
            if on_edge && edges.touching(x, y, grid.nx, grid.ny).contains(&Some(EdgeKind::Open)) {
                continue;
            }
            let (up, worn) = (rise.of(y * grid.nx + x, *bed), worn.load(Ordering::Relaxed));
            *bed += up - i64::from(worn);
            *soil = (*soil - i64::from(worn)).max(0);
            sum += up;
        }
        if rows.contains(&y) {
            risen.fetch_add(sum, Ordering::Relaxed);
        }
    });
    risen.into_inner()
}

/// Notes how much drains to each cell (bits of an f32), and where it goes.
pub(in super::super) fn note_ways(land: &mut Land, areas: &[AtomicU32], links: &[Link]) {
    let nx = land.lattice.nx();
    parallel::for_each_row_pair(&mut land.area, nx, &mut land.momentum, nx, |y, area, momentum| {
        for (x, (area, momentum)) in area.iter_mut().zip(momentum).enumerate() {
            let cell = y * nx + x;
            *area = f32::from_bits(areas[cell].load(Ordering::Relaxed));
            *momentum = direction(links[cell]).map(|part| part * *area);
        }
    });
}

/// The most that hills creep in a step (areas of a cell): beyond it, differences over a cell's side
/// vanish in f64.
const MOST_SPREAD: f64 = 1e6;
/// The most water that a step brings (quanta).
const MOST: f64 = (1_u64 << 60) as f64;

fn direction(link: Link) -> [f32; 2] {
    let Some(&(x, y)) = DIRECTIONS.get(usize::from(links::way(link))) else { return [0.0; 2] };
    let length = if x != 0 && y != 0 { std::f32::consts::FRAC_1_SQRT_2 } else { 1.0 };
    [x as f32 * length, y as f32 * length]
}
