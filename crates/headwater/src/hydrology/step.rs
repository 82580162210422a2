//! Time: one batch of drops, and as many as are asked for.

use super::batch::{self, Carved, Chunk, Means};
use super::counts::Counts;
use super::creep::{Creep, Rule, Weather};
use super::deal::{self, Deal};
use super::exchange::Ground;
use super::fixed;
use super::forest::{self, Site};
use super::held::Holding;
use super::hierarchy::NONE;
use super::intake::Spill;
use super::land::Land;
use super::pace::Pace;
use super::random::Round;
use super::rock::Rock;
use super::silt::Settled;
use super::spots::Sources;
use super::stream_power::Method;
use super::undercut::Undercut;
use super::walk::{Drop, Maps};
use super::water::Gone;
use super::workspace::Workspace;
use super::world::Hydrology;
use crate::clock::AdvanceSummary;
use crate::error::InputError;
use crate::ledger::Cause;
use crate::parallel;
use crate::parameter::Range;
use crate::scratch::{PooledVec, ScratchPool};
use std::sync::atomic::{AtomicI64, Ordering};

/// Cells for each drop of a full batch: few enough that maps hold for as long as a batch lasts.
const CELLS_PER_DROP: u64 = 32;
/// Factor by which the first batch is smaller; later ones are a fraction of all drops so far. Large
/// first batches would dig the same places at once.
const FIRST: u64 = 64;
const GROWTH: u64 = 4;
/// Rounds in a batch in which full lakes shed their excess as drops; the last excess runs over
/// without carving.
const WAVES: usize = 16;
/// Thickness of soil (units) that halves weathering.
const SHELTER: f64 = 0.5;
/// Groups that the drops of a batch carve in, one after another, on cells of one unit. The finer, the more.
const GROUPS: f64 = 16.0;
/// Rounds of creep in a step on cells of one unit, and the most of them on finer ones.
const ROUNDS: f64 = 2.0;
const MOST_ROUNDS: f64 = 32.0;
const PLANTS: u64 = 0x5EED;
/// The longest time of an advance (drops per cell).
const LONGEST: f64 = 1e6;
/// A time this part of a step before a whole one counts as reaching it, as in
/// [`FixedStep`](crate::FixedStep).
const NEARLY: f64 = 1e-6;

impl Hydrology {
    fn batch(&self) -> u64 {
        let cells = self.land.grid().cells() as u64;
        let full = (cells / CELLS_PER_DROP).max(1);
        full.min((full / FIRST).max(1) + self.land.drops / GROWTH)
    }

    /// The length of the next step: the rain that it brings (drops per cell).
    pub fn next_rain(&self) -> f64 {
        if self.land.params.method == Method::StreamPower {
            return self.land.params.stream_power.step;
        }
        let weight = self.land.rain.weight(self.land.grid(), self.land.lattice.cell_area());
        self.batch() as f64 / weight
    }

    /// Lets one batch of drops fall:
    ///
    /// 1. **Rain.** Drops start where rain falls and rivers enter, walk over the land as it is, and
    ///    fill lakes; the excess starts again at the lakes' outlets.
    /// 2. **Hold.** Open water dries, and what lakes hold is noted by cell while the land changes.
    /// 3. **Carve.** Drops exchange sediment along their ways; discharge and momentum are averaged.
    ///    Channels undercut banks.
    /// 4. **Settle.** What drops have brought to lakes builds deltas, or sinks to the floor; a lake that is full of it is land.
    /// 5. **Creep.** Soil moves down, rock weathers, banks fall in.
    /// 6. **Level.** A new hierarchy of depressions takes in the lakes and the water that drops
    ///    brought.
    /// 7. **Plants** come up, grow and die.
    ///
    /// By [`Method::StreamPower`], a step is one of [`StreamPower`](super::StreamPower) instead.
    pub fn step(&mut self) {
        parallel::run_in_pool(self.land.grid().cells(), || self.do_step());
    }

