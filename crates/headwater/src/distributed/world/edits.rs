//! Edits of a distributed world: brushes, new springs and drains, and closing of cells. The result
//! is bit-identical to an undivided world, because sums are accumulated from block to block in row
//! order.

use crate::brush::{self, Brush, BrushCell};
use crate::distributed::local::LocalBlocks;
use crate::distributed::storage::page::slot;
use crate::distributed::world::distributed_flow::DistributedFlow;
use crate::error::InputError;
use crate::field::Field;
use crate::flow::edit::{Amount, Edit, PreservedQuantity};
use crate::flow::sources::exchange::{Outlet, Source};
use crate::flow::state::edit_delta::edit_cells;
use crate::ledger::Cause;
use std::io;

/// Edit to be applied to the blocks of each process, with the arguments that all processes have
/// computed together.
struct BlockEdit<'a> {
    brush: &'a Brush,
    edit: Edit,
    preserve: PreservedQuantity,
    /// First grid row of the smoothed area, and the smoothed bed elevations (m) from this row on.
    /// `None` unless the edit smooths the bed.
    smoothed: Option<(usize, Field<f32>)>,
}

impl DistributedFlow {
    /// Edits the world with a brush, like
    /// [`Flow::edit_preserving`](crate::flow::Flow::edit_preserving).
    ///
    /// # Errors
    /// Returns an error if the storage fails, and [`InputError`] if the region of the brush or a
    /// number of `edit` is invalid, or if `edit` flattens the ground but specifies no level.
    pub fn edit(
        &mut self,
        brush: &Brush,
        edit: Edit,
        preserve: PreservedQuantity,
    ) -> io::Result<()> {
        let wrong = io::Error::other::<InputError>;
        edit.validate().map_err(wrong)?;
        brush.region.validate().map_err(wrong)?;
        let (mut edit, mut smoothed) = (edit, None);
        match edit {
            Edit::Flatten { level: None, .. } => {
                let allowed = "a level, in a world that is distributed or partly in memory";
                return Err(wrong(InputError::new("the level to flatten to", "none", allowed)));
            }
            Edit::Smooth { reach, strength } => {
                let Some(new) = self.smooth_bed(brush, reach, strength)? else { return Ok(()) };
                smoothed = Some(new);
            }
            Edit::Pour(amount @ Amount::Volume(_)) => {
                edit = Edit::Pour(self.depth_from_volume(brush, amount)?);
            }
            Edit::Remove(amount @ Amount::Volume(_)) => {
                edit = Edit::Remove(self.depth_from_volume(brush, amount)?);
            }
            _ => {}
        }
        self.exchange_halos();
        let block_edit = BlockEdit { brush, edit, preserve, smoothed };
        let [given, taken] = self
            .fold_ranks([0.0; 2], |blocks, moved_depths| blocks.edit(&block_edit, moved_depths))?;
        let world = &mut self.local.world;
        let area = world.lattice.cell_area();
        world.ledger.total.record(Cause::Edit, given * area);
        world.ledger.total.record(Cause::Edit, -taken * area);
        if matches!(edit, Edit::Close | Edit::Open) { self.count_open_cells() } else { Ok(()) }
    }

    /// Closes cells of the grid in all processes, so that water neither enters nor leaves these
    /// cells. See [`Flow::close_cells`](crate::flow::Flow::close_cells).
    ///
    /// # Errors
    /// Returns an error if the storage fails.
    pub fn close(&mut self, cells: &[(usize, usize)]) -> io::Result<()> {
        self.local.close(cells)?;
        self.count_open_cells()
    }

    /// Adds a spring, like [`Flow::add_spring`](crate::flow::Flow::add_spring).
    ///
    /// # Errors
    /// Returns an error under the same conditions as
    /// [`Flow::add_spring`](crate::flow::Flow::add_spring), or if the storage fails.
    pub fn add_spring(&mut self, spring: Source) -> io::Result<()> {
        let outlet = self.world().spring(spring).map_err(io::Error::other)?;
        self.add_outlet(0, outlet)
    }

