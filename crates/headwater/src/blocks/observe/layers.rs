//! Named layers of a world, as fields of values that can be drawn or written to a file.

use crate::blocks::state::bodies::NONE;
use crate::blocks::state::cell::{AIR, FULL, PackedCell};
use crate::blocks::state::label::SIDE;
use crate::blocks::world::Blocks;
use crate::field::Field;
use crate::layer::{LayerOutput, layers, write_rows};
use crate::model::Model as _;
use std::ops::Range;

layers! {
    Blocks, Field<f32>;
    Cells: "cells", "1", "1 for wall, else 0";
    Fill: "fill", "1", "filled fraction of the cell, 0 to 1";
    Liquid: "liquid", "1", "0 none, 1 oil, 2 water, 3 lava";
    Body: "body", "1", "number of the body, from 1; 0 outside bodies", Anywhere;
    Pressure: "pressure", "cells", "height of the body's top above the cell's surface", Anywhere;
    Tag: "tag", "1", "tag assigned by the caller, 0 to 255";
    Active: "active", "1", "1 in chunks that the next step may change, else 0", Anywhere;
}

impl Blocks {
    /// Returns a layer of the world as a field of `nx × ny` values, in the unit of the layer.
    pub fn view(&self, view: View) -> Field<f32> {
        self.compute_layer(view)
    }

    fn write(&self, view: View, output: LayerOutput<'_>) {
        match view {
            View::Cells => {
                self.write_by_cell(output, |cell| f32::from(u8::from(cell.is_wall())));
            }
            View::Fill => {
                let part = |cell: PackedCell| f32::from(cell.fill()) / f32::from(FULL);
                self.write_by_cell(output, part);
            }
            View::Liquid => self.write_by_cell(output, |cell| {
                f32::from(if cell.is_liquid() { cell.kind() } else { AIR })
            }),
            View::Tag => write_rows(output, |y, columns, into| match &self.tags {
                None => into.fill(0.0),
                Some(tags) => {
                    let tags = tags.row(y)[columns].iter();
                    into.iter_mut().zip(tags).for_each(|(into, &tag)| *into = f32::from(tag));
                }
            }),
            View::Body => self.with_bodies(|bodies| {
                write_rows(output, |y, columns, into| {
                    let bodies = &bodies[y * self.nx()..][columns];
                    for (number, &body) in into.iter_mut().zip(bodies) {
                        *number = if body == NONE { 0.0 } else { body as f32 + 1.0 };
                    }
                });
            }),
            View::Pressure => self.write_pressure(output),
            View::Active => {
                let awake: &[bool] = &self.awake_chunks();
                write_rows(output, |y, columns, into| {
                    for_each_run(columns, |xs, run| {
                        let chunk = self.grid.chunk_of(xs.start, y);
                        into[run].fill(f32::from(u8::from(awake[chunk])));
                    });
                });
            }
        }
    }

    /// Writes a layer whose value in a cell depends only on the contents of that cell.
    fn write_by_cell(&self, output: LayerOutput<'_>, value: impl Fn(PackedCell) -> f32 + Sync) {
        write_rows(output, |y, columns, into| {
            for_each_run(columns, |xs, run| {
                let row = &self.grid.chunks[self.grid.chunk_of(xs.start, y)].cells[y % SIDE];
                let cells = &row[xs.start % SIDE..][..xs.len()];
                into[run].iter_mut().zip(cells).for_each(|(into, &cell)| *into = value(cell));
            });
        });
    }
}

/// Splits a range of columns at the borders of chunks and calls `work` for each part. The first
/// argument is the part itself, and the second is the part relative to the start of `columns`.
fn for_each_run(columns: Range<usize>, mut work: impl FnMut(Range<usize>, Range<usize>)) {
    let mut start = columns.start;
    while start < columns.end {
        let end = ((start / SIDE + 1) * SIDE).min(columns.end);
        work(start..end, start - columns.start..end - columns.start);
        start = end;
    }
}
