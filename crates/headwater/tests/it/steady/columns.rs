//! Tests that frames of a game with a [`Columns`] world allocate no memory.

use super::{TestWorld, check_frames_after_warm_up, layer_maximum};
use crate::support::columns::{busy_world, caves};
use headwater::columns::{self, Columns};
use headwater::{Field, Region, Series};

fn test_worlds() -> Vec<TestWorld<Columns>> {
    use columns::{Anchor, Body, Edit, Heat, Heater, Motion, Params, Shape, Source, Weather, Wind};
    let raft = |x: f64, y: f64| {
        let shape = Shape::Box { center: [x, y], half: [1.2, 0.3] };
        Body { velocity: [0.5, 0.0], ..Body::new(shape, 700.0) }
    };
    let ball = |x: f64, y: f64| Body::new(Shape::Disc { center: [x, y], radius: 0.4 }, 300.0);
    let swing = |low: f64, high: f64| {
        let point = |k: usize| [f64::from(k as u32), if k.is_multiple_of(2) { low } else { high }];
        Series::from_table((0..60).map(point).collect()).unwrap()
    };

    let basin = "#~~~..#\n#~~~..#\n#~~~..#\n#.....#\n#######";
    let heat = Some(Heat { water: Some(30.0), ..Heat::default() });
    let still = Columns::from_text(basin, 1.0, Params { heat, ..Params::default() }).unwrap();

    let coast =
        Field::from_fn(360, 14, |x, y| y > 11 || (y > 8 && x > 200 && x % 9 < 3) || x == 180);
    let anchors = [Anchor::new_level([3.0, 1.6]), Anchor::new_level([170.0, 1.6])];
    let params = Params { columns_per_cell: 14, wave_depth: 0.03, ..Params::default() };
    let mut sea = Columns::new(&coast, 0.5, &anchors, params).unwrap();
    sea.set_wind(Some(Wind { acceleration: swing(0.1, 0.3), ..Wind::default() })).unwrap();
    sea.edit(&Region::disc([60.0, 2.0], 4.0), Edit::Splash(0.4)).unwrap();
    for body in [raft(30.0, 1.5), ball(120.0, 1.0), ball(150.0, 1.0)] {
        sea.add_body(body).unwrap();
    }

    // A diving bell, and tubes with two connections.
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

    // The spring is intermittent, so that pools fall asleep and wake.
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
    let drips = Series::from_table((0..20).flat_map(drip).collect()).unwrap();
    naps.add_spring(Source::new(Region::disc([0.9, 0.5], 0.3), drips)).unwrap();

    let springs = Params { motion: Motion::Springs, columns_per_cell: 4, ..Params::default() };
    let level = |k: usize| Anchor::new_level([2.0 * k as f64, 0.4 * k as f64]);
    let anchors: Vec<_> = (0..10).map(level).collect();
    let mut swings = Columns::new(&caves(60, 40, 4), 0.5, &anchors, springs).unwrap();
    swings.set_wind(Some(Wind { acceleration: 0.5.into(), ..Wind::default() })).unwrap();
    for k in 0..28 {
        if swings.bodies().len() < 4 {
            let _ = swings.add_body(ball(1.0 + f64::from(k), 2.0));
        }
    }

    let thermal = |air: Series, water: f64, pace: f64| {
        let heat =
            Some(Heat { air: air.value_at(0.0), water: Some(water), pace, ..Heat::default() });
        let mut world = busy_world(
            40,
            30,
            5,
            Params { heat, wave_depth: 0.5, damping: 0.05, ..Params::default() },
        );
        let weather = Weather { air: Some(air), ..world.weather().clone() };
        world.set_weather(weather).unwrap();
        for (x, power) in [(3.0, Series::from(2e4)), (12.0, swing(0.0, 1e5))] {
            let place = Region::rect([x, 2.0], [x + 5.0, 13.0]);
            world.add_heater(Heater::new(place, power)).unwrap();
        }
        world
    };

    let mut all: Vec<TestWorld<Columns>> = vec![
        ("still water", still, |board| board.awake_pool_count() == 0),
        ("a sea", sea, |board| {
            board.column_width() < 0.04 && layer_maximum(board, "velocity") > 0.5
        }),
        ("ceilings", tubes, |board| board.bubble_count() == 1 && board.awake_pool_count() > 2),
        ("naps", naps, |board| board.awake_pool_count() == 0),
        ("springs", swings, |board| board.awake_pool_count() > 0 && board.bodies().len() == 4),
        ("ice", thermal((-40.0).into(), 3.0, 1e4), |board| board.ice_volume() > 0.5),
        ("a boil", thermal(150.0.into(), 95.0, 300.0), |board| {
            layer_maximum(board, "temperature") > 99.0
        }),
        ("seasons", thermal(swing(-30.0, 40.0), 2.0, 1e4), |board| board.awake_pool_count() > 50),
    ];
    for (seed, columns_per_cell) in [(2, 1), (3, 2), (8, 3)] {
        let params = Params { wave_depth: 0.5, columns_per_cell, ..Params::default() };
        let caves = busy_world(70, 40, seed, params);
        all.push(("caves", caves, |board| {
            board.awake_pool_count() > 5 && layer_maximum(board, "velocity") > 0.5
        }));
    }
    all
}

#[test]
fn frames_of_columns_do_not_allocate() {
    for (name, mut board, shows) in test_worlds() {
        check_frames_after_warm_up(440, &format!("columns: {name}"), &mut board, 1.0 / 60.0);
        assert!(shows(&board), "columns: {name}");
    }
}
