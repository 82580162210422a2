//! Tests that oil rises above all water that it can reach and spreads over the surface of the
//! water.

use crate::support::blocks::{OIL, check_rest};
use headwater::Field;
use headwater::blocks::{Blocks, Cell, FULL, Liquid, Params};
use proptest::prelude::*;

fn world_at_rest(cells: &Field<Cell>) -> Blocks {
    let mut world = Blocks::new(cells, Params::default()).unwrap();
    check_rest(&mut world, 6000);
    world
}

fn column_volumes(world: &Blocks, liquid: Liquid) -> Vec<u64> {
    (1..world.nx() - 1).map(|x| world.volume_in(liquid, x, 0, 1, world.ny())).collect()
}

fn max_difference(values: &[u64]) -> u64 {
    values.iter().max().unwrap() - values.iter().min().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn oil_on_a_lake_spreads_to_a_film(
        wide in 6usize..90, deep in 1usize..9, place in 0.0f64..1.0, oil in (1usize..7, 1usize..4), over in 0usize..3
    ) {
        let (across, high) = (oil.0.min(wide), oil.1);
        let (across, high) = if across * high * 6 > wide { (across, high) } else { (wide.min(6), 3) };
        let left = 1 + (place * (wide - across) as f64) as usize;
        let (top, surface) = (2, 2 + high + over);
        let cells = Field::from_fn(wide + 2, surface + deep + 1, |x, y| match (x, y) {
            (0, _) => Cell::Wall,
            (x, y) if x == wide + 1 || y == surface + deep => Cell::Wall,
            (_, y) if y >= surface => Cell::WATER,
            (x, y) if (left..left + across).contains(&x) && (top..top + high).contains(&y) => OIL,
            _ => Cell::Air,
        });
        let world = world_at_rest(&cells);
        for liquid in [Liquid::Oil, Liquid::Water] {
            let columns = column_volumes(&world, liquid);
            let text = world.to_text();
            prop_assert!(max_difference(&columns) <= 2, "{liquid:?} {columns:?}\n{text}");
        }
    }

    #[test]
    fn oil_in_a_cellar_rises_through_any_hole(
        wide in 3usize..40, cellar in 1usize..6, place in 0.0f64..1.0, hole in 1usize..8, over in 1usize..4
    ) {
        let hole = hole.min(wide);
        let left = 1 + (place * (wide - hole) as f64) as usize;
        // In a mirror-symmetric world neither side has priority.
        prop_assume!(2 * (left - 1) + hole != wide);
        // There is enough water to fill the cellar and the hole.
        let (top, ceiling) = (2, 2 + cellar + 1 + over);
        let cells = Field::from_fn(wide + 2, ceiling + cellar + 2, |x, y| match (x, y) {
            (0, _) => Cell::Wall,
            (x, y) if x == wide + 1 || y == ceiling + cellar + 1 => Cell::Wall,
            (_, y) if y < top => Cell::Air,
            (_, y) if y < ceiling => Cell::WATER,
            (x, y) if y == ceiling && !(left..left + hole).contains(&x) => Cell::Wall,
            (_, y) if y == ceiling => Cell::Air,
            _ => OIL,
        });
        let world = world_at_rest(&cells);
        let below = world.volume_in(Liquid::Oil, 0, ceiling + 1, wide + 2, cellar);
        // The world is locally mirror-symmetric, so neither side has priority.
        prop_assert!(below <= 8 * u64::from(FULL), "{below}\n{}", world.to_text());
    }
}

#[test]
fn water_poured_into_oil_sinks_and_spreads() {
    let cells = Field::from_fn(42, 14, |x, y| match (x, y) {
        (0 | 41, _) | (_, 13) => Cell::Wall,
        (_, 5..) => OIL,
        (18..23, 0..3) => Cell::WATER,
        _ => Cell::Air,
    });
    let world = world_at_rest(&cells);
    let water = column_volumes(&world, Liquid::Water);
    assert!(water.iter().all(|&water| water <= u64::from(FULL)), "{water:?}\n{}", world.to_text());
}
