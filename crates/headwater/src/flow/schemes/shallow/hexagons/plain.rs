//! Reference loops of the shallow-water scheme on hexagons. Tests compare the row-parallel loops
//! ([`super::rows`]) with them.

use super::{
    FaceMomentum, SOUTHEAST, SOUTHWEST, SlantedAxis, ghost_cells, half_step, momentum_change,
    reconstruct_side_at_edge_row, reconstruct_side_at_row_end, slanted_axis, split_edge_flux,
};
use crate::field::Field;
use crate::flow::context::StepContext;
use crate::flow::schemes::shallow::buffers::AxisComponents;
use crate::flow::schemes::shallow::{
    Coefficients, FaceState, Flux, HalfSlopes, HalfState, Water, boundary_flux, friction,
    half_slopes, inner_flux, reconstruct_side,
};
use crate::flow::state::workspace::Workspace;
use crate::flow::state::{ClosedCells, State};
use crate::lattice::{Edge, FaceAxis, Hex, adjacent_cells};

/// State of a cell half a time step later, and its half-slopes (changes from the cell centre to a
/// face) along the three axes. The velocity components of a half-slope are parallel and
/// perpendicular to its axis.
#[derive(Clone, Copy)]
struct HalfStepCell {
    z: f32,
    half: HalfState,
    slopes: [HalfSlopes; 3],
}

impl HalfStepCell {
    fn reconstruct_row_side(self, direction: f32) -> FaceState {
        reconstruct_side(self.z, self.half, self.slopes[0], direction)
    }

    fn reconstruct_slanted_side(self, slant: SlantedAxis, direction: f32) -> FaceState {
        let slopes = self.slopes[if slant.east > 0.0 { 1 } else { 2 }];
        reconstruct_side(self.z, slant.half(self.half), slopes, direction)
    }
}

const NONE: Flux = Flux { volume: 0.0, before: 0.0, after: 0.0, along: 0.0 };

