//! Detection of tiles at rest. A step of any length leaves all bits of a tile at rest unchanged.

use super::flux_scheme::FluxScheme;
use super::rows::Terrain;
use crate::field::Field;
use crate::flow::boundary::state::BoundaryState;
use crate::flow::context::StepContext;
use crate::flow::schemes::transport;
use crate::flow::state::State;
use crate::lattice::{Edge, FaceAxis, adjacent_cells, first_inner_row};
use multiversion::multiversion;
use std::ops::Range;

/// Returns true if water moves in the cells of a tile or through their western and northern faces.
/// For a tile at the eastern or southern edge of the grid, the faces on that edge are included.
pub(super) fn is_moving<D: FluxScheme>(
    state: &State,
    step: &StepContext,
    columns: &Range<usize>,
    rows: &Range<usize>,
) -> bool {
    let ground = Terrain::from_state(state, step);
    let lattice = step.lattice;
    let ends = [columns.start == 0, columns.end == ground.nx()];
    let sides = [rows.start == 0, rows.end == ground.ny()];
    let at_edge = [Edge::West, Edge::East, Edge::North, Edge::South].into_iter().zip([
        (ends[0], rows),
        (ends[1], rows),
        (sides[0], columns),
        (sides[1], columns),
    ]);
    for (edge, (there, faces)) in at_edge {
        let moves = |i: usize| {
            let depth = state.depth[lattice.edge_cell(edge, i)];
            let idle = match step.edges.edge_faces(edge)[i] {
                // Checked with the periodic faces below.
                BoundaryState::Periodic => return false,
                BoundaryState::Wall => true,
                BoundaryState::FreeOutflow => depth == 0.0,
                BoundaryState::Discharge(_)
                | BoundaryState::Stream { .. }
                | BoundaryState::Level(_)
                | BoundaryState::Waves { .. } => false,
            };
            !idle || state.boundary_inflow(edge, i) != [0.0; 2]
        };
        if there && faces.clone().any(moves) {
            return true;
        }
    }
    let any_moves = |q: &Field<f32>| rows.clone().any(|y| has_nonzero(&q.row(y)[columns.clone()]));
    if state.momentum.as_ref().is_some_and(|q| any_moves(&q.x) || any_moves(&q.y))
        || periodic_faces_move::<D>(state, step, columns, rows)
    {
        return true;
    }
    lattice.face_axes().iter().any(|&axis| {
        let inner = lattice.inner_columns(axis);
        // A row has one more z-face than cells.
        let more = usize::from(axis == FaceAxis::Z && ends[1]);
        let inner = columns.start.max(inner.start)..(columns.end + more).min(inner.end);
        let mut rows = rows.start.max(first_inner_row(axis))..rows.end;
        !inner.is_empty() && rows.any(|y| row_is_moving::<D>(state, &ground, axis, &inner, y))
    }) || rows.clone().any(|y| {
        let parts = [&state.depth, &state.remainder].map(|field| &field.row(y)[columns.clone()]);
        depth_would_change(parts)
    })
}

fn row_is_moving<D: FluxScheme>(
    state: &State,
    ground: &Terrain,
    axis: FaceAxis,
    columns: &Range<usize>,
    y: usize,
) -> bool {
    let q = &state.discharge(axis).row(y)[columns.clone()];
    let sides = adjacent_cells(axis, y)
        .map(|cell| (cell.shift_columns(columns), cell.shift_row(y as isize) as usize));
    let cells = sides.clone().map(|(columns, row)| {
        [&state.bed.row(row)[columns.clone()], &state.depth.row(row)[columns]]
    });
    if !sides.iter().any(|(_, row)| ground.closed.row_has_closed(*row)) {
        return any_face_moves::<D>(q, cells);
    }
    // There is no flow next to closed cells.
    let [(before, above), (after, below)] = sides;
    let [[zb, hb], [za, ha]] = cells;
    before.zip(after).enumerate().any(|(i, (before, after))| {
        let closed = ground.closed.contains(before, above) || ground.closed.contains(after, below);
        let rests = D::is_at_rest(q[i], [zb[i], hb[i]], [za[i], ha[i]]);
        if closed { q[i] != 0.0 } else { !rests }
    })
}

/// Returns true if water moves through any of those faces of a tile that lie on a periodic edge.
fn periodic_faces_move<D: FluxScheme>(
    state: &State,
    step: &StepContext,
    columns: &Range<usize>,
    rows: &Range<usize>,
) -> bool {
    let (nx, ny) = (state.bed.nx(), state.bed.ny());
    let periodic = step.edges.periodic;
    let beside = columns.start == 0 || rows.start == 0 || columns.end == nx || rows.end == ny;
    if !beside || !(periodic.x || periodic.y) {
        return false;
    }
    let moves = |axis: FaceAxis, place: (usize, usize)| {
        let cells = periodic.adjacent_cells(axis, place, nx, ny);
        let [before, after] = cells.map(|at| [state.bed[at], state.depth[at]]);
        let q = state.discharge(axis)[place];
        let closed = cells.iter().any(|cell| state.closed.contains(cell.0, cell.1));
        if closed { q != 0.0 } else { !D::is_at_rest(q, before, after) }
    };
    let here = |(x, y): (usize, usize)| {
        (columns.contains(&x) || (x == nx && columns.end == nx))
            && (rows.contains(&y) || (y == ny && rows.end == ny))
    };
    step.lattice.face_axes().iter().any(|&axis| {
        let mut faces = periodic.periodic_faces(axis, nx, ny);
        faces.any(|places| places.iter().any(|&at| here(at)) && moves(axis, places[0]))
    })
}

/// Returns true if water moves through any of the given faces with the discharges `q`. `cells`
/// contains the bed elevations and the depths (m) of the cells before and after the faces.
#[multiversion(targets = "simd")]
fn any_face_moves<D: FluxScheme>(q: &[f32], cells: [[&[f32]; 2]; 2]) -> bool {
    let n = q.len();
    let [[zb, hb], [za, ha]] = cells;
    let (zb, hb, za, ha) = (&zb[..n], &hb[..n], &za[..n], &ha[..n]);
    let mut moving = 0_u32;
    for i in 0..n {
        moving |= u32::from(!D::is_at_rest(q[i], [zb[i], hb[i]], [za[i], ha[i]]));
    }
    moving > 0
}

#[multiversion(targets = "simd")]
fn depth_would_change([depth, remainder]: [&[f32]; 2]) -> bool {
    let n = depth.len();
    let remainder = &remainder[..n];
    let mut moving = 0_u32;
    for i in 0..n {
        let held = [depth[i], remainder[i]];
        moving |= u32::from(transport::update_depth(held, [[0.0; 2]; 2], 0.0) != held);
    }
    moving > 0
}

#[multiversion(targets = "simd")]
fn has_nonzero(row: &[f32]) -> bool {
    row.iter().fold(0, |any, q| any | (q.to_bits() << 1)) > 0
}
