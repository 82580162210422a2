//! Tests of worlds of blocks whose sides or bottom are open.

use crate::support::blocks::{caves, world};
use headwater::blocks::open::OpenWorld;
use headwater::blocks::{Blocks, Bottom, Cell, Liquid, Params, Rule, Side};
use headwater::ledger::Cause;

/// Thickness of the film that stays on a drained floor (cells): [`Params::film`] plus one unit of
/// 1/256 of a cell.
const FILM: f64 = 17.0 / 256.0;

fn total_volume(world: &Blocks) -> i128 {
    Liquid::ALL.into_iter().map(|liquid| world.balance(liquid).now).sum()
}

#[test]
fn drained_sides_empty_a_world_and_the_ledger_balances() {
    let open = [
        Params { west: Side::Drain, ..Params::default() },
        Params { east: Side::Drain, ..Params::default() },
        Params { bottom: Bottom::Drain, ..Params::default() },
    ];
    for params in open {
        let mut blocks = Blocks::from_text("...~~\n~o.~~\n~~..~", params).unwrap();
        assert!(total_volume(&blocks) > 0);
        for _ in 0..40 {
            blocks.step();
        }
        // A film of water too thin to spread stays on the floor.
        assert!(total_volume(&blocks) as f64 <= 5.0 * FILM * 256.0, "{:?}", blocks.params());
        for liquid in Liquid::ALL {
            let balance = blocks.balance(liquid);
            assert_eq!(balance.residual, 0);
            assert_eq!(balance.ledger.outflow(Cause::Drain), 0);
        }
        assert!(blocks.balance(Liquid::Water).ledger.outflow(Cause::Boundary) > 0);
    }
}

#[test]
fn a_side_of_fixed_level_fills_and_empties_a_world() {
    for (level, expected) in [(2.5, 2.5), (1.0, 1.0), (0.0, 0.0)] {
        let params = Params { east: Side::Level, east_level: level, ..Params::default() };
        for start in ["......\n......\n......\n......", "......\n~~~~~~\n~~~~~~\n~~~~~~"] {
            let mut blocks = Blocks::from_text(start, params.clone()).unwrap();
            for _ in 0..200 {
                blocks.step();
            }
            for x in 0..6 {
                let volume = blocks.volume_in(Liquid::Water, x, 0, 1, 4) as f64 / 256.0;
                let tolerance = if level == 0.0 { FILM } else { 2.0 / 256.0 };
                assert!((volume - expected).abs() <= tolerance, "{volume} at {x}, level {level}");
            }
            assert_eq!(blocks.balance(Liquid::Water).residual, 0);
        }
    }
}

#[test]
fn whole_blocks_enter_and_leave_through_open_sides() {
    let side = |east, east_level| Params {
        rule: Rule::WholeBlocks,
        east,
        east_level,
        ..Params::default()
    };
    let mut blocks = Blocks::from_text(".....\n.....\n.....", side(Side::Level, 2.9)).unwrap();
    for _ in 0..100 {
        blocks.step();
    }
    // Blocks move only under pressure, so the upper row stays at the side.
    assert_eq!(total_volume(&blocks), 6 * 256, "a row, and a block above it at the side");
    blocks.set_params(side(Side::Drain, 0.0)).unwrap();
    blocks.step();
    assert!(total_volume(&blocks) <= 4 * 256);
    assert_eq!(blocks.balance(Liquid::Water).residual, 0);
}

#[test]
fn both_implementations_treat_open_sides_alike() {
    let params = Params {
        west: Side::Level,
        west_level: 30.3,
        east: Side::Drain,
        bottom: Bottom::Drain,
        lava_period: 1,
        ..Params::default()
    };
    let mut fast = world(&caves(70, 60, 5, 3), &params);
    let mut plain = fast.clone();
    for step in 0..60 {
        fast.step();
        plain.step_plain();
        assert_eq!(fast.cells(), plain.cells(), "step {step}");
    }
    assert!(fast.balance(Liquid::Water).ledger.inflow(Cause::Boundary) > 0);
}

#[test]
fn a_world_of_one_column_has_one_open_side() {
    for (west, east) in [(Side::Drain, Side::Drain), (Side::Level, Side::Drain)] {
        let params = Params { west, east, west_level: 1.0, ..Params::default() };
        let mut blocks = Blocks::from_text("~\n~", params).unwrap();
        blocks.step();
        let expected = if west == Side::Level { 256 } else { 0 };
        assert_eq!(total_volume(&blocks), expected);
        assert_eq!(blocks.balance(Liquid::Water).residual, 0);
    }
}

#[test]
fn open_worlds_reject_open_sides() {
    let params = Params { bottom: Bottom::Drain, ..Params::default() };
    let message = OpenWorld::new(params).unwrap_err().to_string();
    assert!(message.contains("bottom") && message.contains("wall"), "{message}");
}

#[test]
fn a_lake_beside_a_drained_side_keeps_what_lies_below_its_sill() {
    let text = "........\n........\n~~~~~#..\n~~~~~#..\n~~~~~#..";
    let params = Params { east: Side::Drain, ..Params::default() };
    let mut blocks = Blocks::from_text(text, params).unwrap();
    blocks.set(2, 1, Cell::WATER).unwrap();
    for _ in 0..100 {
        blocks.step();
    }
    let above_sill = total_volume(&blocks) - 5 * 3 * 256;
    assert!((0..=5).contains(&(above_sill / 17)), "{above_sill}");
}
