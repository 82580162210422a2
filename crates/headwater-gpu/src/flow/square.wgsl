#if !HEX
// Functions for square grids: the faces around a face and the faces of a cell. `old_face` returns
// discharges before the step, `new_face` those after stage 3.

#if !SHALLOW_WATER
const HALVES: f32 = 1.0;

// Returns the sum of the discharges through the four faces that touch the ends of a face.
fn transverse_sum(family: i32, p: vec2<i32>) -> f32 {
    if family == X {
        return (old_face(Y, p + vec2(-1, 0)) + old_face(Y, p))
            + (old_face(Y, p + vec2(-1, 1)) + old_face(Y, p + vec2(0, 1)));
    }
    return (old_face(X, p + vec2(0, -1)) + old_face(X, p)) + (old_face(X, p + vec2(1, -1)) + old_face(X, p + vec2(1, 0)));
}

// Returns the discharges of the neighbouring faces in a face's direction, behind and ahead.
fn along(family: i32, p: vec2<i32>) -> vec2<f32> {
    let ahead = select(vec2(0, 1), vec2(1, 0), family == X);
    return vec2(old_face(family, p - ahead), old_face(family, p + ahead));
}

// On square grids, boundary faces have no second half.
fn north_half(i: i32) -> f32 { return 0.0; }
fn south_half(i: i32) -> f32 { return 0.0; }
#endif

fn cell_outflow(p: vec2<i32>) -> f32 {
    return outflow_over_pair(new_face(Y, p), new_face(Y, p + vec2(0, 1)))
        + outflow_over_pair(new_face(X, p), new_face(X, p + vec2(1, 0)));
}

// Returns the net inflow through all faces of a cell, and its rounding error.
fn net_inflow(p: vec2<i32>) -> vec2<f32> {
    return sum_axes(
        net(new_face(Y, p), new_face(Y, p + vec2(0, 1))),
        net(new_face(X, p), new_face(X, p + vec2(1, 0))),
    );
}
#endif
