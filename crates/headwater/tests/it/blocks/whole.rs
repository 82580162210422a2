//! Tests of the rule that moves liquid in whole cells: the liquid comes to rest, its volume is
//! conserved, and no cell of liquid stays on a ledge.

use crate::support::blocks::{caves, world};
use headwater::blocks::{Blocks, Cell, Liquid, Params, Rule};
use proptest::prelude::*;

fn whole_block_params() -> Params {
    Params { rule: Rule::WholeBlocks, ..Params::default() }
}

/// Returns whether a cell contains water that touches no other water, rests on a floor, and could
/// flow over an edge of this floor.
fn is_stuck_on_a_ledge(world: &Blocks, x: usize, y: usize) -> bool {
    let is = |x: usize, y: usize, cell| world.cell(x, y) == Some(cell);
    let beside = [x.wrapping_sub(1), x + 1];
    let lone = is(x, y, Cell::WATER)
        && ![(beside[0], y), (beside[1], y), (x, y.wrapping_sub(1)), (x, y + 1)]
            .into_iter()
            .any(|(x, y)| is(x, y, Cell::WATER));
    let runs_off = |mut way: Box<dyn Iterator<Item = usize>>| {
        way.find_map(|x| match is(x, y, Cell::Air) {
            false => Some(false),
            true if is(x, y + 1, Cell::Air) => Some(true),
            true => None,
        })
    };
    let (west, east) = (Box::new((0..x).rev()), Box::new(x + 1..world.nx()));
    lone && [runs_off(west), runs_off(east)].contains(&Some(true))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn whole_blocks_come_to_rest_without_wet_ledges(
        nx in 1usize..60, ny in 1usize..60, seed in any::<u64>(), finite_fall in any::<bool>()
    ) {
        let cells = caves(nx, ny, seed, 1).map(|&cell| match cell {
            Cell::Liquid(..) => Cell::WATER,
            other => other,
        });
        let mut world = world(&cells, &Params { finite_fall, ..whole_block_params() });
        let volume = world.volume(Liquid::Water);
        prop_assert!(world.run_to_rest(10_000), "it still moves:\n{}", world.to_text());
        prop_assert_eq!(world.volume(Liquid::Water), volume);
        for (x, y) in (0..ny).flat_map(|y| (0..nx).map(move |x| (x, y))) {
            prop_assert!(!is_stuck_on_a_ledge(&world, x, y), "({x}, {y}):\n{}", world.to_text());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Checks that queries do not affect later results: a world that has answered queries gives the
    /// same results as a clone that has not.
    #[test]
    fn queries_do_not_depend_on_earlier_queries(nx in 1usize..40, ny in 1usize..40, seed in any::<u64>()) {
        let mut world = world(&caves(nx, ny, seed, 1).map(|&cell| match cell {
            Cell::Liquid(..) => Cell::WATER,
            other => other,
        }), &whole_block_params());
        for round in 0..12 {
            let (x, y) = ((seed >> round) as usize % nx, (seed >> (2 * round)) as usize % ny);
            match round % 4 {
                0 => world.step(),
                1 => world.set(x, y, Cell::WATER).unwrap(),
                2 => world.set(x, y, Cell::Air).unwrap(),
                _ => world.set_params(Params { spill: round > 6, ..whole_block_params() }).unwrap(),
            }
            let fresh = world.clone();
            let mut next = world.clone();
            next.step();
            prop_assert_eq!(world.is_asleep(), next.cells() == world.cells());
            let mut level = true;
            for (x, y) in (0..ny).flat_map(|y| (0..nx).map(move |x| (x, y))) {
                let body = world.body_at(x, y);
                prop_assert_eq!(body, fresh.body_at(x, y));
                prop_assert_eq!(world.surface_level(x, y), fresh.surface_level(x, y));
                let tops = (0..ny).find(|&y| (0..nx).any(|x| fresh.body_at(x, y) == body));
                let top = body.and(tops).map(|y| (ny - y) as f64);
                prop_assert_eq!(world.surface_level(x, y), top);
                level &= world.is_body_at_rest(x, y);
            }
            prop_assert_eq!(level, world.is_asleep());
            prop_assert_eq!(world.pressure_targets(), fresh.pressure_targets());
        }
    }
}

#[test]
fn moving_a_body_updates_its_level() {
    let text = "
        #....#~~~#
        #~...#~~~#
        #~...#~~~#
        ##########";
    let world = Blocks::from_text(text, whole_block_params()).unwrap();
    assert!(world.is_body_at_rest(7, 0) && !world.is_asleep());
    assert!(!world.is_body_at_rest(1, 1));
}

#[test]
fn a_block_flows_to_the_nearer_edge() {
    let ledge = "
        #.....~...#
        #.#######.#
        #.........#
        ###########";
    let floor = |params| {
        let mut world = Blocks::from_text(ledge, params).unwrap();
        assert!(world.run_to_rest(100));
        world.to_text().lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(floor(whole_block_params())[2], "#........~#");
    let stuck = floor(Params { spill: false, ..whole_block_params() });
    assert_eq!((stuck[0].as_str(), stuck[2].as_str()), ("#.....~...#", "#.........#"));
}
