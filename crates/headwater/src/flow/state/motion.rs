//! Initial motion of the water, set as the velocity or the unit discharge of each cell. Every
//! physics model supports an initial motion.

use super::State;
use crate::error::InputError;
use crate::field::Field;
use crate::flow::check::{MAX_VELOCITY, check_field, is_valid_velocity};
use crate::flow::world::Flow;
use crate::lattice::{FaceAxis, Hex, Lattice, adjacent_cells};

impl Flow {
    /// Sets the velocity of the water in every cell. `east` and `south` contain its components
    /// (m/s).
    ///
    /// [`Physics::ShallowWater`](crate::flow::Physics::ShallowWater) stores the velocities as
    /// momentum. The other physics models store discharges: the discharge through a face follows
    /// from the mean unit discharge of its two cells, and is 0 where the bed blocks the face.
    ///
    /// # Errors
    /// Returns [`InputError`] if the shape of a field differs from the grid, or a velocity is not
    /// between −1000 and 1000 m/s.
    pub fn set_velocity(
        &mut self,
        east: &Field<f32>,
        south: &Field<f32>,
    ) -> Result<(), InputError> {
        for (what, field) in [("velocity to the east", east), ("velocity to the south", south)] {
            check_field(what, field, &self.lattice, "-1000 to 1000 m/s", is_valid_velocity)?;
        }
        let depth = &self.state.depth;
        let times_depth = |field: &Field<f32>| {
            Field::from_fn(depth.nx(), depth.ny(), |x, y| depth[(x, y)] * field[(x, y)])
        };
        let [east, south] = [times_depth(east), times_depth(south)];
        self.set_discharges(east, south);
        Ok(())
    }

    /// Sets the eastward and the southward component of the unit discharge of the water in every
    /// cell (m²/s). Values are clamped to a velocity of 1000 m/s, and to 0 in dry cells.
    ///
    /// # Errors
    /// Returns [`InputError`] if the shape of a field differs from the grid, or a value is not
    /// finite.
    pub fn set_unit_discharge(
        &mut self,
        east: &Field<f32>,
        south: &Field<f32>,
    ) -> Result<(), InputError> {
        for (what, field) in
            [("unit discharge to the east", east), ("unit discharge to the south", south)]
        {
            check_field(what, field, &self.lattice, "a finite number of m²/s", f32::is_finite)?;
        }
        let depth = &self.state.depth;
        let clamped = |field: &Field<f32>| {
            let wet = |x, y| {
                let limit = MAX_VELOCITY * depth[(x, y)];
                field[(x, y)].clamp(-limit, limit)
            };
            Field::from_fn(depth.nx(), depth.ny(), wet)
        };
        let [east, south] = [clamped(east), clamped(south)];
        self.set_discharges(east, south);
        Ok(())
    }

    fn set_discharges(&mut self, east: Field<f32>, south: Field<f32>) {
        let periodic = self.boundaries.periodicity();
        let wrap = |at, nx, ny| periodic.wrap(at, nx, ny);
        for &axis in self.lattice.face_axes() {
            let discharges =
                face_discharges(&self.lattice, &self.state, axis, [&east, &south], wrap);
            *self.state.discharge_mut(axis) = discharges;
        }
        if let Some(momentum) = &mut self.state.momentum {
            (momentum.x, momentum.y) = (east, south);
        }
        self.mark_all_changed();
    }
}

/// Returns the discharges through all x-, y- or z-faces (m³/s), computed from the unit discharges
/// of the cells (m²/s). `wrap` maps cell indices across periodic edges; the discharge through all
/// other edges is 0.
fn face_discharges(
    lattice: &Lattice,
    state: &State,
    axis: FaceAxis,
    [east, south]: [&Field<f32>; 2],
    wrap: impl Fn((usize, usize), usize, usize) -> (usize, usize),
) -> Field<f32> {
    let (nx, ny) = (lattice.nx(), lattice.ny());
    let width = lattice.face_width(axis == FaceAxis::X) as f32;
    let faces = state.discharge(axis);
    Field::from_fn(faces.nx(), faces.ny(), |x, y| {
        let [a, b] = adjacent_cells(axis, y).map(|cell| wrap(cell.apply_to(x, y), nx, ny));
        let open = |(x, y)| lattice.contains(x, y) && !state.closed.contains(x, y);
        if !(open(a) && open(b)) {
            return 0.0;
        }
        let surface = state.surface(a.0, a.1).max(state.surface(b.0, b.1));
        if surface <= state.bed[a].max(state.bed[b]) {
            return 0.0;
        }
        let normal = face_normal(lattice, axis, y);
        let along = |cell| normal[0] * east[cell] + normal[1] * south[cell];
        width * 0.5 * (along(a) + along(b))
    })
}

/// Returns the unit normal (east, south) of a face in row `y`, in the direction of positive
/// discharge.
fn face_normal(lattice: &Lattice, axis: FaceAxis, y: usize) -> [f32; 2] {
    // √3/2, the southward component toward a cell of the next row.
    const SIN_60: f32 = 0.866_025_4;
    match (lattice.is_hex(), axis) {
        (_, FaceAxis::X) => [1.0, 0.0],
        (false, _) => [0.0, 1.0],
        // Every other row is shifted east by half a cell. South of an unshifted row the y-faces
        // lead east.
        (true, axis) => {
            let aside = (Hex::z_face_column(y) == 0) == (axis == FaceAxis::Z);
            [if aside { 0.5 } else { -0.5 }, SIN_60]
        }
    }
}
