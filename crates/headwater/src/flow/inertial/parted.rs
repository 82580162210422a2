//! Stages 2 and 3 over faces of subgrid cells ([`Subgrid`]): the surface is common to both parts,
//! and each conveys by Manning's law. Neighbouring faces are weighted by the open fraction that
//! both share.

use super::{
    Coefficients, FILM, across, beside_seam, depth_over, filter, greater, length, rough, rubbed,
};
use crate::flow::context::Step;
use crate::flow::outside::Joined;
use crate::flow::state::{Discharges, State};
use crate::flow::subgrid::{Subgrid, conveyed};
use crate::flow::surface::{fall, surface};
use crate::lattice::{Near, Offset, Way};
use crate::parallel::map;

type Place = (Way, (usize, usize));

/// Faces that need the subgrid formula, cached between steps, and their new discharges (m³/s).
#[derive(Clone, Debug, Default)]
pub(in crate::flow) struct PartedFaces {
    places: Vec<Place>,
    discharges: Vec<f32>,
    /// Subgrid cells and periodicity for which the list was built.
    of: Option<(Vec<(usize, usize)>, Joined)>,
    /// Start index of each row in the list: x-faces row by row, then y-faces.
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
        for way in [Way::X, Way::Y] {
            let (columns, rows) = match way {
                Way::X => (usize::from(!joined.x)..nx, 0..ny),
                _ => (0..nx, usize::from(!joined.y)..ny),
            };
            let starts = &mut self.starts[way as usize];
            starts.clear();
            starts.resize(rows.start, self.places.len());
            for y in rows {
                starts.push(self.places.len());
                let narrow = |at: &usize| is_narrow(subgrid, step, way, (*at, y));
                self.places.extend(columns.clone().filter(narrow).map(|x| (way, (x, y))));
            }
            starts.resize(ny + 1, self.places.len());
        }
    }

    pub(super) fn put(&self, next: &mut Discharges) {
        let (nx, ny) = (next.x.nx() - 1, next.y.ny() - 1);
        for (&(way, (x, y)), &q) in self.places.iter().zip(&self.discharges) {
            let field = next.of(way);
            field[(x, y)] = q;
            match way {
                Way::X if x == 0 => field[(nx, y)] = q,
                Way::Y if y == 0 => field[(x, ny)] = q,
                _ => {}
            }
        }
    }

    /// Returns columns and discharges of the faces in row `y`; periodic faces count once.
    pub(super) fn row(&self, way: Way, y: usize) -> impl Iterator<Item = (usize, f32)> {
        let [from, to] = match self.starts.get(way as usize) {
            Some(starts) if y + 1 < starts.len() => [starts[y], starts[y + 1]],
            _ => [0, 0],
        };
        let places = self.places[from..to].iter().map(|(_, (x, _))| *x);
        places.zip(self.discharges[from..to].iter().copied())
    }
}

fn is_narrow(subgrid: &Subgrid, step: &Step, way: Way, (x, y): (usize, usize)) -> bool {
    let (nx, ny) = (subgrid.part.nx(), subgrid.part.ny());
    let cells = step.edges.joined.parted(way, (x, y), nx, ny);
    let around = step.lattice.around(way, y);
    let own = [(way, Offset::HERE)];
    cells.into_iter().any(|cell| subgrid.at(cell).is_some())
        || own
            .into_iter()
            .chain(around.along)
            .chain(around.first)
            .chain(around.second)
            .any(|face| open(subgrid, step, face, (x, y)) < 1.0)
}

fn open(subgrid: &Subgrid, step: &Step, (way, offset): Near, (x, y): (usize, usize)) -> f32 {
    let joined = step.edges.joined;
    let (nx, ny) = (subgrid.part.nx(), subgrid.part.ny());
    let (x, y) = joined.wrap(offset.from(x, y), nx, ny);
    match way {
        Way::X if x <= nx && y < ny => subgrid.over_x((x, y), joined.x),
        Way::Y if x < nx && y <= ny => subgrid.over_y((x, y), joined.y),
        _ => 1.0,
    }
}

/// Returns the new discharge over a face (m³/s), with depth and conveyance of both parts: `h` is `Σ
/// b·h_b`, and `h^(7/3)` in the denominator `(Σ b·h_b^(5/3))²/h`, with `b` the fractions of the
/// face.
fn discharge(
    state: &State,
    subgrid: &Subgrid,
    step: &Step,
    c: &Coefficients,
    (way, (x, y)): Place,
) -> f32 {
    let (nx, ny) = (state.bed.nx(), state.bed.ny());
    let joined = step.edges.joined;
    let cells @ [before, after] = joined.parted(way, (x, y), nx, ny);
    if cells.iter().any(|&(x, y)| state.closed.contains(x, y)) {
        return 0.0;
    }
    let around = step.lattice.around(way, y);
    let is_open = open(subgrid, step, (way, Offset::HERE), (x, y));
    let part = |face: Near| open(subgrid, step, face, (x, y));
    let q_of = |(way, offset): Near| {
        let (x, y) = joined.wrap(offset.from(x, y), nx, ny);
        state.discharge(way)[(beside_seam(way, (x, y), (nx, ny), joined.y), y)]
    };
    let q = state.discharge(way)[(x, y)];
    // Only equally open faces are mixed, symmetrically: a one-sided exchange would amplify
    // oscillations.
    let along = around.along.map(|face| if part(face) == is_open { q_of(face) } else { q });
    let beside = around.first.into_iter().chain(around.second).map(part).sum::<f32>();
    let across = across(around.first.map(q_of), around.second.map(q_of), around.sign);
    let across = if beside > 0.0 { across * (4.0 * is_open / beside) } else { 0.0 };

    // Bed and depth of the low part, and the step up to the high part.
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
    let direction = c.of(way);
    let kept = filter(q, along, c.theta) * c.keep;
    let push = direction.push * wet * fall(a, b);
    let speed = length(q * direction.unit, across * direction.unit_across);
    let n = |(x, y): (usize, usize)| step.roughness.at(x, y);
    let drag = rough(c.gravity, n(before), n(after)) * wet / (conveys * conveys);
    let deepest = greater(if is_open > 0.0 { low } else { 0.0 }, high);
    rubbed([kept, push], [drag, c.viscous / (deepest * deepest)], speed, direction.unit)
}
