//! A step of a strip: row by row from north to south, each stage one or two rows behind the
//! previous one. Several steps may follow one another down the same strip.

use super::drive::Drive;
use super::kept::{Fed, Kept, parity};
use super::kernels::{self, Feeding};
use super::rows::{Run, Strip};
use crate::lattice::{Edge, Hex};
use std::ops::Range;

pub(super) struct Level<'a, D> {
    pub(super) drive: &'a D,
    pub(super) to_depth: f32,
    /// Rows to step: those of the strip, plus the rows that the following steps read.
    pub(super) rows: Range<isize>,
    pub(super) own: Range<isize>,
    pub(super) kept: &'a mut Kept,
}

impl<D: Drive> Level<'_, D> {
    /// Advances to row `front`: updates its faces (stages 1 to 3), computes the outflow scales of
    /// the row above (stage 4), and updates faces and cells (stages 4 and 5) of the row above that.
    pub(super) fn advance(&mut self, strip: &mut Strip, front: isize, run: Run) {
        let (from, to) = (self.rows.start, self.rows.end);
        if !(from - 1..=to + 1).contains(&front) {
            return;
        }
        if front == from - 1 {
            self.drive.begin(self.kept, strip, front, run);
        }
        let y = front - 1;
        let feeds = (from - 1..=to).contains(&y) && strip.ground.has(y);
        if !(feeds && front <= to && self.drive_and_feed(strip, front, run)) {
            self.drive.drive(self.kept, strip, front, run, front <= to);
            if feeds {
                self.feed(strip, y, run);
            }
        }
        if feeds {
            let joined = strip.ground.joined[0] && run.is_whole(strip.ground.nx());
            self.kept.fed[parity(y)].close(joined);
        }
        if y == from {
            self.scale_north(strip, y, run);
        }
        if (from..to).contains(&(y - 1)) {
            self.settle(strip, y - 1, run);
        }
    }

    /// Stages 2 to 4 for the faces of row `front` and the cells above it, if the scheme has a fused
    /// loop.
    fn drive_and_feed(&mut self, strip: &mut Strip, front: isize, run: Run) -> bool {
        let fed = self.kept.fed[parity(front - 1)].cells_mut(run.cells());
        let done = self.drive.drive_and_feed(fed, strip, front, run, self.to_depth);
        if let Some(overdrawn) = done {
            self.kept.overdrawn[parity(front - 1)] = overdrawn;
        }
        done.is_some()
    }

    fn feed(&mut self, strip: &Strip, y: isize, run: Run) {
        let cells = run.cells();
        let fed = self.kept.fed[parity(y)].cells_mut(cells.clone());
        let h = &strip.depth.row(y)[cells.clone()];
        let (x, north, south) = (strip.x.row(y), strip.y.row(y), strip.y.row(y + 1));
        let along = [&x[cells.clone()], &x[run.from + 1..=run.to]];
        let across = [&north[cells.clone()], &south[cells.clone()]];
        self.kept.overdrawn[parity(y)] = match &strip.z {
            None => kernels::feed(fed, h, [along, across], self.to_depth),
            Some(z) => {
                let slanted = beside(strip, y, run);
                let aslant = [y, y + 1].map(|y| &z.row(y)[slanted.clone()]);
                kernels::feed_hexagons(fed, h, [along, across, aslant], self.to_depth)
            }
        };
    }

    /// Stage 4 for the faces north of the first row; all others are scaled with the row above.
    fn scale_north(&mut self, strip: &mut Strip, y: isize, run: Run) {
        let ground = strip.ground;
        let fed = [y - 1, y].map(|y| fed_of(&self.kept.fed, &self.kept.feeding_all, strip, y));
        let cells = run.cells();
        kernels::scale(
            &mut strip.y.row_mut(y)[cells.clone()],
            fed.map(|fed| fed.cells(cells.clone())),
        );
        if let Some(z) = &mut strip.z {
            let (offset, shift) = aslant(ground.home(y));
            let faces = cells.start + offset..cells.end + offset;
            let q = z.row_mut(y);
            let (inner, nx) = (ground.has(y - 1), ground.nx());
            let before = if inner { shift } else { 0 };
            kernels::scale(
                &mut q[faces],
                [fed[0].shifted(cells.clone(), before), fed[1].cells(cells)],
            );
            if inner && ground.joined[0] && run.is_whole(nx) {
                close_seam(q, offset);
            }
        }
        if !ground.has(y - 1) && y == self.own.start {
            self.note_crossed(Edge::North, strip, y, run);
        }
    }

    fn settle(&mut self, strip: &mut Strip, y: isize, run: Run) {
        let ground = strip.ground;
        let (nx, cells) = (ground.nx(), run.cells());
        let Kept { fed: both, overdrawn, crossed, feeding_all, before, .. } = &mut *self.kept;
        let scales = overdrawn[parity(y)] || ground.has(y + 1) && overdrawn[parity(y + 1)];
        let fed = &both[parity(y)];
        let below = fed_of(both, feeding_all, strip, y + 1);
        let follows = D::FOLLOWS && self.own.contains(&y);
        let Strip { depth, remainder, x, y: across, z, .. } = &mut *strip;
        let x = &mut x.row_mut(y)[run.from..=run.to];
        let depth = &mut depth.row_mut(y)[cells.clone()];
        if follows {
            before[cells.clone()].copy_from_slice(depth);
        }
        let remainder = &mut remainder.row_mut(y)[cells.clone()];
        let feeding = Feeding {
            along: [-1, 0, 1].map(|by| fed.shifted(cells.clone(), by)),
            south: below.cells(cells.clone()),
        };
        let [north, south] = across.two_rows_mut(y).map(|row| &mut row[cells.clone()]);
        let to_depth = self.to_depth;
        match z {
            None if !scales => kernels::update(depth, remainder, x, [north, south], to_depth),
            None => kernels::settle(depth, remainder, x, south, north, feeding, to_depth),
            Some(z) => {
                let (offset, shift) = aslant(ground.home(y));
                let faces = cells.start + offset..cells.end + offset;
                let [above, under] = z.two_rows_mut(y);
                let beyond = if ground.has(y + 1) { shift } else { 0 };
                let fed_aslant = below.shifted(cells.clone(), beyond);
                let (up, down) = (&above[faces.clone()], &mut under[faces]);
                if !scales {
                    let across = [&*north, &*south];
                    kernels::update_hexagons(depth, remainder, x, across, [up, down], to_depth);
                } else {
                    kernels::settle_hexagons(
                        depth,
                        remainder,
                        x,
                        south,
                        down,
                        [north, up],
                        feeding,
                        fed_aslant,
                        to_depth,
                    );
                    if ground.joined[0] && run.is_whole(nx) && ground.has(y + 1) {
                        close_seam(under, offset);
                    }
                }
            }
        }
        if !ground.joined[0] && self.own.contains(&y) {
            let row = (y - self.own.start) as usize;
            if run.from == 0 {
                crossed.0[0][row] = [x[0] * self.to_depth, 0.0];
            }
            if run.to == nx {
                crossed.0[1][row] = [-x[run.to - run.from] * self.to_depth, 0.0];
            }
        }
        if !ground.has(y + 1) && y + 1 == self.own.end {
            self.note_crossed(Edge::South, strip, y + 1, run);
        }
        if follows {
            let Kept { fed, before, .. } = &*self.kept;
            self.drive.follow(strip, y as usize, run, [before, fed[parity(y)].row()]);
        }
    }

    /// Records the depths that crossed the north or south edge of the grid over the faces of row
    /// `y`.
    fn note_crossed(&mut self, edge: Edge, strip: &Strip, y: isize, run: Run) {
        let north = edge == Edge::North;
        let offset = if north { 0 } else { Hex::z_offset(strip.ground.ny() - 1) };
        let into = if north { self.to_depth } else { -self.to_depth };
        let slanted = strip.z.as_ref().map(|z| z.row(y));
        let straight = strip.y.row(y);
        for x in run.cells() {
            let half = slanted.map_or(0.0, |z| z[x + offset]);
            self.kept.crossed.0[edge as usize][x] = [into * straight[x], into * half];
        }
    }
}

/// Returns the outflow scales of row `y`, or those beyond the edge of the grid.
fn fed_of<'a>(rows: &'a [Fed; 2], feeding_all: &'a Fed, strip: &Strip, y: isize) -> &'a Fed {
    if strip.ground.has(y) { &rows[parity(y)] } else { feeding_all }
}

/// Returns the eastward offset of the z-faces above and below a row's cells in their arrays, and of
/// the cells behind them.
fn aslant(row: usize) -> (usize, isize) {
    let offset = Hex::z_offset(row);
    (offset, if offset == 0 { -1 } else { 1 })
}

/// Copies the periodic z-face of a row to its other end, because only one was scaled.
fn close_seam(q: &mut [f32], offset: usize) {
    let last = q.len() - 1;
    let (from, to) = if offset == 0 { (0, last) } else { (last, 0) };
    q[to] = q[from];
}

fn beside(strip: &Strip, y: isize, run: Run) -> Range<usize> {
    let offset = Hex::z_offset(strip.ground.home(y));
    run.from + offset..run.to + offset
}
