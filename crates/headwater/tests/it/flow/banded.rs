//! A world of which only some rows are in memory comes to the state and the books of one that is there whole, bit for bit.

use crate::support::flow::{LEVELS, WORLDS};
use crate::support::pools::{Cells, noise};
use crate::support::ranks::{Deaf, Ranks};
use headwater::distributed::{
    DistributedFlow, LocalBlocks, MemoryBudget, RebalancePolicy, Window, Workers, WorldSpec,
};
use headwater::distributed::{MemoryStore, PageStore};
use headwater::flow::{
    Amount, Barrel, Boundary, BoundaryKind, Change, Culvert, Edit, Evaporation, Flood, Flow, Gate,
    Keep, LAYERS, Params, Physics, Rain, Soil, SoilMap, Source, Structure, StructureKind, View,
    Weir,
};
use headwater::{Brush, Edge, Falloff, Field, Hex, Lattice, Region, Series, Square};
use proptest::prelude::*;
use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex};

/// What a test's world is made of.
struct Recipe {
    lattice: Lattice,
    params: Params,
    seed: u64,
    /// Whether springs and drains, rain, soil, marks of a flood, structures, and edits on the way are there.
    with: [bool; 6],
    rough: bool,
    /// Whether rain and soil differ from cell to cell, and water moves at the start.
    mapped: bool,
    /// Whether a river comes over the north edge of dry land that slopes to the south.
    river: bool,
}

impl Recipe {
    fn new((cells, level): (Cells, Physics), nx: usize, ny: usize, seed: u64) -> Self {
        let lattice = match cells {
            Cells::Square => Square::new(nx, ny, 2.0, 1.5).unwrap().into(),
            Cells::Hex => Hex::new(nx, ny, 2.0).unwrap().into(),
        };
        let params = Params { level, ..Params::default() };
        let (rough, mapped, river) = Default::default();
        Self { lattice, params, seed, with: [false; 6], rough, mapped, river }
    }

    fn bed(&self, x: usize, y: usize) -> f32 {
        let slope = if self.river { 0.5 * (self.lattice.ny() - y) as f32 } else { 0.0 };
        slope + 2.0 * noise(x / 3, y / 3, self.seed) + 0.3 * noise(x, y, self.seed + 1)
    }

    /// Pools in a part of the rows.
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

