//! Tests that a world distributed over storage or ranks is bit-identical to an undivided world, in
//! its state and its ledger.

use crate::support::flow::{LEVELS, WORLDS};
use crate::support::pools::{CellShape, noise};
use crate::support::ranks::{DroppedMessages, LossyCommunicator, on_ranks};
use headwater::distributed::{
    Communicator, DistributedFlow, LocalBlocks, MemoryBudget, MemoryStore, PageStore,
    RebalancePolicy, RowFields, WorldSpec,
};
use headwater::flow::{
    Amount, Barrel, Boundary, BoundaryKind, Change, Culvert, Edit, Evaporation, Flood, Flow, Gate,
    LAYERS, Params, Physics, PreservedQuantity, Rain, Soil, SoilMap, Source, Structure,
    StructureKind, View, Weir,
};
use headwater::{Brush, Edge, Falloff, Field, Hex, Lattice, Region, Series, Square};
use proptest::prelude::*;
use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex};

/// Random configuration of a test world, from which undivided and distributed worlds are built.
struct WorldConfig {
    lattice: Lattice,
    params: Params,
    seed: u64,
    /// Whether the world has each of six features, in this order: springs and a drain; rain and
    /// evaporation; soil; flood records; structures; edits.
    features: [bool; 6],
    rough: bool,
    /// Whether rain and soil vary in space and the water has an initial velocity.
    varies_in_space: bool,
    /// Whether a river enters through the northern edge, above dry land that slopes to the south.
    river: bool,
}

impl WorldConfig {
    fn new((cells, level): (CellShape, Physics), nx: usize, ny: usize, seed: u64) -> Self {
        let lattice = match cells {
            CellShape::Square => Square::new(nx, ny, 2.0, 1.5).unwrap().into(),
            CellShape::Hex => Hex::new(nx, ny, 2.0).unwrap().into(),
        };
        let params = Params { level, ..Params::default() };
        let (rough, varies_in_space, river) = Default::default();
        Self { lattice, params, seed, features: [false; 6], rough, varies_in_space, river }
    }

    fn bed(&self, x: usize, y: usize) -> f32 {
        let slope = if self.river { 0.5 * (self.lattice.ny() - y) as f32 } else { 0.0 };
        slope + 2.0 * noise(x / 3, y / 3, self.seed) + 0.3 * noise(x, y, self.seed + 1)
    }

    /// Returns the initial depth (m) of a cell. Some of the rows contain pools.
    fn depth(&self, x: usize, y: usize) -> f32 {
        let ny = self.lattice.ny();
        if self.river {
            return 0.0;
        }
        let wet = (ny / 3..ny / 2).contains(&y) || noise(x / 9, y / 9, self.seed + 2) > 0.9;
        if wet { (1.6 - self.bed(x, y)).max(0.0) } else { 0.0 }
    }

    fn closed(&self, x: usize, y: usize) -> bool {
        noise(x / 4, y / 4, self.seed + 3) > 0.93
    }

    fn row_fields(&self, rows: Range<usize>) -> RowFields {
        let nx = self.lattice.nx();
        let of = |value: &dyn Fn(usize, usize) -> f32| {
            Field::from_fn(nx, rows.len(), |x, y| value(x, rows.start + y))
        };
        let dry = |x, y| if self.closed(x, y) { 0.0 } else { self.depth(x, y) };
        let mut window = RowFields::new(of(&|x, y| self.bed(x, y)), of(&dry));
        let closed = Field::from_fn(nx, rows.len(), |x, y| self.closed(x, rows.start + y));
        window.closed = Some(closed);
        window.roughness = self.rough.then(|| of(&|x, y| 0.02 + 0.05 * noise(x, y, self.seed + 4)));
        if self.varies_in_space {
            let motion = |seed| of(&|x, y| noise(x / 5, y / 5, seed) - 0.5);
            let motion = Some([self.seed + 5, self.seed + 6].map(motion));
            match self.seed % 3 {
                0 => window.velocity = motion,
                1 => window.unit_discharge = motion,
                _ => {}
            }
            window.rain_factor = Some(rain_map(nx, self.seed, rows.clone()));
            window.soil = Some(of(&|x, y| 2.9 * noise(x, y, self.seed + 7)).map(|n| *n as u16));
        }
        window
    }

