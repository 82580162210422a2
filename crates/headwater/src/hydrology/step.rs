//! Time steps of a world. Each step simulates one batch of drops.

use super::drops::batch::{self, CarvedLand, DropChunk, RunningMeans};
use super::drops::cell_cache::CacheInputs;
use super::drops::descent::{DropTracer, Raindrop};
use super::drops::drop_dynamics::DropDynamics;
use super::drops::exchange::SedimentExchange;
use super::drops::partition_drops::{self, DropPartition};
use super::ground::creep::{Creep, CreepRule, Weathering};
use super::ground::forest::{self, GrowthMaps};
use super::ground::rock::Rock;
use super::ground::undercut::BankUndercutting;
use super::lakes::hierarchy::NONE;
use super::lakes::lake_inflow::SpilledDrop;
use super::lakes::remap_storage::StoredVolume;
use super::lakes::silt::LakeDeposits;
use super::lakes::water::Outflow;
use super::state::counts::VisitCounts;
use super::state::fixed;
use super::state::land::Land;
use super::state::random::RandomRound;
use super::state::workspace::Workspace;
use super::stream_power::Method;
use super::world::Hydrology;
use crate::clock::AdvanceSummary;
use crate::error::InputError;
use crate::ledger::Cause;
use crate::parallel;
use crate::parameter::Range;
use crate::scratch::{PooledVec, ScratchPool};
use std::sync::atomic::{AtomicI64, Ordering};

/// Number of map cells per drop in a full batch. With more drops per batch, the land and its
/// streams would change too much within one batch, and the results would be inaccurate.
const CELLS_PER_DROP: u64 = 32;
/// Ratio of the size of a full batch to the size of the first batch. Later batches grow in
/// proportion to the number of drops so far. The first batches must be small, because all drops of
/// a batch on fresh land would erode the same cells.
const FIRST_BATCH_DIVISOR: u64 = 64;
const GROWTH_DIVISOR: u64 = 4;
/// Largest number of rounds per batch in which full lakes release their excess water as drops.
/// Excess water after the last round spills without eroding the land.
const MAX_SPILL_ROUNDS: usize = 16;
/// Soil thickness at which the weathering rate is half of that of bare rock (in units of length,
/// set by the parameter `unit`).
const SHELTER_THICKNESS: f64 = 0.5;
/// Number of groups of drops that erode the land one after another, for cells with a side of one
/// unit of length. Smaller cells need more groups.
const CARVE_GROUPS: f64 = 16.0;
/// Number of creep rounds per step, for cells with a side of one unit of length. Smaller cells need
/// more rounds.
const CREEP_ROUNDS: f64 = 2.0;
/// Largest number of creep rounds per step.
const MAX_CREEP_ROUNDS: f64 = 32.0;
const PLANT_SEED: u64 = 0x5EED;
/// Longest time that one call of [`Hydrology::advance`] can simulate (drops per cell).
const MAX_ADVANCE: f64 = 1e6;
/// Tolerance for a whole step, as a fraction of its length. The accumulated time counts as a whole
/// step if it is shorter by at most this fraction. [`FixedStep`](crate::FixedStep) has the same
/// tolerance.
const STEP_TOLERANCE: f64 = 1e-6;

impl Hydrology {
    fn batch_size(&self) -> u64 {
        let cells = self.land.grid().cell_count() as u64;
        let full = (cells / CELLS_PER_DROP).max(1);
        full.min((full / FIRST_BATCH_DIVISOR).max(1) + self.land.drops / GROWTH_DIVISOR)
    }

    /// Returns the length of the next step, measured as depth of rain (drops per cell).
    pub fn next_rain(&self) -> f64 {
        if self.land.params.method == Method::StreamPower {
            return self.land.params.stream_power.step;
        }
        let weight =
            self.land.rain.catchment_in_cells(self.land.grid(), self.land.lattice.cell_area());
        self.batch_size() as f64 / weight
    }

