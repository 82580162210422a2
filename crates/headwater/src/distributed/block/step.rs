//! [`Subdomain`]: the part of a world that covers the rows of a block and its halo, with the stages
//! of a time step.

use crate::distributed::block::fields::{RowAlignment, fields, fields_mut, row_values};
use crate::distributed::block::ledger_log::{LedgerLog, LogWriter};
use crate::distributed::block::mouths::{MouthCell, StructureMouths};
use crate::distributed::partition::set_halo_row;
use crate::flow::solver::sweep;
use crate::flow::sources::ledger_sink::LedgerSink as _;
use crate::flow::step::StepMethod;
use crate::flow::world::Flow;
use std::ops::Range;

/// Part of a world that covers a range of owned rows and a halo. The halo contains copies of rows
/// that neighbouring subdomains own. The owned rows together with the halo are called the window.
#[derive(Debug)]
pub(in crate::distributed) struct Subdomain {
    /// Sub-world that covers the window (the owned rows and the halo rows).
    pub(in crate::distributed) flow: Flow,
    /// Owned rows, counted from the top of the grid.
    pub(in crate::distributed) rows: Range<usize>,
    /// Owned rows, counted from the first row of the window.
    pub(in crate::distributed) own_rows: Range<usize>,
    /// Number of halo rows on each side that has a neighbour.
    halo: usize,
    /// Whether there is a subdomain to the north (index 0) and to the south (index 1).
    pub(in crate::distributed) neighbours: [bool; 2],
    log: LedgerLog,
}

impl Subdomain {
    /// Creates a subdomain. `flow` is the sub-world that covers the window (the owned rows and the
    /// halo). `rows` are the owned rows counted from the top of the grid, and `own_rows` are the
    /// same rows counted from the first row of the window.
    pub(in crate::distributed) fn new(
        mut flow: Flow,
        [rows, own_rows]: [Range<usize>; 2],
        halo: usize,
        neighbours: [bool; 2],
    ) -> Self {
        flow.workspace.sweep.tiles.restrict_to_rows(own_rows.clone());
        Self { flow, rows, own_rows, halo, neighbours, log: LedgerLog::default() }
    }

    /// Sets, for each spring and each drain, the number of its open cells (cells that water can
    /// enter) that are in other subdomains. The discharge is distributed over all open cells.
    pub(in crate::distributed) fn set_remote_open_cells(
        &mut self,
        [springs, drains]: [Vec<usize>; 2],
    ) {
        let exchange = &mut self.flow.exchange;
        for (list, elsewhere) in [(&mut exchange.springs, springs), (&mut exchange.drains, drains)]
        {
            list.iter_mut()
                .zip(elsewhere)
                .for_each(|(outlet, open)| outlet.remote_open_cells = open);
        }
    }

    /// Performs the stages of a step of length `dt` (s) that do not require an up-to-date halo.
    pub(in crate::distributed) fn begin_step(&mut self, dt: f64, mouths: Option<&StructureMouths>) {
        self.flow.begin_step(StepMethod::Rows);
        self.begin_step_log();
        self.exchange_water(dt, mouths);
    }

    /// Performs the stages of a step of length `dt` (s) that move water between cells, stages 1 to
    /// 5. The halo must be up to date.
    pub(in crate::distributed) fn move_water(&mut self, dt: f64) {
        let mut ledger = LogWriter { log: &mut self.log, own_rows: self.own_rows.clone() };
        self.flow.move_water(dt, StepMethod::Rows, &mut ledger);
    }

    /// Performs consecutive steps of the given lengths (s) without a halo exchange. The halo must
    /// be up to date before the first step.
    pub(in crate::distributed) fn run_pass(&mut self, lengths: &[f64]) {
        let mut ledger = LogWriter { log: &mut self.log, own_rows: self.own_rows.clone() };
        self.flow.run_pass(lengths, &mut ledger);
    }

    fn begin_step_log(&mut self) {
        LogWriter { log: &mut self.log, own_rows: self.own_rows.clone() }.next_step();
    }

    /// Performs stage 0 of a step of length `dt` (s), the exchange of water with sources and
    /// losses, in the owned rows. The transfers through structures must have been computed before.
    fn exchange_water(&mut self, dt: f64, mouths: Option<&StructureMouths>) {
        let depths = mouths.map(|mouths| self.mouth_depths(mouths));
        let mut ledger = LogWriter { log: &mut self.log, own_rows: self.own_rows.clone() };
        let flow = &mut self.flow;
        let Some(depths) = depths else { return flow.exchange_water(dt, &mut ledger, None) };
        flow.workspace.sweep.tiles.wake(depths.iter().map(|(cell, _)| *cell));
        let mut through = |state: &mut crate::flow::State| {
            depths.iter().for_each(|(cell, depth)| state.depth[*cell] = *depth);
        };
        flow.exchange_water(dt, &mut ledger, Some(&mut through));
    }

