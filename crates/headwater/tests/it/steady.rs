//! What is done in every frame of a game allocates nothing once a world has been stepped for a while.

use crate::support::allocations::allocations;
use crate::support::columns::{busy, caves};
use crate::support::hydrology::noise;
use headwater::blocks::{self, Blocks};
use headwater::columns::{self, Columns};
use headwater::flow::{self, Flow};
use headwater::hydrology::{self, Hydrology};
use headwater::waves::{self, Waves};
use headwater::{Field, Model, Region, Series, Square};

/// Frames until a world has all the room that it needs.
const SETTLING: usize = 200;

/// Frames that are counted.
const COUNTED: usize = 100;

/// Frames of `time` each of a world, on one thread, of which the later ones must not allocate.
fn check(name: &str, world: &mut (impl Model + Send), time: f64) {
    check_after(SETTLING, name, world, time);
}

/// The same after so many frames.
fn check_after(settling: usize, name: &str, world: &mut (impl Model + Send), time: f64) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    // On the thread of the pool: to hand work to it from outside takes memory now and then.
    let found = pool.install(|| {
        let mut frame = || {
            world.advance(time).unwrap();
        };
        (0..settling).for_each(|_| frame());
        allocations(|| (0..COUNTED).for_each(|_| frame()))
    });
    assert_eq!(found, 0, "{name}: allocations in {COUNTED} frames");
}

#[test]
fn frames_of_flow_allocate_nothing() {
    for level in [flow::Physics::Pipes, flow::Physics::Inertial, flow::Physics::ShallowWater] {
        let lattice = Square::new(150, 130, 2.0, 2.0).unwrap();
        let bed = Field::from_fn(150, 130, |x, y| 0.05 * (x as f32 - 75.0).abs() + 0.01 * y as f32);
        let depth = bed.map(|&z| (1.5 - z).max(0.0));
        let params = flow::Params { level, friction: 0.1, ..flow::Params::default() };
        let mut flow = Flow::new(lattice, params, bed, depth).unwrap();
        flow.add_spring(flow::Source::new(Region::disc([150.0, 30.0], 8.0), 5.0)).unwrap();
        check(&format!("{level:?}"), &mut flow, 1.0 / 60.0);
    }
}

#[test]
fn frames_of_waves_allocate_nothing() {
    let lattice = Square::new(150, 130, 0.5, 0.5).unwrap();
    let mut waves = Waves::new(lattice, waves::Params::default()).unwrap();
    waves.drop([30.0, 20.0], 3.0, 0.1).unwrap();
    check("waves", &mut waves, 1.0 / 60.0);
}

#[test]
fn frames_of_blocks_allocate_nothing() {
    let map = "#~~~..#\n#~~~..#\n#~~~#.#\n#.....#\n#######";
    let mut blocks = Blocks::from_text(map, blocks::Params::default()).unwrap();
    blocks
        .add_spring(blocks::Spring {
            region: Region::rect([1.0, 0.0], [2.0, 1.0]),
            liquid: blocks::Liquid::Water,
            rate: 3,
        })
        .unwrap();
    check("blocks", &mut blocks, 1.0 / 8.0);
}

