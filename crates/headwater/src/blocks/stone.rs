//! Stage 2: lava beside water turns to wall. The lava is booked out, the water stays.

use super::cell::{LAVA, Packed, WATER};
use super::grid::Grid;
use super::label::set_bits;
use super::labelled::Labelled;
use super::ledgers::{Ledgers, book};
use crate::ledger::Cause;
use crate::scratch::ScratchPool;

pub(super) fn turn(grid: &mut Grid, ledgers: &mut Ledgers, scratch: &ScratchPool) {
    let mut found = scratch.vec();
    for c in grid.restless.iter().filter(|&c| grid.chunks[c].has(LAVA)) {
        let (left, top) = grid.origin(c);
        for (row, &lava) in grid.chunks[c].liquid[usize::from(LAVA) - 1].iter().enumerate() {
            let places = set_bits(lava).map(|x| ((left + x) as u32, (top + row) as u32));
            found.extend(places.filter(|&at| meets_water(grid, at)));
        }
    }
    for &(x, y) in &*found {
        book(ledgers, LAVA, Cause::Stone, -i64::from(grid.cell(x, y).fill()));
        grid.set(x as usize, y as usize, Packed::WALL);
    }
    grid.refresh(scratch);
}

pub(super) fn meets_water(world: &impl Labelled, (x, y): (u32, u32)) -> bool {
    let beside = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
    beside.into_iter().any(|(x, y)| world.cell(x, y).kind() == WATER)
}