    /// Copies the owned rows that the neighbour to the north (side 0) or south (side 1) needs as
    /// its halo into `border_rows`. These are the northernmost or southernmost owned rows of cells.
    /// They come with the faces between rows: for the north, the faces south of each row; for the
    /// south, the faces north of each row. `border_rows` is left empty if there is no neighbour.
    pub(in crate::distributed) fn pack_border_rows(&self, side: usize, border_rows: &mut Vec<f32>) {
        let Self { flow, own_rows, halo, .. } = self;
        border_rows.clear();
        if !self.neighbours[side] {
            return;
        }
        let cells = match side {
            0 => own_rows.start..own_rows.start + halo,
            _ => own_rows.end - halo.min(&own_rows.end)..own_rows.end,
        };
        for (field, alignment) in fields(&flow.state) {
            let faces = usize::from(side == 0 && alignment == RowAlignment::Faces);
            border_rows
                .extend_from_slice(row_values(field, cells.start + faces..cells.end + faces));
        }
    }

    /// Replaces the halo to the north (side 0) or south (side 1) by rows that the neighbour has
    /// [packed](Self::pack_border_rows), and wakes the tiles that contain changed values. Returns
    /// whether any value changed.
    pub(in crate::distributed) fn set_halo(&mut self, side: usize, rows: &[f32]) -> bool {
        let mut changed = false;
        if !self.neighbours[side] {
            return changed;
        }
        let cells = self.halo_rows(side);
        let Self { flow, .. } = self;
        let mut rest = rows;
        let tiles = &mut flow.workspace.sweep.tiles;
        for (field, alignment) in fields_mut(&mut flow.state) {
            let faces = usize::from(side == 1 && alignment == RowAlignment::Faces);
            let width = field.nx();
            for y in cells.start + faces..cells.end + faces {
                let (row, more) = rest.split_at(width);
                set_halo_row(field.row_mut(y), row, sweep::TILE_SIZE, |x| {
                    changed = true;
                    tiles.wake([(x, y)]);
                });
                rest = more;
            }
        }
        changed
    }

    /// Returns the halo rows to the north (side 0) or south (side 1), counted from the first row of
    /// the window.
    pub(in crate::distributed) fn halo_rows(&self, side: usize) -> Range<usize> {
        if side == 0 { 0..self.halo } else { self.own_rows.end..self.own_rows.end + self.halo }
    }

    /// Removes the ledger log of the owned rows and returns it. The subdomain continues with an
    /// empty log.
    pub(in crate::distributed) fn take_log(&mut self) -> LedgerLog {
        std::mem::take(&mut self.log)
    }
}

impl Subdomain {
    /// Iterates over the cells in the owned rows that are at the mouths of structures. An item
    /// consists of the index of the cell in `mouths`, and the column and row of the cell in the
    /// window.
    fn mouth_cells<'a>(
        &'a self,
        mouths: &'a StructureMouths,
    ) -> impl Iterator<Item = (usize, (usize, usize))> + 'a {
        let own = mouths.cells.iter().enumerate().filter(|(_, (_, y))| self.rows.contains(y));
        own.map(|(index, &(x, y))| (index, (x, y - self.rows.start + self.own_rows.start)))
    }

    /// Returns the states of the owned cells at the mouths of structures, for exchange with other
    /// processes.
    pub(in crate::distributed) fn read_mouths(&self, mouths: &StructureMouths) -> Vec<MouthCell> {
        let state = &self.flow.state;
        let values = |cell: (usize, usize)| {
            let closed = f64::from(u8::from(state.closed.contains(cell.0, cell.1)));
            [state.bed[cell].into(), state.depth[cell].into(), closed]
        };
        self.mouth_cells(mouths).map(|(index, cell)| (index, values(cell))).collect()
    }

    /// Returns the depths (m) of the owned cells at the mouths of structures after the structures
    /// have moved their water. Each cell is given by its column and row in the window.
    pub(in crate::distributed) fn mouth_depths(
        &self,
        mouths: &StructureMouths,
    ) -> Vec<((usize, usize), f32)> {
        let depth = |(index, cell)| (cell, mouths.state.depth[(index, 0)]);
        self.mouth_cells(mouths).map(depth).collect()
    }
}
