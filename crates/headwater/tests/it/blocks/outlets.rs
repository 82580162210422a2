//! Tests of the outflow of lakes through drains and through holes in dams.

use crate::support::blocks::{mirrored, rect, world};
use headwater::Field;
use headwater::blocks::{Blocks, Cell, Drain, FULL, Liquid, Params};
use proptest::prelude::*;

/// Returns the map of a lake behind a dam. All sizes are in cells. The lake is `depth` cells deep
/// and `width` cells wide. The dam has a hole of `hole` cells at its foot (no hole if 0). The floor
/// beyond the dam is `floor` cells long and `drop` cells lower.
fn lake_behind_dam([depth, width, hole, floor, drop]: [usize; 5]) -> Field<Cell> {
    let (nx, ny, foot) = (width + floor + 3, depth + drop + 4, depth + 3);
    Field::from_fn(nx, ny, |x, y| match x {
        _ if x == 0 || x == nx - 1 || y == ny - 1 => Cell::Wall,
        x if x == width + 1 && y + hole < foot => Cell::Wall,
        x if x <= width + 1 && y >= foot => Cell::Wall,
        x if x <= width && y >= foot - depth => Cell::WATER,
        _ => Cell::Air,
    })
}

fn surface_level(world: &Blocks, x: usize) -> f64 {
    let fill = |y: &usize| world.fill_at(x, *y).unwrap();
    let top = (0..world.ny()).find(|y| fill(y) > 0);
    top.map_or(0.0, |y| (world.ny() - 1 - y) as f64 + f64::from(fill(&y)) / f64::from(FULL))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 18, ..ProptestConfig::default() })]

    #[test]
    fn outlets_match_the_plain_loops_and_the_mirror_image(
        size in [2usize..50, 1usize..90, 1usize..60, 2usize..120, 0usize..30],
        drain in (0usize..120, 1usize..60, 1u16..257), flow in prop_oneof![3 => Just(256u16), 1 => 1u16..257]
    ) {
        let (cells, params) = (lake_behind_dam(size), Params { flow, ..Params::default() });
        let (nx, ny) = (cells.nx(), cells.ny());
        let (mut fast, mut mirror) = (world(&cells, &params), world(&mirrored(&cells), &params));
        let (from, rate) = (1 + drain.0 % (nx - 2), drain.2);
        let wide = drain.1.min(nx - 1 - from);
        fast.add_drain(Drain { region: rect(from, ny - 2, wide, 1), rate }).unwrap();
        let at = nx - from - wide;
        mirror.add_drain(Drain { region: rect(at, ny - 2, wide, 1), rate }).unwrap();
        let mut plain = fast.clone();
        for step in 0..45 {
            fast.step();
            plain.step_plain();
            mirror.step();
            prop_assert!(fast.state_hash() == plain.state_hash(), "step {step}\n{}", fast.to_text());
            prop_assert!(mirrored(&fast.cells()) == mirror.cells(), "step {step}\n{}", fast.to_text());
        }
        prop_assert_eq!(fast.balance(Liquid::Water).residual, 0);
    }

    #[test]
    fn water_behind_and_beyond_a_hole_levels_out(
        size in [2usize..50, 1usize..90, 1usize..4, 2usize..120, 0usize..30]
    ) {
        let mut world = world(&lake_behind_dam(size), &Params::default());
        prop_assert!(world.run_to_rest(4000));
        let level = |x: usize| surface_level(&world, x);
        let (lake, beyond) = (level(1), level(world.nx() - 2));
        let floor = 1.0 + size[4] as f64;
        prop_assert!(lake == 0.0 || (lake - beyond).abs() < 0.01 || lake <= floor + 0.2, "{lake} {beyond}\n{}", world.to_text());
    }
}