    fn boundaries(&self) -> Vec<Boundary> {
        let width = self.lattice.width();
        if self.river {
            let kind = BoundaryKind::Inflow { discharge: 40.0.into() };
            return vec![Boundary { edge: Edge::North, span: None, kind }];
        }
        let tide = Series::from_table(vec![[0.0, 1.0], [4.0, 3.0], [8.0, 0.5]]).unwrap();
        let kinds = [
            (Edge::West, BoundaryKind::Open),
            (Edge::North, BoundaryKind::Open),
            (Edge::South, BoundaryKind::Outflow { discharge: 0.2.into() }),
            (Edge::East, BoundaryKind::Stage { level: tide }),
        ];
        let count = (self.seed % 5) as usize;
        let stretch = |(edge, kind)| Boundary::on_segment(edge, 0.1 * width, 0.8 * width, kind);
        kinds.into_iter().take(count).map(stretch).collect()
    }

    fn springs(&self) -> [Source; 2] {
        let at = |x: f64, y: f64| [x * self.lattice.width(), y * self.lattice.height()];
        [
            Source::new(Region::disc(at(0.5, 0.7), 6.0), 0.7),
            Source::new(Region::line(vec![at(0.2, 0.1), at(0.3, 0.9)], 2.0), 0.4),
        ]
    }

    fn drain(&self) -> Source {
        let [x, y] = [0.4 * self.lattice.width(), 0.4 * self.lattice.height()];
        Source::new(Region::disc([x, y], 5.0), 1.3)
    }

    /// Returns a culvert, a gate and a weir with different orientations.
    fn structures(&self) -> [Structure; 3] {
        let at = |x: f64, y: f64| [x * self.lattice.width(), y * self.lattice.height()];
        let between = |a, b, kind| Structure {
            mouths: [Region::disc(a, 3.0), Region::disc(b, 3.0)],
            one_way: false,
            kind,
        };
        let barrel = Barrel::Box { width: 3.0, height: 1.5 };
        let culvert = Culvert::new(barrel, [0.3, 0.1], 20.0);
        [
            between(at(0.3, 0.4), at(0.6, 0.9), StructureKind::Culvert(culvert)),
            between(at(0.7, 0.05), at(0.6, 0.45), StructureKind::Gate(Gate::new(3.0, 0.2, 0.8))),
            between(at(0.2, 0.47), at(0.2, 0.6), StructureKind::Weir(Weir::new(4.0, 0.5))),
        ]
    }

    /// Returns the edits to apply after round number `round`. Each edit spans one or several
    /// borders between row blocks.
    fn edits(&self, round: usize) -> Vec<(Brush, Edit, PreservedQuantity)> {
        let at = |x: f64, y: f64| [x * self.lattice.width(), y * self.lattice.height()];
        let disc = |x, y, radius| Region::disc(at(x, y), radius);
        let seed = self.seed as usize + round;
        let soft = |region| Brush { region, falloff: Falloff::Smooth };
        let line = Region::line(vec![at(0.1, 0.2), at(0.8, 0.95)], 5.0);
        let keep = if seed.is_multiple_of(2) {
            PreservedQuantity::Depth
        } else {
            PreservedQuantity::Surface
        };
        let mut all = vec![
            (soft(disc(0.4, 0.5, 30.0)), Edit::Raise(Change::By(0.4)), keep),
            (soft(line.clone()), Edit::Lower(Change::To(0.5)), keep),
            (
                Brush::with_flat_falloff(disc(0.6, 0.4, 20.0)),
                Edit::Pour(Amount::Volume(30.0)),
                keep,
            ),
            (soft(disc(0.2, 0.7, 25.0)), Edit::Remove(Amount::Depth(0.3)), keep),
            (soft(line.clone()), Edit::Push { velocity: [0.7, -0.4] }, keep),
            (Brush::with_flat_falloff(disc(0.5, 0.45, 6.0)), Edit::Close, keep),
            (Brush::with_flat_falloff(disc(0.3, 0.4, 9.0)), Edit::Open, keep),
            (soft(disc(0.5, 0.6, 22.0)), Edit::Smooth { reach: 7.0, strength: 0.8 }, keep),
            (soft(line), Edit::Flatten { level: Some(0.9), strength: 0.5 }, keep),
        ];
        all.rotate_left(seed % 9);
        all.truncate(4);
        all
    }

    fn edit(&self, world: &mut impl ComparableWorld, round: usize) {
        for (brush, edit, keep) in self.edits(round) {
            world.edit(&brush, edit, keep);
        }
        if round == 1 {
            let [spring, _] = self.springs();
            world.add_spring_and_drain(spring, self.drain());
        }
    }

    fn soil() -> Soil {
        Soil { rate: 30.0, capacity: Some(1e-4), seepage: 3.0, ..Soil::default() }
    }