/// Performs stages 1 to 6 of the shallow-water scheme: sets the discharge through every face and
/// the momentum change of every cell.
pub(in crate::flow) fn compute_fluxes(
    state: &mut State,
    workspace: &mut Workspace,
    step: &StepContext,
) {
    let State { bed, depth, discharge_x, discharge_y, discharge_z, closed, momentum, .. } = state;
    let (Some(q), Some(discharge_z)) = (momentum, discharge_z) else { return };
    let (nx, ny) = (bed.nx(), bed.ny());
    let (periodic, lattice) = (step.edges.periodic, step.lattice);
    let c = Coefficients::new(step);
    let water = Field::from_fn(nx, ny, |x, y| {
        let at = (x, y);
        Water::new(bed[at], depth[at], q.x[at], q.y[at])
    });

    // Stages 1 and 2: half-slopes and the half-step.
    let cells = Field::from_fn(nx, ny, |x, y| {
        let here = water[(x, y)];
        let views = [here, SOUTHEAST.water(here), SOUTHWEST.water(here)];
        let around = neighbour_water(&water, closed, step, x, y);
        let slopes = [0, 1, 2].map(|i| {
            let [before, after] = around[i];
            half_slopes(before, views[i], after, c.gravity)
        });
        let drag = friction::half_step_drag_coefficient(here.h, step.roughness.at(x, y), c.g_dt);
        HalfStepCell { z: here.z, half: half_step(here, slopes, drag, &c), slopes }
    });

    // Stages 3 to 5: reconstructed sides and fluxes. Faces beyond the edge of the grid have none.
    let cells_at = |axis: FaceAxis, x: usize, y: usize| {
        let sides = adjacent_cells(axis, y).map(|cell| periodic.wrap(cell.apply_to(x, y), nx, ny));
        sides.iter().all(|&(x, y)| x < nx && y < ny).then_some(sides)
    };
    let shut = |cells: [(usize, usize); 2]| cells.map(|(x, y)| closed.contains(x, y));
    let inner = |axis: FaceAxis, y: usize, at: [(usize, usize); 2]| {
        let [l, r] = at.map(|at| cells[at]);
        let (l, r) = match axis {
            FaceAxis::X => (l.reconstruct_row_side(1.0), r.reconstruct_row_side(-1.0)),
            FaceAxis::Y | FaceAxis::Z => {
                let slant = slanted_axis(axis, y);
                (l.reconstruct_slanted_side(slant, 1.0), r.reconstruct_slanted_side(slant, -1.0))
            }
        };
        inner_flux(l, r, shut(at), c.gravity)
    };
    let outward = |edge: Edge, i: usize, side: FaceState| {
        let at = lattice.edge_cell(edge, i);
        let outside = step.edges.edge_faces(edge)[i];
        let flux = match edge {
            Edge::West | Edge::North => {
                boundary_flux::boundary_flux(outside, side.mirrored(), c.gravity).mirrored()
            }
            Edge::East | Edge::South => boundary_flux::boundary_flux(outside, side, c.gravity),
        };
        let volume = if closed.contains(at.0, at.1) { 0.0 } else { flux.volume };
        Flux { volume, ..flux }
    };
    let faces_x = Field::from_fn(nx + 1, ny, |x, y| {
        let (edge, to) = if x == 0 { (Edge::West, -1.0) } else { (Edge::East, 1.0) };
        match cells_at(FaceAxis::X, x, y) {
            Some(at) => inner(FaceAxis::X, y, at),
            None => {
                let wide = (lattice.edge_face_width(edge, y) / lattice.face_width(true)) as f32;
                let HalfStepCell { z, half, slopes: [slopes, ..] } =
                    cells[lattice.edge_cell(edge, y)];
                outward(edge, y, reconstruct_side_at_row_end(z, half, slopes, to, wide))
                    .scaled(wide)
            }
        }
    });
    let at_edge = |x: usize, y: usize| {
        let (edge, to) = if y == 0 { (Edge::North, -1.0) } else { (Edge::South, 1.0) };
        let HalfStepCell { z, half, slopes: [_, a, b] } = cells[lattice.edge_cell(edge, x)];
        split_edge_flux(outward(edge, x, reconstruct_side_at_edge_row(z, half, [a, b], to)))
    };
    let faces_y = Field::from_fn(nx, ny + 1, |x, y| match cells_at(FaceAxis::Y, x, y) {
        Some(at) => inner(FaceAxis::Y, y, at),
        None => at_edge(x, y),
    });
    let faces_z = Field::from_fn(nx + 1, ny + 1, |x, y| {
        let offset = if y == ny { Hex::z_face_column(ny - 1) } else { 0 };
        let edge = (y == 0 || y == ny) && !periodic.y;
        match cells_at(FaceAxis::Z, x, y) {
            _ if edge && (offset..nx + offset).contains(&x) => at_edge(x - offset, y),
            _ if edge => NONE,
            Some(at) => inner(FaceAxis::Z, y, at),
            None => NONE,
        }
    });
    let half_width = (0.5 * lattice.dx()) as f32;
    let width = |y: usize| {
        let edge = (y == 0 || y == ny) && !periodic.y;
        if edge { half_width } else { c.width_y }
    };
    for y in 0..ny {
        for x in 0..=nx {
            discharge_x[(x, y)] = faces_x[(x, y)].volume * c.width_x;
        }
    }
    for y in 0..=ny {
        for x in 0..nx {
            discharge_y[(x, y)] = faces_y[(x, y)].volume * width(y);
        }
        for x in 0..=nx {
            discharge_z[(x, y)] = faces_z[(x, y)].volume * width(y);
        }
    }

    // Stage 6: momentum changes.
    let momentum_changes = workspace.momentum_change_buffers(nx * ny);
    for y in 0..ny {
        for x in 0..nx {
            let HalfStepCell { half, slopes, .. } = cells[(x, y)];
            let column = x + Hex::z_face_column(y);
            let [ya, yb] = [faces_y[(x, y)], faces_y[(x, y + 1)]];
            let [za, zb] = [faces_z[(column, y)], faces_z[(column, y + 1)]];
            let southeast = Hex::z_face_column(y) == 0;
            let (a, b) = if southeast { ([za, yb], [ya, zb]) } else { ([ya, zb], [za, yb]) };
            let pairs = [[faces_x[(x, y)], faces_x[(x + 1, y)]], a, b];
            let acting = pairs.map(|[first, second]| {
                [FaceMomentum::for_cell_before(first), FaceMomentum::for_cell_after(second)]
            });
            let surface = slopes.map(|slopes| slopes.w);
            let [east, south] = momentum_change(acting, half.h, surface, &c);
            (momentum_changes[0][y * nx + x], momentum_changes[1][y * nx + x]) = (east, south);
        }
    }
}