#[test]
fn the_surface_slopes_toward_a_drain() {
    let mut world = world(&lake_behind_dam([20, 90, 30, 60, 0]), &Params::default());
    world.add_drain(Drain { region: rect(93, 22, 30, 1), rate: FULL }).unwrap();
    world.step_many(30);
    let before = world.volume(Liquid::Water);
    world.step();
    let out = (before - world.volume(Liquid::Water)) as f64 / f64::from(FULL);
    let heights: Vec<f64> = (1..150).map(|x| surface_level(&world, x)).collect();
    let step = heights.windows(2).map(|pair| (pair[0] - pair[1]).abs()).fold(0.0, f64::max);
    assert!(step <= 4.0, "{heights:?}");
    assert!(out >= 0.4 * heights[0], "{out} cells in a step, of a lake {} deep", heights[0]);
}

#[test]
fn a_drain_below_a_lake_leaves_no_dent() {
    let mut world = world(&lake_behind_dam([6, 20, 0, 2, 0]), &Params::default());
    world.add_drain(Drain { region: rect(8, 8, 3, 1), rate: FULL }).unwrap();
    for _ in 0..20 {
        world.step();
        for (x, y) in (1..=20).flat_map(|x| (1..8).map(move |y| (x, y))) {
            let fills = [y, y + 1].map(|y| world.fill_at(x, y).unwrap());
            assert!(fills[0] == 0 || fills[1] == FULL, "a hollow\n{}", world.to_text());
        }
    }
}

#[test]
fn tailwater_stays_below_the_hole_while_it_flows() {
    for hole in [1, 2, 3] {
        let mut world = world(&lake_behind_dam([20, 100, hole, 90, 8]), &Params::default());
        for step in 0..40 {
            world.step();
            let top = (8 + hole + 1) as f64;
            let beyond = (102..192).map(|x| surface_level(&world, x)).fold(0.0, f64::max);
            assert!(beyond <= top, "{beyond} after {step} steps, {hole}\n{}", world.to_text());
        }
        assert!(world.run_to_rest(1000));
        assert!(
            (surface_level(&world, 1) - surface_level(&world, 191)).abs() < 0.01,
            "{}",
            world.to_text()
        );
    }
}

/// Returns the volume (cells) that a lake loses in `steps` steps. The lake is 20 cells deep and 100
/// cells wide. It lies behind a dam with a hole of `hole` cells, through which water flows into a
/// pit with a drain. If `is_drained` is true, a second drain covers the lowest cell of the hole.
fn volume_lost(hole: usize, steps: u64, is_drained: bool) -> f64 {
    let (nx, ny, foot) = (140, 60, 24);
    let cells = Field::from_fn(nx, ny, |x, y| match x {
        _ if x == 0 || x == nx - 1 || y == ny - 1 => Cell::Wall,
        x if x <= 101 && y >= foot => Cell::Wall,
        101 if y + hole < foot => Cell::Wall,
        x if x <= 100 && y >= foot - 20 => Cell::WATER,
        _ => Cell::Air,
    });
    let mut world = world(&cells, &Params::default());
    world.add_drain(Drain { region: rect(102, ny - 2, 37, 1), rate: FULL }).unwrap();
    if is_drained {
        world.add_drain(Drain { region: rect(101, foot - 1, 1, 1), rate: FULL }).unwrap();
    }
    let holds = |world: &Blocks| world.volume_in(Liquid::Water, 1, 0, 100, foot);
    let before = holds(&world);
    world.step_many(steps);
    (before - holds(&world)) as f64 / f64::from(FULL)
}

#[test]
fn outflow_grows_with_the_size_of_the_hole() {
    let out: Vec<f64> = [1, 2, 4, 8].map(|hole| volume_lost(hole, 40, false)).into();
    assert!(out.windows(2).all(|pair| pair[1] >= 1.2 * pair[0]), "{out:?}");
    for (hole, out) in [1.0, 2.0, 4.0, 8.0].into_iter().zip(&out) {
        let each = out / (40.0 * hole);
        assert!((1.0..=4.0).contains(&each), "{each} cells a step for each of {hole}");
    }
}

#[test]
fn a_drain_does_not_block_flow_over_an_edge() {
    for hole in [1, 2, 4, 22] {
        let out = volume_lost(hole, 40, true);
        assert!(out >= 1.25 * 40.0, "{out} cells in 40 steps, {hole}");
    }
}
