//! Stages 1 to 3 of the pipes, a row of a sweep.

use super::fused::{self, Cells, Law};
use super::{Coefficients, accelerate, celerity, drag, drive_boundary_face};
use crate::flow::boundary_faces::{Here, outermost_face};
use crate::flow::context::Step;
use crate::flow::surface::fall;
use crate::flow::sweep::{Drive, Kept, Run, SLIGHT, Strip, is_nothing};
use crate::lattice::{Edge, FaceAxis, Hex, adjacent_cells};
use multiversion::multiversion;

pub(crate) struct Pipes<'a> {
    step: &'a Step<'a>,
    c: Coefficients,
}

impl<'a> Pipes<'a> {
    pub(in crate::flow) fn new(step: &'a Step<'a>) -> Self {
        Self { step, c: Coefficients::new(step) }
    }
}

impl Drive for Pipes<'_> {
    const REACH: usize = 0;

    fn drive(&self, _: &mut Kept, strip: &mut Strip, y: isize, run: Run, across: bool) {
        let [above, below] = [y - 1, y].map(|y| strip.ground.has(y));
        if below && across {
            self.drive_x(strip, y, run);
        }
        match (above, below) {
            (true, true) => self.drive_inner(strip, y, run),
            (false, true) => self.set_edge(strip, Edge::North, y, run),
            (true, false) => self.set_edge(strip, Edge::South, y, run),
            (false, false) => {}
        }
    }

    fn drive_and_feed(
        &self,
        fed: &mut [f32],
        strip: &mut Strip,
        y: isize,
        run: Run,
        to_depth: f32,
    ) -> Option<bool> {
        let ground = strip.ground;
        let plain =
            [y - 1, y].iter().all(|&y| ground.has(y) && !ground.closed.row_has_any(ground.home(y)));
        if !plain || self.c.drag.is_some() || run.to < run.from + 2 {
            return None;
        }
        // Cells at both ends are asked for what crosses the seam, too.
        self.drive_z_seam(strip, y, run);
        let overdrawn = self.drive_and_feed_inner(fed, strip, y, run, to_depth);
        self.drive_x_ends(strip, y, run);
        Some(overdrawn)
    }

    #[inline(always)]
    fn rests(q: f32, before: [f32; 2], after: [f32; 2]) -> bool {
        let fall = fall(before, after);
        let upstream = if fall > 0.0 { before[1] } else { after[1] };
        // What a dry cell would give is scaled to nothing.
        let dry = (upstream == 0.0) & (fall.abs() > SLIGHT);
        is_nothing(q, fall) & ((fall == 0.0) | dry)
    }
}