    fn soils() -> Vec<Soil> {
        vec![
            Soil { rate: 9.0, suction: 0.1, deficit: 0.3, ..Soil::default() },
            Soil { rate: 60.0, seepage: 7.0, ..Soil::default() },
        ]
    }

    fn undivided_world(&self) -> Flow {
        let window = self.row_fields(0..self.lattice.ny());
        let mut flow =
            Flow::new(self.lattice, self.params.clone(), window.bed, window.depth).unwrap();
        flow.set_roughness(window.roughness).unwrap();
        flow.close_cells(&window.closed.unwrap()).unwrap();
        self.boundaries().into_iter().for_each(|one| flow.set_boundary(one).unwrap());
        if self.features[0] {
            for spring in self.springs() {
                flow.add_spring(spring).unwrap();
            }
            flow.add_drain(self.drain()).unwrap();
        }
        if self.features[1] {
            flow.set_rain(Some(Rain { rate: 40.0.into(), map: window.rain_factor })).unwrap();
            flow.set_evaporation(Some(5.0.into())).unwrap();
        }
        if self.features[2] {
            flow.set_soil(Some(Self::soil())).unwrap();
        }
        if self.features[4] {
            // On small grids, mouths of structures may overlap; the world then rejects the
            // structure.
            self.structures().into_iter().for_each(|one| drop(flow.add_structure(one)));
        }
        if let Some(map) = window.soil {
            flow.set_soil_map(Some(SoilMap { soils: Self::soils(), map })).unwrap();
        }
        if let Some([east, south]) = window.velocity {
            flow.set_velocity(&east, &south).unwrap();
        }
        if let Some([east, south]) = window.unit_discharge {
            flow.set_unit_discharge(&east, &south).unwrap();
        }
        flow.set_flood(self.features[3].then_some(Flood { depth: 0.3 })).unwrap();
        flow
    }

    fn world_spec(&self) -> WorldSpec {
        let mut outline = WorldSpec::new(self.lattice, self.params.clone()).unwrap();
        self.boundaries().into_iter().for_each(|one| outline.set_boundary(one).unwrap());
        if self.features[0] {
            for spring in self.springs() {
                outline.add_spring(spring).unwrap();
            }
            outline.add_drain(self.drain()).unwrap();
        }
        if self.features[1] {
            let map = self.varies_in_space.then(Field::default);
            outline.set_rain(Rain { rate: 40.0.into(), map }).unwrap();
            outline.set_evaporation(Evaporation::from(5.0)).unwrap();
        }
        if self.features[2] {
            outline.set_soil(Self::soil()).unwrap();
        }
        if self.features[4] {
            self.structures().into_iter().for_each(|one| drop(outline.add_structure(one)));
        }
        if self.varies_in_space {
            outline.set_soils(Self::soils()).unwrap();
        }
        if self.features[3] {
            outline.set_flood(Flood { depth: 0.3 }).unwrap();
        }
        outline
    }

    fn world_in_storage(&self, budget: usize, store: impl PageStore + 'static) -> DistributedFlow {
        let make = |rows| Ok::<_, io::Error>(self.row_fields(rows));
        DistributedFlow::new(&self.world_spec(), budget, store, make).unwrap()
    }

    /// Creates the part of the distributed world that the rank of `comm` owns.
    fn world_on_rank(
        &self,
        comm: Arc<dyn Communicator>,
        room: impl Into<MemoryBudget>,
    ) -> DistributedFlow {
        let spec = self.world_spec();
        let rows = spec.partition_rows(comm.size())[comm.rank()].clone();
        let make = |window| Ok::<_, io::Error>(self.row_fields(window));
        let store = MemoryStore::default();
        DistributedFlow::from_blocks(
            comm,
            LocalBlocks::new(&spec, rows, room, store, make).unwrap(),
        )
        .unwrap()
    }

    /// Runs `work` on up to `max_threads` threads, each of which is a rank with its own rows. There
    /// are fewer ranks if the grid has too few rows.
    fn run_on_ranks<T: Send>(
        &self,
        max_threads: usize,
        memory: impl Into<MemoryBudget>,
        work: impl Fn(DistributedFlow) -> T + Sync,
    ) -> Vec<T> {
        let (count, memory) = (self.world_spec().partition_rows(max_threads).len(), memory.into());
        on_ranks(count, |comm| work(self.world_on_rank(comm, memory)))
    }
}

/// Returns the rain factors of the cells in a range of rows. With seed 1, they represent a
/// cloudburst.
fn rain_map(nx: usize, seed: u64, rows: Range<usize>) -> Field<f32> {
    let amplitude = if seed == 1 { 100_000.0 } else { 3.0 };
    Field::from_fn(nx, rows.len(), |x, y| amplitude * noise(x / 2, rows.start + y, seed + 10))
}