    /// Performs one step, which simulates one batch of drops. Its stages are:
    ///
    /// 1. **Rain.** Drops start where rain falls and where rivers enter the map. They descend over
    ///    the unchanged land and fill lakes. The excess water of full lakes continues as new drops
    ///    at the outlets.
    /// 2. **Storage.** Open water evaporates. The contents of lakes are stored by cell while the
    ///    land changes.
    /// 3. **Erosion.** Drops exchange sediment with the bed along their paths. The running means of
    ///    discharge and momentum are updated. Channels undercut their banks.
    /// 4. **Deposition.** Sediment delivered to lakes builds deltas or sinks to the floor. Lakes
    ///    that are full of sediment become land.
    /// 5. **Creep.** Soil creeps, rock weathers, and banks collapse.
    /// 6. **Refill.** The stored water fills the depressions of the new land.
    /// 7. **Plants.** Plants germinate, grow and die.
    ///
    /// With [`Method::StreamPower`], a step solves the [stream-power law](super::StreamPower)
    /// instead.
    pub fn step(&mut self) {
        parallel::run_in_pool(self.land.grid().cell_count(), || self.step_once());
    }

    fn step_once(&mut self) {
        if self.land.params.method == Method::StreamPower {
            return self.step_stream_power();
        }
        let count = self.batch_size();
        let grid = self.land.grid();
        let weight = self.land.rain.catchment_in_cells(grid, self.land.lattice.cell_area());
        let rain = count as f64 / weight;
        let scratch = std::mem::take(&mut self.scratch);
        let mut storage = std::mem::take(&mut self.workspace.chunks);
        let chunks = self.trace_drops(count, &mut storage, &scratch);
        let intensity = self.land.mean_intensity(rain);
        self.land.time += rain;
        let mut stored = self.store_lakes(rain, &scratch);
        self.erode_by_drops(chunks, rain, weight / count as f64, intensity);
        self.undercut_banks();
        self.deposit_sediment(chunks, &mut stored, &scratch);
        self.workspace.chunks = storage;
        self.apply_creep(rain, self.land.params.width);
        self.refill_lakes_from_storage(&stored, &scratch);
        self.grow_plants(rain as f32);
        drop(stored);
        self.scratch = scratch;
        self.land.steps += 1;
        self.land.drops += count;
        self.changes.next_tick();
        self.changes.mark_all();
    }

    /// Performs `count` steps, each like [`step`](Self::step).
    pub fn step_many(&mut self, count: u64) {
        (0..count).for_each(|_| self.step());
    }

    /// Advances the world in whole steps by a time, measured as mean depth of rain (drops per
    /// cell). Time left over after the last whole step is added to the next call.
    ///
    /// # Errors
    /// Returns [`InputError`] if the time is outside the range from 0 to 10⁶ drops per cell.
    pub fn advance(&mut self, time: f64) -> Result<AdvanceSummary, InputError> {
        Range::new(0.0, MAX_ADVANCE).check("an advance", time, "drops per cell")?;
        self.land.pending += time;
        let before = self.land.steps;
        let mut next = self.next_rain();
        while self.land.pending >= next * (1.0 - STEP_TOLERANCE) {
            self.step();
            self.land.pending -= next;
            next = self.next_rain();
        }
        let alpha = (self.land.pending / next).max(0.0);
        Ok(AdvanceSummary { steps: self.land.steps - before, alpha, dropped: 0.0 })
    }

    /// Performs steps until at least `drops` more drops have fallen. With [`Method::StreamPower`],
    /// performs steps until the depth of rain that corresponds to this number of drops has fallen.
    pub fn rain(&mut self, drops: u64) {
        if self.land.params.method == Method::StreamPower {
            let weight =
                self.land.rain.catchment_in_cells(self.land.grid(), self.land.lattice.cell_area());
            let end = self.land.time + drops as f64 / weight;
            while self.land.time < end {
                self.step();
            }
            return;
        }
        let end = self.land.drops.saturating_add(drops);
        while self.land.drops < end {
            self.step();
        }
    }

