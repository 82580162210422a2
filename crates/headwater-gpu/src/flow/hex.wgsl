#if HEX
// Functions for hexagonal grids: the faces around a face, the faces of a cell, and the third family
// of faces. `old_face` returns discharges before the step, `new_face` those after stage 3.

// Faces at the north and south edges consist of two halves.
const HALVES: f32 = 0.5;

// Returns the signed sum of the discharges through the four faces that touch the ends of a face.
fn across_x(p: vec2<i32>) -> f32 {
    if is_odd_row(p.y) {
        return (old_face(Z, p) + old_face(Y, p + vec2(0, 1))) + (old_face(Y, p) + old_face(Z, p + vec2(0, 1)));
    }
    return (old_face(Z, p) + old_face(Y, p + vec2(-1, 1))) + (old_face(Y, p + vec2(-1, 0)) + old_face(Z, p + vec2(0, 1)));
}

fn across_y(p: vec2<i32>) -> f32 {
    let second = old_face(Z, p) + old_face(Z, p + vec2(1, 0));
    if is_odd_row(p.y) {
        return (old_face(X, p + vec2(1, -1)) + old_face(X, p)) - second;
    }
    return (old_face(X, p + vec2(0, -1)) + old_face(X, p + vec2(1, 0))) + second;
}

fn across_z(p: vec2<i32>) -> f32 {
    let first = old_face(X, p + vec2(0, -1)) + old_face(X, p);
    let second = old_face(Y, p + vec2(-1, 0)) + old_face(Y, p);
    return select(first - second, first + second, is_odd_row(p.y));
}

fn transverse_sum(family: i32, p: vec2<i32>) -> f32 {
    switch family {
        case X: { return across_x(p); }
        case Y: { return across_y(p); }
        default: { return across_z(p); }
    }
}

// Returns the discharges of the neighbouring faces in a face's direction, behind and ahead.
fn along(family: i32, p: vec2<i32>) -> vec2<f32> {
    switch family {
        case X: { return vec2(old_face(X, p - vec2(1, 0)), old_face(X, p + vec2(1, 0))); }
        case Y: { return along_y(p); }
        default: { return along_z(p); }
    }
}

fn along_y(p: vec2<i32>) -> vec2<f32> {
    if is_odd_row(p.y) {
        return vec2(old_face(Z, p + vec2(0, -1)), old_face(Z, p + vec2(1, 1)));
    }
    return vec2(old_face(Z, p + vec2(1, -1)), old_face(Z, p + vec2(0, 1)));
}

fn along_z(p: vec2<i32>) -> vec2<f32> {
    if is_odd_row(p.y) {
        return vec2(old_face(Y, p + vec2(0, -1)), old_face(Y, p + vec2(-1, 1)));
    }
    return vec2(old_face(Y, p + vec2(-1, -1)), old_face(Y, p + vec2(0, 1)));
}

fn cell_outflow(p: vec2<i32>) -> f32 {
    let z = p + vec2(z_offset(p.y), 0);
    let one = outflow_over_pair(new_face(Z, z), new_face(Z, z + vec2(0, 1)));
    let other = outflow_over_pair(new_face(Y, p), new_face(Y, p + vec2(0, 1)));
    return (one + other) + outflow_over_pair(new_face(X, p), new_face(X, p + vec2(1, 0)));
}

// Returns the net inflow through all faces of a cell, and its rounding error.
fn net_inflow(p: vec2<i32>) -> vec2<f32> {
    let z = p + vec2(z_offset(p.y), 0);
    let one = net(new_face(Z, z), new_face(Z, z + vec2(0, 1)));
    let other = net(new_face(Y, p), new_face(Y, p + vec2(0, 1)));
    return sum_axes(sum_axes(one, other), net(new_face(X, p), new_face(X, p + vec2(1, 0))));
}

// Returns the discharge before the step over the second half of a face at the north edge.
fn north_half(i: i32) -> f32 { return discharge_z[old_q_offset() + i]; }
fn south_half(i: i32) -> f32 {
    return -discharge_z[old_q_offset() + world.ny * world.pitch + i + z_offset(world.ny - 1)];
}

// Returns the discharge of a face of the third family: its value before the step, or the one set in
// stage 1 if the face is on the boundary.
fn load_face_z(p: vec2<i32>) -> f32 {
    if is_boundary(Z, p) {
        // Column of the cell behind the face, if that cell exists.
        let i = column(p.x - select(0, z_offset(world.ny - 1), p.y > 0));
        if i < 0 {
            return 0.0;
        }
        if p.y == 0 {
            return HALVES * boundary_face_discharge(NORTH, i);
        }
        return -(HALVES * boundary_face_discharge(SOUTH, i));
    }
    if cell_index(above_z(p)) < 0 || cell_index(below_z(p)) < 0 {
        return 0.0;
    }
    return discharge_z[old_q_offset() + row(p.y) * world.pitch + column(p.x)];
}
#endif
