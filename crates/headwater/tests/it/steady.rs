//! What is done in every frame of a game allocates nothing once a world has been stepped for a while.

use crate::support::allocations::allocations;
use crate::support::flow::{WORLDS, bounded, busy, join};
use crate::support::hydrology::noise as hills;
use crate::support::pools::{Cells, noise, pools};
use headwater::blocks::{self, Blocks};
use headwater::columns::{self, Columns};
use headwater::flow::{self, Flow};
use headwater::hydrology::{self, Hydrology};
use headwater::waves::{self, Waves};
use headwater::{Brush, Field, Model, Region, Square};

/// Frames until a world has all the room that it needs.
const SETTLING: usize = 200;

/// Frames that are counted.
const COUNTED: usize = 100;

/// Frames of `time` each of a world, on one thread, of which the later ones must not allocate.
fn check(name: &str, world: &mut (impl Model + Send), time: f64) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    // On the thread of the pool: to hand work to it from outside takes memory now and then.
    let found = pool.install(|| {
        let mut frame = || {
            world.advance(time).unwrap();
        };
        (0..SETTLING).for_each(|_| frame());
        allocations(|| (0..COUNTED).for_each(|_| frame()))
    });
    assert_eq!(found, 0, "{name}: allocations in {COUNTED} frames");
}

/// Worlds of water over terrain, and how long their frames are (s).
fn flows(world: (Cells, flow::Physics)) -> [(&'static str, Flow, f64); 4] {
    const FRAME: f64 = 1.0 / 60.0;
    let mut calm = Flow::new(
        *pools(world, 150, 130, 5, 0.0).lattice(),
        flow::Params { level: world.1, friction: 0.1, ..flow::Params::default() },
        Field::from_fn(150, 130, |x, y| 0.05 * (x as f32 - 75.0).abs() + 0.01 * y as f32),
        Field::new(150, 130, 0.0),
    )
    .unwrap();
    calm.add_spring(flow::Source::new(Region::disc([150.0, 30.0], 8.0), 5.0)).unwrap();
    // Bodies, tracers, structures, rain, soil, springs and drains, rough ground, houses, all kinds of open edges.
    let mut busy = busy(world, 150, 130, 5, 0.1);
    busy.set_roughness(Some(Field::from_fn(150, 130, |x, y| 0.1 * noise(x, y, 3)))).unwrap();
    for (x, y) in [(40.0, 80.0), (60.0, 120.0), (64.0, 124.0)] {
        busy.add_body(flow::Body::disc([x, y], 3.0, 2000.0, 1.0)).unwrap();
        let log = flow::Body::rect([x + 20.0, y], [9.0, 2.0], 0.7, 2000.0, 1.0);
        busy.add_body(log).unwrap();
    }
    // Here pipes take several steps in a pass.
    let shore = bounded(world, 150, 130, 6, 0.1);
    let mut endless = pools(world, 150, 130, 7, 0.0);
    join(&mut endless, true, true);
    let [of_shore, of_endless] = [&shore, &endless].map(|flow| 5.5 * flow.stable_dt());
    [
        ("a spring on a slope", calm, FRAME),
        ("all at once", busy, FRAME),
        ("a shore", shore, of_shore),
        ("without an end", endless, of_endless),
    ]
}

#[test]
fn frames_of_flow_allocate_nothing() {
    for world in WORLDS {
        for (name, mut flow, frame) in flows(world) {
            check(&format!("{name}: {world:?}"), &mut flow, frame);
        }
    }
}

/// A pond with waves on it.
fn pond(edges: waves::Edges, dispersion: bool) -> Waves {
    let lattice = Square::new(150, 130, 0.5, 0.5).unwrap();
    let params = waves::Params { absorbing_cells: 7, dispersion, edges, ..Default::default() };
    let mut waves = Waves::new(lattice, params).unwrap();
    let island = Region::disc([50.0, 40.0], 6.0);
    waves.edit(&Brush::flat(island), waves::Edit::Land).unwrap();
    waves.drop([30.0, 20.0], 3.0, 0.1).unwrap();
    waves
}

/// A drop on a still pond that has some sides of each of these kinds, and the same stirred by all that there is.
fn ponds(
    name: &'static str,
    across: waves::EdgeKind,
    along: waves::EdgeKind,
) -> [(String, Waves); 3] {
    let edges = waves::Edges { west: across, east: across, north: along, south: along };
    let stirred = |dispersion| {
        let mut waves = pond(edges, dispersion);
        waves
            .set_rain(Some(waves::Rain { rate: 0.05, radius: 1.2, depth: 0.01, seed: 1 }))
            .unwrap();
        waves.set_wind(Some(waves::Wind { head: 0.01, ..waves::Wind::default() })).unwrap();
        let disc = waves::Shape::Disc { radius: 1.5 };
        let oval = waves::Shape::Oval { half: [3.0, 1.0], heading: 0.4 };
        for (shape, velocity) in [(disc, [0.0; 2]), (oval, [0.5, 0.3])] {
            let body = waves::Body { velocity, ..waves::Body::new(shape, [30.0, 50.0], 0.1) };
            waves.add_body(body).unwrap();
        }
        waves
            .add_maker(waves::Maker { head: 0.05, to: [10.0, 60.0], ..waves::Maker::default() })
            .unwrap();
        let current = |v| Field::from_fn(150, 130, |x, y| v * noise(x / 9, y / 9, 4));
        waves.set_current(Some((current(0.4), current(-0.2)))).unwrap();
        waves
    };
    [
        (format!("a drop, {name}"), pond(edges, false)),
        (format!("stirred, {name}"), stirred(false)),
        (format!("stirred with dispersion, {name}"), stirred(true)),
    ]
}

#[test]
fn frames_of_waves_allocate_nothing() {
    use waves::EdgeKind::{Absorbing, Periodic, Pinned, Reflecting};
    let all = [
        ponds("walls and beaches", Reflecting, Absorbing),
        ponds("pinned and without an end", Pinned, Periodic),
        ponds("without an end", Periodic, Periodic),
    ];
    for (name, mut waves) in all.into_iter().flatten() {
        check(&name, &mut waves, 1.0 / 60.0);
        let seven_steps = 7.0 * waves.params().step;
        check(&name, &mut waves, seven_steps);
    }
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

#[test]
fn frames_of_columns_allocate_nothing() {
    let heat = Some(columns::Heat { water: Some(30.0), ..columns::Heat::default() });
    let params = columns::Params { heat, ..columns::Params::default() };
    let map = "#~~~..#\n#~~~..#\n#~~~..#\n#.....#\n#######";
    let mut columns = Columns::from_text(map, 1.0, params).unwrap();
    check("columns", &mut columns, 1.0 / 60.0);
}

#[test]
fn frames_of_hydrology_allocate_nothing() {
    let lattice = Square::new(90, 70, 10.0, 10.0).unwrap();
    let mut land =
        Hydrology::new(lattice, hydrology::Params::default(), &hills(90, 70, 3)).unwrap();
    check("hydrology", &mut land, 0.02);
}
