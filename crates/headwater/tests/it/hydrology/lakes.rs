//! Tests of lakes in hydrology: their extent, their levels and their outlets.

use crate::support::hydrology::{new_land, noise};
use headwater::hydrology::reference::FloodModel;
use headwater::hydrology::{EdgeKind, Edges, Hydrology, Inflow, Params, Substance};
use headwater::{Cause, Field};

fn world(bed: &Field<f32>, edges: Edges, sea: f64) -> Hydrology {
    new_land(bed, Params { edges, sea, ..Params::default() })
}

fn max_depth_difference(world: &Hydrology, flood: &FloodModel) -> f64 {
    let (ours, theirs) = (world.layer("depth").unwrap(), flood.depth());
    let pairs = ours.as_slice().iter().zip(theirs.as_slice());
    pairs.map(|(&a, b)| (f64::from(a) - b).abs()).fold(0.0, f64::max)
}

#[test]
fn lakes_match_a_reference_flood_fill() {
    let mut standing = 0.0;
    let mut left = 0.0;
    for seed in 0..20 {
        let (nx, ny) = (48, 37);
        use EdgeKind::{Open, Sea, Wall};
        let pairs = [[Open, Wall], [Wall, Sea], [Sea, Wall], [Open, Open], [Sea, Sea]];
        let [others, north] = pairs[seed as usize % 5];
        let edges = Edges { north, ..Edges::uniform(others) };
        let bed = noise(nx, ny, seed);
        let sea = if seed % 2 == 0 { 2.0 } else { -50.0 };
        let (mut ours, mut flood) = (world(&bed, edges, sea), FloodModel::new(&bed, edges, sea));
        for k in 0..60 {
            let (x, y) = ((7 * k + seed as usize) % nx, (11 * k + 3) % ny);
            let depth = 0.5 * (1 + k % 9) as f64;
            ours.pour([x as f64 + 0.5, y as f64 + 0.5], depth).unwrap();
            flood.pour(x, y, depth);
        }
        assert!(
            max_depth_difference(&ours, &flood) < 1e-4,
            "seed {seed}: {} m apart",
            max_depth_difference(&ours, &flood)
        );
        let balance = ours.balance(Substance::Water);
        assert_eq!(balance.residual, 0);
        let balance = balance.scaled(ours.quantum());
        let gone = balance.ledger.outflow(Cause::Boundary);
        assert!((gone - flood.outflow()).abs() < 1e-3, "seed {seed}: {gone} {}", flood.outflow());
        standing += balance.now;
        left += gone;
    }
    assert!(standing > 100.0 && left > 100.0, "both happen: {standing} {left}");
}

#[test]
fn a_basin_drains_over_an_open_edge_but_not_over_a_wall() {
    let bed = Field::from_fn(21, 15, |x, _| if x < 18 { 0.0 } else { x as f32 - 17.0 });
    for (kind, level) in [(EdgeKind::Open, 3.0), (EdgeKind::Wall, 10.0)] {
        let edges = Edges { east: kind, ..Edges::uniform(EdgeKind::Wall) };
        let mut world = world(&bed, edges, 0.0);
        let volume: f32 = bed.as_slice().iter().map(|z| 10.0 - z).sum();
        world.pour([3.0, 3.0], volume.into()).unwrap();
        let lake = world.lake_at([3.0, 3.0]).unwrap();
        assert!((lake.level - level).abs() < 1e-5, "{kind:?}: {lake:?}");
        assert_eq!(lake.is_full, kind == EdgeKind::Open);
    }
}

#[test]
fn the_sea_floods_all_connected_cells_to_its_level() {
    // A bay, a lagoon behind a bar below sea level, and a hollow behind a bar above sea level.
    let bar = |x: usize| match x {
        0..=10 => -3.0,
        11 => -0.5,
        12..=20 => -4.0,
        21 => 1.5,
        22..=30 => -6.0,
        _ => 5.0,
    };
    let bed = Field::from_fn(40, 9, |x, y| if (1..8).contains(&y) { bar(x) } else { 6.0 });
    let edges = Edges { west: EdgeKind::Sea, ..Edges::uniform(EdgeKind::Open) };
    let mut world = world(&bed, edges, 1.0);
    let depth = world.layer("depth").unwrap();
    assert_eq!([depth[(3, 4)], depth[(11, 4)], depth[(15, 4)]], [4.0, 1.5, 5.0]);
    assert_eq!([depth[(21, 4)], depth[(25, 4)], depth[(35, 4)]], [0.0; 3]);
    // Water that reaches the sea leaves the grid. The hollow fills up to its bar.
    world.pour([5.0, 4.0], 100.0).unwrap();
    world.pour([25.0, 4.0], 1000.0).unwrap();
    assert!((world.lake_at([25.5, 4.5]).unwrap().level - 1.5).abs() < 1e-5);
    let balance = world.balance(Substance::Water);
    let lake = balance.scaled(world.quantum()).now;
    assert!((lake - 9.0 * 7.0 * 7.5).abs() < 1e-3, "{lake}");
    assert_eq!(balance.residual, 0);
}

/// Returns terrain with two hollows, 4 m deep in the west and 2 m deep in the east. The saddle
/// between the hollows is 1 m below the rim.
fn terrain_with_hollows() -> Field<f32> {
    Field::from_fn(24, 10, |x, y| match (x, y) {
        (2..=9, 2..=7) => -5.0,
        (12..=21, 2..=7) => -3.0,
        (1..=22, 1..=8) => -1.0,
        _ => 0.0,
    })
}

