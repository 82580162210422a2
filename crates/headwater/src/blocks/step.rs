//! Time: one step.

use super::cell::Packed;
use super::grid::Grid;
use super::ledgers::Ledgers;
use super::params::{Params, Rule};
use super::world::Blocks;
use super::{exchange, fall, float, level, plain, stone, whole};
use crate::fixed_step::{fixed_step_methods, run_to_rest_method};
use crate::scratch::ScratchPool;

pub(super) fn fill(
    grid: &mut Grid,
    workspace: &mut level::Workspace,
    params: &Params,
    step: u64,
    ledgers: &mut Ledgers,
    scratch: &ScratchPool,
) {
    let lava_moves = lava_moves(params, step);
    stone::turn(grid, ledgers, scratch);
    let restless = level::level(grid, workspace, params, lava_moves, scratch);
    float::float(grid, &restless, params, lava_moves, scratch);
    grid.spreading.clear();
    fall::fall(grid, lava_moves, scratch);
    grid.refresh(scratch);
}

fn lava_moves(params: &Params, step: u64) -> bool {
    step.is_multiple_of(params.lava_period.into())
}

fixed_step_methods!(Blocks, |params: &Params| params.tick, |_| u32::MAX);
run_to_rest_method!(Blocks);

impl Blocks {
    /// Does one step.
    ///
    /// With [`Rule::Fill`]:
    ///
    /// 1. **Exchange.** Springs give, drains take, films dry up.
    /// 2. **Stone.** Lava beside water turns to wall.
    /// 3. **Level.** For every body (connected liquid of one kind) that something has happened to:
    ///    tops of columns and openings give and take towards the highest level at which no more is
    ///    taken than can be given, each place no more than [`flow`](Params::flow), so that a body's
    ///    pace depends on its height and not on its width. Fronts go on by two cells where nothing is
    ///    in their way; columns beside a cliff fill faster; what comes through a hole stands no higher
    ///    than the hole while it runs off; a heavier body runs in under a lighter one. A fall of full
    ///    cells is part of its body.
    /// 4. **Float.** Oil that lies deeper than the top of a heavier body beside it changes places
    ///    with that; where a column with oil on it is outweighed, the oil is lifted.
    /// 5. **Fall.** What is part of no body and nothing holds up falls by a cell.
    /// 6. **Label.** What has changed is labelled afresh: what stands, connections, surfaces.
    ///
    /// Stages 3 to 5 only move liquid down, so worlds without springs come to rest and then cost
    /// nothing.
    ///
    /// [`Rule::WholeBlocks`] is described in `whole.rs`; its springs and drains act in the same way.
    pub fn step(&mut self) {
        self.exchange();
        match self.params.rule {
            Rule::WholeBlocks => self.step_whole(),
            Rule::Fill => {
                let Self { grid, workspace, params, steps, ledgers, scratch, .. } = self;
                fill(grid, workspace, params, *steps, ledgers, scratch);
            }
        }
        self.steps += 1;
    }

    /// The same step by plain loops: slower, equal to [`step`](Self::step) in every bit. Whole
    /// blocks have one path only.
    pub fn step_plain(&mut self) {
        if self.params.rule == Rule::WholeBlocks {
            return self.step();
        }
        self.exchange();
        let lava_moves = lava_moves(&self.params, self.steps);
        let cells = plain::step(self.grid.cells(), &self.params, lava_moves, &mut self.ledgers);
        for y in 0..cells.ny() {
            for (x, &cell) in cells.row(y).iter().enumerate() {
                self.grid.set(x, y, cell);
            }
        }
        self.grid.refresh(&self.scratch);
        self.grid.wake_all();
        self.steps += 1;
    }

    fn exchange(&mut self) {
        let Self { grid, exchange, params, steps, ledgers, scratch, .. } = self;
        exchange::apply(grid, exchange, params, *steps, ledgers, scratch);
        self.refresh();
    }

    fn step_whole(&mut self) {
        let Self { grid, whole, params, scratch, .. } = self;
        for [from, to] in whole::step(whole, grid, params) {
            let cell = grid.at(from.0, from.1);
            grid.set(from.0, from.1, Packed::AIR);
            grid.set(to.0, to.1, cell);
        }
        grid.track_changes(scratch);
    }
}
