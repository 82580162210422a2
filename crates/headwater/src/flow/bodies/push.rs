//! Velocity changes of single cells that are caused by brushes and floating bodies.

use crate::flow::state::State;
use crate::lattice::{FaceAxis, Hex, Lattice, adjacent_cells, first_inner_row};

#[derive(Clone, Copy, Debug)]
pub(in crate::flow) struct CellPush {
    pub(in crate::flow) cell: (usize, usize),
    pub(in crate::flow) change: [f64; 2],
}

/// Change in the discharge through a face, caused by a change in the velocity of one of its cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FacePush {
    /// Orientation of the face: 0 for x-faces, 1 for y-faces, 2 for z-faces.
    pub axis: usize,
    /// Column and row of the face.
    pub face: (usize, usize),
    /// Cells before and after the face, in the direction of positive discharge. Both cells are on
    /// the grid and open.
    pub cells: [(usize, usize); 2],
    /// Increase in the discharge through the face (m³/s) per metre of water depth at the face.
    pub gain: f64,
}

/// Applies velocity changes to cells. In physics models with momentum, the momentum of a cell
/// increases by depth × velocity change. In other models, the discharge through each inner face of
/// the cell increases by ½ × width × depth × normal velocity change. Discharges through walls,
/// through faces of closed cells and through the edges do not change.
pub(in crate::flow) fn apply_pushes(
    state: &mut State,
    lattice: &Lattice,
    pushes: impl Iterator<Item = CellPush>,
) {
    for push in pushes {
        if state.closed.contains(push.cell.0, push.cell.1) {
            continue;
        }
        if state.momentum.is_some() {
            push_cell(state, push);
        } else {
            for face in face_pushes(state, lattice, push) {
                push_face(state, &face);
            }
        }
    }
}

pub(in crate::flow) fn push_cell(state: &mut State, CellPush { cell, change }: CellPush) {
    let depth = f64::from(state.depth[cell]);
    let gain = |q: &mut f32, change: f64| *q = (f64::from(*q) + depth * change) as f32;
    if let Some(momentum) = &mut state.momentum {
        gain(&mut momentum.x[cell], change[0]);
        gain(&mut momentum.y[cell], change[1]);
    }
}

/// Returns the change in the discharge through each face of an open cell that results from a
/// velocity change of the water in this cell.
pub(in crate::flow) fn face_pushes(
    state: &State,
    lattice: &Lattice,
    CellPush { cell: (x, y), change }: CellPush,
) -> impl Iterator<Item = FacePush> + use<> {
    let (along, across) = ([(x, y), (x + 1, y)], [(x, y), (x, y + 1)]);
    let column = x + Hex::z_face_column(y);
    let slanted = [(column, y), (column, y + 1)];
    let part = |axis: FaceAxis, face: (usize, usize)| {
        let inner = lattice.inner_columns(axis).contains(&face.0)
            && (first_inner_row(axis)..lattice.ny()).contains(&face.1);
        if !inner {
            return None;
        }
        let cells @ [before, after] =
            adjacent_cells(axis, face.1).map(|cell| cell.apply_to(face.0, face.1));
        if cells.iter().any(|cell| state.closed.contains(cell.0, cell.1)) {
            return None;
        }
        let normal = face_normal(lattice, before, after);
        let across = change[0] * normal[0] + change[1] * normal[1];
        let width = lattice.face_width(axis == FaceAxis::X);
        Some(FacePush { axis: axis as usize, face, cells, gain: 0.5 * across * width })
    };
    let parts = |axis: FaceAxis, faces: [(usize, usize); 2]| faces.map(|face| part(axis, face));
    let z = if lattice.is_hex() { parts(FaceAxis::Z, slanted) } else { [None; 2] };
    [parts(FaceAxis::X, along), parts(FaceAxis::Y, across), z].into_iter().flatten().flatten()
}

pub(in crate::flow) fn push_face(state: &mut State, push: &FacePush) {
    let [before, after] = push.cells;
    let gain = push.gain * face_depth(state, before, after);
    let q = match (push.axis, &mut state.discharge_z) {
        (0, _) => &mut state.discharge_x[push.face],
        (1, _) => &mut state.discharge_y[push.face],
        (_, Some(z)) => &mut z[push.face],
        (_, None) => return,
    };
    *q = (f64::from(*q) + gain) as f32;
}

fn face_normal(lattice: &Lattice, before: (usize, usize), after: (usize, usize)) -> [f64; 2] {
    let [from, to] = [before, after].map(|(x, y)| lattice.center(x, y));
    let offset = [to[0] - from[0], to[1] - from[1]];
    let length = (offset[0] * offset[0] + offset[1] * offset[1]).sqrt();
    offset.map(|part| part / length)
}

/// Returns the depth of water (m) at a face: the higher water surface of the two cells minus their
/// higher bed, or 0 if this bed is higher than both surfaces.
fn face_depth(state: &State, before: (usize, usize), after: (usize, usize)) -> f64 {
    let surface = state.surface(before.0, before.1).max(state.surface(after.0, after.1));
    f64::from((surface - state.bed[before].max(state.bed[after])).max(0.0))
}