    fn do_step(&mut self) {
        if self.land.params.method == Method::StreamPower {
            return self.step_by_power();
        }
        let count = self.batch();
        let grid = self.land.grid();
        let weight = self.land.rain.weight(grid, self.land.lattice.cell_area());
        let rain = count as f64 / weight;
        let scratch = std::mem::take(&mut self.scratch);
        let mut room = std::mem::take(&mut self.workspace.chunks);
        let chunks = self.walk(count, &mut room, &scratch);
        let intensity = self.land.intensity(rain);
        self.land.time += rain;
        let mut held = self.hold(rain, &scratch);
        self.carve(chunks, rain, weight / count as f64, intensity);
        self.undercut();
        self.settle(chunks, &mut held, &scratch);
        self.workspace.chunks = room;
        self.creep(rain, self.land.params.width);
        self.refill(&held, &scratch);
        self.grow(rain as f32);
        drop(held);
        self.scratch = scratch;
        self.land.steps += 1;
        self.land.drops += count;
        self.changes.next_tick();
        self.changes.mark_all();
    }

    /// Does so many steps.
    pub fn step_many(&mut self, count: u64) {
        (0..count).for_each(|_| self.step());
    }

    /// Advances by the mean depth of rain (drops per cell) in whole steps; the rest counts for the
    /// next call.
    ///
    /// # Errors
    /// [`InputError`] if the time is not 0 to 10⁶ drops per cell.
    pub fn advance(&mut self, time: f64) -> Result<AdvanceSummary, InputError> {
        Range::new(0.0, LONGEST).check("an advance", time, "drops per cell")?;
        self.land.pending += time;
        let before = self.land.steps;
        let mut next = self.next_rain();
        while self.land.pending >= next * (1.0 - NEARLY) {
            self.step();
            self.land.pending -= next;
            next = self.next_rain();
        }
        let alpha = (self.land.pending / next).max(0.0);
        Ok(AdvanceSummary { steps: self.land.steps - before, alpha, dropped: 0.0 })
    }

    /// Lets at least `drops` drops fall, in whole batches; with [`Method::StreamPower`], as many
    /// steps as that much rain takes.
    pub fn rain(&mut self, drops: u64) {
        if self.land.params.method == Method::StreamPower {
            let weight = self.land.rain.weight(self.land.grid(), self.land.lattice.cell_area());
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

    /// 1. Drops walk, first those of the rain, then those that lakes shed. `room` lends the chunks that it gives.
    fn walk<'a>(
        &mut self,
        count: u64,
        room: &'a mut Vec<Chunk>,
        scratch: &ScratchPool,
    ) -> &'a mut [Chunk] {
        let whole = self.land.drop();
        let Self { land, ledgers, waters, heights, cover, workspace, .. } = self;
        let grid = land.grid();
        let (size, pace) = (land.lattice.dx(), Pace::of(land));
        let weight = land.rain.weight(grid, land.lattice.cell_area());
        let rain = count as f64 / weight;
        let (expected, dry) = (rain * whole as f64, land.dry(rain));
        let round = Round::new(land.params.seed, land.steps);
        let start = |i: usize| land.rain.place(grid, size, &mut round.stream(i as u64));
        let sources = Sources {
            grid,
            size: size as f32,
            pace,
            momentum: land.params.momentum as f32,
            attraction: land.params.attraction as f32,
            roots: land.params.roots as f32,
            heights: heights.as_slice(),
            area: &land.area,
            momenta: &land.momentum,
            cover: cover.as_slice(),
            label: &waters.hierarchy.label,
        };
        sources.gather(&mut workspace.spots);
        let order = deal::by_place(count as usize, |i| start(i).0, scratch);
        let visits = Counts::cleared(&mut workspace.visits, grid);
        let falling = count as usize;
        let groups = (GROUPS / land.scale().step).round().max(1.0) as usize;
        let (mut spills, mut touched) = (scratch.vec::<Spill>(), scratch.vec());
        let mut used = 0;
        for wave in 0..=WAVES {
            let drops = if wave == 0 { falling } else { spills.len() };
            let deal = Deal::new(drops, groups);
            let maps = Maps {
                grid,
                edges: &land.params.edges,
                pace,
                spots: &workspace.spots,
                exact: &land.bed,
                area: &land.area,
                hierarchy: &waters.hierarchy,
                lakes: &waters.lakes,
                leaves: &waters.leaves,
                whole,
                expected,
                drying: dry,
            };
            let drop = |i: usize| match spills.get(i).filter(|_| wave > 0) {
                None => Drop::new(start(order[i] as usize).0, whole, NONE),
                Some(spill) => Drop::new([0.0; 2], spill.water, spill.node),
            };
            // As many as there may be next time.
            let most = deal.chunks().max(Deal::new(falling, groups).chunks());
            batch::make_room(room, used + most + WAVES - wave);
            let from = used;
            used += deal.chunks();
            batch::walk(&maps, deal, drop, visits, &mut room[from..used], scratch);
            let gone = waters.take_in(land.terrain(), &mut room[from..used], &mut touched, scratch);
            ledgers.book(Gone { water: gone, sediment: 0 });
            if wave == WAVES {
                break;
            }
            waters.shed(&touched, whole, dry, &mut spills);
            if spills.is_empty() {
                break;
            }
        }
        let from_outside = if land.rain.inflows.is_empty() {
            0
        } else {
            (0..falling).filter(|&i| start(i).1).count()
        };
        let volume = |drops: usize| drops as i128 * i128::from(whole);
        ledgers.water.record(Cause::Source, volume(from_outside));
        ledgers.water.record(Cause::Rain, volume(falling - from_outside));
        batch::sort(&mut room[..used]);
        &mut room[..used]
    }

