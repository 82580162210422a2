//! Queries of a world: content of cells, volumes, surface levels and bodies of liquid, and whether
//! the world is at rest.

use super::layers::View;
use crate::blocks::params::Rule;
use crate::blocks::stages::level;
use crate::blocks::stages::whole_blocks;
use crate::blocks::state::bodies::NONE;
use crate::blocks::state::cell::{AIR, Cell, FULL, Liquid};
use crate::blocks::state::cell_labels::{CellLabels, floor_height};
use crate::blocks::world::Blocks;
use crate::field::Field;
use crate::layer::{LayerOutput, write_cells};
use crate::parallel::for_each_row;
use crate::scratch::{PooledValue, PooledVec};

impl Blocks {
    /// Returns the content of a cell, or `None` if the position is off the grid.
    pub fn cell(&self, x: usize, y: usize) -> Option<Cell> {
        (x < self.nx() && y < self.ny()).then(|| self.grid.cell_at(x, y).into())
    }

    /// Returns a copy of all cells.
    pub fn cells(&self) -> Field<Cell> {
        self.grid.cells().map(|&cell| cell.into())
    }

    /// Returns the volume of liquid in a cell (256ths of a cell), or `None` if the position is off
    /// the grid.
    pub fn fill_at(&self, x: usize, y: usize) -> Option<u16> {
        self.cell(x, y).map(Cell::fill)
    }

    /// Returns the volume of a liquid (256ths of a cell) in the rectangle of `nx × ny` cells whose
    /// top-left cell is `(x, y)`. Cells off the grid count as empty.
    pub fn volume_in(&self, liquid: Liquid, x: usize, y: usize, nx: usize, ny: usize) -> u64 {
        let (end_x, end_y) =
            (x.saturating_add(nx).min(self.nx()), y.saturating_add(ny).min(self.ny()));
        let mut sum = 0;
        for y in y..end_y {
            for x in x..end_x {
                let cell = self.grid.cell_at(x, y);
                if cell.kind() == liquid as u16 + 1 {
                    sum += u64::from(cell.fill());
                }
            }
        }
        sum
    }

    /// Returns the total volume of a liquid (256ths of a cell) in the world. Visits every cell.
    pub fn volume(&self, liquid: Liquid) -> u64 {
        self.grid.volumes()[liquid as usize]
    }

    /// Returns the surface level of the body (connected liquid of one kind) at a cell, in cells
    /// above the bottom of the world. The level is measured at the highest surface of the body.
    /// Returns `None` if the cell belongs to no body.
    pub fn surface_level(&self, x: usize, y: usize) -> Option<f64> {
        self.cell(x, y)?;
        let top = match self.params.rule {
            Rule::Fill => {
                let body = self.grid.body(x as u32, y as u32);
                (body != NONE).then(|| self.grid.top_of_body(body))?
            }
            Rule::WholeBlocks => {
                let labels = self.cached_labels();
                let body = labels.bodies()[y * self.nx() + x];
                let top = (body != NONE).then(|| labels.top_of(body))?;
                self.surface_height(top % self.nx(), top / self.nx())
            }
        };
        Some(f64::from(top) / f64::from(FULL))
    }

    /// Returns the index of the body (connected liquid of one kind) at a cell, or `None` if the
    /// cell belongs to no body. Indices start at 0 and are valid until the next step or edit.
    pub fn body_at(&self, x: usize, y: usize) -> Option<u32> {
        self.cell(x, y)?;
        let body = match self.params.rule {
            Rule::Fill => self.grid.body(x as u32, y as u32),
            Rule::WholeBlocks => self.cached_labels().bodies()[y * self.nx() + x],
        };
        (body != NONE).then_some(body)
    }

