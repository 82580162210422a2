//! Tests that liquids in block worlds come to rest at equal levels and that their volume is
//! conserved.

use crate::support::blocks::{caves, check_rest, noise, rect, world};
use headwater::blocks::{Blocks, Cell, Drain, Edit, FULL, Liquid, Params, Spring};
use headwater::{Cause, Field};
use proptest::prelude::*;

fn world_from_map(map: &str) -> Blocks {
    Blocks::from_text(map, Params::default()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 9, ..ProptestConfig::default() })]

    #[test]
    fn worlds_without_springs_come_to_rest(
        nx in 1usize..120, ny in 1usize..120, seed in any::<u64>(), kinds in 1usize..4,
        trapped_air in any::<bool>(), film in 1u16..40
    ) {
        let params = Params { trapped_air, film, ..Params::default() };
        let mut world = world(&caves(nx, ny, seed, kinds), &params);
        check_rest(&mut world, 20_000);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn oil_and_water_reach_hydrostatic_balance(
        west in 1usize..8, east in 1usize..8, water in 4usize..40, oil in 0usize..30, pour in 0usize..8
    ) {
        let oil = oil.min(water.saturating_sub(8));
        let (ny, last) = (90, west + east + 2);
        let cells = Field::from_fn(last + 1, ny, |x, y| match (x, ny - 1 - y) {
            (x, row) if row == 0 || x == 0 || x == last => Cell::Wall,
            (_, 1..=2) => Cell::WATER,
            (x, _) if x == west + 1 => Cell::Wall,
            (_, row) if row <= water => Cell::WATER,
            (x, row) if x <= west && row <= water + oil => Cell::Liquid(Liquid::Oil, FULL),
            _ => Cell::Air,
        });
        let mut world = Blocks::new(&cells, Params::default()).unwrap();
        check_rest(&mut world, 4000);
        for (x, y) in (0..pour).flat_map(|y| (west + 2..last).map(move |x| (x, y))) {
            world.set(x, y, Cell::WATER).unwrap();
        }
        check_rest(&mut world, 4000);
        let weight = |x: &usize| {
            let of = |liquid: Liquid| {
                world.volume_in(liquid, *x, 0, 1, ny) * u64::from(liquid.density()) / 1000
            };
            of(Liquid::Oil) + of(Liquid::Water)
        };
        let weights: Vec<u64> = (1..last).filter(|x| *x != west + 1).map(|x| weight(&x)).collect();
        let (low, high) = (weights.iter().min().unwrap(), weights.iter().max().unwrap());
        prop_assert!(high - low <= u64::from(FULL), "{weights:?}");
    }

    /// Checks that a waterfall drains a lake to the level of its sill. A waterfall that reaches the
    /// water below acts as a pipe, so the level sinks further, until the waterfall detaches from
    /// the water below.
    #[test]
    fn a_waterfall_drains_a_lake_to_its_sill(
        lake_width in 2usize..60, wall_top in 1usize..9, fall_height in 3usize..70,
    ) {
        let (below, nx, ny) = (4, lake_width + 14, wall_top + fall_height + 8);
        let cells = Field::from_fn(nx, ny, |x, y| match (x, y) {
            (0, _) => Cell::Wall,
            (x, y) if x == nx - 1 || y == ny - 1 => Cell::Wall,
            (x, y) if x <= lake_width && y < wall_top + below => Cell::WATER,
            (x, y) if x <= lake_width + 1 && y >= wall_top => Cell::Wall,
            _ => Cell::Air,
        });
        let mut world = Blocks::new(&cells, Params::default()).unwrap();
        let limit = if fall_height < 40 { 0.65 } else { 0.3 };
        let mut steps = 0;
        while !world.is_asleep() {
            world.step();
            steps += 1;
            let lake = world.volume_in(Liquid::Water, 1, 0, lake_width, wall_top + below);
            let missing = below as f64 - lake as f64 / f64::from(FULL) / lake_width as f64;
            prop_assert!(missing < limit, "{missing} after {steps} steps\n{}", world.to_text());
        }
        prop_assert!(steps > wall_top);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn a_stream_flows_steadily_over_an_edge(
        lake_width in 3usize..30, ledge_width in 3usize..12, rate in 20u16..160,
    ) {
        let (ny, nx) = (14, lake_width + ledge_width + 8);
        let cells = Field::from_fn(nx, ny, |x, y| match y {
            13 => Cell::Wall,
            6.. if x == 0 || x <= lake_width + ledge_width && (y > 7 || x > lake_width) => {
                Cell::Wall
            }
            _ if x == 0 => Cell::Wall,
            _ => Cell::Air,
        });
        let mut world = Blocks::new(&cells, Params::default()).unwrap();
        world.add_spring(Spring { region: rect(1, 5, 1, 1), liquid: Liquid::Water, rate }).unwrap();
        let region = rect(lake_width + ledge_width + 1, 12, 7, 1);
        world.add_drain(Drain { region, rate: 256 }).unwrap();
        world.step_many(1500);
        let edge = lake_width + ledge_width + 1;
        for _ in 0..40 {
            world.step();
            let falls: Vec<u16> = (7..10).map(|y| world.fill_at(edge, y).unwrap()).collect();
            let even = falls.iter().all(|fill| fill.abs_diff(rate) <= rate / 4 + 8);
            prop_assert!(even, "{rate}: {falls:?}\n{}", world.to_text());
        }
    }
}

#[test]
fn volume_is_conserved_exactly_with_edits_springs_and_drains() {
    let params = Params { evaporation: 40, ..Params::default() };
    let mut world = world(&caves(90, 70, 4, 3), &params);
    let spring = Spring { region: rect(20, 3, 50, 1), liquid: Liquid::Water, rate: 7 };
    world.add_spring(spring).unwrap();
    world.add_drain(Drain { region: rect(60, 60, 5, 2), rate: 13 }).unwrap();
    for step in 0..1500 {
        let at = |k: usize, n: usize| (noise(step, k, 8) * n as f64) as usize;
        let edit = match step % 4 {
            0 => Edit::Pour(Liquid::ALL[at(5, 3)], 1 + at(6, 256) as u16),
            1 => Edit::Set(Cell::Wall),
            2 => Edit::Set(Cell::Air),
            _ => Edit::Remove(1 + at(6, 256) as u16),
        };
        world.edit(&rect(at(0, 90), at(1, 70), 1, 1), edit).unwrap();
        world.step();
        for liquid in Liquid::ALL {
            assert_eq!(world.balance(liquid).residual, 0, "step {step}");
        }
    }
    let water = world.ledger(Liquid::Water);
    for cause in [Cause::Edit, Cause::Source] {
        assert!(water.inflow(cause) > 0, "{cause:?}");
    }
    for cause in [Cause::Edit, Cause::Drain, Cause::Evaporation] {
        assert!(water.outflow(cause) > 0, "{cause:?}");
    }
    assert!(world.ledger(Liquid::Lava).outflow(Cause::Stone) > 0);
}

#[test]
fn a_front_advances_two_cells_per_step() {
    let mut world = world_from_map(
        "
        #~......~#
        #~......~#
        ##########",
    );
    world.step();
    let wet = |world: &Blocks, y| (0..10).filter(|x| world.fill_at(*x, y) > Some(0)).count();
    assert_eq!(wet(&world, 1), 6, "{}", world.to_text());
    world.step();
    assert_eq!(wet(&world, 1), 8, "{}", world.to_text());
    let mut fall = world_from_map(
        "
        #~~~~~~#
        #~~~~~~#
        ####~###
        #......#
        #......#
        #......#
        #......#
        #......#
        ########",
    );
    for depth in [2, 4] {
        fall.step();
        let full = (3..8).filter(|y| fall.cell(4, *y) == Some(Cell::WATER)).count();
        assert_eq!(full, depth, "{}", fall.to_text());
    }
}

#[test]
fn a_single_block_falls_off_its_ledge() {
    let mut world = world_from_map(
        "
        ...~....
        ..####..
        ........
        ........
        ########",
    );
    check_rest(&mut world, 400);
    assert_eq!(world.volume_in(Liquid::Water, 0, 0, 8, 3), 0, "{}", world.to_text());
}

#[test]
fn a_block_on_a_wide_floor_becomes_a_central_puddle() {
    let mut world = Blocks::new(
        &Field::from_fn(101, 5, |x, y| match y {
            4 => Cell::Wall,
            3 if x == 50 => Cell::WATER,
            _ => Cell::Air,
        }),
        Params::default(),
    )
    .unwrap();
    check_rest(&mut world, 400);
    let fills: Vec<u16> = (0..101).map(|x| world.fill_at(x, 3).unwrap()).collect();
    let wet = fills.iter().filter(|&&fill| fill > 0).count();
    assert!((9..=16).contains(&wet), "{fills:?}");
    assert!(fills.iter().all(|&fill| fill == 0 || fill + 2 >= world.params().film), "{fills:?}");
    assert!(fills.iter().eq(fills.iter().rev()), "{fills:?}");
}

#[test]
fn a_puddle_beside_a_lake_does_not_block_its_rise() {
    for puddle in [1, 8, 16, 17, 32, 255] {
        let mut world = world_from_map(
            "
            #......#
            #...~~~#
            #~#~~~~#
            #~~~~~~#
            ########",
        );
        world.set(2, 1, Cell::Liquid(Liquid::Water, puddle)).unwrap();
        check_rest(&mut world, 100);
        let fills: Vec<u16> = (1..7).map(|x| world.fill_at(x, 1).unwrap()).collect();
        let (low, high) = (fills.iter().min().unwrap(), fills.iter().max().unwrap());
        assert!(high - low <= 1, "{puddle}: {fills:?}");
    }
}

#[test]
fn oil_floats_and_lava_sinks() {
    let mut world = world_from_map(
        "
        #~~~ooo#
        #~~~ooo#
        #~~~ooo#
        #~~~ooo#
        ########",
    );
    check_rest(&mut world, 200);
    assert_eq!(world.to_text(), "#oooooo#\n#oooooo#\n#~~~~~~#\n#~~~~~~#\n########\n");
    let mut world = world_from_map(
        "
        #..L...#
        #oooooo#
        #oooooo#
        ########",
    );
    check_rest(&mut world, 400);
    assert_eq!(world.to_text(), "#oooooo#\n#oooooo#\n#ooLooo#\n########\n", "whole cells sink");
}

#[test]
fn oil_stays_in_an_inverted_cup() {
    let mut world = world_from_map(
        "
        #~~~~~~~~#
        #~~####~~#
        #~~#oo#~~#
        #~~#oo#~~#
        #~~~~~~~~#
        ##########",
    );
    let before = world.cells();
    check_rest(&mut world, 50);
    assert!(world.cells() == before, "{}", world.to_text());
}

#[test]
fn lava_solidifies_where_it_meets_water() {
    let mut world = world_from_map(
        "
        #L....#
        #L....#
        #L...~#
        #######",
    );
    check_rest(&mut world, 2000);
    let lava = world.ledger(Liquid::Lava);
    assert!(lava.outflow(Cause::Stone) > 0);
    assert_eq!(world.volume(Liquid::Water), u64::from(FULL));
    assert!(world.to_text().matches('#').count() > 13, "{}", world.to_text());
}

const BELL: &str = "
    #...........#
    #~~~~~~~~~~~#
    #~~~#####~~~#
    #~~~#...#~~~#
    #~~~#...#~~~#
    #~~~~~~~~~~~#
    #############";

#[test]
fn a_diving_bell_stays_dry_until_it_leaks() {
    let params = Params { trapped_air: true, ..Params::default() };
    let mut bell = Blocks::from_text(BELL, params).unwrap();
    bell.edit(&rect(1, 0, 3, 1), Edit::Set(Cell::WATER)).unwrap();
    check_rest(&mut bell, 100);
    assert_eq!(bell.volume_in(Liquid::Water, 5, 3, 3, 2), 0, "{}", bell.to_text());
    assert!(bell.fill_at(10, 0).unwrap() > 0, "what was poured on the left is level");
    bell.set(6, 2, Cell::Air).unwrap();
    check_rest(&mut bell, 100);
    let inside = bell.volume_in(Liquid::Water, 5, 3, 3, 2);
    assert!(inside > 5 * 256, "but for bubbles in its corners:\n{}", bell.to_text());
    let mut no_air = world_from_map(BELL);
    check_rest(&mut no_air, 100);
    assert_eq!(no_air.volume_in(Liquid::Water, 5, 3, 3, 2), 6 * 256, "{}", no_air.to_text());
}

const SIPHON: &str = "
    #.............#
    #..#########..#
    #..#~~~~~~~#..#
    #~~#~#####~#..#
    #~~#~#...#~#..#
    #~~#~#...#~#..#
    #~~~~#...#~#..#
    ######...#~#..#
    ######...#~~~~#
    ###############";

#[test]
fn a_siphon_works_only_with_air_pressure() {
    let right = |world: &Blocks| world.volume_in(Liquid::Water, 12, 1, 2, 7);
    let params = Params { trapped_air: true, ..Params::default() };
    let mut siphon = Blocks::from_text(SIPHON, params).unwrap();
    check_rest(&mut siphon, 200);
    assert!(right(&siphon) >= 5 * 256, "{}", siphon.to_text());
    let mut broken = world_from_map(SIPHON);
    check_rest(&mut broken, 200);
    assert!(broken.volume_in(Liquid::Water, 1, 3, 2, 4) > 7 * 256, "{}", broken.to_text());
}

#[test]
fn water_under_a_ceiling_flows_into_adjacent_air() {
    let params = Params { trapped_air: true, ..Params::default() };
    let map = "
        #######
        #~~.~~#
        #~~.~~#
        #######";
    let mut tank = Blocks::from_text(map, params).unwrap();
    check_rest(&mut tank, 100);
    let fills: Vec<u16> = (1..6).map(|x| tank.fill_at(x, 1).unwrap()).collect();
    assert!(fills.iter().all(|fill| (152..156).contains(fill)), "{fills:?}");
}
