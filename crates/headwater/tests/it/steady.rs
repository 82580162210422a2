//! What is done in every frame of a game allocates nothing once a world has been stepped for a while.

use crate::support::allocations::allocations;
use crate::support::hydrology::noise;
use headwater::blocks::{self, Blocks};
use headwater::columns::{self, Columns};
use headwater::flow::{self, Flow};
use headwater::hydrology::{self, Hydrology};
use headwater::waves::{self, Waves};
use headwater::{Field, Model, Region, Square};

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
        Hydrology::new(lattice, hydrology::Params::default(), &noise(90, 70, 3)).unwrap();
    check("hydrology", &mut land, 0.02);
}
