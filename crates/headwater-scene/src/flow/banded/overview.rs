//! [`Overview`]: one of so many cells of a world, for pictures of it.

use headwater::flow::{BandView, Banded, View, Window};
use headwater::{Field, Hex, Lattice, Square};
use std::io;
use std::ops::Range;

/// The most cells of a picture's world: as many as no picture has pixels.
const MOST: usize = 1 << 22;

/// Ground and water of each `step`th cell of each `step`th row.
#[derive(Debug)]
pub(super) struct Overview {
    /// How far apart they are; 1 where all are there.
    step: usize,
    pub(super) lattice: Lattice,
    pub(super) bed: Field<f32>,
    pub(super) depth: Field<f32>,
    /// Obstacles, and cells without data.
    pub(super) closed: Field<bool>,
    pub(super) no_data: Field<bool>,
    pub(super) velocity: [Field<f32>; 2],
    /// How often each band had been stepped when it was looked at last.
    seen: Vec<u64>,
}

impl Overview {
    /// Of a world whose cells come later.
    pub(super) fn new(lattice: &Lattice) -> Option<Self> {
        let mut step = 1;
        while lattice.nx().div_ceil(step) * lattice.ny().div_ceil(step) > MOST {
            step += 1;
        }
        let (nx, ny) = (lattice.nx().div_ceil(step), lattice.ny().div_ceil(step));
        let far = step as f64;
        let reduced = match lattice {
            _ if step == 1 => *lattice,
            Lattice::Square(of) => Square::new(nx, ny, far * of.dx(), far * of.dy()).ok()?.into(),
            Lattice::Hex(of) => Hex::new(nx, ny, far * of.spacing()).ok()?.into(),
        };
        let zeros = || Field::new(nx, ny, 0.0);
        Some(Self {
            step,
            lattice: reduced,
            bed: zeros(),
            depth: zeros(),
            closed: Field::new(nx, ny, false),
            no_data: Field::new(nx, ny, false),
            velocity: [zeros(), zeros()],
            seen: Vec::new(),
        })
    }

    /// The rows that are shown among some, each with its number here.
    fn rows(&self, rows: Range<usize>) -> impl Iterator<Item = (usize, usize)> + use<> {
        let step = self.step;
        let first = rows.start.div_ceil(step) * step;
        (first..rows.end).step_by(step).map(move |y| (y, y / step))
    }

    /// Takes the ground over, and water at rest, of some rows.
    pub(super) fn begin(&mut self, rows: Range<usize>, window: &Window, no_data: &Field<bool>) {
        let step = self.step;
        for (y, row) in self.rows(rows.clone()) {
            let y = y - rows.start;
            take(self.bed.row_mut(row), window.bed.row(y), step);
            take(self.depth.row_mut(row), window.depth.row(y), step);
            if let Some(closed) = &window.closed {
                take(self.closed.row_mut(row), closed.row(y), step);
            }
            take(self.no_data.row_mut(row), no_data.row(y), step);
            let cells = self.closed.row_mut(row).iter_mut().zip(self.no_data.row(row));
            cells.for_each(|(closed, missing)| *closed &= !missing);
        }
    }

    /// Takes the water over of all bands that have been stepped since.
    pub(super) fn follow(&mut self, world: &mut Banded) -> io::Result<()> {
        let visits: Vec<(Range<usize>, u64)> = world.visits().collect();
        self.seen.resize(visits.len(), 0);
        for (i, (rows, count)) in visits.into_iter().enumerate() {
            if self.seen[i] != count {
                world.look(rows.start, |band| self.take(&band))?;
                self.seen[i] = count;
            }
        }
        Ok(())
    }

    fn take(&mut self, band: &BandView<'_>) {
        let velocity = [View::VelocityX, View::VelocityY].map(|view| band.layer(view));
        let (step, rows) = (self.step, band.rows());
        for (y, row) in self.rows(rows.clone()) {
            take(self.depth.row_mut(row), band.state().depth.row(band.place(y)), step);
            for (mine, all) in self.velocity.iter_mut().zip(&velocity) {
                take(mine.row_mut(row), all.row(y - rows.start), step);
            }
        }
    }
}

fn take<T: Copy>(row: &mut [T], all: &[T], step: usize) {
    row.iter_mut().zip(all.iter().step_by(step)).for_each(|(mine, value)| *mine = *value);
}
