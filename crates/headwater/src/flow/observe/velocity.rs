//! Velocity of the water, derived from the discharges through faces. Queries, layers, tracers,
//! flood statistics and the drag of floating bodies use it; the equations of motion of the water do
//! not.

use crate::field::BilinearWeights;
use crate::flow::state::State;
use crate::lattice::{CellWeights, Edge, FaceAxis, Hex, Lattice, adjacent_cells};
use crate::region::Point;
use crate::scratch::{PooledValue, ScratchPool};
use multiversion::multiversion;
use std::ops::Range;

/// State and parameters from which the velocity of the water is derived.
#[derive(Clone, Copy)]
pub(crate) struct VelocityInput<'a> {
    pub(crate) state: &'a State,
    pub(crate) lattice: &'a Lattice,
    pub(crate) dry: f32,
    /// Length of the step that produced the discharges (s).
    pub(crate) dt: f32,
    pub(crate) first: usize,
}

/// Returns the velocity (m/s, `[east, south]`) at a position (m), or `None` off the grid.
pub(crate) fn velocity_at(input: VelocityInput, position: Point) -> Option<[f32; 2]> {
    let at = [FaceAxis::X, FaceAxis::Y].map(|axis| velocity_weights(input.lattice, axis, position));
    Some([
        velocity_component(input, FaceAxis::X, &at[0]?),
        velocity_component(input, FaceAxis::Y, &at[1]?),
    ])
}

/// Returns the faces (on squares) or cells (on hexagons) from which one velocity component at a
/// position (m) is interpolated, with their weights. Returns `None` off the grid.
pub(super) fn velocity_weights(
    lattice: &Lattice,
    component: FaceAxis,
    position: Point,
) -> Option<CellWeights> {
    lattice.cell_at(position)?;
    let Lattice::Square(square) = lattice else { return Some(lattice.cell_weights(position)) };
    let ([x, y], (nx, ny)) = (square.to_cell_coordinates(position), (square.nx(), square.ny()));
    Some(CellWeights::Bilinear(match component {
        FaceAxis::X => BilinearWeights::new([x + 0.5, y], [nx + 1, ny]),
        _ => BilinearWeights::new([x, y + 0.5], [nx, ny + 1]),
    }))
}

/// Returns one component of the velocity (m/s), interpolated with weights from
/// [`velocity_weights`].
pub(super) fn velocity_component(
    input: VelocityInput,
    component: FaceAxis,
    at: &CellWeights,
) -> f32 {
    match at {
        CellWeights::Bilinear(BilinearWeights { x, y, weights: [tx, ty] }) => {
            let [top, bottom] = y.map(|y| {
                let [west, east] = x.map(|x| face_velocity(input, component, (x, y)));
                west * (1.0 - tx) + east * tx
            });
            top * (1.0 - ty) + bottom * ty
        }
        CellWeights::Barycentric(cells) => {
            let axis = usize::from(component == FaceAxis::Y);
            let cells = cells.iter();
            cells.fold(0.0, |velocity, &((x, y), weight)| {
                velocity + weight as f32 * cell_velocity(input, x, y)[axis]
            })
        }
    }
}

/// Returns the velocity (m/s, `[east, south]`) at the centre of a cell. The velocity is 0 in a dry
/// cell.
pub(in crate::flow) fn cell_velocity(input: VelocityInput, x: usize, y: usize) -> [f32; 2] {
    if input.state.depth[(x, y - input.first)] <= input.dry {
        return [0.0, 0.0];
    }
    cell_vector_from_faces(input.lattice, x, y, |axis, at| face_velocity(input, axis, at))
}

/// Returns the magnitude of the unit discharge of a cell (m²/s), from the mean over the faces of
/// the cell. Unlike depth × velocity, it is correct in hydraulic jumps.
pub(in crate::flow) fn unit_discharge(input: VelocityInput, x: usize, y: usize) -> f32 {
    let VelocityInput { state, lattice, dry, .. } = input;
    if state.depth[(x, y)] <= dry {
        return 0.0;
    }
    let face = |axis, at| state.discharge(axis)[at] / face_width(lattice, axis, at) as f32;
    let [east, south] = cell_vector_from_faces(lattice, x, y, face);
    (east * east + south * south).sqrt()
}