#[test]
fn nested_lakes_spill_and_merge() {
    let mut world = world(&terrain_with_hollows(), Edges::default(), 0.0);
    let (west, east) = ([5.5, 5.5], [15.5, 5.5]);
    let level = |world: &Hydrology, place| world.lake_at(place).map(|lake| lake.level);
    let near = |found: Option<f64>, level: f64| found.is_some_and(|l| (l - level).abs() < 1e-5);
    // Fill 48 cells up to the saddle, 4 m deep. The excess flows east.
    world.pour(west, 48.0 * 3.0).unwrap();
    assert!(near(level(&world, west), -2.0) && level(&world, east).is_none());
    world.pour(west, 48.0 + 60.0).unwrap();
    assert!(near(level(&world, west), -1.0) && near(level(&world, east), -2.0));
    assert_eq!(world.lakes().len(), 2);
    world.pour(west, 60.0 + 22.0 * 8.0 * 0.5).unwrap();
    assert!(near(level(&world, west), -0.5) && near(level(&world, east), -0.5));
    assert_eq!(world.lakes().len(), 1, "{:?}", world.lakes());
    world.pour(east, 1e4).unwrap();
    assert!(near(level(&world, [1.5, 1.5]), 0.0) && world.lakes()[0].is_full);
}

#[test]
fn a_lake_that_falls_below_its_saddle_splits() {
    let edges = Edges::uniform(EdgeKind::Wall);
    let bare = Params { capacity: 0.0, creep: 0.0, plants: Vec::new(), ..Params::default() };
    let params = Params { edges, evaporation: 60.0, drop: 0.01, weathering: 0.0, ..bare };
    let mut world = new_land(&terrain_with_hollows(), params);
    world.pour([5.5, 5.5], 48.0 * 4.0 + 60.0 * 2.0 + 100.0).unwrap();
    assert_eq!(world.lakes().len(), 1);
    let before = world.balance(Substance::Water).now;
    while world.lakes().len() < 2 {
        world.step();
        assert!(world.drops() < 10_000);
    }
    let [west, east] = [[5.5, 5.5], [15.5, 5.5]].map(|place| world.lake_at(place).unwrap());
    assert!(west.level < -1.0 && east.level < -1.0);
    let balance = world.balance(Substance::Water);
    assert!(balance.now < before);
    assert_eq!(balance.residual, 0);
}

#[test]
fn lake_levels_are_continuous_at_the_outlet() {
    let mut world = world(&terrain_with_hollows(), Edges::default(), 0.0);
    let mut last = f64::NEG_INFINITY;
    for _ in 0..1200 {
        world.pour([5.5, 5.5], 0.5).unwrap();
        let level = world.lake_at([5.5, 5.5]).unwrap().level;
        let jump = level - last;
        assert!(jump >= 0.0 && (jump < 0.02 || last == f64::NEG_INFINITY), "{last} to {level}");
        last = level;
    }
    assert_eq!(last, 0.0);
}

#[test]
fn layers_show_lakes_after_every_step() {
    // Regression test: half of the rain was missing from results until full lakes overflowed.
    for (seed, evaporation) in [(1, 0.0), (2, 0.3), (3, 2.0)] {
        let bed = noise(96, 80, seed);
        let params = Params { seed, evaporation, ..Params::default() };
        let mut world = new_land(&bed, params);
        let mut held = 0.0;
        for _ in 0..80 {
            world.step();
            let now = world.balance(Substance::Water).now as f64 * world.quantum();
            let seen = world.layer("depth").unwrap().sum();
            // A remainder of less than one volume unit per cell is added on top of the lake.
            let tolerance = 96.0 * 80.0 * world.quantum();
            assert!(
                (now - seen).abs() <= tolerance + 1e-6 * seen,
                "{seed}: {now} m³, {seen} m³ seen"
            );
            held += now;
        }
        assert!(held > 0.0, "{seed}");
    }
}

#[test]
fn a_river_passes_a_chain_of_lakes_in_one_step() {
    // Twelve hollows down a slope, the first one below a river. All of them are filled by rain
    // first.
    let bed = Field::from_fn(120, 9, |x, y| {
        let (x, y) = (x as f32, y as f32);
        let hollow = ((x % 10.0) - 5.0).powi(2) + (y - 4.0).powi(2);
        50.0 - 0.3 * x + 2.0 * (y - 4.0).abs() - 4.0 * (-hollow / 4.0).exp()
    });
    let params = Params { drying: 0.0, capacity: 0.0, creep: 0.0, ..Params::default() };
    let bare = Params { plants: Vec::new(), evaporation: 0.2, rock_repose: 100.0, ..params };
    let mut world = new_land(&bed, bare);
    world.add_spring(Inflow { position: [0.5, 4.5], catchment: 20_000.0 }).unwrap();
    world.rain(20_000);
    assert!(world.lakes().iter().filter(|lake| lake.is_full).count() >= 10, "{:?}", world.lakes());
    let gone = |world: &Hydrology| -world.ledger(Substance::Water).net_inflow(Cause::Boundary);
    let come = |world: &Hydrology| {
        let ledger = world.ledger(Substance::Water);
        ledger.inflow(Cause::Rain) + ledger.inflow(Cause::Source)
    };
    let (gone_before, come_before) = (gone(&world), come(&world));
    world.step();
    let (gone, come) = (gone(&world) - gone_before, come(&world) - come_before);
    assert!(20 * gone > 19 * come, "{gone} of {come} quanta have left");
}
