//! Tests of the motion of water in columns: rest, flow, filling, decay of waves, and escape of air.

use crate::support::columns::{advance_by, head_at, level_at};
use headwater::columns::{Bounds, Columns, Edit, Motion, Params, Shape, Source, Weather, Wind};
use headwater::{Id, Region};

fn world(map: &str, params: Params) -> Columns {
    Columns::from_text(map, 0.5, params).unwrap()
}

const CAVES: &str = "
    ........................
    ~.......................
    ........................
    ......#########.........
    ......#.......#.........
    ......#.###...#.........
    ......#.#.#...###.......
    ........#..........##...
    ##......#.......#..##...
    ########################";

#[test]
fn a_lake_over_caves_and_a_closed_dome_stays_at_rest() {
    let mut lake = world(CAVES, Params { sleep_speed: 0.0, ..Params::default() });
    assert!(lake.ignored_anchors().is_empty());
    let before = lake.layer("head").unwrap();
    lake.step_many(2000);
    let velocity = lake.layer("velocity").unwrap().min_max().unwrap();
    assert!(velocity.0.abs().max(velocity.1) < 1e-5, "{velocity:?}");
    let after = lake.layer("head").unwrap();
    for (a, b) in before.as_slice().iter().zip(after.as_slice()) {
        // A surface at the border of two cells may be reported in either cell.
        assert!((a - b).abs() < 1e-5 || *a == 0.0, "{a} {b}");
    }
    // Counter-check: a disturbance moves the water and the head in the dome.
    lake.edit(&Region::disc([1.0, 1.0], 0.6), Edit::Splash(0.4)).unwrap();
    lake.step_many(60);
    assert!((head_at(&lake, [5.0, 2.2]).unwrap() - 4.5).abs() > 1e-4);
}

#[test]
fn a_spring_fills_a_chain_of_basins() {
    let map = "
        ............................
        ............................
        #......#...................#
        #......#...................#
        #......#..........####.#####
        #......#..........#........#
        #......#######..###........#
        #......................#####
        ############################";
    let mut caves = world(map, Params::default());
    let spring = Source::new(Region::disc([2.0, 1.0], 0.8), 1.0);
    caves.add_spring(spring).unwrap();
    let at = |world: &Columns, x: f64, y: f64| head_at(world, [x, y]).unwrap_or(0.0);
    advance_by(&mut caves, 30.0);
    assert!((caves.volume() - 30.0).abs() < 1e-6, "{}", caves.volume());
    let heads = [at(&caves, 1.0, 3.7), at(&caves, 5.0, 3.7), at(&caves, 13.0, 2.7)];
    assert!(heads.iter().all(|head| (head - heads[0]).abs() < 0.3), "one water: {heads:?}");
    assert!(level_at(&caves, [13.0, 2.7]).unwrap() == 2.0, "the chamber is full to its ceiling");
    caves.set_spring_rate(Id::new(0), 0.0).unwrap();
    caves.add_drain(Source::new(Region::disc([2.0, 1.0], 0.8), 0.5)).unwrap();
    advance_by(&mut caves, 30.0);
    assert!(caves.volume() < 16.0);
    assert_eq!(caves.balance().residual, 0.0);
}

#[test]
fn short_gusts_move_the_water() {
    let lake = world(CAVES, Params::default());
    for length in [1e-9, 1e-6, 1e-3] {
        let mut windy = lake.clone();
        windy.set_wind(Some(Wind { length, gusts: 10.0, ..Wind::default() })).unwrap();
        let mut still = lake.clone();
        for _ in 0..20 {
            windy.step();
            still.step();
        }
        assert_ne!(windy.state_hash(), still.state_hash(), "{length}");
        assert_eq!(windy.balance().residual, 0.0, "{length}");
    }
}

