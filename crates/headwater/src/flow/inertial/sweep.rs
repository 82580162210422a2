//! Stages 1 to 3 of the local inertial equations, a row of a sweep.

use super::parted::PartedFaces;
use super::{
    Coefficients, Direction, FILM, Face, across, beside_seam, depth_over, drive as drive_face,
    rough, set_boundary,
};
use crate::flow::context::Roughness;
use crate::flow::context::Step;
use crate::flow::state::State;
use crate::flow::surface::{fall, surface};
use crate::flow::sweep::{Drive, Kept, Old, Run, SLIGHT, Strip, is_nothing};
use crate::lattice::{FaceAxis, FaceOffset, Offset, adjacent_cells};
use crate::scratch::{PooledVec, ScratchPool};
use multiversion::multiversion;

pub(crate) struct Inertial<'a> {
    step: &'a Step<'a>,
    c: Coefficients,
    /// Even ground is a row of one number: the same loop serves it and a map.
    even: PooledVec<'a, f32>,
    /// Faces at cells of two parts, which are driven already.
    parted: &'a PartedFaces,
}

impl<'a> Inertial<'a> {
    /// Sets the outermost faces too: inner ones read them.
    pub(in crate::flow) fn new(
        state: &mut State,
        parted: &'a mut PartedFaces,
        step: &'a Step<'a>,
        scratch: &'a ScratchPool,
    ) -> Self {
        let c = Coefficients::new(step);
        set_boundary(state, step, &c);
        parted.drive(state, step, &c);
        let even = match step.roughness {
            Roughness::Uniform(n) => scratch.filled(state.bed.nx(), n),
            Roughness::Map(_) => scratch.vec(),
        };
        Self { step, c, even, parted }
    }
}

impl Drive for Inertial<'_> {
    // A face reads the next ones.
    const REACH: usize = 1;

    fn begin(&self, kept: &mut Kept, strip: &Strip, y: isize, run: Run) {
        kept.old.keep(strip, y - 1, run);
        kept.old.keep(strip, y, run);
    }

    fn drive(&self, kept: &mut Kept, strip: &mut Strip, y: isize, run: Run, across: bool) {
        kept.old.keep(strip, y + 1, run);
        let [above, below] = [y - 1, y].map(|y| strip.ground.has(y));
        if below && across {
            self.drive_way(&kept.old, strip, FaceAxis::X, y, run);
        }
        if above && below {
            self.drive_way(&kept.old, strip, FaceAxis::Y, y, run);
            if strip.ground.is_hex {
                self.drive_way(&kept.old, strip, FaceAxis::Z, y, run);
            }
        }
    }

    #[inline(always)]
    fn rests(q: f32, before: [f32; 2], after: [f32; 2]) -> bool {
        let fall = fall(before, after);
        let depth = depth_over(before[0], after[0], surface(before), surface(after));
        let shut = (depth <= FILM) & (fall.abs() > SLIGHT);
        is_nothing(q, fall) & ((fall == 0.0) | shut)
    }
}

