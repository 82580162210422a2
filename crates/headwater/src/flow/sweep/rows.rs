//! A strip of rows that one task steps in place, with copies of the rows beyond it.

use crate::field::Field;
use crate::flow::context::Step;
use crate::flow::state::{Closed, State};
use crate::lattice::{FaceAxis, adjacent_cells};
use std::ops::Range;

/// Rows of one array: a task's own, and copies of some above and below.
pub(in crate::flow) struct Rows<'a> {
    width: usize,
    /// Number of the first of its own rows.
    first: isize,
    /// How many there are above, and of its own.
    counts: [isize; 2],
    own: &'a mut [f32],
    above: &'a mut [f32],
    below: &'a mut [f32],
}

impl<'a> Rows<'a> {
    pub(super) fn new(
        width: usize,
        first: usize,
        own: &'a mut [f32],
        Halo { above, below }: &'a mut Halo,
    ) -> Self {
        // Looked up a dozen times a row: not divided each time.
        let counts = [above.len(), own.len()].map(|all| (all / width) as isize);
        Self { width, first: first as isize, counts, own, above, below }
    }

    /// Row `y`. Rows are counted on over joined edges: the one above row 0 is −1.
    pub(in crate::flow) fn row(&self, y: isize) -> &[f32] {
        let (part, start) = match self.place(y) {
            (Part::Above, start) => (&*self.above, start),
            (Part::Own, start) => (&*self.own, start),
            (Part::Below, start) => (&*self.below, start),
        };
        &part[start..start + self.width]
    }

    /// Row `y`, with what comes next in store.
    pub(in crate::flow) fn row_on(&self, y: isize) -> &[f32] {
        match self.place(y) {
            (Part::Above, start) => &self.above[start..],
            (Part::Own, start) => &self.own[start..],
            (Part::Below, start) => &self.below[start..],
        }
    }

    pub(in crate::flow) fn row_mut(&mut self, y: isize) -> &mut [f32] {
        let (part, start) = match self.place(y) {
            (Part::Above, start) => (&mut *self.above, start),
            (Part::Own, start) => (&mut *self.own, start),
            (Part::Below, start) => (&mut *self.below, start),
        };
        &mut part[start..start + self.width]
    }

    pub(in crate::flow) fn two_rows_mut(&mut self, y: isize) -> [&mut [f32]; 2] {
        let width = self.width;
        let [(first, start), (second, next)] = [y, y + 1].map(|y| self.place(y));
        let Self { own, above, below, .. } = self;
        let (upper, lower): (&mut [f32], &mut [f32]) = match (first, second) {
            (Part::Above, Part::Above) => above[start..].split_at_mut(width),
            (Part::Own, Part::Own) => own[start..].split_at_mut(width),
            (Part::Below, Part::Below) => below[start..].split_at_mut(width),
            (Part::Above, Part::Own) => (&mut above[start..], &mut own[next..]),
            (Part::Above, _) => (&mut above[start..], &mut below[next..]),
            (_, _) => (&mut own[start..], &mut below[next..]),
        };
        [&mut upper[..width], &mut lower[..width]]
    }

    fn place(&self, y: isize) -> (Part, usize) {
        let [above, own] = self.counts;
        let (part, from_start) = match y - self.first {
            before if before < 0 => (Part::Above, before + above),
            within if within < own => (Part::Own, within),
            after => (Part::Below, after - own),
        };
        (part, from_start as usize * self.width)
    }
}

#[derive(Clone, Copy)]
enum Part {
    Above,
    Own,
    Below,
}

/// Copies of the rows above and below a strip, of one array.
#[derive(Clone, Debug, Default)]
pub(in crate::flow) struct Halo {
    above: Vec<f32>,
    below: Vec<f32>,
}