#[test]
fn waves_decay_and_pools_sleep_until_disturbed() {
    for motion in [Motion::Discharge, Motion::Springs] {
        let damping = if motion == Motion::Springs { 1.5 } else { 0.3 };
        let air = ".".repeat(30);
        let map = format!("#{air}#\n#~{}#\n#{air}#\n#{air}#\n{}", &air[1..], "#".repeat(32));
        let mut pool = world(&map, Params { motion, damping, ..Params::default() });
        let rest = level_at(&pool, [3.0, 1.0]).unwrap();
        let drop = Region::disc([5.0, 1.0], 0.8);
        pool.edit(&drop, Edit::Splash(0.3)).unwrap();
        let mut away = 0.0_f64;
        for _ in 0..60 * 60 {
            pool.step();
            away = away.max((level_at(&pool, [12.0, 1.0]).unwrap() - rest).abs());
        }
        assert!(away > 0.01, "{motion:?}: the wave gets to the other end: {away}");
        assert_eq!(pool.awake_pool_count(), 0, "{motion:?}");
        let hash = pool.state_hash();
        pool.edit(&drop, Edit::Splash(0.3)).unwrap();
        assert_eq!(pool.awake_pool_count(), 1, "{motion:?}");
        assert_ne!(pool.state_hash(), hash);
    }
}

#[test]
fn a_drained_diving_bell_loses_its_air() {
    let map = "
        ............
        ~...........
        ...######...
        ...#....#...
        ...#.o..#...
        ...#....#...
        ............
        ############";
    let mut bell = world(map, Params::default());
    assert_eq!(bell.bubble_count(), 1);
    bell.add_drain(Source::new(Region::disc([0.5, 3.0], 0.6), 0.3)).unwrap();
    advance_by(&mut bell, 60.0);
    assert_eq!(bell.bubble_count(), 0, "the air has got out under the rim");
    assert_eq!(bell.balance().residual, 0.0);
}

#[test]
fn queries_report_the_immersion_of_a_body() {
    let pool =
        world("#........#\n#~.......#\n#........#\n#........#\n##########", Params::default());
    let half = Shape::Box { center: [2.0, 0.5], half: [0.5, 0.25] };
    let found = pool.submersion(&half).unwrap();
    assert!((found.area - 0.25).abs() < 1e-9, "{found:?}");
    let (center, surface) = (found.center.unwrap(), found.surface.unwrap());
    assert!((center[1] - 0.625).abs() < 1e-9 && (surface - 0.5).abs() < 1e-9);
    let disc = Shape::Disc { center: [2.5, 1.25], radius: 0.5 };
    let area = pool.submersion(&disc).unwrap().area;
    assert!((area / (0.25 * std::f64::consts::PI) - 1.0).abs() < 0.2, "{area}");
    assert_eq!(
        pool.submersion(&Shape::Disc { center: [2.0, 0.2], radius: 0.1 }).unwrap().area,
        0.0
    );
    assert!(pool.submersion(&Shape::Disc { center: [2.0, 0.2], radius: -1.0 }).is_err());
    assert!(pool.is_under_water([2.0, 0.6]) && !pool.is_under_water([2.0, 0.4]));
    let bounds = pool.pool_bounds(0).unwrap();
    assert_eq!(bounds, Bounds { min: [0.5, 0.5], max: [4.5, 2.0] });
    let [outline] = &pool.outlines(0)[..] else { panic!("one water, one outline") };
    assert_eq!(outline.points.len(), outline.foam.len());
    assert_eq!((outline.points[0], outline.points[1]), ([0.5, 0.5], [0.5, 2.0]));
    assert_eq!(outline.points[outline.points.len() - 1], [4.5, 2.0]);
}

#[test]
fn invalid_calls_are_rejected_with_the_allowed_range() {
    let mut pool = world("#~..#\n#...#\n#####", Params::default());
    let everywhere = Region::Everywhere;
    let error = pool.edit(&everywhere, Edit::Pour(-1.0)).unwrap_err().to_string();
    assert_eq!(error, "an amount to pour: found -1, allowed is 0 to 1e9 m³");
    let error = pool.edit(&Region::disc([0.1, 0.1], 0.1), Edit::Pour(1.0)).unwrap_err();
    assert_eq!((&*error.what, &*error.found), ("a region", "no column of the world"));
    let error = pool.set_spring_rate(Id::new(3), 1.0).unwrap_err().to_string();
    assert_eq!(error, "a spring: found the id 3, allowed is no id: there is none");
    let error = pool.set_weather(Weather { rain: 2e5.into(), ..Weather::default() }).unwrap_err();
    assert_eq!(error.to_string(), "rain: found 200000, allowed is 0 to 100000 mm/h");
    let mut springs =
        world("#~..#\n#...#\n#####", Params { motion: Motion::Springs, ..Params::default() });
    let error = springs.edit(&everywhere, Edit::Pour(1.0)).unwrap_err().to_string();
    assert!(error.starts_with("pouring: found `motion` \"springs\""), "{error}");
}
