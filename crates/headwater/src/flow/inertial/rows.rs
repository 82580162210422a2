//! Stages 1 to 3 of the local inertial equations row by row, rows spread over threads.

use super::{
    Coefficients, Direction, Face, across, drive as drive_face, drive_seams, rough, set_boundary,
};
use crate::flow::context::Step;
use crate::flow::state::{Discharges, Roughness, Scratch, State};
use crate::lattice::{Near, Offset, Way, parted};
use crate::parallel::{for_each_row, for_each_row_pair};

/// Sets the discharge over every face.
pub(in crate::flow) fn drive(state: &mut State, scratch: &mut Scratch, step: &Step) {
    let (nx, ny) = (state.bed.nx(), state.bed.ny());
    let c = Coefficients::new(step);
    set_boundary(state, step, &c);
    let old: &State = state;
    // Even ground is a row of one number: the same loop serves it and a map.
    let even = match step.roughness {
        Roughness::Uniform(n) => vec![n; nx],
        Roughness::Map(_) => Vec::new(),
    };
    // 2 and 3. Accelerate every inner face against friction and viscosity.
    let drive_row = |next: &mut [f32], way: Way, y: usize| {
        let columns = step.lattice.inner_columns(way);
        let discharges = |(way, offset): Near| offset.of(old.discharge(way), columns.clone(), y);
        let cells = |offset: Offset| Cells {
            bed: offset.of(&old.bed, columns.clone(), y),
            depth: offset.of(&old.depth, columns.clone(), y),
            roughness: match step.roughness {
                Roughness::Uniform(_) => &even[..columns.len()],
                Roughness::Map(map) => offset.of(map, columns.clone(), y),
            },
        };
        let around = step.lattice.around(way, y);
        let [before, after] = parted(way, y);
        let faces = Faces {
            q: &old.discharge(way).row(y)[columns.clone()],
            along: around.along.map(discharges),
            first: around.first.map(discharges),
            second: around.second.map(discharges),
            sign: around.sign,
            before: cells(before),
            after: cells(after),
        };
        let inner = &mut next[columns.clone()];
        drive_faces(inner, &faces, c.of(way), &c);
        old.closed.shut(inner, way, y);
        // What lies at the ends is boundary, and set already.
        for end in (0..columns.start).chain(columns.end..next.len()) {
            next[end] = old.discharge(way)[(end, y)];
        }
    };
    let next = scratch.discharges(old);
    let Discharges { x: next_x, y: next_y, z: next_z } = &mut *next;
    let (above_south, south) = next_y.as_mut_slice().split_at_mut(nx * ny);
    for_each_row_pair(next_x.as_mut_slice(), nx + 1, above_south, nx, |y, next_x, next_y| {
        drive_row(next_x, Way::X, y);
        if y == 0 {
            next_y.copy_from_slice(old.discharge_y.row(0));
        } else {
            drive_row(next_y, Way::Y, y);
        }
    });
    south.copy_from_slice(old.discharge_y.row(ny));
    if let Some(next_z) = next_z {
        for_each_row(next_z.as_mut_slice(), nx + 1, |y, next_z| {
            if y == 0 || y == ny {
                next_z.copy_from_slice(old.discharge(Way::Z).row(y));
            } else {
                drive_row(next_z, Way::Z, y);
            }
        });
    }
    drive_seams(old, next, step, &c);
    state.swap_discharges(next);
}

/// A row of faces and what is around them, as [`Face`].
struct Faces<'a> {
    q: &'a [f32],
    along: [&'a [f32]; 2],
    first: [&'a [f32]; 2],
    second: [&'a [f32]; 2],
    sign: f32,
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
    let (first_a, first_b) = (&faces.first[0][..n], &faces.first[1][..n]);
    let (second_a, second_b) = (&faces.second[0][..n], &faces.second[1][..n]);
    let sign = faces.sign;
    let (zb, hb) = (&faces.before.bed[..n], &faces.before.depth[..n]);
    let (za, ha) = (&faces.after.bed[..n], &faces.after.depth[..n]);
    let (nb, na) = (&faces.before.roughness[..n], &faces.after.roughness[..n]);
    for i in 0..n {
        let face = Face {
            q: q[i],
            along: [behind[i], ahead[i]],
            across: across([first_a[i], first_b[i]], [second_a[i], second_b[i]], sign),
            before: [zb[i], hb[i]],
            after: [za[i], ha[i]],
            rough: rough(c.gravity, nb[i], na[i]),
        };
        next[i] = drive_face(face, way, &c);
    }
}
