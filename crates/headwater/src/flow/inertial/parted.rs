//! Stages 2 and 3 over faces at cells of two parts ([`Subgrid`]): one surface over both, each part
//! conveying by Manning's law. Neighbouring faces count by how much of both is open.

use super::{
    Coefficients, FILM, across, beside_seam, depth_over, filter, greater, length, rough, rubbed,
};
use crate::flow::context::Step;
use crate::flow::outside::Joined;
use crate::flow::state::{Discharges, State};
use crate::flow::subgrid::{Subgrid, conveyed};
use crate::flow::surface::{fall, surface};
use crate::lattice::{FaceAxis, FaceOffset, Offset};
use crate::parallel::map;

type Place = (FaceAxis, (usize, usize));

/// Which faces are to be driven by themselves, kept from step to step, and what they are driven to.
#[derive(Clone, Debug, Default)]
pub(in crate::flow) struct PartedFaces {
    places: Vec<Place>,
    discharges: Vec<f32>,
    /// For what they were found.
    of: Option<(Vec<(usize, usize)>, Joined)>,
    /// Where the faces of each row begin among them: x-faces row by row, then y-faces.
    starts: [Vec<usize>; 2],
}

impl PartedFaces {
    pub(in crate::flow) fn drive(&mut self, state: &State, step: &Step, c: &Coefficients) {
        let Some(subgrid) = &state.subgrid else {
            self.places.clear();
            self.of = None;
            return;
        };
        self.find(subgrid, step);
        self.discharges = map(&self.places, |&place| discharge(state, subgrid, step, c, place));
    }

    fn find(&mut self, subgrid: &Subgrid, step: &Step) {
        let joined = step.edges.joined;
        let of = Some((subgrid.cells().collect(), joined));
        if of == self.of {
            return;
        }
        self.of = of;
        let (nx, ny) = (subgrid.part.nx(), subgrid.part.ny());
        self.places.clear();
        for axis in [FaceAxis::X, FaceAxis::Y] {
            let (columns, rows) = match axis {
                FaceAxis::X => (usize::from(!joined.x)..nx, 0..ny),
                _ => (0..nx, usize::from(!joined.y)..ny),
            };
            let starts = &mut self.starts[axis as usize];
            starts.clear();
            starts.resize(rows.start, self.places.len());
            for y in rows {
                starts.push(self.places.len());
                let narrow = |at: &usize| is_narrow(subgrid, step, axis, (*at, y));
                self.places.extend(columns.clone().filter(narrow).map(|x| (axis, (x, y))));
            }
            starts.resize(ny + 1, self.places.len());
        }
    }

    pub(super) fn put(&self, next: &mut Discharges) {
        let (nx, ny) = (next.x.nx() - 1, next.y.ny() - 1);
        for (&(axis, (x, y)), &q) in self.places.iter().zip(&self.discharges) {
            let field = next.of(axis);
            field[(x, y)] = q;
            match axis {
                FaceAxis::X if x == 0 => field[(nx, y)] = q,
                FaceAxis::Y if y == 0 => field[(x, ny)] = q,
                _ => {}
            }
        }
    }

    /// Those of row `y`, counted around joined edges: columns and discharges.
    pub(super) fn row(&self, axis: FaceAxis, y: usize) -> impl Iterator<Item = (usize, f32)> {
        let [from, to] = match self.starts.get(axis as usize) {
            Some(starts) if y + 1 < starts.len() => [starts[y], starts[y + 1]],
            _ => [0, 0],
        };
        let places = self.places[from..to].iter().map(|(_, (x, _))| *x);
        places.zip(self.discharges[from..to].iter().copied())
    }
}

fn is_narrow(subgrid: &Subgrid, step: &Step, axis: FaceAxis, (x, y): (usize, usize)) -> bool {
    let (nx, ny) = (subgrid.part.nx(), subgrid.part.ny());
    let cells = step.edges.joined.adjacent_cells(axis, (x, y), nx, ny);
    let stencil = step.lattice.face_stencil(axis, y);
    let own = [(axis, Offset::HERE)];
    cells.into_iter().any(|cell| subgrid.at(cell).is_some())
        || own
            .into_iter()
            .chain(stencil.along)
            .chain(stencil.first)
            .chain(stencil.second)
            .any(|face| open(subgrid, step, face, (x, y)) < 1.0)
}