impl Pipes<'_> {
    fn drive_x(&self, strip: &mut Strip, y: isize, run: Run) {
        let Strip { ground, depth, x: q, .. } = strip;
        let (bed, depth, q) = (ground.bed(y), depth.row(y), q.row_mut(y));
        let inner = run.inner(FaceAxis::X);
        if !inner.is_empty() {
            let before = run.from..run.to - 1;
            let cells =
                [before, inner.clone()].map(|columns| [&bed[columns.clone()], &depth[columns]]);
            self.drive_row(&mut q[inner.clone()], cells, self.c.push_x);
            ground.shut(&mut q[inner.clone()], FaceAxis::X, inner, y);
        }
        self.drive_x_ends(strip, y, run);
    }

    fn drive_x_ends(&self, strip: &mut Strip, y: isize, run: Run) {
        let Strip { ground, depth, x: q, .. } = strip;
        let (nx, bed, depth, q) = (ground.nx(), ground.bed(y), depth.row(y), q.row_mut(y));
        let (row, last) = (ground.home(y), nx - 1);
        if ground.joined[0] {
            if run.is_whole(nx) {
                let cell = |x: usize| (bed[x], depth[x], ground.closed.contains(x, row));
                q[0] = self.drive_seam(q[0], [cell(last), cell(0)], self.c.push_x);
                q[nx] = q[0];
            }
            return;
        }
        let here = |x: usize, into: f32| Here {
            bed: bed[x],
            depth: depth[x],
            closed: ground.closed.contains(x, row),
            into: [into, 0.0],
        };
        if run.from == 0 {
            q[0] = self.meet(Edge::West, row, here(0, q[0])).unwrap_or(q[0]);
        }
        if run.to == nx {
            q[nx] = self.meet(Edge::East, row, here(last, -q[nx])).map_or(q[nx], |into| -into);
        }
    }

    fn drive_inner(&self, strip: &mut Strip, y: isize, run: Run) {
        let Strip { ground, depth, y: q, z, .. } = strip;
        let cells = run.cells();
        let rows = [y - 1, y].map(|y| (ground.bed(y), depth.row(y)));
        let q = &mut q.row_mut(y)[cells.clone()];
        let parts = rows.map(|(bed, depth)| [&bed[cells.clone()], &depth[cells.clone()]]);
        self.drive_row(q, parts, self.c.push_y);
        ground.shut(q, FaceAxis::Y, cells, y);
        let Some(q) = z.as_mut().map(|z| z.row_mut(y)) else { return };
        let adjacent_cells = adjacent_cells(FaceAxis::Z, ground.home(y));
        let inner = run.inner(FaceAxis::Z);
        if !inner.is_empty() {
            let [(bed_a, h_a), (bed_b, h_b)] = rows;
            let [a, b] = adjacent_cells.map(|cell| cell.columns(&inner));
            let parts = [[&bed_a[a.clone()], &h_a[a]], [&bed_b[b.clone()], &h_b[b]]];
            self.drive_row(&mut q[inner.clone()], parts, self.c.push_y);
            ground.shut(&mut q[inner.clone()], FaceAxis::Z, inner, y);
        }
        self.drive_z_seam(strip, y, run);
    }

    fn drive_z_seam(&self, strip: &mut Strip, y: isize, run: Run) {
        let Strip { ground, depth, z, .. } = strip;
        let nx = ground.nx();
        let Some(q) = z.as_mut().map(|z| z.row_mut(y)) else { return };
        if !(ground.joined[0] && run.is_whole(nx)) {
            return;
        }
        let adjacent_cells = adjacent_cells(FaceAxis::Z, ground.home(y));
        let cell = |i: usize| {
            let (x, y) = (adjacent_cells[i].wrapped_column(nx), y - 1 + i as isize);
            let closed = ground.closed.contains(x, ground.home(y));
            (ground.bed(y)[x], depth.row(y)[x], closed)
        };
        q[0] = self.drive_seam(q[0], [cell(0), cell(1)], self.c.push_y);
        q[nx] = q[0];
    }

    /// Stages 2 to 4 of all faces of row `y` between cells and of the cells before it, in one loop.
    fn drive_and_feed_inner(
        &self,
        fed: &mut [f32],
        strip: &mut Strip,
        y: isize,
        run: Run,
        to_depth: f32,
    ) -> bool {
        let Strip { ground, depth, x, y: across, z, .. } = strip;
        let cells = run.cells();
        let law = Law { keep: self.c.keep, push: [self.c.push_x, self.c.push_y], to_depth };
        let [beds, depths] =
            [[y - 1, y].map(|y| ground.bed_on(y)), [y - 1, y].map(|y| depth.row_on(y))];
        // With the cell beyond the run, or what else comes next in store.
        let more = (run.to + 1).min(beds[1].len()).min(depths[1].len());
        let above = Cells { bed: &beds[0][cells.clone()], depth: &depths[0][cells.clone()] };
        let here = Cells { bed: &beds[1][run.from..more], depth: &depths[1][run.from..more] };
        let [x_above, x_here] = x.two_rows_mut(y - 1);
        let (x_above, x_here) = (&x_above[run.from..=run.to], &mut x_here[run.from + 1..=run.to]);
        let [north, south] = across.two_rows_mut(y - 1).map(|row| &mut row[cells.clone()]);
        match z {
            None => fused::squares(fed, x_here, south, north, x_above, above, here, law),
            Some(z) => {
                let offset = Hex::z_offset(ground.home(y - 1));
                let [up, down] =
                    z.two_rows_mut(y - 1).map(|row| &mut row[run.from + offset..run.to + offset]);
                let cells = [above, here];
                fused::hexagons(fed, x_here, south, down, [north, up], x_above, cells, offset, law)
            }
        }
    }

    fn drive_row(&self, q: &mut [f32], cells: [[&[f32]; 2]; 2], push: f32) {
        accelerate_row(q, cells, self.c.keep, push);
        if let Some(coefficient) = self.c.drag {
            drag_row(q, cells.map(|[_, depth]| depth), coefficient);
        }
    }

    /// Stages 2 and 3 on a face of a seam; `cells` are bed, depth and closure before and after it.
    fn drive_seam(&self, q: f32, cells: [(f32, f32, bool); 2], push: f32) -> f32 {
        let [(bed_a, h_a, shut_a), (bed_b, h_b, shut_b)] = cells;
        if shut_a || shut_b {
            return 0.0;
        }
        let mut q = [q];
        self.drive_row(&mut q, [[&[bed_a], &[h_a]], [&[bed_b], &[h_b]]], push);
        q[0]
    }

    /// Stage 1, the north or south edge: `y` is the row of its faces.
    fn set_edge(&self, strip: &mut Strip, edge: Edge, y: isize, run: Run) {
        let Strip { ground, depth, y: q, z, .. } = strip;
        let (row, sign) = if edge == Edge::North { (y, 1.0) } else { (y - 1, -1.0) };
        let (bed, depth, q) = (ground.bed(row), depth.row(row), q.row_mut(y));
        let mut slanted = z.as_mut().map(|z| z.row_mut(y));
        let offset = if edge == Edge::North { 0 } else { Hex::z_offset(row as usize) };
        for x in run.cells() {
            let half = slanted.as_ref().map_or(0.0, |z| z[x + offset]);
            let here = Here {
                bed: bed[x],
                depth: depth[x],
                closed: ground.closed.contains(x, row as usize),
                into: [sign * q[x], sign * half],
            };
            let Some(into) = self.meet(edge, x, here) else { continue };
            let halves = if slanted.is_some() { 0.5 } else { 1.0 };
            q[x] = sign * (halves * into);
            if let Some(z) = &mut slanted {
                z[x + offset] = sign * (halves * into);
            }
        }
    }

    fn meet(&self, edge: Edge, i: usize, here: Here) -> Option<f32> {
        outermost_face(self.step, edge, i, here, celerity(self.step), drive_boundary_face(&self.c))
    }
}

#[multiversion(targets = "simd")]
fn accelerate_row(q: &mut [f32], cells: [[&[f32]; 2]; 2], keep: f32, push: f32) {
    let n = q.len();
    let [[zb, hb], [za, ha]] = cells;
    let (zb, hb, za, ha) = (&zb[..n], &hb[..n], &za[..n], &ha[..n]);
    for i in 0..n {
        q[i] = accelerate(q[i], keep, push, [zb[i], hb[i]], [za[i], ha[i]]);
    }
}

/// Stage 3 on a row of faces; `depths` are those before and after them.
#[multiversion(targets = "simd")]
fn drag_row(q: &mut [f32], depths: [&[f32]; 2], coefficient: f32) {
    let n = q.len();
    let (hb, ha) = (&depths[0][..n], &depths[1][..n]);
    for i in 0..n {
        let upstream = if q[i] > 0.0 { hb[i] } else { ha[i] };
        q[i] = drag(q[i], upstream, coefficient);
    }
}
