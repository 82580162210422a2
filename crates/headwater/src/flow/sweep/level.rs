//! One step of a strip, by fronts: row by row from north to south, each stage a row or two behind the one
//! that it needs. Several steps may follow one another down the same strip.

use super::drive::Drive;
use super::kept::{Kept, parity};
use super::kernels;
use super::rows::{Run, Strip};
use crate::flow::transport;
use crate::lattice::{Hex, Way, parted};
use std::ops::Range;

/// A step of a strip.
pub(super) struct Level<'a, D> {
    pub(super) drive: &'a D,
    pub(super) to_depth: f32,
    /// The rows that it steps: those of the strip, and what the next steps need beyond.
    pub(super) rows: Range<isize>,
    /// The strip's own rows.
    pub(super) own: Range<isize>,
    pub(super) kept: &'a mut Kept,
}

impl<D: Drive> Level<'_, D> {
    /// Moves on to row `front`: its faces are driven (stages 1 to 3), the row before it is fed and what crosses
    /// its faces is worked out (stage 4), the one before that is updated (stage 5).
    pub(super) fn advance(&mut self, strip: &mut Strip, front: isize, run: Run) {
        let (from, to) = (self.rows.start, self.rows.end);
        if !(from - 1..=to + 1).contains(&front) {
            return;
        }
        if front == from - 1 {
            self.drive.begin(self.kept, strip, front, run);
        }
        self.drive.drive(self.kept, strip, front, run, front <= to);
        let y = front - 1;
        if (from - 1..=to).contains(&y) && strip.ground.has(y) {
            self.feed(strip, y, run);
        }
        if (from..to).contains(&y) {
            self.cross_x(strip, y, run);
        }
        if (from..=to).contains(&y) {
            self.cross_south(strip, y, run);
        }
        if (from..to).contains(&(y - 1)) {
            self.update_depth(strip, y - 1, run);
        }
    }

    /// Stage 4, the cells of row `y`.
    fn feed(&mut self, strip: &Strip, y: isize, run: Run) {
        let cells = run.cells();
        let fed = &mut self.kept.fed[parity(y)][cells.clone()];
        let h = &strip.depth.row(y)[cells.clone()];
        let (x, north, south) = (strip.x.row(y), strip.y.row(y), strip.y.row(y + 1));
        let along = [&x[cells.clone()], &x[run.from + 1..=run.to]];
        let across = [&north[cells.clone()], &south[cells]];
        match &strip.z {
            None => kernels::feed(fed, h, [along, across], self.to_depth),
            Some(z) => {
                let slanted = beside(strip, y, run);
                let aslant = [&z.row(y)[slanted.clone()], &z.row(y + 1)[slanted]];
                kernels::feed_hexagons(fed, h, [along, across, aslant], self.to_depth);
            }
        }
    }

    /// Stages 4 and 5, the x-faces of row `y`.
    fn cross_x(&mut self, strip: &mut Strip, y: isize, run: Run) {
        let nx = strip.ground.nx();
        let Kept { fed, moved, crossed, .. } = &mut *self.kept;
        let (fed, moved) = (&fed[parity(y)], &mut moved[Way::X as usize][parity(y)]);
        let (q, h) = (strip.x.row_mut(y), strip.depth.row(y));
        let inner = run.inner(Way::X);
        if !inner.is_empty() {
            let before = run.from..run.to - 1;
            kernels::cross(
                &mut q[inner.clone()],
                &mut moved[inner.clone()],
                [&fed[before.clone()], &fed[inner.clone()]],
                [&h[before], &h[inner]],
                self.to_depth,
            );
        }
        // At the ends there is the edge of the grid, the other end of it, or a face over which nothing moves.
        let last = nx - 1;
        if strip.ground.joined[0] && run.is_whole(nx) {
            let end = transport::cross(q[0], [fed[last], fed[0]], [h[last], h[0]], self.to_depth);
            for x in [0, nx] {
                (q[x], moved[x]) = end;
            }
            return;
        }
        (moved[run.from], moved[run.to]) = (0.0, 0.0);
        let own = self.own.contains(&y).then(|| (y - self.own.start) as usize);
        if run.from == 0 {
            (q[0], moved[0]) = transport::cross(q[0], [1.0, fed[0]], [0.0, h[0]], self.to_depth);
            own.into_iter().for_each(|row| crossed.0[0][row] = [moved[0], 0.0]);
        }
        if run.to == nx {
            (q[nx], moved[nx]) =
                transport::cross(q[nx], [fed[last], 1.0], [h[last], 0.0], self.to_depth);
            own.into_iter().for_each(|row| crossed.0[1][row] = [-moved[nx], 0.0]);
        }
    }

    /// Stages 4 and 5, the faces north of row `y`: y-faces, and on hexagons z-faces.
    fn cross_south(&mut self, strip: &mut Strip, y: isize, run: Run) {
        let ground = strip.ground;
        let Kept { fed, moved, crossed, beyond, .. } = &mut *self.kept;
        let [above, below] = [y - 1, y].map(|y| ground.has(y));
        let [fed_beyond, h_beyond] = beyond.each_ref().map(Vec::as_slice);
        let rows = |y: isize, there: bool| {
            let fed = if there { fed[parity(y)].as_slice() } else { fed_beyond };
            (fed, if there { strip.depth.row(y) } else { h_beyond })
        };
        let [(fed_above, h_above), (fed_below, h_below)] = [rows(y - 1, above), rows(y, below)];
        let [_, moved_y, moved_z] = moved.each_mut().map(|rows| &mut rows[parity(y)]);
        let cells = run.cells();
        kernels::cross(
            &mut strip.y.row_mut(y)[cells.clone()],
            &mut moved_y[cells.clone()],
            [&fed_above[cells.clone()], &fed_below[cells.clone()]],
            [&h_above[cells.clone()], &h_below[cells.clone()]],
            self.to_depth,
        );
        if let Some(z) = &mut strip.z {
            let q = z.row_mut(y);
            let (faces, columns) = if above && below {
                let faces = run.inner(Way::Z);
                let columns = parted(Way::Z, ground.home(y)).map(|cell| cell.columns(&faces));
                (faces, columns)
            } else {
                // The slanted half of each boundary face.
                let offset = if above { Hex::z_offset(ground.ny() - 1) } else { 0 };
                (run.from + offset..run.to + offset, [cells.clone(), cells.clone()])
            };
            (moved_z[run.from], moved_z[run.to]) = (0.0, 0.0);
            if !faces.is_empty() {
                let [a, b] = columns;
                kernels::cross(
                    &mut q[faces.clone()],
                    &mut moved_z[faces],
                    [&fed_above[a.clone()], &fed_below[b.clone()]],
                    [&h_above[a], &h_below[b]],
                    self.to_depth,
                );
            }
            let nx = ground.nx();
            if ground.joined[0] && run.is_whole(nx) && above && below {
                let [a, b] = parted(Way::Z, ground.home(y)).map(|cell| cell.column_around(nx));
                let end = transport::cross(
                    q[0],
                    [fed_above[a], fed_below[b]],
                    [h_above[a], h_below[b]],
                    self.to_depth,
                );
                for x in [0, nx] {
                    (q[x], moved_z[x]) = end;
                }
            }
        }
        if above && below {
            return;
        }
        // The edge of the grid.
        let (edge, row, sign) =
            if below { (2, self.own.start, 1.0) } else { (3, self.own.end, -1.0) };
        if row == y {
            let offset = if above { Hex::z_offset(ground.ny() - 1) } else { 0 };
            for x in cells {
                let half = if ground.is_hex { moved_z[x + offset] } else { 0.0 };
                crossed.0[edge][x] = [sign * moved_y[x], sign * half];
            }
        }
    }

    /// Stage 5, the cells of row `y`.
    fn update_depth(&mut self, strip: &mut Strip, y: isize, run: Run) {
        let cells = run.cells();
        let Kept { fed, moved: [x, across, aslant], before, .. } = &mut *self.kept;
        let (x, [north, south]) = (&x[parity(y)], [y, y + 1].map(|y| &across[parity(y)]));
        let along = [&x[cells.clone()], &x[run.from + 1..=run.to]];
        let across = [&north[cells.clone()], &south[cells.clone()]];
        let slanted = beside(strip, y, run);
        let h = &mut strip.depth.row_mut(y)[cells.clone()];
        let follows = D::FOLLOWS && self.own.contains(&y);
        if follows {
            before[cells].copy_from_slice(h);
        }
        if strip.ground.is_hex {
            let aslant = [y, y + 1].map(|y| &aslant[parity(y)][slanted.clone()]);
            kernels::update_depth_hexagons(h, [along, across, aslant]);
        } else {
            kernels::update_depth(h, [along, across]);
        }
        if follows {
            self.drive.follow(strip, y as usize, run, [before, &fed[parity(y)]]);
        }
    }
}

/// The columns of the z-faces above and below the cells of row `y`.
fn beside(strip: &Strip, y: isize, run: Run) -> Range<usize> {
    let offset = Hex::z_offset(strip.ground.home(y));
    run.from + offset..run.to + offset
}