fn open(subgrid: &Subgrid, step: &Step, (axis, offset): FaceOffset, (x, y): (usize, usize)) -> f32 {
    let joined = step.edges.joined;
    let (nx, ny) = (subgrid.part.nx(), subgrid.part.ny());
    let (x, y) = joined.wrap(offset.from(x, y), nx, ny);
    match axis {
        FaceAxis::X if x <= nx && y < ny => subgrid.over_x((x, y), joined.x),
        FaceAxis::Y if x < nx && y <= ny => subgrid.over_y((x, y), joined.y),
        _ => 1.0,
    }
}

/// The new discharge over a face (m³/s), with depth and conveyance of both parts: `h` is `Σ b·h_b`,
/// and `h^(7/3)` in the denominator `(Σ b·h_b^(5/3))²/h`, `b` the parts of the face.
fn discharge(
    state: &State,
    subgrid: &Subgrid,
    step: &Step,
    c: &Coefficients,
    (axis, (x, y)): Place,
) -> f32 {
    let (nx, ny) = (state.bed.nx(), state.bed.ny());
    let joined = step.edges.joined;
    let cells @ [before, after] = joined.adjacent_cells(axis, (x, y), nx, ny);
    if cells.iter().any(|&(x, y)| state.closed.contains(x, y)) {
        return 0.0;
    }
    let stencil = step.lattice.face_stencil(axis, y);
    let is_open = open(subgrid, step, (axis, Offset::HERE), (x, y));
    let part = |face: FaceOffset| open(subgrid, step, face, (x, y));
    let q_of = |(axis, offset): FaceOffset| {
        let (x, y) = joined.wrap(offset.from(x, y), nx, ny);
        state.discharge(axis)[(beside_seam(axis, (x, y), (nx, ny), joined.y), y)]
    };
    let q = state.discharge(axis)[(x, y)];
    // Only what is open alike is mixed, by both alike: what one gave without taking would pump the water up.
    let along = stencil.along.map(|face| if part(face) == is_open { q_of(face) } else { q });
    let beside = stencil.first.into_iter().chain(stencil.second).map(part).sum::<f32>();
    let across = across(stencil.first.map(q_of), stencil.second.map(q_of), stencil.sign);
    let across = if beside > 0.0 { across * (4.0 * is_open / beside) } else { 0.0 };

    // Bed and depth of the low part, and how much higher the high part lies.
    let ground = |cell| match subgrid.at(cell) {
        None => ([state.bed[cell], state.depth[cell]], 0.0),
        Some(of) => ([state.bed[cell] + of.low, of.depth(state.depth[cell])], of.rise),
    };
    let [(a, rise_a), (b, rise_b)] = [ground(before), ground(after)];
    let (wa, wb) = (surface(a), surface(b));
    let low = greater(depth_over(a[0], b[0], wa, wb), 0.0);
    let high = greater(depth_over(a[0] + rise_a, b[0] + rise_b, wa, wb), 0.0);
    let wet = is_open * low + (1.0 - is_open) * high;
    if wet <= FILM * greater(is_open, 0.5) {
        return 0.0;
    }
    let conveys = is_open * conveyed(low) + (1.0 - is_open) * conveyed(high);
    let direction = c.of(axis);
    let kept = filter(q, along, c.theta) * c.keep;
    let push = direction.push * wet * fall(a, b);
    let speed = length(q * direction.unit, across * direction.unit_across);
    let n = |(x, y): (usize, usize)| step.roughness.at(x, y);
    let drag = rough(c.gravity, n(before), n(after)) * wet / (conveys * conveys);
    let deepest = greater(if is_open > 0.0 { low } else { 0.0 }, high);
    rubbed([kept, push], [drag, c.viscous / (deepest * deepest)], speed, direction.unit)
}