/// Returns the water of the two neighbours of a cell on each of the three axes. Its velocity
/// components are parallel and perpendicular to the axis.
fn neighbour_water(
    water: &Field<Water>,
    closed: &ClosedCells,
    step: &StepContext,
    x: usize,
    y: usize,
) -> [[Water; 2]; 3] {
    let (nx, ny) = (water.nx(), water.ny());
    let periodic = step.edges.periodic;
    let here = water[(x, y)];
    let odd = Hex::z_face_column(y) == 1;
    // A cell of a row, or the ghost cell beyond its ends; `None` if it is closed.
    let row_cell = |x: usize, y: usize| {
        let (x, y) = periodic.wrap((x, y), nx, ny);
        let beyond = |edge: Edge, end: usize, inner: usize| {
            let outside = step.edges.edge_faces(edge)[y];
            boundary_flux::ghost_cell(outside, water[(end, y)], water[(inner, y)].z)
        };
        match x {
            usize::MAX => (!closed.contains(0, y)).then(|| beyond(Edge::West, 0, 1.min(nx - 1))),
            _ if x >= nx => {
                (!closed.contains(nx - 1, y)).then(|| beyond(Edge::East, nx - 1, nx.max(2) - 2))
            }
            _ => (!closed.contains(x, y)).then(|| water[(x, y)]),
        }
    };
    // The western or eastern neighbour in the row above or below.
    let next = |down: bool, east: bool| {
        let column = match (odd, east) {
            (false, false) => x.wrapping_sub(1),
            (true, true) => x + 1,
            _ => x,
        };
        let row = if down { y + 1 } else { y.wrapping_sub(1) };
        if row < ny || periodic.y {
            return row_cell(column, row);
        }
        let beside = ghost_cells::row_neighbour_columns(x, nx, periodic.x)[usize::from(east)];
        let beside = beside.filter(|&x| !closed.contains(x, y)).map(|x| water[(x, y)]);
        let back = if down { y.checked_sub(1) } else { Some(1).filter(|&y| y < ny) };
        let opposite = match back {
            Some(row) => {
                let columns = ghost_cells::adjacent_row_columns(x, odd, nx, periodic.x);
                water[(columns[usize::from(!east)], row)].z
            }
            None => here.z,
        };
        let edge = if down { Edge::South } else { Edge::North };
        Some(ghost_cells::ghost_cell(step.edges.edge_faces(edge)[x], here, beside, opposite))
    };
    let seen = |slant: SlantedAxis, next: Option<Water>| {
        let here = slant.water(here);
        next.map_or(here.mirrored(), |next| slant.water(next))
    };
    let own = |x: usize| row_cell(x, y).unwrap_or(here.mirrored());
    [
        [own(x.wrapping_sub(1)), own(x + 1)],
        [seen(SOUTHEAST, next(false, false)), seen(SOUTHEAST, next(true, true))],
        [seen(SOUTHWEST, next(false, true)), seen(SOUTHWEST, next(true, false))],
    ]
}
