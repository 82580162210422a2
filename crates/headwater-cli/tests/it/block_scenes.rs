//! Tests that all scenes of the model `blocks` in the library run to their end and reach the
//! documented results.

use crate::scene_run::{SceneRun, value_at};

const CELL: [&str; 3] = ["time_s", "level_cells", "fill"];
const CELLS: [&str; 4] = ["time_s", "water_cells", "oil_cells", "lava_cells"];

/// Names of the scenes with a test in this file.
pub(crate) const TESTED_SCENES: [&str; 8] = [
    "u-tube",
    "terraria",
    "comb",
    "diving-bell",
    "siphon",
    "waterfall",
    "ledge",
    "lava-meets-water",
];

/// Runs a scene and returns its output.
fn run(name: &'static str) -> SceneRun {
    SceneRun::new(name, "cells,fill")
}

/// Returns the height of the topmost liquid's surface in a column (cells above the bottom).
fn surface_height(scene_run: &SceneRun, x: usize) -> f32 {
    let fill = scene_run.layer("fill");
    let top = (0..fill.ny()).find(|&y| fill[(x, y)] > 0.0).unwrap();
    (fill.ny() - 1 - top) as f32 + fill[(x, top)]
}

#[test]
fn the_arms_of_the_u_tube_are_level() {
    let ran = run("u-tube");
    assert!(ran.ledger_entry("in", "edit") > 100.0, "two jugs of water");
    let surfaces = [4, 11, 36, 43].map(|x| surface_height(&ran, x));
    assert!(surfaces.iter().all(|surface| (surface - surfaces[0]).abs() < 0.01), "{surfaces:?}");
    let left = ran.gauge("left", &CELL);
    assert!(value_at(&left, 1, 4.5) < value_at(&left, 1, 0.0) - 5.0, "it falls on the full side");
    assert!(value_at(&left, 1, 12.0) > value_at(&left, 1, 4.5) + 5.0);
    assert_eq!(value_at(&ran.gauge("right", &CELL), 1, 12.0), value_at(&left, 1, 12.0));
}

#[test]
fn comb_levels_are_equal_before_the_cut_and_after_rejoining() {
    let ran = run("comb");
    let (widest, crooked) = (ran.gauge("widest", &CELL), ran.gauge("crooked", &CELL));
    let apart = |time| value_at(&widest, 1, time) - value_at(&crooked, 1, time);
    assert_eq!(apart(15.4), 0.0);
    assert!(apart(17.4) > 3.0, "{}", apart(17.4));
    assert_eq!(apart(20.0), 0.0);
    // Sample only columns without a spring above them.
    let surfaces = [12, 17, 24, 32, 39, 45, 50].map(|x| surface_height(&ran, x));
    assert!(surfaces.iter().all(|surface| (surface - surfaces[0]).abs() < 0.1), "{surfaces:?}");
}

#[test]
fn the_bell_stays_dry_until_its_valve_opens() {
    let ran = run("diving-bell");
    let bell = ran.gauge("in-the-bell", &CELLS);
    let closed = bell[0].iter().take_while(|&&time| time < 19.0).count();
    assert!(bell[1][..closed].iter().all(|&water| water == bell[1][0]), "{:?}", bell[1]);
    assert_eq!(*bell[1].last().unwrap(), 120.0, "full");
    let lake = ran.gauge("lake", &CELL);
    assert!(
        value_at(&lake, 1, 18.9) > value_at(&lake, 1, 0.0) + 8.0,
        "the lake rises far above it meanwhile"
    );
}

#[test]
fn the_siphon_carries_the_upper_lake_over_the_wall() {
    let ran = run("siphon");
    let (upper, lower) = (ran.gauge("upper", &CELLS), ran.gauge("lower", &CELLS));
    // At the end, single units of 1/256 of a cell move back and forth.
    let falls = |lake: &[f64]| lake.windows(2).all(|w| w[1] < w[0] + 0.2);
    assert!(falls(&upper[1]) && falls(&lower[1].iter().map(|water| -water).collect::<Vec<_>>()));
    assert!(upper[1][0] - upper[1].last().unwrap() > 50.0, "{:?}", upper[1]);
    let apart = (surface_height(&ran, 5) - surface_height(&ran, 45)).abs();
    assert!(apart <= 1.0, "{apart}");
}

#[test]
fn the_brook_is_dammed_and_returns_to_its_depth() {
    let ran = run("waterfall");
    assert!(ran.ledger_entry("in", "source") > 200.0 && ran.ledger_entry("out", "boundary") > 1.0);
    let basin = ran.gauge("middle-basin", &CELLS);
    // When the dam has drained, the brook returns to its earlier depth at the sill.
    let (free, dammed, freed) =
        (value_at(&basin, 1, 23.9), value_at(&basin, 1, 33.9), value_at(&basin, 1, 48.0));
    assert!(dammed > free + 20.0 && freed < free + 10.0, "{free} {dammed} {freed}");
}

#[test]
fn no_block_remains_on_a_ledge() {
    let ran = run("ledge");
    let floor = ran.gauge("floor", &CELLS);
    assert_eq!((floor[1][0], *floor[1].last().unwrap()), (0.0, 50.0));
    assert_eq!(ran.summary["ledger"]["now"], 50.0);
}

#[test]
fn lava_builds_a_dam_of_stone() {
    let ran = run("lava-meets-water");
    let stone = ran.ledger_entry("out", "stone");
    assert!(stone > 20.0, "{stone}");
    let cave = ran.gauge("cave", &CELLS);
    let last = cave[0].len() - 1;
    assert!(cave[3][last] > 20.0 && cave[1][last] > cave[1][0] + 30.0, "{cave:?}");
    let rest = cave[0].iter().position(|&time| time > 55.0).unwrap();
    assert!(cave[1][rest..].iter().all(|water| *water == cave[1][last]), "at rest");
}

#[test]
fn ponds_drain_into_the_shaft_and_come_to_rest() {
    let ran = run("terraria");
    let shaft = ran.gauge("shaft", &CELLS);
    let highest = shaft[1].iter().copied().fold(0.0, f64::max);
    assert!(highest > 40.0 && shaft[1][0] < highest / 2.0, "{:?}", shaft[1]);
    let late = shaft[0].iter().position(|&time| time > 55.0).unwrap();
    let change = shaft[1][late..].iter().map(|water| (water - shaft[1][late]).abs());
    assert!(change.fold(0.0, f64::max) < 1.0, "{:?}", &shaft[1][late..]);
}