impl Inertial<'_> {
    fn drive_way(&self, old: &Old, strip: &mut Strip, axis: FaceAxis, y: isize, run: Run) {
        let ground = strip.ground;
        let columns = run.inner(axis);
        let stencil = self.step.lattice.face_stencil(axis, ground.home(y));
        let [before, after] = adjacent_cells(axis, ground.home(y));
        if !columns.is_empty() {
            let discharges = |(axis, offset): FaceOffset| {
                &old.row(axis, offset.row(y))[offset.columns(&columns)]
            };
            let cells = |offset: Offset| {
                let (row, columns) = (offset.row(y), offset.columns(&columns));
                Cells {
                    bed: &ground.bed(row)[columns.clone()],
                    depth: &strip.depth.row(row)[columns.clone()],
                    roughness: match self.step.roughness {
                        Roughness::Uniform(_) => &self.even[..columns.len()],
                        Roughness::Map(map) => &map.row(ground.home(row))[columns],
                    },
                }
            };
            let faces = Faces {
                q: &old.row(axis, y)[columns.clone()],
                along: stencil.along.map(discharges),
                first: stencil.first.map(discharges),
                second: stencil.second.map(discharges),
                sign: stencil.sign,
                before: cells(before),
                after: cells(after),
            };
            let rows = match (axis, &mut strip.z) {
                (FaceAxis::X, _) => &mut strip.x,
                (FaceAxis::Z, Some(z)) => z,
                (FaceAxis::Y | FaceAxis::Z, _) => &mut strip.y,
            };
            let next = &mut rows.row_mut(y)[columns.clone()];
            drive_faces(next, &faces, self.c.of(axis), &self.c);
            ground.shut(next, axis, columns, y);
        }
        let nx = ground.nx();
        if axis != FaceAxis::Y && ground.joined[0] && run.is_whole(nx) {
            let q = self.drive_seam(old, strip, axis, y);
            let rows = match &mut strip.z {
                Some(z) if axis == FaceAxis::Z => z,
                _ => &mut strip.x,
            };
            let next = rows.row_mut(y);
            (next[0], next[nx]) = (q, q);
        }
        if axis != FaceAxis::Z {
            self.put_parted(strip, axis, y, run);
        }
    }

    /// Puts the faces that are driven already among those of row `y`.
    fn put_parted(&self, strip: &mut Strip, axis: FaceAxis, y: isize, run: Run) {
        let ground = strip.ground;
        let nx = ground.nx();
        let (columns, whole) = (run.inner(axis), run.is_whole(nx));
        let rows = if axis == FaceAxis::X { &mut strip.x } else { &mut strip.y };
        for (x, q) in self.parted.row(axis, ground.home(y)) {
            if columns.contains(&x) {
                rows.row_mut(y)[x] = q;
            } else if axis == FaceAxis::X && x == 0 && whole {
                let next = rows.row_mut(y);
                (next[0], next[nx]) = (q, q);
            }
        }
    }

    /// Stages 2 and 3, the face of row `y` on the seam of west and east.
    fn drive_seam(&self, old: &Old, strip: &Strip, axis: FaceAxis, y: isize) -> f32 {
        let ground = strip.ground;
        let nx = ground.nx();
        let stencil = self.step.lattice.face_stencil(axis, ground.home(y));
        let discharge = |(axis, offset): FaceOffset| {
            let (x, row) = (offset.wrapped_column(nx), offset.row(y));
            let (at, grid) = ((x, row.max(0) as usize), (nx, ground.ny()));
            old.row(axis, row)[beside_seam(axis, at, grid, ground.joined[1])]
        };
        let cells =
            adjacent_cells(axis, ground.home(y)).map(|cell| (cell.wrapped_column(nx), cell.row(y)));
        let cell = |(x, row)| [ground.bed(row)[x], strip.depth.row(row)[x]];
        let closed = |(x, row)| ground.closed.contains(x, ground.home(row));
        let n = |(x, row)| self.step.roughness.at(x, ground.home(row));
        let [before, after] = cells;
        if closed(before) || closed(after) {
            return 0.0;
        }
        let face = Face {
            q: old.row(axis, y)[0],
            along: stencil.along.map(discharge),
            across: across(
                stencil.first.map(discharge),
                stencil.second.map(discharge),
                stencil.sign,
            ),
            before: cell(before),
            after: cell(after),
            rough: rough(self.c.gravity, n(before), n(after)),
        };
        drive_face(face, self.c.of(axis), &self.c)
    }
}

struct Faces<'a> {
    q: &'a [f32],
    along: [&'a [f32]; 2],
    first: [&'a [f32]; 2],
    second: [&'a [f32]; 2],
    sign: f32,
    before: Cells<'a>,
    after: Cells<'a>,
}

struct Cells<'a> {
    bed: &'a [f32],
    depth: &'a [f32],
    roughness: &'a [f32],
}

/// Stages 2 and 3 on a row of faces. `next` is an argument, so that the loop is vectorised.
#[multiversion(targets = "simd")]
fn drive_faces(next: &mut [f32], faces: &Faces, axis: Direction, c: &Coefficients) {
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
        next[i] = drive_face(face, axis, &c);
    }
}