/// Interface of undivided and distributed worlds that the tests use to compare them.
trait ComparableWorld {
    /// Advances the world to the time `stop` (s), with at most `max_steps` steps per call.
    fn step_to(&mut self, stop: f64, max_steps: usize);
    fn edit(&mut self, brush: &Brush, edit: Edit, keep: PreservedQuantity);
    fn add_spring_and_drain(&mut self, spring: Source, drain: Source);
    /// Returns the complete state of the world, formatted as a string.
    fn report(&mut self) -> String;
    /// Queries the state at a point, the discharge through the line between `points` and the volume
    /// in a region. Returns the results as a string.
    fn query(&mut self, points: [[f64; 2]; 2], region: &Region) -> String;
}

impl ComparableWorld for Flow {
    fn step_to(&mut self, stop: f64, _: usize) {
        while self.step_toward(stop).unwrap() {}
    }

    fn edit(&mut self, brush: &Brush, edit: Edit, keep: PreservedQuantity) {
        self.edit_preserving(brush, edit, keep).unwrap();
    }

    fn add_spring_and_drain(&mut self, spring: Source, drain: Source) {
        self.add_spring(spring).unwrap();
        self.add_drain(drain).unwrap();
    }

    fn report(&mut self) -> String {
        let (time, volume, hash) = (self.time(), self.volume(), self.state_hash());
        let (balance, parts) = (self.balance(), self.part_volumes());
        format!("{} {time} {hash} {volume} {balance:?} {parts:?}", self.steps())
    }

    fn query(&mut self, [a, b]: [[f64; 2]; 2], region: &Region) -> String {
        let at = (self.bed_at(a), self.depth_at(a), self.velocity_at(a));
        let (passed, held) = (self.discharge_through(a, b), self.volume_in(region).unwrap());
        format!("{at:?} {passed} {held}")
    }
}

impl ComparableWorld for DistributedFlow {
    fn step_to(&mut self, stop: f64, max_steps: usize) {
        while self.steps_toward(stop, max_steps).unwrap() > 0 {}
    }

    fn edit(&mut self, brush: &Brush, edit: Edit, keep: PreservedQuantity) {
        self.edit(brush, edit, keep).unwrap();
    }

    fn add_spring_and_drain(&mut self, spring: Source, drain: Source) {
        self.add_spring(spring).unwrap();
        self.add_drain(drain).unwrap();
    }

    fn report(&mut self) -> String {
        let (time, volume) = (self.time(), self.volume().unwrap());
        let (balance, parts) = (self.balance().unwrap(), self.part_volumes().unwrap());
        let hash = self.state_hash().unwrap();
        assert!(self.is_finite());
        format!("{} {time} {hash} {volume} {balance:?} {parts:?}", self.steps())
    }

    fn query(&mut self, [a, b]: [[f64; 2]; 2], region: &Region) -> String {
        let found = self.sample(a).unwrap();
        let (bed, depth) = (found.map(|it| it.bed), found.map(|it| it.depth));
        let at = (bed, depth, found.map(|it| it.velocity));
        let passed = self.discharge_through(a, b).unwrap();
        format!("{at:?} {passed} {}", self.volume_in(region).unwrap())
    }
}

impl WorldConfig {
    /// Returns the times (s) at which the states of the worlds are compared.
    fn stops(&self, rounds: usize) -> Vec<f64> {
        let far = 21.7 * self.undivided_world().stable_dt();
        (1..=rounds).map(|round| round as f64 * far).collect()
    }

    /// Advances a world to each of the times `stops` (s) and edits it in between. Returns its
    /// states after each advance and edit, followed by the results of several queries, all
    /// formatted as strings.
    fn run_and_report(&self, world: &mut impl ComparableWorld, stops: &[f64]) -> Vec<String> {
        let mut reported = vec![world.report()];
        for (round, &stop) in stops.iter().enumerate() {
            world.step_to(stop, 10);
            reported.push(world.report());
            if self.features[5] {
                self.edit(world, round);
                reported.push(world.report());
            }
        }
        for i in 0..9 {
            let part = |n: usize| n as f64 / 7.9;
            let (width, height) = (self.lattice.width(), self.lattice.height());
            let point = [part(i * 5 % 9) * width, part(i) * height];
            let other = [part(i * 7 % 9) * width, part(8 - i) * height];
            reported.push(world.query([point, other], &Region::disc(point, 0.1 + 3.0 * i as f64)));
        }
        reported
    }
}

