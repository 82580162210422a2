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
    /// Moves on to row `front`: its faces are driven (stages 1 to 3), the row before it is fed and its
    /// faces are scaled (stage 4), the one before that is updated (stage 5).
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
            self.scale_x(strip, y, run);
        }
        if (from..=to).contains(&y) {
            self.scale_south(strip, y, run);
        }
        if (from..to).contains(&(y - 1)) {
            self.update_depth(strip, y - 1, run);
        }
    }

    /// Stage 4, the cells of row `y`.
    fn feed(&mut self, strip: &Strip, y: isize, run: Run) {
        let cells = run.cells();
        let Kept { fed, overdrawn, .. } = &mut *self.kept;
        let (fed, overdrawn) = (&mut fed[parity(y)], &mut overdrawn[parity(y)]);
        let h = &strip.depth.row(y)[cells.clone()];
        let (x, north, south) = (strip.x.row(y), strip.y.row(y), strip.y.row(y + 1));
        let along = [&x[cells.clone()], &x[run.from + 1..=run.to]];
        let across = [&north[cells.clone()], &south[cells.clone()]];
        match &strip.z {
            None => {
                let faces = [along, across];
                *overdrawn = kernels::any_overdrawn(h, faces, self.to_depth);
                if *overdrawn {
                    kernels::feed(&mut fed[cells], h, faces, self.to_depth);
                }
            }
            Some(z) => {
                let slanted = beside(strip, y, run);
                let faces = [along, across, [&z.row(y)[slanted.clone()], &z.row(y + 1)[slanted]]];
                *overdrawn = kernels::any_hexagon_overdrawn(h, faces, self.to_depth);
                if *overdrawn {
                    kernels::feed_hexagons(&mut fed[cells], h, faces, self.to_depth);
                }
            }
        }
    }

    /// Stage 4, the x-faces of row `y`.
    fn scale_x(&mut self, strip: &mut Strip, y: isize, run: Run) {
        let nx = strip.ground.nx();
        let overdrawn = self.kept.overdrawn[parity(y)];
        let q = strip.x.row_mut(y);
        let Kept { fed, crossed, feeding_all, .. } = &mut *self.kept;
        let fed = if overdrawn { &fed[parity(y)] } else { feeding_all };
        let inner = run.inner(Way::X);
        if overdrawn && !inner.is_empty() {
            let before = run.from..run.to - 1;
            kernels::scale(&mut q[inner.clone()], [&fed[before], &fed[inner]]);
        }
        // At the ends there is the edge of the grid, the other end of it, or a face over which nothing moves.
        let last = nx - 1;
        if strip.ground.joined[0] && run.is_whole(nx) {
            q[0] = transport::scaled(q[0], [fed[last], fed[0]]);
            q[nx] = q[0];
            return;
        }
        let own = self.own.contains(&y).then(|| (y - self.own.start) as usize);
        if run.from == 0 {
            q[0] = transport::scaled(q[0], [1.0, fed[0]]);
            own.into_iter().for_each(|row| crossed.0[0][row] = [q[0] * self.to_depth, 0.0]);
        }
        if run.to == nx {
            q[nx] = transport::scaled(q[nx], [fed[last], 1.0]);
            own.into_iter().for_each(|row| crossed.0[1][row] = [-q[nx] * self.to_depth, 0.0]);
        }
    }

    /// Stage 4, the faces north of row `y`: y-faces, and on hexagons z-faces.
    fn scale_south(&mut self, strip: &mut Strip, y: isize, run: Run) {
        let ground = strip.ground;
        let Kept { fed, overdrawn, crossed, feeding_all, .. } = &mut *self.kept;
        let [above, below] = [y - 1, y].map(|y| ground.has(y));
        let overdrawn =
            [(y - 1, above), (y, below)].map(|(y, there)| there && overdrawn[parity(y)]);
        if above && below && overdrawn == [false; 2] {
            return;
        }
        let part = |y: isize, is: bool| if is { &fed[parity(y)][..] } else { &feeding_all[..] };
        let [fed_above, fed_below] = [part(y - 1, overdrawn[0]), part(y, overdrawn[1])];
        let cells = run.cells();
        let row_y = strip.y.row_mut(y);
        kernels::scale(
            &mut row_y[cells.clone()],
            [&fed_above[cells.clone()], &fed_below[cells.clone()]],
        );
        let mut row_z = strip.z.as_mut().map(|z| z.row_mut(y));
        if let Some(q) = &mut row_z {
            let (faces, columns) = if above && below {
                let faces = run.inner(Way::Z);
                let columns = parted(Way::Z, ground.home(y)).map(|cell| cell.columns(&faces));
                (faces, columns)
            } else {
                // The slanted half of each boundary face.
                let offset = if above { Hex::z_offset(ground.ny() - 1) } else { 0 };
                (run.from + offset..run.to + offset, [cells.clone(), cells.clone()])
            };
            if !faces.is_empty() {
                let [a, b] = columns;
                kernels::scale(&mut q[faces], [&fed_above[a], &fed_below[b]]);
            }
            let nx = ground.nx();
            if ground.joined[0] && run.is_whole(nx) && above && below {
                let [a, b] = parted(Way::Z, ground.home(y)).map(|cell| cell.column_around(nx));
                q[0] = transport::scaled(q[0], [fed_above[a], fed_below[b]]);
                q[nx] = q[0];
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
            let into = sign * self.to_depth;
            for x in cells {
                let half = row_z.as_ref().map_or(0.0, |z| z[x + offset]);
                crossed.0[edge][x] = [into * row_y[x], into * half];
            }
        }
    }

    /// Stage 5, the cells of row `y`.
    fn update_depth(&mut self, strip: &mut Strip, y: isize, run: Run) {
        let cells = run.cells();
        let Kept { fed, overdrawn, feeding_all, before, .. } = &mut *self.kept;
        let fed = if overdrawn[parity(y)] { &fed[parity(y)] } else { feeding_all };
        let slanted = beside(strip, y, run);
        let x = strip.x.row(y);
        let along = [&x[cells.clone()], &x[run.from + 1..=run.to]];
        let across = [y, y + 1].map(|y| &strip.y.row(y)[cells.clone()]);
        let h = &mut strip.depth.row_mut(y)[cells.clone()];
        let remainder = &mut strip.remainder.row_mut(y)[cells.clone()];
        let follows = D::FOLLOWS && self.own.contains(&y);
        if follows {
            before[cells].copy_from_slice(h);
        }
        match &strip.z {
            None => kernels::update_depth(h, remainder, [along, across], self.to_depth),
            Some(z) => {
                let aslant = [y, y + 1].map(|y| &z.row(y)[slanted.clone()]);
                let faces = [along, across, aslant];
                kernels::update_depth_hexagons(h, remainder, faces, self.to_depth);
            }
        }
        if follows {
            self.drive.follow(strip, y as usize, run, [before, fed]);
        }
    }
}

/// The columns of the z-faces above and below the cells of row `y`.
fn beside(strip: &Strip, y: isize, run: Run) -> Range<usize> {
    let offset = Hex::z_offset(strip.ground.home(y));
    run.from + offset..run.to + offset
}
