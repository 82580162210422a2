//! Discharges through faces of subgrid cells ([`Subgrid`]) with the local inertial equations
//! (stages 2 and 3 of a time step). A subgrid splits a cell into a low and a high part. Both parts
//! have the same water surface, and each part conveys water by Manning's law.

use super::{
    Coefficients, MIN_FACE_DEPTH, apply_friction, drag_factor, face_depth, fast_max,
    filter_discharge, periodic_face_column, transverse_sum, vector_norm,
};
use crate::flow::boundary::state::Periodicity;
use crate::flow::context::StepContext;
use crate::flow::schemes::surface::{surface_drop, surface_height};
use crate::flow::state::{Discharges, State};
use crate::flow::subgrid::{Subgrid, conveyance};
use crate::lattice::{FaceAxis, FaceOffset, Offset};
use crate::parallel::map;

type FaceId = (FaceAxis, (usize, usize));

/// Faces that need the subgrid formula, and their new discharges (m³/s). The list of faces is
/// reused in later steps.
#[derive(Clone, Debug, Default)]
pub(in crate::flow) struct SubgridFaces {
    faces_list: Vec<FaceId>,
    discharges: Vec<f32>,
    /// Subgrid cells and periodicity for which the list of faces was built. The list is rebuilt
    /// when one of them changes.
    built_for: Option<(Vec<(usize, usize)>, Periodicity)>,
    /// For x-faces and for y-faces: the index in the list at which the faces of each grid row
    /// start.
    starts: [Vec<usize>; 2],
}

impl SubgridFaces {
    pub(in crate::flow) fn compute_discharges(
        &mut self,
        state: &State,
        step: &StepContext,
        c: &Coefficients,
    ) {
        let Some(subgrid) = &state.subgrid else {
            self.faces_list.clear();
            self.built_for = None;
            return;
        };
        self.update_face_list(subgrid, step);
        self.discharges =
            map(&self.faces_list, |&place| subgrid_face_discharge(state, subgrid, step, c, place));
    }

    fn update_face_list(&mut self, subgrid: &Subgrid, step: &StepContext) {
        let periodic = step.edges.periodic;
        let built_for = Some((subgrid.cells().collect(), periodic));
        if built_for == self.built_for {
            return;
        }
        self.built_for = built_for;
        let (nx, ny) = (subgrid.low_fraction.nx(), subgrid.low_fraction.ny());
        self.faces_list.clear();
        for axis in [FaceAxis::X, FaceAxis::Y] {
            let (columns, rows) = match axis {
                FaceAxis::X => (usize::from(!periodic.x)..nx, 0..ny),
                _ => (0..nx, usize::from(!periodic.y)..ny),
            };
            let starts = &mut self.starts[axis as usize];
            starts.clear();
            starts.resize(rows.start, self.faces_list.len());
            for y in rows {
                starts.push(self.faces_list.len());
                let narrow = |at: &usize| is_subgrid_face(subgrid, step, axis, (*at, y));
                self.faces_list.extend(columns.clone().filter(narrow).map(|x| (axis, (x, y))));
            }
            starts.resize(ny + 1, self.faces_list.len());
        }
    }

    pub(super) fn write_discharges(&self, next: &mut Discharges) {
        let (nx, ny) = (next.x.nx() - 1, next.y.ny() - 1);
        for (&(axis, (x, y)), &q) in self.faces_list.iter().zip(&self.discharges) {
            let field = next.axis_mut(axis);
            field[(x, y)] = q;
            match axis {
                FaceAxis::X if x == 0 => field[(nx, y)] = q,
                FaceAxis::Y if y == 0 => field[(x, ny)] = q,
                _ => {}
            }
        }
    }

    /// Returns the column and the new discharge (m³/s) of each listed face in row `y`. A periodic
    /// face, which is stored twice, occurs only once.
    pub(super) fn row_discharges(
        &self,
        axis: FaceAxis,
        y: usize,
    ) -> impl Iterator<Item = (usize, f32)> {
        let [from, to] = match self.starts.get(axis as usize) {
            Some(starts) if y + 1 < starts.len() => [starts[y], starts[y + 1]],
            _ => [0, 0],
        };
        let faces_list = self.faces_list[from..to].iter().map(|(_, (x, _))| *x);
        faces_list.zip(self.discharges[from..to].iter().copied())
    }
}

