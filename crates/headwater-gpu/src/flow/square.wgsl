#if !HEX
// Squares: what lies around a face, and the faces of a cell. `old_…` are the discharges before the step, `new_…`
// those after stage 3; tiles and whole fields each have their own.

#if !SHALLOW_WATER
const HALVES: f32 = 1.0;

// The sums of the discharges over the four faces that touch a face's ends.
fn across_x(p: vec2<i32>) -> f32 {
    return (old_y(p + vec2(-1, 0)) + old_y(p)) + (old_y(p + vec2(-1, 1)) + old_y(p + vec2(0, 1)));
}

fn across_y(p: vec2<i32>) -> f32 {
    return (old_x(p + vec2(0, -1)) + old_x(p)) + (old_x(p + vec2(1, -1)) + old_x(p + vec2(1, 0)));
}

// The next faces in a face's direction, behind and ahead.
fn along_y(p: vec2<i32>) -> vec2<f32> {
    return vec2(old_y(p + vec2(0, -1)), old_y(p + vec2(0, 1)));
}

// The second halves of boundary faces: there are none.
fn north_half(i: i32) -> f32 { return 0.0; }
fn south_half(i: i32) -> f32 { return 0.0; }
#endif

fn outflow(p: vec2<i32>) -> f32 {
    return leaving(new_y(p), new_y(p + vec2(0, 1))) + leaving(new_x(p), new_x(p + vec2(1, 0)));
}

fn inflow(p: vec2<i32>) -> f32 {
    return entering(new_y(p), new_y(p + vec2(0, 1))) + entering(new_x(p), new_x(p + vec2(1, 0)));
}
#endif
