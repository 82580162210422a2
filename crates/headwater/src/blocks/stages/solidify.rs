//! Stage 2 of a step: lava next to water turns to wall. The ledger of lava records the lost volume.
//! The water does not change.

use crate::blocks::state::cell::{LAVA, PackedCell, WATER};
use crate::blocks::state::cell_labels::CellLabels;
use crate::blocks::state::grid::Grid;
use crate::blocks::state::label::set_bits;
use crate::blocks::state::ledgers::{Ledgers, record};
use crate::ledger::Cause;
use crate::scratch::ScratchPool;

pub(in crate::blocks) fn solidify_lava(
    grid: &mut Grid,
    ledgers: &mut Ledgers,
    scratch: &ScratchPool,
) {
    let mut found = scratch.take_vec();
    for c in grid.active.iter().filter(|&c| grid.chunks[c].contains_liquid(LAVA)) {
        let (left, top) = grid.origin(c);
        for (row, &lava) in grid.chunks[c].liquid[usize::from(LAVA) - 1].iter().enumerate() {
            let places = set_bits(lava).map(|x| ((left + x) as u32, (top + row) as u32));
            found.extend(places.filter(|&at| meets_water(grid, at)));
        }
    }
    for &(x, y) in &*found {
        record(ledgers, LAVA, Cause::Stone, -i64::from(grid.cell(x, y).fill()));
        grid.set(x as usize, y as usize, PackedCell::WALL);
    }
    grid.update_labels(scratch);
}

pub(in crate::blocks) fn meets_water(world: &impl CellLabels, (x, y): (u32, u32)) -> bool {
    let adjacent = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
    adjacent.into_iter().any(|(x, y)| world.cell(x, y).kind() == WATER)
}