/// Returns a vector quantity, such as the velocity, at the centre of a cell. The vector is computed
/// from the normal components at the faces of the cell. `face(axis, index)` returns the component
/// at a face.
#[inline(always)]
fn cell_vector_from_faces(
    lattice: &Lattice,
    x: usize,
    y: usize,
    face: impl Fn(FaceAxis, (usize, usize)) -> f32,
) -> [f32; 2] {
    let along = 0.5 * (face(FaceAxis::X, (x, y)) + face(FaceAxis::X, (x + 1, y)));
    if !lattice.is_hex() {
        return [along, 0.5 * (face(FaceAxis::Y, (x, y)) + face(FaceAxis::Y, (x, y + 1)))];
    }
    let column = x + Hex::z_face_column(y);
    let (y_above, y_below) = (face(FaceAxis::Y, (x, y)), face(FaceAxis::Y, (x, y + 1)));
    // A z-face at the west or east end of a row is closed; the opposite face replaces it.
    let z = |row: usize, other: f32| {
        let shut = (column == 0 || column == lattice.nx()) && row > 0 && row < lattice.ny();
        if shut { other } else { face(FaceAxis::Z, (column, row)) }
    };
    let (z_above, z_below) = (z(y, y_below), z(y + 1, y_above));
    let (southeast, southwest) = if Hex::z_face_column(y) == 0 {
        (0.5 * (z_above + y_below), 0.5 * (y_above + z_below))
    } else {
        (0.5 * (y_above + z_below), 0.5 * (z_above + y_below))
    };
    // The projections on three axes at 60° sum to one and a half times the vector.
    [(2.0 * along + southeast - southwest) / 3.0, (southeast + southwest) * FRAC_1_SQRT_3]
}

const FRAC_1_SQRT_3: f32 = 0.577_350_26;

/// Returns the velocity (m/s) normal to a face, positive in the direction of positive discharge. It
/// is the unit discharge divided by the depth of the upstream cell or, at an edge of the grid, of
/// the adjacent cell. The depth of water that has left the upstream cell in the step is used if it
/// is larger, so the velocity of a cell that has run dry stays below one cell per step.
fn face_velocity(input: VelocityInput, axis: FaceAxis, (x, y): (usize, usize)) -> f32 {
    let VelocityInput { state, lattice, dry, dt, first } = input;
    let q = state.discharge(axis)[(x, y - first)];
    let [before, after] = adjacent_cells(axis, y).map(|cell| {
        let (x, y) = cell.apply_to(x, y);
        // Row −1 wraps to the largest integer, which is off the grid.
        state.depth.get(x, y.wrapping_sub(first)).copied()
    });
    let [before, after] = [before.or(after), after.or(before)].map(Option::unwrap_or_default);
    let left = q.abs() * dt / lattice.cell_area() as f32;
    let depth = if q > 0.0 { before } else { after }.max(left);
    if depth > dry { q / (face_width(lattice, axis, (x, y)) as f32 * depth) } else { 0.0 }
}

fn face_width(lattice: &Lattice, axis: FaceAxis, (x, y): (usize, usize)) -> f64 {
    match axis {
        FaceAxis::X if x == 0 => lattice.edge_face_width(Edge::West, y),
        FaceAxis::X if x == lattice.nx() => lattice.edge_face_width(Edge::East, y),
        _ => lattice.face_width(axis == FaceAxis::X),
    }
}

/// Velocities (m/s) in a range of columns, row by row. The velocities equal the results of
/// [`cell_velocity`], bit for bit. If the rows are read from north to south, each face is computed
/// once.
pub(in crate::flow) struct VelocityRows<'a> {
    input: VelocityInput<'a>,
    columns: Range<usize>,
    buffers: PooledValue<'a, VelocityBuffers>,
    /// Row that follows the last computed row. `buffers.south_faces` then contains the velocities
    /// at the northern faces of this row, because they are the southern faces of the row before.
    next_row: Option<usize>,
}