    /// Adds a drain, like [`Flow::add_drain`](crate::flow::Flow::add_drain).
    ///
    /// # Errors
    /// Returns an error under the same conditions as
    /// [`Flow::add_drain`](crate::flow::Flow::add_drain), or if the storage fails.
    pub fn add_drain(&mut self, drain: Source) -> io::Result<()> {
        let outlet = self.world().new_outlet("drain", drain).map_err(io::Error::other)?;
        self.add_outlet(1, outlet)
    }

    /// Adds a spring (kind 0) or a drain (kind 1) on all processes.
    pub(in crate::distributed) fn add_outlet(
        &mut self,
        kind: usize,
        outlet: Outlet,
    ) -> io::Result<()> {
        self.outlets.springs_or_drains_mut(kind).add(outlet.clone());
        self.local.add_outlet(kind, outlet)?;
        self.count_open_cells()
    }

    /// Converts an amount given as a volume (m³) to the depth of water (m) that the edit applies
    /// where the brush has full strength.
    fn depth_from_volume(&mut self, brush: &Brush, amount: Amount) -> io::Result<Amount> {
        // The empty sum of floats is −0, as it is in an undivided world.
        let none = std::iter::empty::<f64>().sum();
        let weights = self.fold_ranks(none, |blocks, sum| blocks.add_brush_weights(brush, sum))?;
        Ok(Amount::Depth(amount.depth_for_weight_sum(weights, self.lattice()).into()))
    }

    /// Returns the first grid row of the smoothed area, and the smoothed bed elevations (m) from
    /// this row on. Returns `None` if the brush covers no cell.
    fn smooth_bed(
        &mut self,
        brush: &Brush,
        reach: f64,
        strength: f64,
    ) -> io::Result<Option<(usize, Field<f32>)>> {
        let lattice = *self.lattice();
        let touched = brush.cells(lattice).map_err(io::Error::other)?;
        let (Some(first), Some(last)) = (touched.first(), touched.last()) else { return Ok(None) };
        let radius = ((reach / lattice.dy()).round() as usize).clamp(1, lattice.ny());
        // The first row is even, so that odd rows of hexagons are odd in the field as well.
        let start = first.y.saturating_sub(radius) / 2 * 2;
        let end = (last.y + radius + 1).min(lattice.ny());
        let mut bed = self.field_rows(slot::BED, start..end)?;
        let strip = lattice.with_rows(end - start).map_err(io::Error::other)?;
        let touched: Vec<_> = touched.iter().map(|t| BrushCell { y: t.y - start, ..*t }).collect();
        brush::smooth_heights(&mut bed, &touched, strip, reach, strength);
        Ok(Some((start, bed)))
    }
}

impl LocalBlocks {
    /// Adds the brush weights of all open cells of this process to `sum`, and returns the new sum.
    /// Open cells are cells that water can enter.
    fn add_brush_weights(&mut self, brush: &Brush, mut sum: f64) -> io::Result<f64> {
        let lattice = self.world.lattice;
        for block in &mut self.blocks {
            let rows = block.subdomain.rows.clone();
            let touched = brush.cells_in_rows(lattice, rows.clone()).map_err(io::Error::other)?;
            if touched.is_empty() {
                continue;
            }
            let own = block.owned_rows(slot::CLOSED);
            let closed = block.raw_rows(slot::CLOSED, own, &mut *self.store)?;
            let is_open =
                |t: &&BrushCell| closed.first_list()[(t.y - rows.start) * lattice.nx() + t.x] == 0;
            let weights = touched.iter().filter(is_open).map(|t| f64::from(t.weight));
            sum = weights.fold(sum, |sum, weight| sum + weight);
        }
        Ok(sum)
    }

