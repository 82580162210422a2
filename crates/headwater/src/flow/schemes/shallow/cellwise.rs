//! Stages 1 to 6 of the shallow-water scheme for single cells and faces. The reference loops
//! ([`super::plain`]) use them for all cells; [`super::subgrid_cells`] uses them for the cells near
//! subgrid cells.

use super::coefficients::fast_max;
use super::stages::StageInput;
use super::subgrid_flux::{
    CellParts, CellSides, HalfStepCell, boundary_flux_after, boundary_flux_before, face_flux,
    neighbour_states,
};
use super::{
    FaceState, Flux, Water, boundary_flux, friction, half_slopes, half_step, inner_flux,
    momentum_change,
};
use crate::flow::boundary::state::BoundaryState;
use crate::flow::subgrid::Subgrid;
use crate::lattice::Edge;

type CellIndex = (usize, usize);

impl StageInput<'_> {
    pub(super) fn cell_parts(&self, at: CellIndex) -> CellParts {
        let ground = self.subgrid.and_then(|subgrid| subgrid.at(at));
        CellParts::new(self.bed[at], self.depth[at], [self.q.x[at], self.q.y[at]], ground)
    }

    /// Returns the half-slopes of a cell (the changes of its state from the centre to a face) and
    /// its state half a time step later (stages 1 and 2 of the scheme). `water` returns the water
    /// of any cell.
    pub(super) fn compute_cell(
        &self,
        at: CellIndex,
        water: &impl Fn(CellIndex) -> CellParts,
    ) -> HalfStepCell {
        let parts = water(at);
        let here = parts.low;
        let [west, east, north, south] = self.neighbour_water(at, parts, water);
        let slopes_x = half_slopes(west, here, east, self.c.gravity);
        let slopes_y = half_slopes(north, here.transposed(), south, self.c.gravity);
        let n = self.step.roughness.at(at.0, at.1);
        let drag = friction::half_step_drag_coefficient(here.h, n, self.c.g_dt);
        let half = half_step(here, slopes_x, slopes_y.transposed(), drag, &self.c);
        HalfStepCell { z: here.z, half, x: slopes_x, y: slopes_y, ground: parts.ground }
    }

    /// Returns the states of the western, eastern, northern and southern neighbours of a cell, in
    /// this order. In the states of the northern and southern neighbours, the two velocity
    /// components are swapped.
    fn neighbour_water(
        &self,
        (x, y): CellIndex,
        parts: CellParts,
        water: &impl Fn(CellIndex) -> CellParts,
    ) -> [Water; 4] {
        let (nx, ny) = (self.bed.nx(), self.bed.ny());
        let here = parts.low;
        let open = |x: usize, y: usize| (!self.closed.contains(x, y)).then(|| water((x, y)));
        let edge = |edge: Edge, i: usize, here: Water, inner: CellIndex| {
            Some(boundary_flux::ghost_cell(
                self.step.edges.edge_faces(edge)[i],
                here,
                water(inner).low.z,
            ))
        };
        let [w, e, n, s] = self.open_fractions((x, y));
        let inside_x = |x: usize, part: f32| match open(x, y) {
            None => Some(here.mirrored()),
            Some(next) => parts.neighbour_water(next, part),
        };
        let inside_y = |y: usize, part: f32| match open(x, y) {
            None => Some(here.transposed().mirrored()),
            Some(next) => parts.transposed().neighbour_water(next.transposed(), part),
        };
        let periodic = self.step.edges.periodic;
        let next = |at: CellIndex| periodic.wrap(at, nx, ny);
        let (west, east) = (next((x.wrapping_sub(1), y)).0, next((x + 1, y)).0);
        let (north, south) = (next((x, y.wrapping_sub(1))).1, next((x, y + 1)).1);
        let transposed = here.transposed();
        let along = [
            if west < nx {
                inside_x(west, w)
            } else {
                edge(Edge::West, y, here, (1.min(nx - 1), y))
            },
            if east < nx {
                inside_x(east, e)
            } else {
                edge(Edge::East, y, here, (x.max(1) - 1, y))
            },
        ];
        let across = [
            if north < ny {
                inside_y(north, n)
            } else {
                edge(Edge::North, x, transposed, (x, 1.min(ny - 1)))
            },
            if south < ny {
                inside_y(south, s)
            } else {
                edge(Edge::South, x, transposed, (x, y.max(1) - 1))
            },
        ];
        let ([west, east], [north, south]) =
            (neighbour_states(here, along), neighbour_states(transposed, across));
        [west, east, north, south]
    }

    pub(super) fn open_fractions(&self, (x, y): CellIndex) -> [f32; 4] {
        let [west, east] = [(x, y), (x + 1, y)].map(|at| self.open_fraction_x(at));
        let [north, south] = [(x, y), (x, y + 1)].map(|at| self.open_fraction_y(at));
        [west, east, north, south]
    }

    fn open_fraction_x(&self, face: CellIndex) -> f32 {
        self.subgrid.map_or(1.0, |of| of.open_fraction_x(face, self.step.edges.periodic.x))
    }

    fn open_fraction_y(&self, face: CellIndex) -> f32 {
        self.subgrid.map_or(1.0, |of| of.open_fraction_y(face, self.step.edges.periodic.y))
    }

    /// Returns the fluxes through the face between two cells, given their reconstructed states at
    /// the face. `open` is the fraction of the face width with low ground on both sides; a bank
    /// covers the rest.
    fn inner_face_flux(&self, cells: [CellIndex; 2], sides: [CellSides; 2], open: f32) -> Flux {
        let shut = cells.map(|(x, y)| self.closed.contains(x, y));
        face_flux(sides, open, |l: FaceState, r: FaceState| inner_flux(l, r, shut, self.c.gravity))
    }

    pub(super) fn flux_x(
        &self,
        (x, y): CellIndex,
        cells: &impl Fn(CellIndex) -> HalfStepCell,
    ) -> Flux {
        let (nx, periodic) = (self.bed.nx(), self.step.edges.periodic);
        let open = self.open_fraction_x((x, y));
        let gravity = self.c.gravity;
        let beyond = |edge: Edge| self.step.edges.edge_faces(edge)[y];
        let crosses = |outside: BoundaryState| {
            move |side: FaceState| boundary_flux::boundary_flux(outside, side, gravity)
        };
        let side = |x: usize, to: f32| cells((x, y)).reconstruct_at_x_face(to);
        match x {
            _ if periodic.x && x % nx == 0 => self.inner_face_flux(
                [(nx - 1, y), (0, y)],
                [side(nx - 1, 1.0), side(0, -1.0)],
                open,
            ),
            0 => boundary_flux_before(side(0, -1.0), open, crosses(beyond(Edge::West))),
            _ if x == nx => {
                boundary_flux_after(side(x - 1, 1.0), open, crosses(beyond(Edge::East)))
            }
            _ => {
                self.inner_face_flux([(x - 1, y), (x, y)], [side(x - 1, 1.0), side(x, -1.0)], open)
            }
        }
    }

    pub(super) fn flux_y(
        &self,
        (x, y): CellIndex,
        cells: &impl Fn(CellIndex) -> HalfStepCell,
    ) -> Flux {
        let (ny, periodic) = (self.bed.ny(), self.step.edges.periodic);
        let open = self.open_fraction_y((x, y));
        let gravity = self.c.gravity;
        let beyond = |edge: Edge| self.step.edges.edge_faces(edge)[x];
        let crosses = |outside: BoundaryState| {
            move |side: FaceState| boundary_flux::boundary_flux(outside, side, gravity)
        };
        let side = |y: usize, to: f32| cells((x, y)).reconstruct_at_y_face(to);
        match y {
            _ if periodic.y && y % ny == 0 => self.inner_face_flux(
                [(x, ny - 1), (x, 0)],
                [side(ny - 1, 1.0), side(0, -1.0)],
                open,
            ),
            0 => boundary_flux_before(side(0, -1.0), open, crosses(beyond(Edge::North))),
            _ if y == ny => {
                boundary_flux_after(side(y - 1, 1.0), open, crosses(beyond(Edge::South)))
            }
            _ => {
                self.inner_face_flux([(x, y - 1), (x, y)], [side(y - 1, 1.0), side(y, -1.0)], open)
            }
        }
    }

    pub(super) fn discharge_x(&self, (x, y): CellIndex, flux: Flux) -> f32 {
        let (nx, periodic) = (self.bed.nx(), self.step.edges.periodic.x);
        let (before, after) = match x {
            _ if periodic && x % nx == 0 => (nx - 1, 0),
            _ => (x.max(1) - 1, x.min(nx - 1)),
        };
        let shut = self.closed.contains(before, y) || self.closed.contains(after, y);
        if shut { 0.0 } else { flux.volume * self.c.width_x }
    }

    pub(super) fn discharge_y(&self, (x, y): CellIndex, flux: Flux) -> f32 {
        let (ny, periodic) = (self.bed.ny(), self.step.edges.periodic.y);
        let (before, after) = match y {
            _ if periodic && y % ny == 0 => (ny - 1, 0),
            _ => (y.max(1) - 1, y.min(ny - 1)),
        };
        let shut = self.closed.contains(x, before) || self.closed.contains(x, after);
        if shut { 0.0 } else { flux.volume * self.c.width_y }
    }

    /// Returns the momentum change of a cell (m²/s) from the fluxes through its western, eastern,
    /// northern and southern faces (stage 6 of the scheme).
    pub(super) fn momentum_change(
        &self,
        at: CellIndex,
        cell: &HalfStepCell,
        [west, east, north, south]: [Flux; 4],
    ) -> [f32; 2] {
        let c = &self.c;
        let slope = cell.slope_forces(c.gravity);
        let x = momentum_change(
            west.after,
            east.before,
            north.along,
            south.along,
            slope[0],
            [c.per_x, c.per_y],
        );
        let y = momentum_change(
            north.after,
            south.before,
            west.along,
            east.along,
            slope[1],
            [c.per_y, c.per_x],
        );
        match self.subgrid {
            Some(subgrid) if cell.ground.is_some() => {
                let continuation = self.bank_continuation(at, cell.z, subgrid);
                let bank = cell.bank_momentum_change(
                    self.open_fractions(at),
                    subgrid.facing[at],
                    continuation,
                    c,
                );
                [x + bank[0], y + bank[1]]
            }
            _ => [x, y],
        }
    }

    /// Returns the fraction (0 to 1) of a cell's bank that continues as high ground in the
    /// neighbouring cells. The fraction is small at a levee, because the ground behind a levee is
    /// low. `low` is the elevation of the low part of the cell (m).
    fn bank_continuation(&self, (x, y): CellIndex, low: f32, subgrid: &Subgrid) -> f32 {
        let (nx, ny) = (self.bed.nx(), self.bed.ny());
        let Some(ground) = subgrid.at((x, y)) else { return 0.0 };
        let (open, facing) = (self.open_fractions((x, y)), subgrid.facing[(x, y)]);
        let beside = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
        let toward = [-facing[0], facing[0], -facing[1], facing[1]];
        let (mut all, mut continuation) = (0.0_f32, 0.0_f32);
        for i in 0..4 {
            let next = self.step.edges.periodic.wrap(beside[i], nx, ny);
            if next.0 >= nx || next.1 >= ny {
                continue;
            }
            let weight = (1.0 - open[i]) * fast_max(toward[i], 0.0);
            let is_high = match subgrid.at(next) {
                None => self.bed[next] >= low + 0.5 * ground.rise,
                Some(_) => {
                    let there = subgrid.facing[next];
                    facing[0] * there[0] + facing[1] * there[1] > 0.0
                }
            };
            all += weight;
            continuation +=
                if is_high && !self.closed.contains(next.0, next.1) { weight } else { 0.0 };
        }
        if all > 0.0 { continuation / all } else { 0.0 }
    }
}
