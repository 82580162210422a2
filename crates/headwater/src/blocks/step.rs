//! The time step of a block world, which consists of six stages.

use super::params::{Params, Rule};
use super::sources::exchange;
use super::stages::{fall, float, level, reference, solidify, whole_blocks};
use super::state::cell::PackedCell;
use super::state::grid::Grid;
use super::state::ledgers::Ledgers;
use super::world::Blocks;
use crate::clock::fixed_step::{fixed_step_methods, run_to_rest_method};
use crate::scratch::ScratchPool;

pub(super) fn step_fill_rule(
    grid: &mut Grid,
    workspace: &mut level::Workspace,
    params: &Params,
    step: u64,
    ledgers: &mut Ledgers,
    scratch: &ScratchPool,
) {
    let lava_moves = lava_moves(params, step);
    solidify::solidify_lava(grid, ledgers, scratch);
    let active = level::level_bodies(grid, workspace, params, lava_moves, scratch);
    float::apply_buoyancy(grid, &active, params, lava_moves, scratch);
    grid.spreading.clear();
    fall::move_falling_liquids(grid, lava_moves, scratch);
    grid.update_labels(scratch);
}

fn lava_moves(params: &Params, step: u64) -> bool {
    step.is_multiple_of(params.lava_period.into())
}

fixed_step_methods!(Blocks, |params: &Params| params.tick, |_| u32::MAX);
run_to_rest_method!(Blocks);

impl Blocks {
    /// Advances the world by one step.
    ///
    /// With [`Rule::Fill`], a step has six stages:
    ///
    /// 1. **Exchange.** Springs add liquid, drains remove liquid, open sides of the world do
    ///    either, and thin films of water evaporate.
    /// 2. **Solidify.** Lava beside water turns to wall.
    /// 3. **Level.** Each active body (connected liquid of one kind) levels out. The tops of its
    ///    columns, and the cells that it can enter, exchange liquid toward the highest level at
    ///    which inflow does not exceed outflow. The inflow of each of these cells is limited by
    ///    [`flow`](Params::flow), so a body's pace depends on its height and not on its width.
    ///    Wetting fronts advance by up to two cells. Columns beside a cliff (a much higher
    ///    neighbour) fill faster. Liquid from a hole rises no higher than the hole while it can run
    ///    off. A heavier body flows in under a lighter one. A falling stream of full cells belongs
    ///    to its body.
    /// 4. **Float.** Oil deeper than the top of an adjacent heavier body swaps places with that
    ///    top. If a column that carries oil weighs less than others of its body, the oil is lifted.
    /// 5. **Fall.** Unsupported liquid that belongs to no body falls by one cell.
    /// 6. **Label.** The labels of changed chunks are updated: support, connections and surfaces.
    ///
    /// Stages 3 to 5 only move liquid down, so worlds without springs come to rest. At rest, steps
    /// cost almost nothing.
    ///
    /// [`Rule::WholeBlocks`] is described in `whole_blocks.rs`. Springs and drains work the same
    /// way with this rule.
    pub fn step(&mut self) {
        self.exchange_liquids();
        match self.params.rule {
            Rule::WholeBlocks => self.step_whole_blocks(),
            Rule::Fill => {
                let Self { grid, workspace, params, steps, ledgers, scratch, .. } = self;
                step_fill_rule(grid, workspace, params, *steps, ledgers, scratch);
            }
        }
        self.steps += 1;
    }

    /// Performs the same step as [`step`](Self::step) with the reference implementation, which is
    /// slower but gives bit-for-bit equal results. [`Rule::WholeBlocks`] has only one
    /// implementation.
    pub fn step_plain(&mut self) {
        if self.params.rule == Rule::WholeBlocks {
            return self.step();
        }
        self.exchange_liquids();
        let lava_moves = lava_moves(&self.params, self.steps);
        let cells = reference::step(self.grid.cells(), &self.params, lava_moves, &mut self.ledgers);
        for y in 0..cells.ny() {
            for (x, &cell) in cells.row(y).iter().enumerate() {
                self.grid.set(x, y, cell);
            }
        }
        self.grid.update_labels(&self.scratch);
        self.grid.wake_all();
        self.steps += 1;
    }

    fn exchange_liquids(&mut self) {
        let Self { grid, exchange, params, steps, ledgers, scratch, .. } = self;
        exchange::exchange_liquids(grid, exchange, params, *steps, ledgers, scratch);
        self.update_labels();
    }

    fn step_whole_blocks(&mut self) {
        let Self { grid, whole, params, scratch, .. } = self;
        for [from, to] in whole_blocks::step(whole, grid, params) {
            let cell = grid.cell_at(from.0, from.1);
            grid.set(from.0, from.1, PackedCell::AIR);
            grid.set(to.0, to.1, cell);
        }
        grid.track_changes(scratch);
    }
}
