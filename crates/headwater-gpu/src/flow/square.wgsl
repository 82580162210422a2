#if !HEX
// Squares: what lies around a face, and the faces of a cell. `old_face` are the discharges before the step, `new_face`
// those after stage 3; tiles and whole fields each have their own.

#if !SHALLOW_WATER
const HALVES: f32 = 1.0;

// The sum of the discharges over the four faces that touch a face's ends.
fn across(family: i32, p: vec2<i32>) -> f32 {
    if family == X {
        return (old_face(Y, p + vec2(-1, 0)) + old_face(Y, p))
            + (old_face(Y, p + vec2(-1, 1)) + old_face(Y, p + vec2(0, 1)));
    }
    return (old_face(X, p + vec2(0, -1)) + old_face(X, p)) + (old_face(X, p + vec2(1, -1)) + old_face(X, p + vec2(1, 0)));
}

// The next faces in a face's direction, behind and ahead.
fn along(family: i32, p: vec2<i32>) -> vec2<f32> {
    let ahead = select(vec2(0, 1), vec2(1, 0), family == X);
    return vec2(old_face(family, p - ahead), old_face(family, p + ahead));
}

// The second halves of boundary faces: there are none.
fn north_half(i: i32) -> f32 { return 0.0; }
fn south_half(i: i32) -> f32 { return 0.0; }
#endif

fn outflow(p: vec2<i32>) -> f32 {
    return leaving(new_face(Y, p), new_face(Y, p + vec2(0, 1)))
        + leaving(new_face(X, p), new_face(X, p + vec2(1, 0)));
}

// What comes over all faces of a cell, less what goes, and what rounding leaves of that.
fn came(p: vec2<i32>) -> vec2<f32> {
    return gathered(
        net(new_face(Y, p), new_face(Y, p + vec2(0, 1))),
        net(new_face(X, p), new_face(X, p + vec2(1, 0))),
    );
}
#endif
