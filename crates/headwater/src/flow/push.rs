//! Pushing water: a change of velocity for the water of some cells. Brushes and floating bodies push through
//! here; gravity does not.

use super::state::State;
use crate::lattice::{Hex, Lattice, Way, first_row, parted};

/// A change of velocity (m/s, `[east, south]`) for the water of a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Push {
    pub(super) cell: (usize, usize),
    pub(super) change: [f64; 2],
}

/// Pushes the water of cells. Where momentum is part of the state, it gains depth × change. Elsewhere the
/// discharges over the inner faces of the cell gain width × depth over the face × the part of the change
/// across it, half of it from each of the face's two cells. Nothing passes walls, closed cells or the rim.
pub(super) fn push(state: &mut State, lattice: &Lattice, pushes: impl Iterator<Item = Push>) {
    for Push { cell, change } in pushes {
        if state.closed.contains(cell.0, cell.1) {
            continue;
        }
        if let Some(momentum) = &mut state.momentum {
            let depth = f64::from(state.depth[cell]);
            let gain = |q: &mut f32, change: f64| *q = (f64::from(*q) + depth * change) as f32;
            gain(&mut momentum.x[cell], change[0]);
            gain(&mut momentum.y[cell], change[1]);
        } else {
            push_faces(state, lattice, cell, change);
        }
    }
}

/// The part that one cell has in the push of the faces around it.
fn push_faces(state: &mut State, lattice: &Lattice, (x, y): (usize, usize), change: [f64; 2]) {
    let (along, across) = ([(x, y), (x + 1, y)], [(x, y), (x, y + 1)]);
    let column = x + Hex::z_offset(y);
    let slanted = [(column, y), (column, y + 1)];
    let families = [(Way::X, along), (Way::Y, across), (Way::Z, slanted)];
    let families = families.into_iter().take(if lattice.is_hex() { 3 } else { 2 });
    for (way, face) in families.flat_map(|(way, faces)| faces.map(|face| (way, face))) {
        let inner = lattice.inner_columns(way).contains(&face.0)
            && (first_row(way)..lattice.ny()).contains(&face.1);
        if !inner {
            continue;
        }
        let [before, after] = parted(way, face.1).map(|cell| cell.from(face.0, face.1));
        if [before, after].iter().any(|cell| state.closed.contains(cell.0, cell.1)) {
            continue;
        }
        let normal = normal(lattice, before, after);
        let across = change[0] * normal[0] + change[1] * normal[1];
        let width = lattice.face_width(way == Way::X);
        let gain = 0.5 * across * width * depth_over(state, before, after);
        let q = match way {
            Way::X => &mut state.discharge_x[face],
            Way::Y => &mut state.discharge_y[face],
            Way::Z => match &mut state.discharge_z {
                Some(z) => &mut z[face],
                None => continue,
            },
        };
        *q = (f64::from(*q) + gain) as f32;
    }
}

/// The unit vector from a cell to its neighbour.
fn normal(lattice: &Lattice, before: (usize, usize), after: (usize, usize)) -> [f64; 2] {
    let [from, to] = [before, after].map(|(x, y)| lattice.center(x, y));
    let way = [to[0] - from[0], to[1] - from[1]];
    let length = (way[0] * way[0] + way[1] * way[1]).sqrt();
    way.map(|part| part / length)
}

/// Depth (m) over a face: of the higher surface over the higher bed.
fn depth_over(state: &State, before: (usize, usize), after: (usize, usize)) -> f64 {
    let surface = state.surface(before.0, before.1).max(state.surface(after.0, after.1));
    f64::from((surface - state.bed[before].max(state.bed[after])).max(0.0))
}