fn is_subgrid_face(
    subgrid: &Subgrid,
    step: &StepContext,
    axis: FaceAxis,
    (x, y): (usize, usize),
) -> bool {
    let (nx, ny) = (subgrid.low_fraction.nx(), subgrid.low_fraction.ny());
    let cells = step.edges.periodic.adjacent_cells(axis, (x, y), nx, ny);
    let stencil = step.lattice.face_stencil(axis, y);
    let own = [(axis, Offset::HERE)];
    cells.into_iter().any(|cell| subgrid.at(cell).is_some())
        || own
            .into_iter()
            .chain(stencil.normal_neighbours)
            .chain(stencil.first_pair)
            .chain(stencil.second_pair)
            .any(|face| open_fraction(subgrid, step, face, (x, y)) < 1.0)
}

fn open_fraction(
    subgrid: &Subgrid,
    step: &StepContext,
    (axis, offset): FaceOffset,
    (x, y): (usize, usize),
) -> f32 {
    let periodic = step.edges.periodic;
    let (nx, ny) = (subgrid.low_fraction.nx(), subgrid.low_fraction.ny());
    let (x, y) = periodic.wrap(offset.apply_to(x, y), nx, ny);
    match axis {
        FaceAxis::X if x <= nx && y < ny => subgrid.open_fraction_x((x, y), periodic.x),
        FaceAxis::Y if x < nx && y <= ny => subgrid.open_fraction_y((x, y), periodic.y),
        _ => 1.0,
    }
}

/// Returns the new discharge through a face (m³/s) whose ground has a low and a high part. The
/// formula is that of a uniform face with two changes: the depth `h` becomes `Σ b·h_b`, and
/// `h^(7/3)` in the denominator becomes `(Σ b·h_b^(5/3))²/h`. The sums run over the two parts: `b`
/// is the fraction of the face width that a part covers, and `h_b` the depth at this part.
fn subgrid_face_discharge(
    state: &State,
    subgrid: &Subgrid,
    step: &StepContext,
    c: &Coefficients,
    (axis, (x, y)): FaceId,
) -> f32 {
    let (nx, ny) = (state.bed.nx(), state.bed.ny());
    let periodic = step.edges.periodic;
    let cells @ [before, after] = periodic.adjacent_cells(axis, (x, y), nx, ny);
    if cells.iter().any(|&(x, y)| state.closed.contains(x, y)) {
        return 0.0;
    }
    let stencil = step.lattice.face_stencil(axis, y);
    let is_open = open_fraction(subgrid, step, (axis, Offset::HERE), (x, y));
    let part = |face: FaceOffset| open_fraction(subgrid, step, face, (x, y));
    let q_of = |(axis, offset): FaceOffset| {
        let (x, y) = periodic.wrap(offset.apply_to(x, y), nx, ny);
        state.discharge(axis)[(periodic_face_column(axis, (x, y), (nx, ny), periodic.y), y)]
    };
    let q = state.discharge(axis)[(x, y)];
    // Only faces that are equally open are mixed, because a one-sided exchange would amplify
    // oscillations.
    let along =
        stencil.normal_neighbours.map(|face| if part(face) == is_open { q_of(face) } else { q });
    let beside = stencil.first_pair.into_iter().chain(stencil.second_pair).map(part).sum::<f32>();
    let across =
        transverse_sum(stencil.first_pair.map(q_of), stencil.second_pair.map(q_of), stencil.sign);
    let across = if beside > 0.0 { across * (4.0 * is_open / beside) } else { 0.0 };

    // Bed and depth of the low part, and the step up to the high part.
    let ground = |cell| match subgrid.at(cell) {
        None => ([state.bed[cell], state.depth[cell]], 0.0),
        Some(of) => ([state.bed[cell] + of.low, of.depth_over_low(state.depth[cell])], of.rise),
    };
    let [(a, rise_a), (b, rise_b)] = [ground(before), ground(after)];
    let (wa, wb) = (surface_height(a), surface_height(b));
    let low = fast_max(face_depth(a[0], b[0], wa, wb), 0.0);
    let high = fast_max(face_depth(a[0] + rise_a, b[0] + rise_b, wa, wb), 0.0);
    let wet = is_open * low + (1.0 - is_open) * high;
    if wet <= MIN_FACE_DEPTH * fast_max(is_open, 0.5) {
        return 0.0;
    }
    let conveys = is_open * conveyance(low) + (1.0 - is_open) * conveyance(high);
    let direction = c.for_axis(axis);
    let kept = filter_discharge(q, along, c.theta) * c.decay;
    let push = direction.push * wet * surface_drop(a, b);
    let speed = vector_norm(q * direction.unit, across * direction.unit_across);
    let n = |(x, y): (usize, usize)| step.roughness.at(x, y);
    let drag = drag_factor(c.gravity, n(before), n(after)) * wet / (conveys * conveys);
    let deepest = fast_max(if is_open > 0.0 { low } else { 0.0 }, high);
    apply_friction([kept, push], [drag, c.viscous / (deepest * deepest)], speed, direction.unit)
}
