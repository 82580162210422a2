//! Test cases for the initial fill of worlds. Hand-drawn worlds contain anchors: points that
//! determine whether the space around them initially contains water or air. In random flooded
//! worlds, the ceiling of a dry cellar is opened.

use crate::flooded::FloodableWorld;
use crate::verify::{FROZEN, Outcome, Row, Stepper, boards::split_boards};
use anyhow::{Context as _, Result};
use headwater::Region;
use headwater::columns::{Columns, Edit, Params};

/// Hand-drawn worlds as text. Above each world are the expected numbers of bubbles and of ignored
/// anchors. To its right is a drawing of the expected fill.
const BOARDS: &str = include_str!("../boards/anchors.txt");

/// Counts the cells that do not contain what the drawings show (water or air), both at the start
/// and after one second at rest.
pub(super) fn check_anchors(name: &'static str, stepper: &dyn Stepper) -> Result<Outcome> {
    let mut wrong = 0.0;
    for board in split_boards(BOARDS) {
        let (counts, both) = board.split_once('\n').context("a board without counts")?;
        let beside = both.lines().filter_map(|line| line.split_once("  "));
        let (map, filled): (Vec<&str>, Vec<&str>) = beside.unzip();
        let mut world = Columns::from_text(&map.join("\n"), 1.0, Params::default())?;
        wrong += mismatch_count(&world, &filled);
        let found =
            format!("bubbles: {} ignored: {}", world.bubble_count(), world.ignored_anchors().len());
        wrong += f64::from(found != counts);
        stepper.step_columns(&mut world, 60)?;
        wrong += mismatch_count(&world, &filled);
    }
    // Ensures that a frozen world does not pass.
    let mut stirred = Columns::from_text("#~..#\n#...#\n#####", 1.0, Params::default())?;
    stirred.edit(&Region::rect([1.0, 0.0], [2.0, 2.0]), Edit::Splash(0.2))?;
    let before = stirred.state_hash();
    stepper.step_columns(&mut stirred, 60)?;
    let wrong = if stirred.state_hash() == before { FROZEN } else { wrong };
    Ok(Row::at_most(name, "cells and anchors that are wrong", wrong, 0.0).into())
}

fn mismatch_count(world: &Columns, filled: &[&str]) -> f64 {
    let (walls, fill) = (world.walls(), world.layer("fill"));
    let rows = filled.iter().enumerate();
    let cells = rows.flat_map(|(y, row)| row.chars().enumerate().map(move |(x, c)| (x, y, c)));
    let wrong = cells.filter(|&(x, y, character)| {
        let fill = fill.as_ref().and_then(|fill| fill.get(x, y)).copied().unwrap_or(0.0);
        let found = match (walls[(x, y)], fill) {
            (true, _) => '#',
            (_, fill) if (fill - 1.0).abs() < 1e-4 => '~',
            (_, fill) if fill.abs() < 1e-4 => '.',
            _ => '?',
        };
        found != character
    });
    wrong.count() as f64
}

/// Number of flooded random worlds.
const FLOODED: usize = 100;
/// Number of steps for which each flooded world is simulated.
const STEPS: u64 = 600;

/// Step after which a second hole is made in the walls of each flooded world.
const DIG_STEP: u64 = 40;

/// Simulates undamped worlds in which water from above floods a cellar. Measures three values: the
/// largest rise of the total energy above its previous minimum; the change of the total energy in
/// the step after a second hole is dug; and the largest height of water above the ceiling of its
/// column (cells). The energies are relative to the energy that the flooding releases.
pub(super) fn measure_flooding(name: &'static str, stepper: &dyn Stepper) -> Result<Outcome> {
    let (mut rise, mut over, mut moved) = (0.0_f64, 0.0_f64, 0);
    let mut dug = 0.0_f64;
    for seed in 0..FLOODED {
        let board = FloodableWorld::from_seed(seed);
        let mut world = board.world(0.0)?;
        world.set_walls(&board.hole, false)?;
        let start = world.energy().total();
        let (mut min_energy, mut gained) = (start, 0.0_f64);
        for _ in 0..STEPS {
            stepper.step_columns(&mut world, 1)?;
            let now = world.energy().total();
            min_energy = min_energy.min(now);
            gained = gained.max(now - min_energy);
            over = over.max(world.max_overfill() / world.cell_size());
        }
        let released = start - min_energy;
        let mut world = board.world(0.0)?;
        world.set_walls(&board.hole, false)?;
        stepper.step_columns(&mut world, DIG_STEP)?;
        world.set_walls(&board.second_hole, false)?;
        let after_digging = world.energy().total();
        stepper.step_columns(&mut world, 1)?;
        let change = world.energy().total() - after_digging;
        // If the hole meets no water, the energy changes only by rounding.
        if released > 1e-6 * start {
            moved += 1;
            rise = rise.max(gained / released);
            dug = dug.max(change / released);
        }
        anyhow::ensure!(world.balance().residual == 0.0, "volume is not conserved");
    }
    if moved < FLOODED / 3 {
        (rise, over, dug) = (FROZEN, FROZEN, FROZEN);
    }
    let energy = "maximum rise of energy on 100 boards, relative to the release";
    let digging = "rise of energy in the step after digging, 100 boards, relative to the release";
    let ceilings = "maximum water above a ceiling on 100 boards (cells)";
    Ok(Outcome::from_rows([
        Row::at_most(format!("{name}-energy"), energy, rise, 1e-3),
        Row::at_most(format!("{name}-digging"), digging, dug, 1e-3),
        Row::at_most(format!("{name}-ceilings"), ceilings, over, 1e-3),
    ]))
}
