//! Stages 1 to 3 of the local inertial equations, one row of the sweep at a time.

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
use crate::lattice::{Near, Offset, Way, parted};
use crate::spare::{Lent, Spare};
use multiversion::multiversion;

pub(crate) struct Inertial<'a> {
    step: &'a Step<'a>,
    c: Coefficients,
    /// A row of the uniform roughness, so that one loop serves a constant and a map.
    even: Lent<'a, f32>,
    /// Faces of subgrid cells, whose discharges are already computed.
    parted: &'a PartedFaces,
}

impl<'a> Inertial<'a> {
    /// Also sets the boundary faces, which inner faces read.
    pub(in crate::flow) fn new(
        state: &mut State,
        parted: &'a mut PartedFaces,
        step: &'a Step<'a>,
        spare: &'a Spare,
    ) -> Self {
        let c = Coefficients::new(step);
        set_boundary(state, step, &c);
        parted.drive(state, step, &c);
        let even = match step.roughness {
            Roughness::Uniform(n) => spare.filled(state.bed.nx(), n),
            Roughness::Map(_) => spare.vec(),
        };
        Self { step, c, even, parted }
    }
}

impl Drive for Inertial<'_> {
    // A face reads its next neighbours.
    const REACH: usize = 1;

    fn begin(&self, kept: &mut Kept, strip: &Strip, y: isize, run: Run) {
        kept.old.keep(strip, y - 1, run);
        kept.old.keep(strip, y, run);
    }

    fn drive(&self, kept: &mut Kept, strip: &mut Strip, y: isize, run: Run, across: bool) {
        kept.old.keep(strip, y + 1, run);
        let [above, below] = [y - 1, y].map(|y| strip.ground.has(y));
        if below && across {
            self.drive_way(&kept.old, strip, Way::X, y, run);
        }
        if above && below {
            self.drive_way(&kept.old, strip, Way::Y, y, run);
            if strip.ground.is_hex {
                self.drive_way(&kept.old, strip, Way::Z, y, run);
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
    fn drive_way(&self, old: &Old, strip: &mut Strip, way: Way, y: isize, run: Run) {
        let ground = strip.ground;
        let columns = run.inner(way);
        let around = self.step.lattice.around(way, ground.home(y));
        let [before, after] = parted(way, ground.home(y));
        if !columns.is_empty() {
            let discharges =
                |(way, offset): Near| &old.row(way, offset.row(y))[offset.columns(&columns)];
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
                q: &old.row(way, y)[columns.clone()],
                along: around.along.map(discharges),
                first: around.first.map(discharges),
                second: around.second.map(discharges),
                sign: around.sign,
                before: cells(before),
                after: cells(after),
            };
            let rows = match (way, &mut strip.z) {
                (Way::X, _) => &mut strip.x,
                (Way::Z, Some(z)) => z,
                (Way::Y | Way::Z, _) => &mut strip.y,
            };
            let next = &mut rows.row_mut(y)[columns.clone()];
            drive_faces(next, &faces, self.c.of(way), &self.c);
            ground.shut(next, way, columns, y);
        }
        let nx = ground.nx();
        if way != Way::Y && ground.joined[0] && run.is_whole(nx) {
            let q = self.drive_seam(old, strip, way, y);
            let rows = match &mut strip.z {
                Some(z) if way == Way::Z => z,
                _ => &mut strip.x,
            };
            let next = rows.row_mut(y);
            (next[0], next[nx]) = (q, q);
        }
        if way != Way::Z {
            self.put_parted(strip, way, y, run);
        }
    }

    /// Copies the precomputed discharges of subgrid faces to row `y`.
    fn put_parted(&self, strip: &mut Strip, way: Way, y: isize, run: Run) {
        let ground = strip.ground;
        let nx = ground.nx();
        let (columns, whole) = (run.inner(way), run.is_whole(nx));
        let rows = if way == Way::X { &mut strip.x } else { &mut strip.y };
        for (x, q) in self.parted.row(way, ground.home(y)) {
            if columns.contains(&x) {
                rows.row_mut(y)[x] = q;
            } else if way == Way::X && x == 0 && whole {
                let next = rows.row_mut(y);
                (next[0], next[nx]) = (q, q);
            }
        }
    }

    /// Stages 2 and 3 for the periodic west-east face of row `y`.
    fn drive_seam(&self, old: &Old, strip: &Strip, way: Way, y: isize) -> f32 {
        let ground = strip.ground;
        let nx = ground.nx();
        let around = self.step.lattice.around(way, ground.home(y));
        let discharge = |(way, offset): Near| {
            let (x, row) = (offset.column_around(nx), offset.row(y));
            let (at, grid) = ((x, row.max(0) as usize), (nx, ground.ny()));
            old.row(way, row)[beside_seam(way, at, grid, ground.joined[1])]
        };
        let cells = parted(way, ground.home(y)).map(|cell| (cell.column_around(nx), cell.row(y)));
        let cell = |(x, row)| [ground.bed(row)[x], strip.depth.row(row)[x]];
        let closed = |(x, row)| ground.closed.contains(x, ground.home(row));
        let n = |(x, row)| self.step.roughness.at(x, ground.home(row));
        let [before, after] = cells;
        if closed(before) || closed(after) {
            return 0.0;
        }
        let face = Face {
            q: old.row(way, y)[0],
            along: around.along.map(discharge),
            across: across(around.first.map(discharge), around.second.map(discharge), around.sign),
            before: cell(before),
            after: cell(after),
            rough: rough(self.c.gravity, n(before), n(after)),
        };
        drive_face(face, self.c.of(way), &self.c)
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

/// Stages 2 and 3 for a row of faces. `next` is a separate argument so that the loop vectorises.
#[multiversion(targets = "simd")]
fn drive_faces(next: &mut [f32], faces: &Faces, way: Direction, c: &Coefficients) {
    let n = next.len();
    let c = *c;
    let q = &faces.q[..n];
    // Sliced one by one: through `map` the compiler does not see the lengths.
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