#[derive(Default)]
struct VelocityBuffers {
    /// Velocities normal to the x-faces (m/s).
    x_faces: Vec<f32>,
    /// Velocities normal to the y-faces north and south of the cells (m/s).
    north_faces: Vec<f32>,
    south_faces: Vec<f32>,
    /// On hexagons, velocities normal to the z-faces north and south of the cells (m/s), with one
    /// face more than cells.
    z_faces: [Vec<f32>; 2],
    /// Velocities of the cells (m/s): the eastward and the southward components.
    cells: [Vec<f32>; 2],
}

impl<'a> VelocityRows<'a> {
    pub(in crate::flow) fn new(
        input: VelocityInput<'a>,
        columns: Range<usize>,
        scratch: &'a ScratchPool,
    ) -> Self {
        Self { input, columns, buffers: scratch.take(), next_row: None }
    }

    /// Returns the eastward and the southward velocity components (m/s) in row `y`.
    pub(in crate::flow) fn compute(&mut self, y: usize) -> [&[f32]; 2] {
        let mut cells = std::mem::take(&mut self.buffers.cells);
        cells.iter_mut().for_each(|cells| cells.resize(self.columns.len(), 0.0));
        let [east, south] = &mut cells;
        self.write_both(y, east, south);
        self.buffers.cells = cells;
        self.buffers.cells.each_ref().map(|cells| &cells[..])
    }

    /// Writes the eastward and the southward velocity components (m/s) in row `y`.
    pub(in crate::flow) fn write_both(&mut self, y: usize, east: &mut [f32], south: &mut [f32]) {
        if self.input.lattice.is_hex() {
            self.write_hex(y, [east, south]);
        } else {
            self.write(FaceAxis::X, y, east);
            self.write(FaceAxis::Y, y, south);
        }
    }

    fn write_hex(&mut self, y: usize, [east, south]: [&mut [f32]; 2]) {
        let VelocityInput { state, lattice, dry, .. } = self.input;
        let depth = &state.depth.row(y)[self.columns.clone()];
        if is_dry(dry, depth) {
            east.fill(0.0);
            south.fill(0.0);
            return;
        }
        let has_north_faces = self.next_row == Some(y);
        self.compute_x_faces(y);
        self.compute_y_faces(y);
        if has_north_faces {
            self.buffers.z_faces.swap(0, 1);
        } else {
            self.compute_z_faces(y, 0);
        }
        self.compute_z_faces(y + 1, 1);
        let VelocityBuffers { x_faces, north_faces, south_faces, z_faces, .. } = &*self.buffers;
        let shift = Hex::z_face_column(y);
        let [z_north, z_south] = z_faces.each_ref().map(|faces| &faces[shift..]);
        let faces = HexFaces { x: x_faces, y: [north_faces, south_faces], z: [z_north, z_south] };
        combine_hex_faces(dry, depth, shift == 0, faces, [&mut *east, &mut *south]);
        // One z-face of the first or last cell of the grid can be closed.
        let end = if shift == 0 { 0 } else { lattice.nx() - 1 };
        if self.columns.contains(&end) {
            let i = end - self.columns.start;
            [east[i], south[i]] = cell_velocity(self.input, end, y);
        }
    }

    /// Writes one velocity component (m/s) in row `y`: the eastward component for [`FaceAxis::X`],
    /// otherwise the southward one.
    pub(in crate::flow) fn write(&mut self, component: FaceAxis, y: usize, into: &mut [f32]) {
        let VelocityInput { state, lattice, dry, .. } = self.input;
        if lattice.is_hex() {
            into.copy_from_slice(self.compute(y)[usize::from(component == FaceAxis::Y)]);
            return;
        }
        let depth = &state.depth.row(y)[self.columns.clone()];
        if is_dry(dry, depth) {
            into.fill(0.0);
        } else if component == FaceAxis::X {
            self.compute_x_faces(y);
            let along = &self.buffers.x_faces;
            average_face_velocities(dry, depth, [along, &along[1..]], into);
        } else {
            self.compute_y_faces(y);
            average_face_velocities(
                dry,
                depth,
                [&self.buffers.north_faces, &self.buffers.south_faces],
                into,
            );
        }
    }

