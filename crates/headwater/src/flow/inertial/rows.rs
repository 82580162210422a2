//! Stages 1 to 3 of the local inertial equations row by row, rows spread over threads.

use super::{Coefficients, Direction, Face, drive as drive_face, rough, set_boundary};
use crate::flow::state::{Roughness, Scratch, State};
use crate::flow::step::Step;
use crate::parallel::for_each_row_pair;
use std::ops::Range;

/// Sets the discharge over every face.
pub(in crate::flow) fn drive(state: &mut State, scratch: &mut Scratch, step: &Step) {
    let (nx, ny) = (state.bed.nx(), state.bed.ny());
    let c = Coefficients::new(step);
    set_boundary(state, step, &c);
    let State { bed, depth, discharge_x, discharge_y, closed, .. } = &*state;
    let [next_x, next_y] = scratch.discharges(state);
    // Even ground is a row of one number: the same loop serves it and a map.
    let even = match step.roughness {
        Roughness::Uniform(n) => vec![n; nx],
        Roughness::Map(_) => Vec::new(),
    };
    let cells = |y: usize, x: Range<usize>| Cells {
        bed: &bed.row(y)[x.clone()],
        depth: &depth.row(y)[x.clone()],
        roughness: match step.roughness {
            Roughness::Uniform(_) => &even[x],
            Roughness::Map(map) => &map.row(y)[x],
        },
    };
    // 2 and 3. Accelerate every inner face against friction and viscosity.
    let (above_south, south) = next_y.as_mut_slice().split_at_mut(nx * ny);
    for_each_row_pair(next_x.as_mut_slice(), nx + 1, above_south, nx, |y, next_x, next_y| {
        let (qx, north, south) = (discharge_x.row(y), discharge_y.row(y), discharge_y.row(y + 1));
        (next_x[0], next_x[nx]) = (qx[0], qx[nx]);
        let faces = Faces {
            q: &qx[1..nx],
            along: [&qx[..nx - 1], &qx[2..]],
            across: [[&north[..nx - 1], &south[..nx - 1]], [&north[1..], &south[1..]]],
            before: cells(y, 0..nx - 1),
            after: cells(y, 1..nx),
        };
        drive_faces(&mut next_x[1..nx], &faces, c.x, &c);
        closed.shut_x(&mut next_x[1..nx], y);
        if y == 0 {
            next_y.copy_from_slice(north);
            return;
        }
        let above = discharge_x.row(y - 1);
        let faces = Faces {
            q: north,
            along: [discharge_y.row(y - 1), south],
            across: [[&above[..nx], &above[1..]], [&qx[..nx], &qx[1..]]],
            before: cells(y - 1, 0..nx),
            after: cells(y, 0..nx),
        };
        drive_faces(next_y, &faces, c.y, &c);
        closed.shut_y(next_y, y);
    });
    south.copy_from_slice(discharge_y.row(ny));
    std::mem::swap(&mut state.discharge_x, next_x);
    std::mem::swap(&mut state.discharge_y, next_y);
}

/// A row of faces and what is around them, as [`Face`].
struct Faces<'a> {
    q: &'a [f32],
    along: [&'a [f32]; 2],
    across: [[&'a [f32]; 2]; 2],
    before: Cells<'a>,
    after: Cells<'a>,
}

/// The cells on one side of a row of faces.
struct Cells<'a> {
    bed: &'a [f32],
    depth: &'a [f32],
    roughness: &'a [f32],
}

/// Stages 2 and 3 on a row of faces.
///
/// Not inlined: as an argument of its own, `next` is known to overlap none of the many rows that are
/// read, without which the loop is not vectorised.
#[inline(never)]
fn drive_faces(next: &mut [f32], faces: &Faces, way: Direction, c: &Coefficients) {
    let n = next.len();
    let c = *c;
    let q = &faces.q[..n];
    // Sliced one by one: through `map` the compiler loses sight of their lengths.
    let (behind, ahead) = (&faces.along[0][..n], &faces.along[1][..n]);
    let [before, after] = faces.across;
    let (ba, bb, aa, ab) = (&before[0][..n], &before[1][..n], &after[0][..n], &after[1][..n]);
    let (zb, hb) = (&faces.before.bed[..n], &faces.before.depth[..n]);
    let (za, ha) = (&faces.after.bed[..n], &faces.after.depth[..n]);
    let (nb, na) = (&faces.before.roughness[..n], &faces.after.roughness[..n]);
    for i in 0..n {
        let face = Face {
            q: q[i],
            along: [behind[i], ahead[i]],
            across: [[ba[i], bb[i]], [aa[i], ab[i]]],
            before: [zb[i], hb[i]],
            after: [za[i], ha[i]],
            rough: rough(c.gravity, nb[i], na[i]),
        };
        next[i] = drive_face(face, way, &c);
    }
}