    /// Applies an edit to the blocks of this process. `moved_depths` holds two sums over the cells
    /// of the blocks to the north: the added and the removed depths (m). Returns these sums
    /// including the blocks of this process. Halos must be [up to date](Self::exchange_halos).
    fn edit(&mut self, edit: &BlockEdit<'_>, mut moved_depths: [f64; 2]) -> io::Result<[f64; 2]> {
        let BlockEdit { brush, edit, preserve, smoothed } = edit;
        let lattice = self.world.lattice;
        // Border rows of the next block to the north, as they were before the edit changed them.
        let mut before: Option<Vec<f32>> = None;
        for i in 0..self.blocks.len() {
            let rows = self.blocks[i].window_rows(slot::BED);
            let mut touched =
                brush.cells_in_rows(lattice, rows.clone()).map_err(io::Error::other)?;
            touched.iter_mut().for_each(|t| t.y -= rows.start);
            let north = before.take();
            before = Some(self.blocks[i].margins[1].rows.clone());
            if touched.is_empty() {
                continue;
            }
            self.load_block(i)?;
            self.update_halo(i, north.as_deref());
            let block = &mut self.blocks[i];
            let flow = &mut block.subdomain.flow;
            flow.mark_changed(touched.iter().map(|t| (t.x, t.y)));
            let new = |t: &BrushCell| match smoothed {
                Some((first, bed)) => bed[(t.x, t.y + rows.start - first)],
                None => 0.0,
            };
            let new = smoothed.is_some().then_some(&new as &dyn Fn(&BrushCell) -> f32);
            let window = flow.lattice;
            let water = edit_cells(&mut flow.state, &window, &touched, *edit, *preserve, new);
            moved_depths = water.apply_to_rows(
                moved_depths,
                &mut flow.state,
                block.subdomain.own_rows.clone(),
            );
            block.mark_changed(self.mouths.as_ref());
            self.open_cell_counts[i] = block.open_cell_counts();
        }
        Ok(moved_depths)
    }

    /// Updates the halo of block `block_index` before an edit. `north` contains the border rows of
    /// the adjacent block to the north as they were before the edit. It is `None` for the first
    /// block of this process.
    fn update_halo(&mut self, block_index: usize, north: Option<&[f32]>) {
        let (above, rest) = self.blocks.split_at_mut(block_index);
        let Some((block, below)) = rest.split_first_mut() else { return };
        let [first, last] = self.outer_halos.each_ref().map(Option::as_ref);
        let above = above.last().map(|above| &above.margins[1]).or(first);
        if let Some(rows) = north.or(above.map(|margin| &margin.rows[..])) {
            block.set_halo(0, rows);
        }
        if let Some(margin) = below.first().map(|below| &below.margins[0]).or(last) {
            block.set_halo(1, &margin.rows);
        }
    }

    fn close(&mut self, cells: &[(usize, usize)]) -> io::Result<()> {
        for i in 0..self.blocks.len() {
            let window = self.blocks[i].window_rows(slot::CLOSED);
            let marked = cells.iter().filter(|(_, y)| window.contains(y));
            let marked: Vec<_> = marked.map(|(x, y)| (*x, y - window.start)).collect();
            if marked.is_empty() {
                continue;
            }
            self.load_block(i)?;
            let block = &mut self.blocks[i];
            marked.iter().for_each(|(x, y)| block.subdomain.flow.state.closed.set(*x, *y, true));
            block.subdomain.flow.mark_changed(marked);
            block.mark_changed(self.mouths.as_ref());
            self.open_cell_counts[i] = block.open_cell_counts();
        }
        Ok(())
    }

    /// Adds a spring (kind 0) or a drain (kind 1) to all blocks that this process owns.
    fn add_outlet(&mut self, kind: usize, outlet: Outlet) -> io::Result<()> {
        for i in 0..self.blocks.len() {
            self.load_block(i)?;
            let block = &mut self.blocks[i];
            let own =
                outlet.restricted_to_rows(&block.subdomain.rows, block.subdomain.own_rows.start);
            block.subdomain.flow.exchange.outlets_mut()[kind].add(own);
            block.update_sources();
            self.open_cell_counts[i] = block.open_cell_counts();
        }
        self.spec.flow.exchange.outlets_mut()[kind].add(outlet.clone());
        self.world.exchange.outlets_mut()[kind].add(outlet);
        Ok(())
    }
}