    /// Writes the magnitudes of the velocities in row `y`.
    pub(in crate::flow) fn write_speed(&mut self, y: usize, into: &mut [f32]) {
        let mut south = std::mem::take(&mut self.buffers.cells[1]);
        south.resize(into.len(), 0.0);
        self.write_both(y, into, &mut south);
        replace_by_speeds(into, &south);
        self.buffers.cells[1] = south;
    }

    fn compute_x_faces(&mut self, y: usize) {
        let VelocityInput { state, lattice, .. } = self.input;
        let Range { start, end } = self.columns;
        let along = &mut self.buffers.x_faces;
        along.resize(end + 1 - start, 0.0);
        // Faces between two cells, one of which may lie outside the columns.
        let inner = start.max(1)..(end + 1).min(lattice.nx());
        for x in [start, end].into_iter().filter(|x| !inner.contains(x)) {
            along[x - start] = face_velocity(self.input, FaceAxis::X, (x, y));
        }
        if inner.is_empty() {
            return;
        }
        let depths = state.depth.row(y);
        face_velocities(
            self.input.face_params(FaceAxis::X),
            &state.discharge(FaceAxis::X).row(y)[inner.clone()],
            [&depths[inner.start - 1..inner.end - 1], &depths[inner.clone()]],
            &mut along[inner.start - start..inner.end - start],
        );
    }

    fn compute_y_faces(&mut self, y: usize) {
        let VelocityInput { state, lattice, .. } = self.input;
        let params = self.input.face_params(FaceAxis::Y);
        let VelocityBuffers { north_faces: north, south_faces: south, .. } = &mut *self.buffers;
        let columns = self.columns.clone();
        let depth = |y: usize| &state.depth.row(y)[columns.clone()];
        let q = |y: usize| &state.discharge(FaceAxis::Y).row(y)[columns.clone()];
        let here = depth(y);
        // Beyond an edge, the depth of the adjacent cell applies.
        if self.next_row == Some(y) {
            std::mem::swap(north, south);
        } else {
            north.resize(here.len(), 0.0);
            let above = if y > 0 { depth(y - 1) } else { here };
            face_velocities(params, q(y), [above, here], north);
        }
        south.resize(here.len(), 0.0);
        let below = if y + 1 < lattice.ny() { depth(y + 1) } else { here };
        face_velocities(params, q(y + 1), [here, below], south);
        self.next_row = Some(y + 1);
    }
}

impl VelocityRows<'_> {
    /// Computes the velocities normal to the z-faces in row `y` of faces. `side` is the index of
    /// the row in the buffers.
    fn compute_z_faces(&mut self, y: usize, side: usize) {
        let VelocityInput { state, lattice, .. } = self.input;
        let Range { start, end } = self.columns;
        let faces = &mut self.buffers.z_faces[side];
        faces.resize(end + 1 - start, 0.0);
        // Faces between two cells, one of which may lie outside the columns.
        let is_inner_row = y > 0 && y < lattice.ny();
        let inner = if is_inner_row { start.max(1)..(end + 1).min(lattice.nx()) } else { 0..0 };
        for x in (start..end + 1).filter(|x| !inner.contains(x)) {
            faces[x - start] = face_velocity(self.input, FaceAxis::Z, (x, y));
        }
        if inner.is_empty() {
            return;
        }
        let depths = adjacent_cells(FaceAxis::Z, y).map(|cell| {
            let (first, row) = cell.apply_to(inner.start, y);
            &state.depth.row(row)[first..first + inner.len()]
        });
        face_velocities(
            self.input.face_params(FaceAxis::Z),
            &state.discharge(FaceAxis::Z).row(y)[inner.clone()],
            depths,
            &mut faces[inner.start - start..inner.end - start],
        );
    }
}

impl VelocityInput<'_> {
    fn face_params(&self, axis: FaceAxis) -> FaceParams {
        FaceParams {
            dry: self.dry,
            dt: self.dt,
            area: self.lattice.cell_area() as f32,
            width: self.lattice.face_width(axis == FaceAxis::X) as f32,
        }
    }
}