    /// 2. Lakes dry. Gives what they hold by cell.
    fn hold<'s>(&mut self, rain: f64, scratch: &'s ScratchPool) -> PooledVec<'s, Holding> {
        let dry = self.land.dry(rain);
        let (held, dried) = self.waters.holdings(self.land.terrain(), dry, scratch);
        self.ledgers.dry(dried);
        held
    }

    /// 4. Lakes take what drops brought, and clear. Adds to what they hold.
    fn settle(
        &mut self,
        chunks: &[Chunk],
        held: &mut PooledVec<'_, Holding>,
        scratch: &ScratchPool,
    ) {
        let Self { land, waters, .. } = self;
        let (grid, Land { bed, soil, .. }) = (land.grid(), land);
        let gone = waters.receive(chunks, [bed, soil], grid, scratch);
        self.ledgers.book(Gone { water: 0, sediment: gone });
        let Settled { laid, gone } = self.waters.sink(self.land.terrain(), scratch);
        for &(cell, laid) in laid.iter() {
            self.lay(cell as usize, laid);
        }
        self.ledgers.book(Gone { water: 0, sediment: gone });
        held.extend(self.waters.suspensions());
    }

    fn lay(&mut self, cell: usize, laid: i64) {
        self.land.bed[cell] += laid;
        self.land.soil[cell] += laid;
    }

    /// 3. What drops take and leave, by groups one after another: all at once could take only a
    ///    part of the height to the next cell, and the land would depend on their number.
    fn carve(&mut self, chunks: &mut [Chunk], rain: f64, weight: f64, intensity: f64) {
        let Self { land, fabric, heights, waters, workspace, ledgers, .. } = self;
        let grid = land.grid();
        workspace.change.resize(grid.cells(), 0);
        parallel::for_each_row(&mut workspace.change, grid.nx, |y, row| {
            row.copy_from_slice(&land.bed[y * grid.nx..][..grid.nx]);
        });
        let (rock, pace) = (Rock::of(land, fabric), Pace::of(land));
        let visits = Counts::of(&workspace.visits);
        let passing = Counts::cleared(&mut workspace.passing, grid);
        for group in batch::groups(chunks) {
            let ground = Ground {
                grid,
                capacity: (land.params.capacity * intensity) as f32,
                exchange: pace.exchange,
                heights: heights.as_slice(),
                soil: &land.soil,
                spots: &workspace.spots,
                rock,
                lakes: &waters.lakes,
                leaves: &waters.leaves,
                visits,
                passing,
            };
            batch::carry(&ground, group);
            let Land { bed, soil, .. } = land;
            let land = Carved { bed, soil, heights: heights.as_mut_slice() };
            batch::apply(group, land, grid, passing);
        }
        let fresh = rain / land.params.memory.min(land.time);
        let means = Means { area: &mut land.area, momentum: &mut land.momentum };
        batch::average(chunks, means, grid, fresh.min(1.0) as f32, weight as f32);
        for chunk in chunks {
            ledgers.dry(chunk.dried);
            ledgers.book(Gone { water: chunk.exported, sediment: chunk.washed_out });
        }
    }

    /// Banks fall into the channels that drops have cut; `workspace.change` has the heights before that.
    fn undercut(&mut self) {
        let Self { land, cover, workspace, .. } = self;
        let Workspace { change: before, fallen, .. } = workspace;
        let undercut = Undercut {
            grid: land.grid(),
            before,
            bed: &land.bed,
            area: &land.area,
            momentum: &land.momentum,
            cover: cover.as_slice(),
            roots: land.params.roots as f32,
            part: land.params.undercutting as f32,
        };
        if undercut.part <= 0.0 {
            return;
        }
        undercut.run(fallen);
        let nx = undercut.grid.nx;
        parallel::for_each_row_pair(&mut land.bed, nx, &mut land.soil, nx, |y, bed, soil| {
            for ((bed, soil), &moved) in bed.iter_mut().zip(soil).zip(&fallen[y * nx..]) {
                *bed += i64::from(moved);
                // What falls is soil; a bank gives its soil first, then rock.
                *soil = (*soil + i64::from(moved)).max(0);
            }
        });
    }

    /// 5. Soil creeps and slides, rock weathers, banks fall; `width` is that of rivers, as [`Params::width`](super::Params).
    pub(super) fn creep(&mut self, rain: f64, width: f64) {
        self.creep_from(0, rain, width, |_| {});
    }

    /// The same, where the first row of cells is the map's row `north`, and something is done to ground and soil between two rounds.
    pub(super) fn creep_from(
        &mut self,
        north: usize,
        rain: f64,
        width: f64,
        mut between: impl FnMut([&mut [i64]; 2]),
    ) {
        let land = &mut self.land;
        let bears = |slope: f64| {
            [1.0, std::f64::consts::SQRT_2]
                .map(|length| fixed::quanta(slope * land.lattice.dx() * length))
        };
        let scale = land.scale();
        // As far as it would come on cells of one unit.
        let rounds = (ROUNDS * scale.cells).round().clamp(1.0, MOST_ROUNDS);
        let rate = land.params.creep * rain * scale.cells / rounds;
        let Workspace { banks, change, bearing, .. } = &mut self.workspace;
        Rock { north, ..Rock::of(land, &self.fabric) }.bearing(&land.bed, bearing);
        // Width goes with the root of the area, as a cell's size does.
        banks.find(land.grid(), &land.area, width as f32);
        let rule = Rule {
            beds: &banks.beds,
            grid: land.grid(),
            rate: (rate * 65536.0) as i64,
            repose: bears(land.params.repose),
            rock_repose: bears(land.params.rock_repose),
            rock: bearing,
        };
        let weather = Weather {
            bare: fixed::quanta(land.params.weathering * rain * scale.unit / rounds),
            shelter: fixed::quanta(SHELTER * scale.unit).max(1),
        };
        let creep = Creep { rule, weather };
        for round in 0..rounds as usize {
            if round > 0 {
                between([&mut land.bed, &mut land.soil]);
            }
            creep.run(&mut land.bed, &mut land.soil, change);
        }
        land.read_heights(&mut self.heights);
    }

    pub(super) fn grow(&mut self, rain: f32) {
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
        self.grow_from(0, rain, span, self.land.params.edges.has_sea());
        let Self { land, cover, .. } = self;
        forest::shade_all(land.grid(), &land.plants, cover.as_mut_slice());
    }

    /// The same without cover, where the first row of cells is the map's row `north`, the map spans
    /// these heights (quanta), and there may be a sea.
    pub(super) fn grow_from(&mut self, north: usize, rain: f32, span: [i64; 2], has_sea: bool) {
        let Self { land, waters, heights, cover, workspace, .. } = self;
        let [low, high] = span.map(fixed::metres_f32);
        let base = if has_sea { land.params.sea as f32 } else { low };
        let bed: &[f32] = heights.as_slice();
        let site = Site {
            grid: land.grid(),
            first: (north * land.grid().nx) as u64,
            bed,
            size: land.lattice.dx() as f32,
            flight: land.flight(),
            base,
            scale: 1.0 / (high - base).max(f32::MIN_POSITIVE),
            area: &land.area,
            half: land.half_stream(),
            lake: |cell| bed[cell] < waters.leaf(cell as u32).level,
            round: Round::new(land.params.seed ^ PLANTS, land.steps),
            rain,
        };
        let cover = cover.as_slice();
        forest::grow(&site, &mut land.plants, cover, &mut workspace.plants, &land.params.plants);
    }
}