impl Halo {
    /// Copies rows of a field, as many as there are, in the columns of the `runs`; others are left as they are.
    pub(super) fn fill(
        &mut self,
        field: &Field<f32>,
        [above, below]: [Range<isize>; 2],
        home: impl Fn(isize) -> usize,
        runs: &[Run],
    ) {
        let width = field.nx();
        for (rows, copies) in [(above, &mut self.above), (below, &mut self.below)] {
            copies.resize(rows.len() * width, 0.0);
            for (y, copy) in rows.zip(copies.chunks_exact_mut(width)) {
                let row = field.row(home(y));
                for run in runs {
                    // Faces beyond the last cell are among them, and what the next ones read.
                    let columns = run.from.saturating_sub(2)..(run.to + 3).min(width);
                    copy[columns.clone()].copy_from_slice(&row[columns]);
                }
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(in crate::flow) from: usize,
    pub(in crate::flow) to: usize,
}

impl Run {
    pub(in crate::flow) fn inner(self, axis: FaceAxis) -> Range<usize> {
        match axis {
            FaceAxis::X | FaceAxis::Z => self.from + 1..self.to,
            FaceAxis::Y => self.from..self.to,
        }
    }

    pub(in crate::flow) fn cells(self) -> Range<usize> {
        self.from..self.to
    }

    /// Its cells and `beside` columns on either side, of the `nx` that there are.
    pub(in crate::flow) fn with(self, beside: usize, nx: usize) -> Range<usize> {
        self.from.saturating_sub(beside)..(self.to + beside).min(nx)
    }

    pub(in crate::flow) fn is_whole(self, nx: usize) -> bool {
        self.from == 0 && self.to == nx
    }
}

#[derive(Clone, Copy)]
pub(in crate::flow) struct Ground<'a> {
    pub(in crate::flow) bed: &'a Field<f32>,
    pub(in crate::flow) closed: &'a Closed,
    pub(in crate::flow) is_hex: bool,
    pub(in crate::flow) joined: [bool; 2],
}

impl<'a> Ground<'a> {
    pub(super) fn of(state: &'a State, step: &Step) -> Self {
        let joined = step.edges.joined;
        Self {
            bed: &state.bed,
            closed: &state.closed,
            is_hex: step.lattice.is_hex(),
            joined: [joined.x, joined.y],
        }
    }

    pub(in crate::flow) fn nx(&self) -> usize {
        self.bed.nx()
    }

    pub(in crate::flow) fn ny(&self) -> usize {
        self.bed.ny()
    }

    /// True if there are cells in row `y`, which may lie beyond a joined edge.
    pub(in crate::flow) fn has(&self, y: isize) -> bool {
        self.joined[1] || (0..self.ny() as isize).contains(&y)
    }

    /// The number on the grid of a row that may lie beyond a joined edge.
    pub(in crate::flow) fn home(&self, y: isize) -> usize {
        if self.joined[1] { y.rem_euclid(self.ny() as isize) as usize } else { y as usize }
    }

    pub(in crate::flow) fn bed(&self, y: isize) -> &'a [f32] {
        self.bed.row(self.home(y))
    }

    /// The bed of row `y`, with that of the rows that come after it on the grid.
    pub(in crate::flow) fn bed_on(&self, y: isize) -> &'a [f32] {
        &self.bed.as_slice()[self.home(y) * self.nx()..]
    }

    /// Stops the discharges `q` over inner faces in `columns` of row `y` beside closed cells.
    pub(in crate::flow) fn shut(
        &self,
        q: &mut [f32],
        axis: FaceAxis,
        columns: Range<usize>,
        y: isize,
    ) {
        let rows = if axis == FaceAxis::X { [y, y] } else { [y - 1, y] }.map(|y| self.home(y));
        if !rows.into_iter().any(|y| self.closed.row_has_any(y)) {
            return;
        }
        let closed = |y: usize| self.closed.cells().row(y);
        let [before, after] = adjacent_cells(axis, rows[1]).map(|cell| cell.columns(&columns));
        let (before, after) = (&closed(rows[0])[before], &closed(rows[1])[after]);
        for ((q, before), after) in q.iter_mut().zip(before).zip(after) {
            *q = if before | after { 0.0 } else { *q };
        }
    }
}

pub(in crate::flow) struct Momenta<'a> {
    pub(super) first: usize,
    pub(super) width: usize,
    pub(super) parts: [&'a mut [f32]; 2],
}

impl Momenta<'_> {
    /// Row `y`, to the east and to the south. Nothing without momentum.
    pub(in crate::flow) fn rows(&mut self, y: usize) -> [&mut [f32]; 2] {
        let start = (y - self.first) * self.width;
        self.parts
            .each_mut()
            .map(|part| part.get_mut(start..start + self.width).unwrap_or_default())
    }
}

pub(crate) struct Strip<'a> {
    pub(in crate::flow) ground: Ground<'a>,
    pub(in crate::flow) depth: Rows<'a>,
    pub(super) remainder: Rows<'a>,
    pub(in crate::flow) x: Rows<'a>,
    pub(in crate::flow) y: Rows<'a>,
    pub(in crate::flow) z: Option<Rows<'a>>,
    pub(in crate::flow) momentum: Momenta<'a>,
}