    fn window(&self, rows: Range<usize>) -> Window {
        let nx = self.lattice.nx();
        let of = |value: &dyn Fn(usize, usize) -> f32| {
            Field::from_fn(nx, rows.len(), |x, y| value(x, rows.start + y))
        };
        let dry = |x, y| if self.closed(x, y) { 0.0 } else { self.depth(x, y) };
        let mut window = Window::new(of(&|x, y| self.bed(x, y)), of(&dry));
        let closed = Field::from_fn(nx, rows.len(), |x, y| self.closed(x, rows.start + y));
        window.closed = Some(closed);
        window.roughness = self.rough.then(|| of(&|x, y| 0.02 + 0.05 * noise(x, y, self.seed + 4)));
        if self.mapped {
            let motion = |seed| of(&|x, y| noise(x / 5, y / 5, seed) - 0.5);
            let motion = Some([self.seed + 5, self.seed + 6].map(motion));
            match self.seed % 3 {
                0 => window.velocity = motion,
                1 => window.unit_discharge = motion,
                _ => {}
            }
            window.rain = Some(rain_map(nx, self.seed, rows.clone()));
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
        let tide = Series::table(vec![[0.0, 1.0], [4.0, 3.0], [8.0, 0.5]]).unwrap();
        let kinds = [
            (Edge::West, BoundaryKind::Open),
            (Edge::North, BoundaryKind::Open),
            (Edge::South, BoundaryKind::Outflow { discharge: 0.2.into() }),
            (Edge::East, BoundaryKind::Stage { level: tide }),
        ];
        let count = (self.seed % 5) as usize;
        let stretch = |(edge, kind)| Boundary::stretch(edge, 0.1 * width, 0.8 * width, kind);
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

    /// A culvert, a gate and a weir, from north to south and back.
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

    /// Edits after a round, over one border of bands or several.
    fn edits(&self, round: usize) -> Vec<(Brush, Edit, Keep)> {
        let at = |x: f64, y: f64| [x * self.lattice.width(), y * self.lattice.height()];
        let disc = |x, y, radius| Region::disc(at(x, y), radius);
        let seed = self.seed as usize + round;
        let soft = |region| Brush { region, falloff: Falloff::Smooth };
        let line = Region::line(vec![at(0.1, 0.2), at(0.8, 0.95)], 5.0);
        let keep = if seed.is_multiple_of(2) { Keep::Depth } else { Keep::Surface };
        let mut all = vec![
            (soft(disc(0.4, 0.5, 30.0)), Edit::Raise(Change::By(0.4)), keep),
            (soft(line.clone()), Edit::Lower(Change::To(0.5)), keep),
            (Brush::flat(disc(0.6, 0.4, 20.0)), Edit::Pour(Amount::Volume(30.0)), keep),
            (soft(disc(0.2, 0.7, 25.0)), Edit::Remove(Amount::Depth(0.3)), keep),
            (soft(line.clone()), Edit::Push { velocity: [0.7, -0.4] }, keep),
            (Brush::flat(disc(0.5, 0.45, 6.0)), Edit::Close, keep),
            (Brush::flat(disc(0.3, 0.4, 9.0)), Edit::Open, keep),
            (soft(disc(0.5, 0.6, 22.0)), Edit::Smooth { reach: 7.0, strength: 0.8 }, keep),
            (soft(line), Edit::Flatten { level: Some(0.9), strength: 0.5 }, keep),
        ];
        all.rotate_left(seed % 9);
        all.truncate(4);
        all
    }

    fn edit_both<K: Workers>(
        &self,
        whole: &mut Flow,
        there: &mut DistributedFlow<K>,
        round: usize,
    ) {
        for (brush, edit, keep) in self.edits(round) {
            whole.edit_keeping(&brush, edit, keep).unwrap();
            there.edit(&brush, edit, keep).unwrap();
        }
        if round == 1 {
            let [spring, _] = self.springs();
            whole.add_spring(spring.clone()).unwrap();
            there.add_spring(spring).unwrap();
            whole.add_drain(self.drain()).unwrap();
            there.add_drain(self.drain()).unwrap();
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

    fn whole(&self) -> Flow {
        let window = self.window(0..self.lattice.ny());
        let mut flow =
            Flow::new(self.lattice, self.params.clone(), window.bed, window.depth).unwrap();
        flow.set_roughness(window.roughness).unwrap();
        flow.close(&window.closed.unwrap()).unwrap();
        self.boundaries().into_iter().for_each(|one| flow.set_boundary(one).unwrap());
        if self.with[0] {
            for spring in self.springs() {
                flow.add_spring(spring).unwrap();
            }
            flow.add_drain(self.drain()).unwrap();
        }
        if self.with[1] {
            flow.set_rain(Some(Rain { rate: 40.0.into(), map: window.rain })).unwrap();
            flow.set_evaporation(Some(5.0.into())).unwrap();
        }
        if self.with[2] {
            flow.set_soil(Some(Self::soil())).unwrap();
        }
        if self.with[4] {
            // On a small grid mouths may lie over one another, and are refused.
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
        flow.set_flood(self.with[3].then_some(Flood { depth: 0.3 })).unwrap();
        flow
    }

    fn outline(&self) -> WorldSpec {
        let mut outline = WorldSpec::new(self.lattice, self.params.clone()).unwrap();
        self.boundaries().into_iter().for_each(|one| outline.set_boundary(one).unwrap());
        if self.with[0] {
            for spring in self.springs() {
                outline.add_spring(spring).unwrap();
            }
            outline.add_drain(self.drain()).unwrap();
        }
        if self.with[1] {
            let map = self.mapped.then(Field::default);
            outline.set_rain(Rain { rate: 40.0.into(), map }).unwrap();
            outline.set_evaporation(Evaporation::from(5.0)).unwrap();
        }
        if self.with[2] {
            outline.set_soil(Self::soil()).unwrap();
        }
        if self.with[4] {
            self.structures().into_iter().for_each(|one| drop(outline.add_structure(one)));
        }
        if self.mapped {
            outline.set_soils(Self::soils()).unwrap();
        }
        if self.with[3] {
            outline.set_flood(Flood { depth: 0.3 }).unwrap();
        }
        outline
    }

    fn banded(&self, budget: usize, shelf: impl PageStore + 'static) -> DistributedFlow {
        let make = |rows| Ok::<_, io::Error>(self.window(rows));
        DistributedFlow::new(self.outline(), budget, shelf, make).unwrap()
    }

    /// The world on so many threads that stand for ranks, or on as many as there are rows for.
    fn spread(&self, wished: usize, room: impl Into<MemoryBudget>) -> DistributedFlow<Ranks> {
        self.spread_over(wished, room, Deaf::default())
    }

    fn spread_over(
        &self,
        wished: usize,
        room: impl Into<MemoryBudget>,
        deaf: Deaf,
    ) -> DistributedFlow<Ranks> {
        let room = room.into();
        let outline = self.outline();
        let bands = outline.spans(wished).into_iter().map(|rows| {
            let make = |window| Ok::<_, io::Error>(self.window(window));
            LocalBlocks::new(&outline, rows, room, MemoryStore::default(), make).unwrap()
        });
        let ranks = Ranks::of(bands.collect(), deaf);
        DistributedFlow::over(outline, ranks).unwrap()
    }
}

/// Factors of the rain in some rows; of the seed 1 those of a cloudburst.
fn rain_map(nx: usize, seed: u64, rows: Range<usize>) -> Field<f32> {
    let most = if seed == 1 { 100_000.0 } else { 3.0 };
    Field::from_fn(nx, rows.len(), |x, y| most * noise(x / 2, rows.start + y, seed + 10))
}

/// Does steps of a world in one piece and in bands, and compares what they come to, all that can be asked, and what is saved.
fn hold_against<K: Workers>(
    recipe: &Recipe,
    whole: &mut Flow,
    there: &mut DistributedFlow<K>,
    rounds: usize,
) -> Result<(), TestCaseError> {
    prop_assert_eq!(whole.state_hash(), there.state_hash().unwrap());
    prop_assert_eq!(whole.ledger(), there.ledger());
    for round in 0..rounds {
        let stop = whole.time() + 21.7 * whole.stable_dt();
        for _ in 0..40 {
            whole.step_toward(stop).unwrap();
        }
        for _ in 0..4 {
            there.steps_toward(stop, 10).unwrap();
        }
        prop_assert_eq!(whole.steps(), there.steps());
        prop_assert_eq!(whole.time(), there.time());
        prop_assert_eq!(whole.ledger(), there.ledger());
        prop_assert_eq!(whole.state_hash(), there.state_hash().unwrap(), "round {}", round);
        prop_assert_eq!(whole.volume(), there.volume().unwrap());
        prop_assert!(there.is_sound().unwrap());
        if recipe.with[5] {
            recipe.edit_both(whole, there, round);
            prop_assert_eq!(whole.ledger(), there.ledger());
            prop_assert_eq!(whole.state_hash(), there.state_hash().unwrap(), "edits {}", round);
        }
    }
    let [one, other] = [whole.balance(), there.balance().unwrap()];
    prop_assert_eq!(one.residual.to_bits(), other.residual.to_bits());
    for i in 0..9 {
        let part = |n: usize| n as f64 / 7.9;
        let (width, height) = (recipe.lattice.width(), recipe.lattice.height());
        let point = [part(i * 5 % 9) * width, part(i) * height];
        let other = [part(i * 7 % 9) * width, part(8 - i) * height];
        let found = there.at(point).unwrap();
        prop_assert_eq!(found.map(|at| at.bed), whole.bed_at(point));
        prop_assert_eq!(found.map(|at| at.depth), whole.depth_at(point));
        prop_assert_eq!(found.map(|at| at.velocity), whole.velocity_at(point));
        let passed = there.discharge_through(point, other).unwrap();
        prop_assert_eq!(passed, whole.discharge_through(point, other));
        let disc = Region::disc(point, 0.1 + 3.0 * i as f64);
        prop_assert_eq!(there.volume_in(&disc).unwrap(), whole.volume_in(&disc).unwrap());
    }
    Ok(())
}

/// Goes on with a world in one piece and with others, which come to the same.
fn go_on<K: Workers>(whole: &Flow, worlds: &mut [DistributedFlow<K>]) -> Result<(), TestCaseError> {
    let mut whole = whole.clone();
    let stop = whole.time() + 7.7 * whole.stable_dt();
    while whole.step_toward(stop).unwrap() {}
    for world in worlds {
        while world.steps_toward(stop, 3).unwrap() > 0 {}
        prop_assert_eq!(whole.state_hash(), world.state_hash().unwrap(), "gone on");
        prop_assert_eq!(whole.ledger(), world.ledger());
    }
    Ok(())
}

fn saved<K: Workers>(world: &mut DistributedFlow<K>) -> Vec<u8> {
    let mut bytes = Vec::new();
    world.write_state(&mut bytes).unwrap();
    bytes
}

/// Whether rows of a layer are those of a world in one piece.
fn is_of(whole: &Flow, name: &str, rows: Range<usize>, found: &Field<f32>) -> bool {
    let expected = whole.layer(name).unwrap();
    rows.zip(found.rows())
        .all(|(y, row)| row.iter().zip(expected.row(y)).all(|(a, b)| a.to_bits() == b.to_bits()))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn a_world_in_bands_is_the_world_in_one_piece(
        nx in 2usize..70, ny in 1usize..150, seed in 0u64..1000,
        world in proptest::sample::select(&WORLDS), with in any::<[bool; 6]>(),
        rough in any::<bool>(), mapped in any::<bool>(), budget in 1000usize..300_000, rounds in 1usize..4
    ) {
        let recipe = Recipe { with, rough, mapped, ..Recipe::new(world, nx, ny, seed) };
        let mut whole = recipe.whole();
        let mut there = recipe.banded(budget, MemoryStore::default());
        hold_against(&recipe, &mut whole, &mut there, rounds)?;
        let is_hex = recipe.lattice.is_hex();
        for layer in LAYERS.iter().filter(|layer| !is_hex || layer.name != "foam") {
            let mut y = 0;
            while y < ny {
                let view = View::named(layer.name).unwrap();
                let look = |band: headwater::distributed::BlockView<'_>| (band.rows(), band.layer(view));
                let (rows, of_band) = there.look(y, look).unwrap();
                let same = is_of(&whole, layer.name, rows.clone(), &of_band);
                prop_assert!(same, "{} of rows {:?}", layer.name, rows);
                y = rows.end;
            }
        }
        let bytes = saved(&mut there);
        prop_assert!(bytes == postcard::to_stdvec(&whole.saving()).unwrap(), "another snapshot");
        let mut again = recipe.banded(budget, MemoryStore::default());
        again.read_state(&mut &bytes[..]).unwrap();
        prop_assert_eq!(whole.state_hash(), again.state_hash().unwrap());
        go_on(&whole, &mut [there, again])?;
    }

    #[test]
    fn a_world_spread_over_ranks_is_the_world_in_one_piece(
        nx in 2usize..70, ny in 1usize..150, seed in 0u64..1000,
        world in proptest::sample::select(&WORLDS), with in any::<[bool; 6]>(),
        rough in any::<bool>(), mapped in any::<bool>(), ranks in proptest::sample::select(&[[2, 1], [3, 4], [6, 2]]),
        // All in memory, or little.
        budget in proptest::sample::select(&[usize::MAX, 30_000]), rows in 6usize..80,
        moves in any::<bool>(), rounds in 1usize..3
    ) {
        let recipe = Recipe { with, rough, mapped, ..Recipe::new(world, nx, ny, seed) };
        let mut whole = recipe.whole();
        let mut there = recipe.spread(ranks[0], MemoryBudget::from(budget).of_rows(rows));
        there.set_handover(moves.then(|| RebalancePolicy::new(0.0, 1)));
        hold_against(&recipe, &mut whole, &mut there, rounds)?;
        let bytes = saved(&mut there);
        prop_assert!(bytes == postcard::to_stdvec(&whole.saving()).unwrap(), "another snapshot");
        let mut again = recipe.spread(ranks[1], budget);
        again.set_handover(moves.then(|| RebalancePolicy::new(0.0, 1)));
        again.read_state(&mut &bytes[..]).unwrap();
        prop_assert_eq!(whole.state_hash(), again.state_hash().unwrap());
        // The same band by band, which one process can put together too.
        let (shelf, besides) = (Counting::default(), there.metadata().unwrap());
        let bands = there.keepers().keep_on(&shelf);
        let mut kept = recipe.spread(ranks[1], budget);
        kept.keepers().go_on_from(&bands, &shelf).unwrap();
        kept.set_metadata(&besides).unwrap();
        prop_assert_eq!(whole.state_hash(), kept.state_hash().unwrap());
        let volume = whole.volume();
        prop_assert!((kept.volume_about().unwrap() - volume).abs() <= 1e-12 * volume.abs());
        let mut whole_again = DistributedFlow::kept(&recipe.lattice, &besides, bands, shelf).unwrap();
        prop_assert!(saved(&mut whole_again) == bytes, "another snapshot of what was kept");
        go_on(&whole, &mut [there, again, kept])?;
    }
}

/// Steps of shallow water are shorter at once after the first change, and longer after the second.
#[test]
fn a_map_of_the_rain_is_changed_in_all_bands() {
    for world in WORLDS {
        let recipe = Recipe { with: [true; 6], mapped: true, ..Recipe::new(world, 30, 140, 3) };
        let mut whole = recipe.whole();
        let mut little = recipe.banded(1000, MemoryStore::default());
        let bands = [0..100, 100..120, 120..140].map(|rows| {
            let (room, shelf) =
                (MemoryBudget::from(usize::MAX).of_rows(20), MemoryStore::default());
            let make = |window| Ok::<_, io::Error>(recipe.window(window));
            LocalBlocks::new(&recipe.outline(), rows, room, shelf, make).unwrap()
        });
        let ranks = Ranks::of(bands.into(), Deaf::default());
        let mut ranks = DistributedFlow::over(recipe.outline(), ranks).unwrap();
        // The first has the most to do.
        ranks.set_handover(Some(RebalancePolicy::new(0.0, 1)));
        for seed in [1, 2] {
            let stop = whole.time() + 7.7 * whole.stable_dt();
            while whole.step_toward(stop).unwrap() {}
            while little.steps_toward(stop, 3).unwrap() + ranks.steps_toward(stop, 3).unwrap() > 0 {
            }
            assert_eq!(whole.state_hash(), little.state_hash().unwrap(), "{world:?}");
            assert_eq!(whole.state_hash(), ranks.state_hash().unwrap(), "{world:?}");
            assert_eq!([little.ledger(), ranks.ledger()], [whole.ledger(); 2]);
            let before = whole.stable_dt();
            whole.set_rain_map(Some(rain_map(30, seed, 0..140))).unwrap();
            assert!(world.1 != Physics::ShallowWater || whole.stable_dt() != before);
            little.set_rain_map(|rows| rain_map(30, seed, rows)).unwrap();
            ranks.keepers().set_rain_map(move |rows| rain_map(30, seed, rows));
        }
        let bytes = saved(&mut little);
        assert!(bytes == postcard::to_stdvec(&whole.saving()).unwrap(), "{world:?}");
        assert!(ranks.held()[0].len() < 100);
        let mut again = recipe.spread(2, 1000);
        again.read_state(&mut &bytes[..]).unwrap();
        go_on(&whole, &mut [little]).unwrap();
        go_on(&whole, &mut [ranks, again]).unwrap();
    }
}

#[test]
fn ranks_see_what_is_beside_their_rows() {
    for world in WORLDS {
        let recipe = Recipe { with: [true; 6], ..Recipe::new(world, 40, 130, 7) };
        let mut whole = recipe.whole();
        let mut there = recipe.spread(3, usize::MAX);
        let stop = whole.time() + 30.0 * whole.stable_dt();
        while whole.step_toward(stop).unwrap() {}
        while there.steps_toward(stop, 8).unwrap() > 0 {}
        let is_hex = recipe.lattice.is_hex();
        let held = there.held();
        assert_eq!(held.len(), 3);
        for layer in LAYERS.iter().filter(|layer| !is_hex || layer.name != "foam") {
            let view = View::named(layer.name).unwrap();
            for (rows, found) in held.iter().zip(there.keepers().layers(view)) {
                let same = is_of(&whole, layer.name, rows.clone(), &found);
                assert!(same, "{} of rows {rows:?}, {world:?}", layer.name);
            }
        }
    }
}

#[test]
fn ranks_that_do_not_hear_one_another_come_to_something_else() {
    for world in WORLDS {
        let recipe = Recipe { with: [true; 6], ..Recipe::new(world, 40, 130, 7) };
        let mut whole = recipe.whole();
        let stop = whole.time() + 30.0 * whole.stable_dt();
        while whole.step_toward(stop).unwrap() {}
        let go = |deaf| {
            let mut there = recipe.spread_over(3, usize::MAX, deaf);
            while there.steps_toward(stop, 8)? > 0 {}
            there.state_hash()
        };
        // Some notice it themselves.
        let is_the_same = |deaf| go(deaf).is_ok_and(|hash| hash == whole.state_hash());
        assert!(is_the_same(Deaf::default()), "{world:?}");
        // One swap that is missed is enough, and be it a late one.
        for from in [0, 5] {
            let deaf = Deaf { to_rows_from: Some(from), ..Deaf::default() };
            assert!(!is_the_same(deaf), "{world:?}, rows from swap {from} on");
        }
        // The step of pipes is the same for all waters.
        if world.1 != Physics::Pipes {
            let deaf = Deaf { to_the_greatest: true, ..Deaf::default() };
            assert!(!is_the_same(deaf), "{world:?}, the greatest");
        }
    }
}

/// A river comes down: one band after the other wakes, from north to south.
#[test]
fn bands_go_to_ranks_with_less_to_do_and_change_no_bit() {
    for world in WORLDS {
        let with = [false, false, false, true, false, false];
        let recipe = Recipe { river: true, with, ..Recipe::new(world, 24, 330, 5) };
        let mut whole = recipe.whole();
        let room = MemoryBudget::from(usize::MAX).of_rows(20);
        let mut there = [2, 3, 4].map(|ranks| recipe.spread(ranks, room));
        there.iter_mut().for_each(|one| one.set_handover(Some(RebalancePolicy::new(0.0, 1))));
        let mut moves = [0; 3];
        for _ in 0..25 {
            let stop = whole.time() + 15.5 * whole.stable_dt();
            while whole.step_toward(stop).unwrap() {}
            for (one, moves) in there.iter_mut().zip(&mut moves) {
                let before = one.held();
                while one.steps_toward(stop, 16).unwrap() > 0 {}
                assert_eq!(one.state_hash().unwrap(), whole.state_hash(), "{world:?}");
                assert_eq!(one.ledger(), whole.ledger(), "{world:?}");
                *moves += usize::from(one.held() != before);
            }
        }
        for (one, moves) in there.iter().zip(moves) {
            // As the water gets further.
            assert!(moves > 1, "{moves} moves on {} ranks, {world:?}", one.held().len());
            let (held, moved): (Vec<_>, Vec<_>) = one.keepers().rows().into_iter().unzip();
            assert_eq!(held, one.held());
            assert!(moved.into_iter().sum::<usize>() >= 20);
        }
        let saved = saved(&mut there[2]);
        assert!(saved == postcard::to_stdvec(&whole.saving()).unwrap(), "{world:?}");
    }
}

#[test]
fn bands_stay_where_they_are_unless_it_is_said() {
    let recipe = Recipe { river: true, ..Recipe::new(WORLDS[1], 24, 330, 5) };
    let mut there = recipe.spread(3, MemoryBudget::from(usize::MAX).of_rows(20));
    let first = there.held();
    there.steps_toward(1e9, 200).unwrap();
    assert_eq!(there.held(), first);
    assert!(there.keepers().rows().iter().all(|(_, moved)| *moved == 0));
}

#[test]
fn a_state_of_another_world_is_refused_by_ranks() {
    let recipe = Recipe::new((Cells::Square, Physics::Inertial), 20, 60, 1);
    let other =
        Recipe { with: [true; 6], ..Recipe::new((Cells::Square, Physics::Inertial), 20, 60, 1) };
    let bytes = saved(&mut other.spread(2, usize::MAX));
    assert!(recipe.spread(3, usize::MAX).read_state(&mut &bytes[..]).is_err());
    let half = &bytes[..bytes.len() / 2];
    assert!(other.spread(3, usize::MAX).read_state(&mut &half[..]).is_err());
}

#[test]
fn bands_of_another_world_or_damaged_ones_are_refused() {
    let recipe = Recipe {
        with: [true; 6],
        ..Recipe::new((Cells::Square, Physics::ShallowWater), 20, 90, 1)
    };
    let mut there = recipe.spread(3, usize::MAX);
    let (shelf, besides) = (Counting::default(), there.metadata().unwrap());
    let bands = there.keepers().keep_on(&shelf);
    let again = |bands: &[Range<usize>], shelf: &Counting, besides: &[u8]| {
        let mut again = recipe.spread(2, usize::MAX);
        again.keepers().go_on_from(bands, shelf).is_ok() && again.set_metadata(besides).is_ok()
    };
    assert!(again(&bands, &shelf, &besides));
    assert!(!again(&bands[1..], &shelf, &besides), "rows are missing");
    assert!(!again(&[], &shelf, &besides), "there are no bands");
    assert!(!again(&bands, &Counting::default(), &besides), "nothing is there");
    assert!(!again(&bands, &shelf, &besides[..besides.len() / 2]));
    let other = Recipe {
        with: [false; 6],
        ..Recipe::new((Cells::Square, Physics::ShallowWater), 20, 90, 1)
    };
    assert!(!again(&bands, &shelf, &other.spread(2, usize::MAX).metadata().unwrap()));
    let lattice = Square::new(20, 91, 2.0, 1.5).unwrap().into();
    assert!(DistributedFlow::kept(&lattice, &besides, bands.clone(), shelf.clone()).is_err());
    // A field of another shape under a right name.
    let (mut wrong, first) = (shelf.clone(), bands[1].start);
    let of_soil = wrong.get([first, 12]).unwrap();
    wrong.put([first, 3], &of_soil).unwrap();
    assert!(!again(&bands, &wrong, &besides));
    let mut cut = wrong.get([bands[0].start, 4]).unwrap();
    cut.pop();
    wrong.put([bands[0].start, 4], &cut).unwrap();
    let mut whole = DistributedFlow::kept(&recipe.lattice, &besides, bands, wrong).unwrap();
    assert!(whole.write_state(&mut Vec::new()).is_err());
}

/// A shelf that counts what is taken from it.
#[derive(Clone, Debug, Default)]
struct Counting(Arc<Mutex<(MemoryStore, usize)>>);

impl PageStore for Counting {
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
fn what_sleeps_is_not_looked_at() {
    for level in LEVELS {
        // A pond in the north, dry land elsewhere.
        let (nx, ny) = (64, 1200);
        let lattice = Square::new(nx, ny, 1.0, 1.0).unwrap();
        let outline = WorldSpec::new(lattice, Params { level, ..Params::default() }).unwrap();
        let shelf = Counting::default();
        let taken = || shelf.0.lock().unwrap().1;
        let mut world = DistributedFlow::new(outline, 700_000, shelf.clone(), |rows| {
            let bed =
                Field::from_fn(nx, rows.len(), |_, y| if rows.start + y < 40 { 0.0 } else { 3.0 });
            let deep = |x, y| if rows.start + y < 40 && x < 30 { 2.0 } else { 0.0 };
            let depth = Field::from_fn(nx, rows.len(), deep);
            Ok::<_, io::Error>(Window::new(bed, depth))
        })
        .unwrap();
        let [all, here] = world.bands();
        assert!(all > 2 * here, "{all} bands, {here} in memory");
        world.steps_toward(1e9, 40).unwrap();
        let before = taken();
        world.steps_toward(1e9, 200).unwrap();
        assert_eq!(taken(), before, "{level:?}");
        assert!(world.volume().unwrap() > 2399.0);
    }
}

#[test]
fn what_fails_on_the_shelf_is_told() {
    #[derive(Debug)]
    struct Full;
    impl PageStore for Full {
        fn put(&mut self, _: [usize; 2], _: &[u8]) -> io::Result<()> {
            Err(io::Error::other("the disk is full"))
        }
        fn get(&mut self, _: [usize; 2]) -> io::Result<Vec<u8>> {
            Err(io::Error::other("nothing is there"))
        }
    }
    let recipe = Recipe::new((Cells::Square, Physics::Pipes), 40, 300, 1);
    let outline = WorldSpec::new(recipe.lattice, recipe.params.clone()).unwrap();
    let made =
        DistributedFlow::new(outline, 1000, Full, |rows| Ok::<_, io::Error>(recipe.window(rows)));
    assert_eq!(made.unwrap_err().to_string(), "the disk is full");
}