/// Advances a world to the time `stop` (s) and returns its state, formatted as a string.
fn advance_to(world: &mut impl ComparableWorld, stop: f64) -> String {
    world.step_to(stop, 3);
    world.report()
}

/// Returns whether the values `found` of a layer equal those of the same rows of `expected`, which
/// covers the whole grid.
fn equals_rows(expected: &Field<f32>, rows: Range<usize>, found: &Field<f32>) -> bool {
    rows.zip(found.rows())
        .all(|(y, row)| row.iter().zip(expected.row(y)).all(|(a, b)| a.to_bits() == b.to_bits()))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10, ..ProptestConfig::default() })]

    #[test]
    fn world_in_storage_equals_the_undivided_one(
        nx in 2usize..70, ny in 1usize..90, seed in 0u64..1000,
        world in proptest::sample::select(&WORLDS), features in any::<[bool; 6]>(),
        rough in any::<bool>(), varies_in_space in any::<bool>(), budget in 1000usize..300_000, rounds in 1usize..3
    ) {
        let recipe = WorldConfig { features, rough, varies_in_space, ..WorldConfig::new(world, nx, ny, seed) };
        let mut undivided = recipe.undivided_world();
        let mut there = recipe.world_in_storage(budget, MemoryStore::default());
        let stops = recipe.stops(rounds);
        prop_assert_eq!(recipe.run_and_report(&mut undivided, &stops), recipe.run_and_report(&mut there, &stops));
        let is_hex = recipe.lattice.is_hex();
        for layer in LAYERS.iter().filter(|layer| !is_hex || layer.name != "foam") {
            let expected = undivided.layer(layer.name).unwrap();
            let mut y = 0;
            while y < ny {
                let view = View::from_name(layer.name).unwrap();
                let look = |band: headwater::distributed::BlockView<'_>| (band.rows(), band.layer(view));
                let (rows, of_band) = there.with_block(y, look).unwrap();
                let same = equals_rows(&expected, rows.clone(), &of_band);
                prop_assert!(same, "{} of rows {:?}", layer.name, rows);
                y = rows.end;
            }
        }
        let mut again = recipe.world_in_storage(budget, MemoryStore::default());
        again.restore_undivided(Some(undivided.clone())).unwrap();
        let stop = undivided.time() + 7.7 * undivided.stable_dt();
        let state = advance_to(&mut undivided, stop);
        prop_assert_eq!(&state, &advance_to(&mut there, stop));
        prop_assert_eq!(&state, &advance_to(&mut again, stop));
    }

    #[test]
    fn world_on_ranks_equals_the_undivided_one(
        nx in 2usize..70, ny in 1usize..90, seed in 0u64..1000,
        world in proptest::sample::select(&WORLDS), features in any::<[bool; 6]>(),
        rough in any::<bool>(), varies_in_space in any::<bool>(), ranks in proptest::sample::select(&[[2, 1], [3, 4], [6, 2]]),
        // The budget keeps all blocks in memory, or only a few.
        budget in proptest::sample::select(&[usize::MAX, 30_000]), rows in 6usize..80,
        moves in any::<bool>(), rounds in 1usize..3
    ) {
        let recipe = WorldConfig { features, rough, varies_in_space, ..WorldConfig::new(world, nx, ny, seed) };
        let mut undivided = recipe.undivided_world();
        let stops = recipe.stops(rounds);
        let expected = recipe.run_and_report(&mut undivided, &stops);
        let stop = undivided.time() + 7.7 * undivided.stable_dt();
        let next = advance_to(&mut undivided.clone(), stop);
        let policy = moves.then(|| RebalancePolicy::new(0.0, 1));
        let stored = CountingStore::default();
        let room = MemoryBudget::from(budget).with_block_rows(rows);
        let first = recipe.run_on_ranks(ranks[0], room, |mut world| {
            world.set_rebalance_policy(policy);
            let reported = recipe.run_and_report(&mut world, &stops);
            let metadata = world.metadata().unwrap();
            let blocks = world.write_checkpoint(&mut stored.clone()).unwrap();
            (reported, metadata, blocks, advance_to(&mut world, stop))
        });
        let blocks: Vec<_> = first.iter().flat_map(|(_, _, blocks, _)| blocks.clone()).collect();
        for (reported, metadata, _, then) in &first {
            prop_assert_eq!((reported, metadata, then), (&expected, &first[0].1, &next));
        }
        let metadata = &first[0].1;
        // Restore from the checkpoint, and from the undivided world on the first rank.
        let again = recipe.run_on_ranks(ranks[1], budget, |mut world| {
            world.set_rebalance_policy(policy);
            world.restore(&blocks, metadata, &mut stored.clone()).unwrap();
            let restored = (world.report(), advance_to(&mut world, stop));
            let is_first = world.communicator().rank() == 0;
            world.restore_undivided(is_first.then(|| undivided.clone())).unwrap();
            (restored, (world.report(), advance_to(&mut world, stop)))
        });
        let state = (undivided.report(), next.clone());
        for both in again {
            prop_assert_eq!(both, (state.clone(), state.clone()));
        }
        let joined = recipe.undivided_world().restore_blocks(&blocks, metadata, &mut stored.clone());
        let mut joined = joined.unwrap();
        prop_assert_eq!((joined.report(), advance_to(&mut joined, stop)), state);
    }
}