/// Computes a component of the velocity of each cell from the velocities normal to two of its
/// faces. The velocity is 0 in dry cells.
#[multiversion(targets = "simd")]
fn average_face_velocities(
    dry_depth: f32,
    depth: &[f32],
    [before, after]: [&[f32]; 2],
    into: &mut [f32],
) {
    let n = into.len();
    let (depth, before, after) = (&depth[..n], &before[..n], &after[..n]);
    for (i, into) in into.iter_mut().enumerate() {
        *into = if depth[i] > dry_depth { 0.5 * (before[i] + after[i]) } else { 0.0 };
    }
}

/// Velocities normal to the faces of a row of hexagons (m/s).
#[derive(Clone, Copy)]
struct HexFaces<'a> {
    /// Western faces of the cells, and the eastern face of the last cell.
    x: &'a [f32],
    /// Northern and southern y-faces of the cells.
    y: [&'a [f32]; 2],
    /// Northern and southern z-faces of the cells.
    z: [&'a [f32]; 2],
}

/// Computes the velocity of each hexagon from the velocities normal to its six faces, like
/// [`cell_vector_from_faces`]. `are_z_faces_west` is whether the z-faces are in the west of the
/// cells. The velocity is 0 in dry cells.
#[multiversion(targets = "simd")]
fn combine_hex_faces(
    dry_depth: f32,
    depth: &[f32],
    are_z_faces_west: bool,
    faces: HexFaces<'_>,
    [east, south]: [&mut [f32]; 2],
) {
    let n = depth.len();
    let [west_faces, east_faces] = [&faces.x[..n], &faces.x[1..n + 1]];
    let ([y_north, y_south], [z_north, z_south]) = (faces.y, faces.z);
    // The z-faces are northwest and southwest of the cells of one row, and northeast and southeast
    // of those of the next.
    let [northwest, southeast, northeast, southwest] = match are_z_faces_west {
        true => [z_north, y_south, y_north, z_south],
        false => [y_north, z_south, z_north, y_south],
    }
    .map(|faces| &faces[..n]);
    let (east, south) = (&mut east[..n], &mut south[..n]);
    for i in 0..n {
        let along = 0.5 * (west_faces[i] + east_faces[i]);
        let to_southeast = 0.5 * (northwest[i] + southeast[i]);
        let to_southwest = 0.5 * (northeast[i] + southwest[i]);
        let is_wet = depth[i] > dry_depth;
        east[i] = if is_wet { (2.0 * along + to_southeast - to_southwest) / 3.0 } else { 0.0 };
        south[i] = if is_wet { (to_southeast + to_southwest) * FRAC_1_SQRT_3 } else { 0.0 };
    }
}

/// Replaces each eastward velocity component with the speed, the magnitude of the velocity.
#[multiversion(targets = "simd")]
fn replace_by_speeds(east: &mut [f32], south: &[f32]) {
    for (u, &v) in east.iter_mut().zip(south) {
        *u = (*u * *u + v * v).sqrt();
    }
}

#[multiversion(targets = "simd")]
pub(super) fn is_dry(dry: f32, depths: &[f32]) -> bool {
    // No early exit, which would prevent vectorisation.
    depths.iter().fold(true, |all, &depth| all & (depth <= dry))
}

#[multiversion(targets = "simd")]
pub(in crate::flow) fn interleave(into: &mut [[f32; 4]], [bed, depth, east, south]: [&[f32]; 4]) {
    let n = into.len();
    let (bed, depth, east, south) = (&bed[..n], &depth[..n], &east[..n], &south[..n]);
    for (i, texel) in into.iter_mut().enumerate() {
        *texel = [bed[i], depth[i], east[i], south[i]];
    }
}

#[derive(Clone, Copy)]
struct FaceParams {
    dry: f32,
    dt: f32,
    area: f32,
    width: f32,
}

/// Computes [`face_velocity`] for the inner faces of a row. `before` and `after` contain the depths
/// (m) of the cells before and after each face.
#[multiversion(targets = "simd")]
fn face_velocities(params: FaceParams, q: &[f32], [before, after]: [&[f32]; 2], out: &mut [f32]) {
    let FaceParams { dry, dt, area, width } = params;
    let n = out.len();
    let (q, before, after) = (&q[..n], &before[..n], &after[..n]);
    for (i, out) in out.iter_mut().enumerate() {
        let upstream = if q[i] > 0.0 { before[i] } else { after[i] };
        let depth = upstream.max(q[i].abs() * dt / area);
        *out = if depth > dry { q[i] / (width * depth) } else { 0.0 };
    }
}

#[cfg(test)]
mod tests {
    use crate::changes::Tile;
    use crate::flow::{Flow, Params};
    use crate::{Field, Hex, Lattice, Square};

    #[test]
    fn velocity_fields_equal_single_cell_velocities() {
        let square = |nx, ny| Lattice::from(Square::new(nx, ny, 2.0, 3.0).unwrap());
        let hex = |nx, ny| Lattice::from(Hex::new(nx, ny, 2.0).unwrap());
        let squares = [square(9, 7), square(1, 5), square(6, 1)];
        for lattice in squares.into_iter().chain([hex(9, 7), hex(1, 5), hex(6, 1), hex(2, 2)]) {
            let (nx, ny) = (lattice.nx(), lattice.ny());
            let bed = Field::from_fn(nx, ny, |x, y| ((7 * x + 3 * y) % 5) as f32);
            let depth = bed.map(|z| (3.0 - z).max(0.0));
            let mut flow = Flow::new(lattice, Params::default(), bed, depth).unwrap();
            flow.advance(0.6).unwrap();
            // Includes the edges.
            let state = &mut flow.state;
            for q in [&mut state.discharge_x, &mut state.discharge_y] {
                for (i, q) in q.as_mut_slice().iter_mut().enumerate() {
                    *q += 0.1 * (i % 3) as f32 - 0.1;
                }
            }
            let [east, south] = flow.velocities();
            for (x, y) in (0..nx * ny).map(|i| (i % nx, i / nx)) {
                let bits = |velocity: [f32; 2]| velocity.map(f32::to_bits);
                let all = [east[(x, y)], south[(x, y)]];
                assert_eq!(bits(all), bits(flow.velocity(x, y)), "{lattice:?} {x} {y}");
            }
            let tile = Tile { x: 1, y: 0, nx: 3, ny: 2 };
            let here = tile.expanded(0, [nx, ny]);
            let mut texels = vec![[7.0; 4]; here.nx * here.ny];
            flow.texels_into(here, &mut texels).unwrap();
            for ((x, y), texel) in here.cells().zip(&texels) {
                let state = flow.state();
                let expected =
                    [state.bed[(x, y)], state.depth[(x, y)], east[(x, y)], south[(x, y)]];
                assert_eq!(texel.map(f32::to_bits), expected.map(f32::to_bits));
            }
            let off = Tile { x: nx, ..tile };
            assert!(flow.texels_into(off, &mut [[7.0; 4]; 6]).is_err());
            texels.push([7.0; 4]);
            assert!(flow.texels_into(here, &mut texels).is_err());
        }
    }

    #[test]
    fn velocity_is_at_most_one_cell_per_step_and_exact_for_a_steady_stream() {
        let lattice = Square::new(12, 3, 2.0, 2.0).unwrap();
        let bed = Field::from_fn(12, 3, |x, _| -2.0 * x as f32);
        // On a steep slope, a film flows out of each cell within one step.
        let mut film = Flow::new(lattice, Params::default(), bed, Field::new(12, 3, 0.01)).unwrap();
        let dt = film.stable_dt();
        for _ in 0..8 {
            film.step(dt).unwrap();
            let fastest = film.layer("speed").unwrap().min_max().unwrap().1;
            assert!(f64::from(fastest) <= 2.0 / dt * (1.0 + 1e-6), "{fastest} m/s");
        }
        let deep =
            Flow::new(lattice, Params::default(), Field::new(12, 3, 0.0), Field::new(12, 3, 2.0));
        let mut deep = deep.unwrap();
        deep.state.discharge_x.as_mut_slice().fill(2.0);
        deep.last_dt = 0.5;
        // 2 m³/s through 2 m × 2 m.
        assert_eq!(deep.velocity(5, 1), [0.5, 0.0]);
    }
}