/// A world, what it is there for, and whether it still shows that at the end.
type Shown<W> = (&'static str, W, fn(&W) -> bool);

/// The greatest of a layer.
fn most(world: &impl Model, layer: &str) -> f32 {
    world.layer(layer).unwrap().min_max().unwrap().1
}

/// Boards on which all that a step of columns can do is done.
fn boards() -> Vec<Shown<Columns>> {
    use columns::{Anchor, Body, Edit, Heat, Heater, Motion, Params, Shape, Source, Weather, Wind};
    let raft = |x: f64, y: f64| {
        let shape = Shape::Box { center: [x, y], half: [1.2, 0.3] };
        Body { velocity: [0.5, 0.0], ..Body::new(shape, 700.0) }
    };
    let ball = |x: f64, y: f64| Body::new(Shape::Disc { center: [x, y], radius: 0.4 }, 300.0);
    // Up and down every two seconds.
    let swing = |low: f64, high: f64| {
        let point = |k: usize| [f64::from(k as u32), if k.is_multiple_of(2) { low } else { high }];
        Series::table((0..60).map(point).collect()).unwrap()
    };

    let basin = "#~~~..#\n#~~~..#\n#~~~..#\n#.....#\n#######";
    let heat = Some(Heat { water: Some(30.0), ..Heat::default() });
    let still = Columns::from_text(basin, 1.0, Params { heat, ..Params::default() }).unwrap();

    // Pools of more columns than a task takes.
    let coast =
        Field::from_fn(360, 14, |x, y| y > 11 || (y > 8 && x > 200 && x % 9 < 3) || x == 180);
    let anchors = [Anchor::level([3.0, 1.6]), Anchor::level([170.0, 1.6])];
    let params = Params { columns_per_cell: 14, wave_depth: 0.03, ..Params::default() };
    let mut sea = Columns::new(&coast, 0.5, &anchors, params).unwrap();
    sea.set_wind(Some(Wind { acceleration: swing(0.1, 0.3), ..Wind::default() })).unwrap();
    sea.edit(&Region::disc([60.0, 2.0], 4.0), Edit::Splash(0.4)).unwrap();
    for body in [raft(30.0, 1.5), ball(120.0, 1.0), ball(150.0, 1.0)] {
        sea.add_body(body).unwrap();
    }

    // A bell of air, and tubes that are joined twice.
    let mut tubes = Columns::from_text(
        ".........#....#..#.
         ~........#....#..#.
         ..######.#....#..#.
         ..#....#.#....#..#.
         ..#.o..#.#....#..#.
         ..#....#.####.##.##
         ...................
         ###########.######.
         ###########.######.
         ###########........
         ###################",
        0.5,
        Params::default(),
    )
    .unwrap();
    tubes.add_spring(Source::new(Region::disc([0.5, 1.0], 0.5), swing(0.0, 0.4))).unwrap();
    tubes.add_drain(Source::new(Region::disc([6.0, 1.0], 0.5), 0.2)).unwrap();
    tubes.add_body(ball(4.0, 0.4)).unwrap();

    // A spring that drips now and then, so that pools fall asleep and wake.
    let mut naps = Columns::from_text(
        "#...#...##..#
         #...#...##~~#
         #~~.#...##..#
         #.......##..#
         #...#...##..#
         #############",
        0.5,
        Params { sleep_speed: 0.3, sleep_height: 0.3, ..Params::default() },
    )
    .unwrap();
    let drip = |k: usize| {
        let start = 0.35 + 1.6 * k as f64;
        [[start, 0.0], [start + 0.03, 0.2], [start + 0.06, 0.0]]
    };
    let drips = Series::table((0..20).flat_map(drip).collect()).unwrap();
    naps.add_spring(Source::new(Region::disc([0.9, 0.5], 0.3), drips)).unwrap();

    let springs = Params { motion: Motion::Springs, columns_per_cell: 4, ..Params::default() };
    let level = |k: usize| Anchor::level([2.0 * k as f64, 0.4 * k as f64]);
    let anchors: Vec<_> = (0..10).map(level).collect();
    let mut swings = Columns::new(&caves(60, 40, 4), 0.5, &anchors, springs).unwrap();
    swings.set_wind(Some(Wind { acceleration: 0.5.into(), ..Wind::default() })).unwrap();
    for k in 0..4 {
        swings.add_body(ball(4.0 + 5.0 * f64::from(k), 2.0)).unwrap();
    }

    let thermal = |air: Series, water: f64, pace: f64| {
        let heat = Some(Heat { air: air.at(0.0), water: Some(water), pace, ..Heat::default() });
        let mut world = busy(40, 30, 5, Params { heat, wave_depth: 0.5, ..Params::default() });
        let weather = Weather { air: Some(air), ..world.weather().clone() };
        world.set_weather(weather).unwrap();
        for (x, power) in [(3.0, Series::from(2e4)), (12.0, swing(0.0, 1e5))] {
            let place = Region::rect([x, 2.0], [x + 5.0, 13.0]);
            world.add_heater(Heater::new(place, power)).unwrap();
        }
        world
    };

    let mut all: Vec<Shown<Columns>> = vec![
        ("still water", still, |board| board.awake() == 0),
        ("a sea", sea, |board| board.column_width() < 0.04 && most(board, "velocity") > 0.5),
        ("ceilings", tubes, |board| board.bubbles() == 1 && board.awake() > 2),
        ("naps", naps, |board| board.awake() == 0),
        ("springs", swings, |board| board.awake() > 0 && board.bodies().len() == 4),
        ("ice", thermal((-40.0).into(), 3.0, 1e4), |board| board.ice_volume() > 0.5),
        ("a boil", thermal(150.0.into(), 95.0, 300.0), |board| most(board, "temperature") > 99.0),
        ("seasons", thermal(swing(-30.0, 40.0), 2.0, 1e4), |board| board.awake() > 50),
    ];
    for (seed, columns_per_cell) in [(2, 1), (3, 2), (8, 3)] {
        let params = Params { wave_depth: 0.5, columns_per_cell, ..Params::default() };
        let caves = busy(70, 40, seed, params);
        all.push(("caves", caves, |board| board.awake() > 5 && most(board, "velocity") > 0.5));
    }
    all
}

#[test]
fn frames_of_columns_allocate_nothing() {
    for (name, mut board, shows) in boards() {
        check_after(400, &format!("columns: {name}"), &mut board, 1.0 / 60.0);
        assert!(shows(&board), "columns: {name}");
    }
}

/// Cells under water.
fn wet(land: &Hydrology) -> usize {
    let depth = land.layer("depth").unwrap();
    depth.as_slice().iter().filter(|&&depth| depth > 0.0).count()
}

/// Lands on which all that a step of hydrology can do is done.
fn lands() -> Vec<Shown<Hydrology>> {
    use hydrology::{EdgeKind, Edges, Inflow, Params, Strata, Wind};
    let land = |params| {
        let lattice = Square::new(60, 50, 1.0, 1.0).unwrap();
        Hydrology::new(lattice, params, &noise(60, 50, 3)).unwrap()
    };
    let open = land(Params::default());
    let mut rivers = open.clone();
    for (position, catchment) in [([20.0, 1.0], 900.0), ([40.0, 30.0], 2000.0)] {
        rivers.add_spring(Inflow { position, catchment }).unwrap();
    }
    let mut windy = open.clone();
    windy.set_winds(&[Wind::default(), Wind { towards: [-0.4, 1.0], ..Wind::default() }]).unwrap();
    let edges = Edges { west: EdgeKind::Sea, south: EdgeKind::Sea, ..Edges::all(EdgeKind::Wall) };
    let coast = land(Params { edges, sea: 5.0, ..Params::default() });
    // Rock that is hardly worn, so that lakes stay.
    let lakes = land(Params { rock: 0.01, weathering: 0.0, ..Params::default() });
    let basin = Params { edges: Edges::all(EdgeKind::Wall), evaporation: 3.0, ..Params::default() };
    let slides = land(Params {
        strata: Some(Strata { thickness: 2.0, dip: [0.1, 0.0], ..Strata::default() }),
        soil: 4.0,
        repose: 0.1,
        creep: 0.5,
        weathering: 0.2,
        ..Params::default()
    });
    let bare = land(Params { plants: Vec::new(), ..Params::default() });
    vec![
        ("open land", open, |land| most(land, "vegetation") > 1.0),
        ("rivers from outside", rivers, |land| land.springs().len() == 2),
        ("rain that winds bring", windy, |land| land.rain_map().is_some()),
        ("a coast", coast, |land| (300..2700).contains(&wet(land))),
        ("lakes", lakes, |land| land.lakes().iter().filter(|lake| lake.full).count() > 1),
        ("a basin without a way out", land(basin), |land| (100..2700).contains(&wet(land))),
        ("strata and slides", slides, |land| most(land, "vegetation") > 1.0),
        ("bare land", bare, |land| most(land, "plant") == 0.0),
    ]
}

#[test]
fn frames_of_hydrology_allocate_nothing() {
    for (name, mut land, shows) in lands() {
        check_after(800, &format!("hydrology: {name}"), &mut land, 0.02);
        assert!(shows(&land), "hydrology: {name}");
    }
}
