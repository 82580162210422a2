//! Tests that the surface of a liquid at rest has no vertical steps next to open space. The cases
//! include surfaces next to oil, and liquids with minimum flow rates.

use headwater::Field;
use headwater::blocks::{Blocks, Cell, FULL, Liquid, Params, Spring};
use proptest::prelude::*;

use crate::support::blocks::{OIL, check_rest, rect};

fn world_at_rest(cells: &Field<Cell>, params: Params, steps: u64) -> Blocks {
    let mut world = Blocks::new(cells, params).unwrap();
    check_rest(&mut world, steps);
    world
}

/// Returns the height (in 1/256 of a cell) of the highest vertical step in the surfaces of liquids.
/// At such a step, a column of one liquid stands above air, or above a thin film of another liquid,
/// in an adjacent column.
fn highest_wall(world: &Blocks) -> u32 {
    let cell = |x: usize, y: usize| world.cell(x, y).unwrap_or(Cell::Wall);
    let mut highest = 0;
    for (x, side) in (0..world.nx()).flat_map(|x| [(x, x.wrapping_sub(1)), (x, x + 1)]) {
        let mut high = 0;
        for y in 0..world.ny() {
            let (here, beside) = (cell(x, y), cell(side, y));
            let goes_on = y > 0 && here.liquid() == cell(x, y - 1).liquid();
            high = if goes_on && cell(side, y.wrapping_sub(1)) == Cell::Air { high } else { 0 };
            high += match beside {
                _ if here.liquid().is_none() || beside == Cell::Wall => 0,
                Cell::Air => u32::from(here.fill()),
                _ if y == 0 || cell(side, y - 1) != Cell::Air => 0,
                _ => u32::from(here.fill().saturating_sub(beside.fill())),
            };
            highest = highest.max(high);
        }
    }
    highest
}

/// Returns a strategy that generates random worlds with the given liquids, up to `max_width` cells
/// wide. Failing worlds are shrunk to a few cells.
fn any_map(max_width: usize, liquids: &'static [Liquid]) -> impl Strategy<Value = Field<Cell>> {
    (1..max_width, 2usize..14).prop_flat_map(move |(nx, ny)| {
        let liquid = prop::sample::select(liquids).prop_map(|liquid| Cell::Liquid(liquid, FULL));
        let cell = prop_oneof![4 => Just(Cell::Air), 2 => Just(Cell::Wall), 3 => liquid];
        prop::collection::vec(cell, nx * ny)
            .prop_map(move |cells| Field::from_vec(nx, ny, cells).unwrap())
    })
}

/// Checks that oil does not oscillate. A film of oil lies on both sides of a wall. On one side, a
/// cell of water lies below the film and lifts the oil once.
#[test]
fn lifted_oil_does_not_oscillate() {
    let (air, water, wall) = (Cell::Air, Cell::WATER, Cell::Wall);
    let rows = [
        [air, air, air],
        [air, air, water],
        [air, wall, water],
        [air, air, OIL],
        [water, water, OIL],
    ];
    world_at_rest(&Field::from_fn(3, 5, |x, y| rows[y][x]), Params::default(), 600);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, ..ProptestConfig::default() })]

    #[test]
    fn water_levels_out_beside_oil(cells in any_map(24, &[Liquid::Water, Liquid::Oil])) {
        let world = world_at_rest(&cells, Params::default(), 6000);
        let highest = highest_wall(&world);
        prop_assert!(highest <= 384, "{highest}\n{}", world.to_text());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn water_levels_out_at_minimum_rates(
        cells in any_map(16, &[Liquid::Water]), flow in 1u16..4, pour in 1u16..4
    ) {
        let world = world_at_rest(&cells, Params { flow, pour, ..Params::default() }, 60_000);
        let highest = highest_wall(&world);
        prop_assert!(highest <= 64, "{highest}\n{}", world.to_text());
    }
}

#[test]
fn a_water_tower_collapses_beside_oil_that_floats_on_it() {
    let cells = Field::from_fn(10, 8, |x, y| match (x, y) {
        (0 | 9, _) | (_, 7) => Cell::Wall,
        (1, 1..) => Cell::WATER,
        (2, 6) => OIL,
        _ => Cell::Air,
    });
    let world = world_at_rest(&cells, Params::default(), 100);
    assert_eq!(highest_wall(&world), 0, "{}", world.to_text());
    assert!((1..9).all(|x| world.cell(x, 6) == Some(Cell::Liquid(Liquid::Water, 192))));
}

#[test]
fn a_spring_over_an_oil_film_is_not_blocked() {
    let cells = Field::from_fn(22, 10, |x, y| match (x, y) {
        (0 | 21, _) | (_, 9) => Cell::Wall,
        (_, 8) => OIL,
        _ => Cell::Air,
    });
    let mut world = Blocks::new(&cells, Params::default()).unwrap();
    let spring = Spring { region: rect(3, 0, 1, 1), liquid: Liquid::Water, rate: 64 };
    world.add_spring(spring).unwrap();
    for step in 0..400 {
        world.step();
        assert!(highest_wall(&world) < 4 * u32::from(FULL), "{step}\n{}", world.to_text());
    }
    assert!(world.volume(Liquid::Water) >= 380 * 64, "{}", world.to_text());
}

#[test]
fn water_flows_through_a_hole_below_oil() {
    let cells = Field::from_fn(23, 9, |x, y| match (x, y) {
        (0 | 22, _) | (_, 8) => Cell::Wall,
        (7, 7) => Cell::Air,
        (7, _) => Cell::Wall,
        (1..7, _) => Cell::WATER,
        (_, 7) => OIL,
        _ => Cell::Air,
    });
    let world = world_at_rest(&cells, Params::default(), 1000);
    assert!(highest_wall(&world) <= u32::from(FULL), "{}", world.to_text());
}