    fn cached_labels(&self) -> PooledValue<'_, whole_blocks::CachedLabels> {
        let mut labels = self.scratch.take::<whole_blocks::CachedLabels>();
        labels.update(&self.grid);
        labels
    }

    pub(in crate::blocks) fn with_bodies<T>(&self, work: impl FnOnce(&[u32]) -> T) -> T {
        match self.params.rule {
            Rule::Fill => {
                let mut bodies = self.scratch.take_filled(self.nx() * self.ny(), NONE);
                for_each_row(&mut bodies, self.nx(), |y, row| {
                    for (x, body) in row.iter_mut().enumerate() {
                        *body = self.grid.body(x as u32, y as u32);
                    }
                });
                work(&bodies)
            }
            Rule::WholeBlocks => work(self.cached_labels().bodies()),
        }
    }

    fn surface_height(&self, x: usize, y: usize) -> i32 {
        let cell = self.grid.cell_at(x, y);
        let fill = if cell.kind() == AIR { 0 } else { cell.fill() };
        floor_height(&self.grid, y as u32) + i32::from(fill)
    }

    fn body_tops(&self, bodies: &[u32]) -> PooledVec<'_, i32> {
        let mut tops = self.scratch.take_vec();
        // Later calls may have more bodies, but never more than there are cells.
        tops.reserve(bodies.len());
        for (y, row) in bodies.chunks(self.nx()).enumerate() {
            for (x, &body) in row.iter().enumerate().filter(|(_, body)| **body != NONE) {
                let body = body as usize;
                if body >= tops.len() {
                    tops.resize(body + 1, 0);
                }
                tops[body] = self.surface_height(x, y).max(tops[body]);
            }
        }
        tops
    }

    /// Returns whether the body at a cell is at rest. Returns true if the cell belongs to no body.
    pub fn is_body_at_rest(&self, x: usize, y: usize) -> bool {
        match (self.params.rule, self.body_at(x, y)) {
            (Rule::Fill, Some(body)) => level::is_body_at_rest(&self.grid, &self.params, body),
            (Rule::WholeBlocks, Some(body)) => {
                self.cached_labels().is_body_at_rest(body, &self.params)
            }
            (_, None) => true,
        }
    }

    /// Returns whether the world is at rest: steps no longer change it, apart from springs, drains
    /// and evaporation. With [`Rule::WholeBlocks`], the first call after a step or an edit visits
    /// every cell.
    pub fn is_asleep(&self) -> bool {
        match self.params.rule {
            Rule::Fill => {
                self.grid.active.is_empty()
                    && self.grid.falling.is_empty()
                    && !self.grid.has_changed()
            }
            Rule::WholeBlocks => self.cached_labels().is_asleep(&self.params),
        }
    }

    /// Returns the number of rows by which each cell lies below the top of its body of liquid, or 0
    /// for cells that belong to no body. With [`Rule::WholeBlocks`], this depth is the
    /// pressure head Δh that moves the blocks.
    pub fn pressure(&self) -> Field<f32> {
        self.view(View::Pressure)
    }

    pub(super) fn write_pressure(&self, output: LayerOutput<'_>) {
        self.with_bodies(|bodies| {
            let tops = self.body_tops(bodies);
            write_cells(output, |x, y| {
                let body = bodies[y * self.nx() + x];
                let depth =
                    tops.get(body as usize).map_or(0, |top| top - self.surface_height(x, y));
                depth as f32 / f32::from(FULL)
            });
        });
    }

    /// Returns the column and row of the air cells into which water flows first with
    /// [`Rule::WholeBlocks`]: for each body of water, the adjacent air cells with the largest
    /// pressure. The cells are sorted by body, then from the top row down and from west to east.
    /// With any other rule, the result is empty.
    pub fn pressure_targets(&self) -> Vec<(usize, usize)> {
        if self.params.rule == Rule::Fill {
            return Vec::new();
        }
        let place = |i: u32| (i as usize % self.nx(), i as usize / self.nx());
        self.cached_labels().targets(&self.params).into_iter().map(place).collect()
    }
}