    /// Stage 1 of a step: moves `count` drops of rain, then the drops that full lakes release.
    /// Returns the chunks of traced drops, which are stored in `storage`.
    fn trace_drops<'a>(
        &mut self,
        count: u64,
        storage: &'a mut Vec<DropChunk>,
        scratch: &ScratchPool,
    ) -> &'a mut [DropChunk] {
        let full_drop = self.land.drop_volume();
        let Self { land, ledgers, waters, heights, cover, workspace, .. } = self;
        let grid = land.grid();
        let (size, dynamics) = (land.lattice.dx(), DropDynamics::from_land(land));
        let weight = land.rain.catchment_in_cells(grid, land.lattice.cell_area());
        let rain = count as f64 / weight;
        let (rain_depth, evaporation) = (rain * full_drop as f64, land.evaporation_depth(rain));
        let round = RandomRound::new(land.params.seed, land.steps);
        let start = |i: usize| land.rain.sample_start(grid, size, &mut round.stream(i as u64));
        let inputs = CacheInputs {
            grid,
            size: size as f32,
            dynamics,
            momentum: land.params.momentum as f32,
            attraction: land.params.attraction as f32,
            roots: land.params.roots as f32,
            heights: heights.as_slice(),
            area: &land.area,
            momenta: &land.momentum,
            cover: cover.as_slice(),
            label: &waters.hierarchy.label,
        };
        inputs.fill_cache(&mut workspace.cell_cache);
        let order = partition_drops::sort_by_position(count as usize, |i| start(i).0, scratch);
        let visits = VisitCounts::zeroed(&mut workspace.visits, grid);
        let falling = count as usize;
        let groups = (CARVE_GROUPS / land.scale().step).round().max(1.0) as usize;
        let (mut spills, mut touched) = (scratch.take_vec::<SpilledDrop>(), scratch.take_vec());
        let mut used = 0;
        for round_index in 0..=MAX_SPILL_ROUNDS {
            let drops = if round_index == 0 { falling } else { spills.len() };
            let partition = DropPartition::new(drops, groups);
            let tracer = DropTracer {
                grid,
                edges: &land.params.edges,
                dynamics,
                cell_cache: &workspace.cell_cache,
                bed: &land.bed,
                area: &land.area,
                hierarchy: &waters.hierarchy,
                lakes: &waters.lakes,
                leaves: &waters.leaves,
                full_drop,
                rain_depth,
                evaporation_depth: evaporation,
            };
            let drop = |i: usize| match spills.get(i).filter(|_| round_index > 0) {
                None => Raindrop::new(start(order[i] as usize).0, full_drop, NONE),
                Some(spill) => Raindrop::new([0.0; 2], spill.water, spill.node),
            };
            // Reserve as many chunks as the next batch may need.
            let count =
                partition.chunk_count().max(DropPartition::new(falling, groups).chunk_count());
            batch::reserve_chunks(storage, used + count + MAX_SPILL_ROUNDS - round_index);
            let from = used;
            used += partition.chunk_count();
            batch::trace_drops(&tracer, partition, drop, visits, &mut storage[from..used], scratch);
            let outflow =
                waters.add_inflow(land.terrain(), &mut storage[from..used], &mut touched, scratch);
            ledgers.record_outflow(Outflow { water: outflow, sediment: 0 });
            if round_index == MAX_SPILL_ROUNDS {
                break;
            }
            waters.release_excess_water(&touched, full_drop, evaporation, &mut spills);
            if spills.is_empty() {
                break;
            }
        }
        let from_outside = if land.rain.inflows.is_empty() {
            0
        } else {
            (0..falling).filter(|&i| start(i).1).count()
        };
        let volume = |drops: usize| drops as i128 * i128::from(full_drop);
        ledgers.water.record(Cause::Source, volume(from_outside));
        ledgers.water.record(Cause::Rain, volume(falling - from_outside));
        batch::sort_by_group(&mut storage[..used]);
        &mut storage[..used]
    }

    /// Stage 2 of a step: evaporates open water and returns the contents of the lakes, stored by
    /// cell.
    fn store_lakes<'s>(
        &mut self,
        rain: f64,
        scratch: &'s ScratchPool,
    ) -> PooledVec<'s, StoredVolume> {
        let evaporation = self.land.evaporation_depth(rain);
        let (stored, evaporated) =
            self.waters.stored_volumes(self.land.terrain(), evaporation, scratch);
        self.ledgers.record_evaporation(evaporated);
        stored
    }

    /// Stage 4 of a step: deposits delivered and suspended sediment in lakes. Appends the sediment
    /// that stays in suspension to `stored`.
    fn deposit_sediment(
        &mut self,
        chunks: &[DropChunk],
        stored: &mut PooledVec<'_, StoredVolume>,
        scratch: &ScratchPool,
    ) {
        let Self { land, waters, .. } = self;
        let (grid, Land { bed, soil, .. }) = (land.grid(), land);
        let outflow = waters.deposit_deliveries(chunks, [bed, soil], grid, scratch);
        self.ledgers.record_outflow(Outflow { water: 0, sediment: outflow });
        let LakeDeposits { deposits, outflow } =
            self.waters.deposit_suspended(self.land.terrain(), scratch);
        for &(cell, amount) in deposits.iter() {
            self.deposit_soil(cell as usize, amount);
        }
        self.ledgers.record_outflow(Outflow { water: 0, sediment: outflow });
        stored.extend(self.waters.suspended_volumes());
    }

    fn deposit_soil(&mut self, cell: usize, amount: i64) {
        self.land.bed[cell] += amount;
        self.land.soil[cell] += amount;
    }

    /// Stage 3 of a step: lets one group of drops after another erode the land. If all drops eroded
    /// at once, they could remove only a fraction of the height difference between adjacent cells,
    /// and the result would depend on the number of drops.
    fn erode_by_drops(&mut self, chunks: &mut [DropChunk], rain: f64, weight: f64, intensity: f64) {
        let Self { land, rock_factors, heights, waters, workspace, ledgers, .. } = self;
        let grid = land.grid();
        workspace.change.resize(grid.cell_count(), 0);
        parallel::for_each_row(&mut workspace.change, grid.nx, |y, row| {
            row.copy_from_slice(&land.bed[y * grid.nx..][..grid.nx]);
        });
        let (rock, dynamics) = (Rock::from_land(land, rock_factors), DropDynamics::from_land(land));
        let visits = VisitCounts::new(&workspace.visits);
        let group_visits = VisitCounts::zeroed(&mut workspace.group_visits, grid);
        for group in batch::chunks_by_group(chunks) {
            let ground = SedimentExchange {
                grid,
                capacity: (land.params.capacity * intensity) as f32,
                exchange_fraction: dynamics.exchange_fraction,
                heights: heights.as_slice(),
                soil: &land.soil,
                cell_cache: &workspace.cell_cache,
                rock,
                lakes: &waters.lakes,
                leaves: &waters.leaves,
                visits,
                group_visits,
            };
            batch::carry_sediment(&ground, group);
            let Land { bed, soil, .. } = land;
            let land = CarvedLand { bed, soil, heights: heights.as_mut_slice() };
            batch::apply_bed_changes(group, land, grid, group_visits);
        }
        let new_weight = rain / land.params.memory.min(land.time);
        let means = RunningMeans { area: &mut land.area, momentum: &mut land.momentum };
        batch::update_means(chunks, means, grid, new_weight.min(1.0) as f32, weight as f32);
        for chunk in chunks {
            ledgers.record_evaporation(chunk.evaporated);
            ledgers.record_outflow(Outflow {
                water: chunk.exported_water,
                sediment: chunk.exported_sediment,
            });
        }
    }

    /// Lets banks collapse into the channels that the drops have cut. Requires the heights before
    /// erosion in `workspace.change`.
    fn undercut_banks(&mut self) {
        let Self { land, cover, workspace, .. } = self;
        let Workspace { change: before, bank_changes, .. } = workspace;
        let undercut = BankUndercutting {
            grid: land.grid(),
            bed_before: before,
            bed: &land.bed,
            area: &land.area,
            momentum: &land.momentum,
            cover: cover.as_slice(),
            roots: land.params.roots as f32,
            undercut_fraction: land.params.undercutting as f32,
        };
        if undercut.undercut_fraction <= 0.0 {
            return;
        }
        undercut.run(bank_changes);
        let nx = undercut.grid.nx;
        parallel::for_each_row_pair(&mut land.bed, nx, &mut land.soil, nx, |y, bed, soil| {
            for ((bed, soil), &change) in bed.iter_mut().zip(soil).zip(&bank_changes[y * nx..]) {
                *bed += i64::from(change);
                // Collapsed material is soil. A bank loses its soil first, then rock.
                *soil = (*soil + i64::from(change)).max(0);
            }
        });
    }

    /// Stage 5 of a step: soil creeps and slides, rock weathers, and banks collapse. `rain` is the
    /// length of the step (drops per cell). `width` is the river width per square root of upstream
    /// area, as in [`Params::width`](super::Params::width). With a width of 0, river banks do not
    /// collapse.
    pub(super) fn apply_creep(&mut self, rain: f64, width: f64) {
        self.apply_creep_from_row(0, rain, width, |_| {});
    }

    /// Performs stage 5 of a step like [`apply_creep`](Self::apply_creep), for a block of rows that
    /// starts at row `first_row` of the map. After each creep round except the last, calls
    /// `after_round` with the heights and the soil of all cells (quanta of 2⁻²⁰ m).
    pub(super) fn apply_creep_from_row(
        &mut self,
        first_row: usize,
        rain: f64,
        width: f64,
        mut after_round: impl FnMut([&mut [i64]; 2]),
    ) {
        let land = &mut self.land;
        let repose_drops = |slope: f64| {
            [1.0, std::f64::consts::SQRT_2]
                .map(|length| fixed::to_quanta(slope * land.lattice.dx() * length))
        };
        let scale = land.scale();
        // Number of rounds that gives the same spread as on cells of one unit of length.
        let rounds = (CREEP_ROUNDS * scale.cells).round().clamp(1.0, MAX_CREEP_ROUNDS);
        let rate = land.params.creep * rain * scale.cells / rounds;
        let Workspace { banks, change, repose_limits, .. } = &mut self.workspace;
        Rock { first_row, ..Rock::from_land(land, &self.rock_factors) }
            .write_repose_limits(&land.bed, repose_limits);
        // River width and cell size both scale with the square root of an area.
        banks.find_beds(land.grid(), &land.area, width as f32);
        let rule = CreepRule {
            river_beds: &banks.beds,
            grid: land.grid(),
            rate: (rate * 65536.0) as i64,
            repose: repose_drops(land.params.repose),
            rock_repose: repose_drops(land.params.rock_repose),
            rock_limits: repose_limits,
        };
        let weathering = Weathering {
            bare_rate: fixed::to_quanta(land.params.weathering * rain * scale.unit / rounds),
            half_thickness: fixed::to_quanta(SHELTER_THICKNESS * scale.unit).max(1),
        };
        let creep = Creep { rule, weathering };
        for round in 0..rounds as usize {
            if round > 0 {
                after_round([&mut land.bed, &mut land.soil]);
            }
            creep.run_round(&mut land.bed, &mut land.soil, change);
        }
        land.update_heights(&mut self.heights);
    }

    pub(super) fn grow_plants(&mut self, rain: f32) {
        if self.land.plants.is_empty() {
            return;
        }
        let nx = self.land.grid().nx;
        let (low, high) = (AtomicI64::new(i64::MAX), AtomicI64::new(i64::MIN));
        parallel::for_each_row(&mut self.land.bed, nx, |_, row| {
            low.fetch_min(row.iter().copied().min().unwrap_or(0), Ordering::Relaxed);
            high.fetch_max(row.iter().copied().max().unwrap_or(0), Ordering::Relaxed);
        });
        let span = [low, high].map(AtomicI64::into_inner);
        self.grow_plants_from_row(0, rain, span, self.land.params.edges.has_sea());
        let Self { land, cover, .. } = self;
        forest::compute_cover(land.grid(), &land.plants, cover.as_mut_slice());
    }

    /// Grows plants like [`grow_plants`](Self::grow_plants), but does not update the plant cover.
    /// This world may be a block of rows of a larger map: it starts at the map's row `first_row`.
    /// `span` holds the lowest and the highest ground height of the whole map (quanta of 2⁻²⁰ m).
    pub(super) fn grow_plants_from_row(
        &mut self,
        first_row: usize,
        rain: f32,
        span: [i64; 2],
        has_sea: bool,
    ) {
        let Self { land, waters, heights, cover, workspace, .. } = self;
        let [low, high] = span.map(fixed::to_metres_f32);
        let base = if has_sea { land.params.sea as f32 } else { low };
        let bed: &[f32] = heights.as_slice();
        let maps = GrowthMaps {
            grid: land.grid(),
            first: (first_row * land.grid().nx) as u64,
            bed,
            size: land.lattice.dx() as f32,
            seed_range: land.seed_range(),
            base,
            scale: 1.0 / (high - base).max(f32::MIN_POSITIVE),
            area: &land.area,
            half_area: land.half_strength_area(),
            is_water: |cell| bed[cell] < waters.leaf_water_at(cell as u32).level,
            round: RandomRound::new(land.params.seed ^ PLANT_SEED, land.steps),
            rain,
        };
        let cover = cover.as_slice();
        forest::grow_plants(
            &maps,
            &mut land.plants,
            cover,
            &mut workspace.plants,
            &land.params.plants,
        );
    }
}
