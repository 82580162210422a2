//! Changes of walls in a running world, for example gates, dams and shafts.
//!
//! A change rebuilds the layout of columns. Water, heat, ice and motion stay in the space that they
//! occupied. Water whose floor was removed falls down. Water in cells that became wall moves to the
//! nearest columns of the same body of water. Water for which there is no space is removed and
//! recorded in the ledger.

mod displace;
mod transfer;

use super::layout::Layout;
use super::layout::wall_grid::WallGrid;
use super::params::Motion;
use super::state::State;
use super::state::sleep::SleepState;
use super::world::Columns;
use crate::changes::ChangeTracker;
use crate::error::InputError;
use crate::field::Field;
use crate::ledger::Cause;
use crate::region::Region;
use transfer::LayoutTransfer;
pub(super) use transfer::{FaceSpeed, assign_speeds, for_each_opening};

impl Columns {
    /// Turns all cells whose centres lie in `region` into wall if `solid` is true, and into air
    /// otherwise. Returns the number of cells that have changed.
    ///
    /// Pools (ranges of neighbouring columns) are rebuilt and may get other indices. Pools that
    /// have changed wake up, and the others keep sleeping. A spring, drain or heater stops while
    /// walls cover all of its cells. Trapped air stays as long as it is enclosed.
    /// [Anchors](super::Anchor), which define the initial water, have no effect: a space that is
    /// dug below the level of an anchor fills only with water that flows in.
    ///
    /// # Errors
    /// Returns [`InputError`] if the region is invalid or contains no cell of the grid.
    pub fn set_walls(&mut self, region: &Region, solid: bool) -> Result<usize, InputError> {
        region.validate()?;
        let mut walls = self.walls();
        let lattice = self.layout.lattice()?;
        let cells = region.cells(lattice);
        if cells.is_empty() {
            return Err(InputError::new(
                "a region",
                "no cell of the grid",
                "a region that covers at least one cell",
            ));
        }
        let mut changed = 0;
        for (x, y, _) in cells {
            changed += usize::from(walls[(x, y)] != solid);
            walls[(x, y)] = solid;
        }
        if changed > 0 {
            self.set_wall_grid(&walls);
        }
        Ok(changed)
    }

    pub(super) fn set_wall_grid(&mut self, walls: &Field<bool>) {
        self.update_heat_to_now();
        self.transfer_to_layout(self.layout.with_grid(WallGrid::new(walls)));
    }

    fn transfer_to_layout(&mut self, layout: Layout) {
        let step = self.steps;
        if let Some(warmth) = &mut self.warmth
            && !warmth.active.is_empty()
        {
            for pool in 0..self.layout.pools.len() {
                warmth.activate(&self.layout, &self.state.depth, pool, step);
            }
        }
        let springs = self.params.motion == Motion::Springs;
        let state = State::new(vec![0; layout.column_count()], &layout, springs);
        let mut transfer = LayoutTransfer::new(&self.layout, &layout, state, self.warmth.as_ref());
        transfer.move_columns(&self.layout, &layout, &self.state);
        let lost = transfer.move_displaced_water(&self.layout, &layout, &self.state);
        transfer.transfer_speeds(&self.layout, &layout, &self.state);
        transfer.transfer_networks(&self.layout, &layout, &self.state);
        let same = find_unchanged_pools(&self.layout, &layout);
        let heads = transfer.transferred_heads(&self.layout, &layout, &self.state, &self.heads);
        let mut sleep = SleepState::new(layout.pools.len());
        for (number, pool) in layout.pools.iter().enumerate() {
            let Some(old) = same[number] else { continue };
            let before = self.layout.pools[old].columns.clone();
            sleep.hidden[number] = self.sleep.hidden[old];
            if transfer.state.depth[pool.columns.clone()] == self.state.depth[before.clone()] {
                sleep.inherit(number, &self.sleep, old);
            }
        }
        self.bubbles.retain_mut(|bubble| {
            bubble.transfer_to_layout(&self.layout, &layout, &self.state.depth)
        });
        self.ledger.record(Cause::Edit, -i128::from(lost.quanta));
        let (state, warm) = (transfer.state, transfer.heat);
        if let (Some(warmth), Some(heat)) = (&mut self.warmth, &self.params.heat) {
            warmth.replace_layout(&layout, warm, &lost, step, heat);
        }
        self.heads = heads;
        // Columns and pools now have new indices.
        self.rides.iter_mut().for_each(|ride| ride.level = None);
        self.changes = ChangeTracker::with_len(layout.pools.len());
        (self.layout, self.state, self.sleep) = (layout, state, sleep);
        self.locate_regions();
    }

    /// Finds the columns in the region of each spring, drain and heater, and updates the ice data
    /// of all columns. A region that is completely covered by walls has no columns.
    pub(super) fn locate_regions(&mut self) {
        for is_drain in [false, true] {
            let mut outlets = std::mem::take(self.exchange.outlets_mut(is_drain));
            for outlet in &mut outlets {
                outlet.columns = self.columns_in_region_or_empty(&outlet.source.region);
            }
            *self.exchange.outlets_mut(is_drain) = outlets;
        }
        if let Some(mut warmth) = self.warmth.take() {
            warmth.locate_heaters(|region| self.columns_in_region_or_empty(region));
            warmth.update_all_ice(&self.layout, &mut self.heads, &self.scratch);
            self.warmth = Some(warmth);
        }
    }

    fn columns_in_region_or_empty(&self, region: &Region) -> Vec<usize> {
        self.columns_in_region(region, "a region").unwrap_or_default()
    }
}

/// Returns, for each pool of the layout `after`, the index of the pool of the layout `before` that
/// has the same columns and joints (openings to other pools), or `None` if there is no such pool.
fn find_unchanged_pools(before: &Layout, after: &Layout) -> Vec<Option<usize>> {
    let joints = |layout: &Layout, pool: usize| -> Vec<[i32; 3]> {
        let numbers = layout.pools[pool].joints.iter();
        let mut joints: Vec<[i32; 3]> = numbers
            .map(|&number| {
                let joint = &layout.joints[number as usize];
                [i32::from(joint.left_pool as usize == pool), joint.sill, joint.lintel]
            })
            .collect();
        joints.sort_unstable();
        joints
    };
    let key = |layout: &Layout, pool: usize| {
        let pool = &layout.pools[pool];
        let first = pool.columns.start;
        (pool.x0, layout.floor[first], layout.ceiling[first])
    };
    let mut order: Vec<usize> = (0..before.pools.len()).collect();
    order.sort_unstable_by_key(|&pool| key(before, pool));
    let found = |pool: usize| {
        let place = order.partition_point(|&old| key(before, old) < key(after, pool));
        let &old = order.get(place)?;
        let [a, b] = [before.pools[old].columns.clone(), after.pools[pool].columns.clone()];
        let same = before.pools[old].x0 == after.pools[pool].x0
            && before.floor[a.clone()] == after.floor[b.clone()]
            && before.ceiling[a] == after.ceiling[b]
            && joints(before, old) == joints(after, pool);
        same.then_some(old)
    };
    (0..after.pools.len()).map(found).collect()
}