/// Checks that changes of the rain map apply to all row blocks. The stable time step of shallow
/// water decreases after the first change and increases after the second.
#[test]
fn rain_map_changes_apply_to_all_blocks() {
    for world in WORLDS {
        let recipe = WorldConfig {
            features: [true; 6],
            varies_in_space: true,
            ..WorldConfig::new(world, 20, 140, 3)
        };
        let (mut undivided, mut expected, mut stops) =
            (recipe.undivided_world(), Vec::new(), Vec::new());
        for seed in [1, 2] {
            stops.push(undivided.time() + 7.7 * undivided.stable_dt());
            expected.push(advance_to(&mut undivided, stops[stops.len() - 1]));
            let before = undivided.stable_dt();
            undivided.set_rain_map(Some(rain_map(20, seed, 0..140))).unwrap();
            assert!(world.1 != Physics::ShallowWater || undivided.stable_dt() != before);
        }
        expected.push(advance_to(&mut undivided, stops[1] + stops[0]));
        let play = |mut there: DistributedFlow| {
            let mut reported = Vec::new();
            for (seed, stop) in [1, 2].into_iter().zip(&stops) {
                reported.push(advance_to(&mut there, *stop));
                there.set_rain_map(|rows| rain_map(20, seed, rows)).unwrap();
            }
            reported.push(advance_to(&mut there, stops[1] + stops[0]));
            (reported, there.rows_of_ranks())
        };
        assert_eq!(
            play(recipe.world_in_storage(1000, MemoryStore::default())).0,
            expected,
            "{world:?}"
        );
        // The first rank has the most work.
        let spans = [0..100, 100..120, 120..140];
        let all = on_ranks(3, |comm| {
            let (room, store) =
                (MemoryBudget::from(usize::MAX).with_block_rows(20), MemoryStore::default());
            let make = |window| Ok::<_, io::Error>(recipe.row_fields(window));
            let rows = spans[comm.rank()].clone();
            let blocks = LocalBlocks::new(&recipe.world_spec(), rows, room, store, make).unwrap();
            let mut there = DistributedFlow::from_blocks(comm, blocks).unwrap();
            there.set_rebalance_policy(Some(RebalancePolicy::new(0.0, 1)));
            play(there)
        });
        for (reported, rows) in all {
            assert_eq!(reported, expected, "{world:?}");
            assert!(rows[0].len() < 100);
        }
    }
}

#[test]
fn layers_on_ranks_equal_those_of_the_undivided_world() {
    for world in WORLDS {
        let recipe = WorldConfig { features: [true; 6], ..WorldConfig::new(world, 30, 100, 7) };
        let mut undivided = recipe.undivided_world();
        let stop = undivided.time() + 30.0 * undivided.stable_dt();
        undivided.step_to(stop, 1);
        let is_hex = recipe.lattice.is_hex();
        let layers = || LAYERS.iter().filter(|layer| !is_hex || layer.name != "foam");
        let seen = recipe.run_on_ranks(3, usize::MAX, |mut there| {
            there.step_to(stop, 8);
            there.exchange_halos();
            let rows = there.local_blocks().rows();
            let views = layers().map(|layer| View::from_name(layer.name).unwrap());
            // All rows of a rank belong to one block.
            let mut look = |view| there.with_block(rows.start, |block| block.layer(view)).unwrap();
            (rows.clone(), views.map(&mut look).collect::<Vec<_>>())
        });
        assert_eq!(seen.len(), 3);
        for (rows, fields) in seen {
            for (layer, found) in layers().zip(fields) {
                assert_eq!(found.ny(), rows.len());
                let expected = undivided.layer(layer.name).unwrap();
                let same = equals_rows(&expected, rows.clone(), &found);
                assert!(same, "{} of rows {rows:?}, {world:?}", layer.name);
            }
        }
    }
}

