//! Invariants of block worlds: exact conservation of volume, mirror symmetry, and independence of
//! the number of threads.

use crate::noise::noise;
use crate::verify::{FROZEN, Outcome, Row, Stepper, norms::count_runs_unlike_one_thread};
use anyhow::Result;
use headwater::blocks::{Blocks, Cell, Edit, FULL, Liquid, Params};
use headwater::{Field, Region};

/// Returns a pseudo-random integer from 0 to `bound` − 1 that depends on `seed` and `stream`.
fn pseudo_random(seed: usize, stream: usize, bound: usize) -> usize {
    ((noise(seed, stream) * bound as f32) as usize).min(bound - 1)
}

/// Returns the cells of random caves with liquids.
fn caves(nx: usize, ny: usize, seed: usize) -> Field<Cell> {
    let scale = 1 + pseudo_random(seed, 1, 6);
    Field::from_fn(nx, ny, |x, y| {
        let at = |k: usize, size: usize| noise(x / size + 1000 * seed, y / size + 1000 * k);
        if at(1, scale) < 0.3 {
            Cell::Wall
        } else if at(2, scale + 3) < 0.5 {
            let fill = (at(3, 1) * 512.0) as u16;
            let liquid = Liquid::ALL[[1, 1, 1, 0, 2][pseudo_random(x / 9 + seed, y / 7, 5)]];
            Cell::Liquid(liquid, fill.clamp(1, FULL))
        } else {
            Cell::Air
        }
    })
}

/// Total number of edits and ticks in the longest test. Nine edits are followed by one tick.
const EDITS_AND_TICKS: usize = 1_000_000;
const EDITS: usize = 9;

pub(super) fn check_volume_conservation(
    name: &'static str,
    stepper: &dyn Stepper,
) -> Result<Outcome> {
    let (nx, ny) = (41, 29);
    let params = Params { evaporation: 30, trapped_air: false, ..Params::default() };
    let mut world = Blocks::new(&caves(nx, ny, 1), params)?;
    let (mut residual, mut moved) = (0.0_f64, false);
    for i in 0..EDITS_AND_TICKS {
        if i % (EDITS + 1) < EDITS {
            let (x, y) = (pseudo_random(i, 6, nx) as f64, pseudo_random(i, 7, ny) as f64);
            world.edit(&Region::rect([x, y], [x + 1.0, y + 1.0]), pseudo_random_edit(i))?;
            continue;
        }
        let before = (i % 1000 == EDITS).then(|| world.cells());
        stepper.step_blocks(&mut world, 1)?;
        moved |= before.is_some_and(|before| before != world.cells());
        if i % 100 == EDITS {
            for liquid in Liquid::ALL {
                residual = residual.max(world.balance(liquid).residual.unsigned_abs() as f64);
            }
        }
    }
    let residual = if moved { residual } else { FROZEN };
    Ok(Row::at_most(name, "volume residual after 1e6 edits and ticks (1/256 cell)", residual, 0.0)
        .into())
}

fn pseudo_random_edit(i: usize) -> Edit {
    let liquid = Liquid::ALL[[1, 1, 1, 0, 2][pseudo_random(i, 1, 5)]];
    let amount = 1 + pseudo_random(i, 3, 256) as u16;
    match pseudo_random(i, 2, 8) {
        0 => Edit::Set(Cell::Wall),
        1 | 2 => Edit::Set(Cell::Air),
        3 => Edit::Dig,
        4 | 5 => Edit::Pour(liquid, amount),
        6 => Edit::Set(Cell::Liquid(liquid, amount)),
        _ => Edit::Remove(amount),
    }
}

pub(super) fn check_mirror_symmetry(name: &'static str, stepper: &dyn Stepper) -> Result<Outcome> {
    let (mut differing, mut moved) = (0, false);
    for seed in 0..16 {
        let cells = caves(70 + 3 * seed, 131 - 2 * seed, seed);
        let params = Params { trapped_air: seed % 2 == 1, ..Params::default() };
        let mut one = Blocks::new(&cells, params.clone())?;
        let mut other = Blocks::new(&mirror_cells(&cells), params)?;
        for _ in 0..20 {
            stepper.step_blocks(&mut one, 10)?;
            stepper.step_blocks(&mut other, 10)?;
            let (one, other) = (mirror_cells(&one.cells()), other.cells());
            differing +=
                one.as_slice().iter().zip(other.as_slice()).filter(|(a, b)| a != b).count();
        }
        moved |= one.cells() != cells;
    }
    let differing = if moved { differing as f64 } else { FROZEN };
    Ok(Row::at_most(name, "cells that differ from their mirror images, 16 worlds", differing, 0.0)
        .into())
}

pub(super) fn check_thread_independence(
    name: &'static str,
    stepper: &dyn Stepper,
) -> Result<Outcome> {
    let cells = caves(301, 203, 7);
    let differing = count_runs_unlike_one_thread(|| {
        let mut world = Blocks::new(&cells, Params::default())?;
        stepper.step_blocks(&mut world, 150)?;
        Ok((world.cells() != cells).then(|| world.state_hash()))
    })?;
    Ok(Row::at_most(name, "runs on 2 and 8 threads that differ from one thread", differing, 0.0)
        .into())
}

/// Returns the cells mirrored in the west–east direction.
fn mirror_cells(cells: &Field<Cell>) -> Field<Cell> {
    Field::from_fn(cells.nx(), cells.ny(), |x, y| cells[(cells.nx() - 1 - x, y)])
}