#[test]
fn missed_messages_change_the_state() {
    for world in WORLDS {
        let recipe = WorldConfig { features: [true; 6], ..WorldConfig::new(world, 30, 100, 7) };
        let mut undivided = recipe.undivided_world();
        let stop = undivided.time() + 24.0 * undivided.stable_dt();
        undivided.step_to(stop, 1);
        // Some dropped messages are detected by the ranks themselves.
        let is_the_same = |dropped| {
            let go = |comm: Arc<dyn Communicator>| -> io::Result<u64> {
                let mut there = recipe
                    .world_on_rank(Arc::new(LossyCommunicator::new(comm, dropped)), usize::MAX);
                while there.steps_toward(stop, 8)? > 0 {}
                there.state_hash()
            };
            let hashes = on_ranks(3, go).into_iter();
            hashes.map(Result::ok).all(|hash| hash == Some(undivided.state_hash()))
        };
        assert!(is_the_same(DroppedMessages::default()), "{world:?}");
        // A single missed exchange changes the state, even if it occurs late.
        for from in [0, 5] {
            let dropped = DroppedMessages { halos_from: Some(from), ..DroppedMessages::default() };
            assert!(!is_the_same(dropped), "{world:?}, rows from exchange {from} on");
        }
        // The step length of pipes does not depend on the water.
        if world.1 != Physics::Pipes {
            let dropped = DroppedMessages { maxima: true, ..DroppedMessages::default() };
            assert!(!is_the_same(dropped), "{world:?}, maxima");
        }
    }
}

/// Checks that rebalancing moves row blocks between ranks without changing results. In this world a
/// river flows south and wakes one block after the other.
#[test]
fn rebalancing_moves_blocks_without_changing_results() {
    for (i, world) in WORLDS.into_iter().enumerate() {
        let features = [false, false, false, true, false, false];
        let recipe = WorldConfig { river: true, features, ..WorldConfig::new(world, 12, 170, 5) };
        let mut undivided = recipe.undivided_world();
        let mut steps = Vec::new();
        for _ in 0..12 {
            let stop = undivided.time() + 15.5 * undivided.stable_dt();
            steps.push((stop, advance_to(&mut undivided, stop)));
        }
        let room = MemoryBudget::from(usize::MAX).with_block_rows(10);
        let ranks = [2, 3, 4, 3, 4, 2][i];
        let all = recipe.run_on_ranks(ranks, room, |mut there| {
            there.set_rebalance_policy(Some(RebalancePolicy::new(0.0, 1)));
            let (mut reported, mut moves) = (Vec::new(), 0);
            for (stop, _) in &steps {
                let before = there.rows_of_ranks();
                there.step_to(*stop, 16);
                reported.push((*stop, there.report()));
                moves += usize::from(there.rows_of_ranks() != before);
            }
            assert_eq!(
                there.rows_of_ranks()[there.communicator().rank()],
                there.local_blocks().rows()
            );
            (reported, moves, there.local_blocks().rows_received())
        });
        assert!(all.iter().all(|(reported, _, _)| *reported == steps), "{world:?}");
        // The busy rows have moved on.
        assert!(all[0].1 > 1, "{} moves on {ranks} ranks, {world:?}", all[0].1);
        assert!(all.iter().map(|(_, _, moved)| moved).sum::<usize>() >= 20);
    }
}

#[test]
fn blocks_are_not_moved_without_a_policy() {
    let recipe = WorldConfig { river: true, ..WorldConfig::new(WORLDS[1], 24, 330, 5) };
    recipe.run_on_ranks(3, MemoryBudget::from(usize::MAX).with_block_rows(20), |mut there| {
        let first = there.rows_of_ranks();
        there.steps_toward(1e9, 200).unwrap();
        assert_eq!((there.rows_of_ranks(), there.local_blocks().rows_received()), (first, 0));
    });
}

#[test]
fn mismatched_and_damaged_states_are_rejected() {
    let of = |features| WorldConfig { features, ..WorldConfig::new(WORLDS[2], 20, 90, 1) };
    let (recipe, other) = (of([true; 6]), of([false; 6]));
    let stored = CountingStore::default();
    let first = recipe.run_on_ranks(3, usize::MAX, |mut world| {
        (world.write_checkpoint(&mut stored.clone()).unwrap(), world.metadata().unwrap())
    });
    let blocks: Vec<_> = first.iter().flat_map(|(blocks, _)| blocks.clone()).collect();
    let metadata = &first[0].1;
    let again = |blocks: &[Range<usize>], store: &CountingStore, metadata: &[u8]| {
        let restore = |mut world: DistributedFlow| {
            world.restore(blocks, metadata, &mut store.clone()).is_ok()
        };
        let all = recipe.run_on_ranks(2, usize::MAX, restore);
        let undivided =
            recipe.undivided_world().restore_blocks(blocks, metadata, &mut store.clone());
        assert!(all.iter().all(|is| *is == undivided.is_ok()), "{all:?}");
        all[0]
    };
    assert!(again(&blocks, &stored, metadata));
    assert!(!again(&blocks[1..], &stored, metadata), "rows are missing");
    assert!(!again(&[], &stored, metadata), "there are no blocks");
    assert!(!again(&blocks, &CountingStore::default(), metadata), "nothing is there");
    assert!(!again(&blocks, &stored, &metadata[..metadata.len() / 2]));
    let others = other.run_on_ranks(2, usize::MAX, |mut world| world.metadata().unwrap());
    assert!(!again(&blocks, &stored, &others[0]));
    let refused = recipe.run_on_ranks(3, usize::MAX, |mut world| {
        let flow = (world.communicator().rank() == 0).then(|| other.undivided_world());
        world.restore_undivided(flow).is_err()
    });
    assert_eq!(refused, [true; 3]);
    // Store a field of another shape under a valid key.
    let put = |key: [usize; 2], bytes: &[u8]| {
        let mut wrong = CountingStore::default();
        wrong.0.lock().unwrap().0 = stored.0.lock().unwrap().0.clone();
        wrong.put(key, bytes).unwrap();
        wrong
    };
    let of_soil = stored.clone().get([blocks[1].start, 12]).unwrap();
    assert!(!again(&blocks, &put([blocks[1].start, 3], &of_soil), metadata));
    let cut = stored.clone().get([blocks[0].start, 4]).unwrap();
    assert!(!again(&blocks, &put([blocks[0].start, 4], &cut[..cut.len() - 1]), metadata));
}

/// Page store in memory that counts how often fields are read.
#[derive(Clone, Debug, Default)]
struct CountingStore(Arc<Mutex<(MemoryStore, usize)>>);

impl PageStore for CountingStore {
    fn put(&mut self, key: [usize; 2], bytes: &[u8]) -> io::Result<()> {
        self.0.lock().unwrap().0.put(key, bytes)
    }
    fn get(&mut self, key: [usize; 2]) -> io::Result<Vec<u8>> {
        let mut both = self.0.lock().unwrap();
        both.1 += 1;
        both.0.get(key)
    }
}

#[test]
fn sleeping_blocks_are_not_loaded() {
    for level in LEVELS {
        // A pond in the north, and dry land everywhere else.
        let (nx, ny) = (64, 1200);
        let lattice = Square::new(nx, ny, 1.0, 1.0).unwrap();
        let outline = WorldSpec::new(lattice, Params { level, ..Params::default() }).unwrap();
        let shelf = CountingStore::default();
        let taken = || shelf.0.lock().unwrap().1;
        let mut world = DistributedFlow::new(&outline, 700_000, shelf.clone(), |rows| {
            let bed =
                Field::from_fn(nx, rows.len(), |_, y| if rows.start + y < 40 { 0.0 } else { 3.0 });
            let deep = |x, y| if rows.start + y < 40 && x < 30 { 2.0 } else { 0.0 };
            let depth = Field::from_fn(nx, rows.len(), deep);
            Ok::<_, io::Error>(RowFields::new(bed, depth))
        })
        .unwrap();
        let [all, here] = world.local_blocks().block_counts();
        assert!(all > 2 * here, "{all} blocks, {here} in memory");
        world.steps_toward(1e9, 40).unwrap();
        let before = taken();
        world.steps_toward(1e9, 200).unwrap();
        assert_eq!(taken(), before, "{level:?}");
        assert!(world.volume().unwrap() > 2399.0);
    }
}

#[test]
fn storage_errors_are_reported() {
    #[derive(Debug)]
    struct FullStore;
    impl PageStore for FullStore {
        fn put(&mut self, _: [usize; 2], _: &[u8]) -> io::Result<()> {
            Err(io::Error::other("the disk is full"))
        }
        fn get(&mut self, _: [usize; 2]) -> io::Result<Vec<u8>> {
            Err(io::Error::other("nothing is there"))
        }
    }
    let recipe = WorldConfig::new((CellShape::Square, Physics::Pipes), 40, 300, 1);
    let outline = WorldSpec::new(recipe.lattice, recipe.params.clone()).unwrap();
    let made = DistributedFlow::new(&outline, 1000, FullStore, |rows| {
        Ok::<_, io::Error>(recipe.row_fields(rows))
    });
    assert_eq!(made.unwrap_err().to_string(), "the disk is full");
}
