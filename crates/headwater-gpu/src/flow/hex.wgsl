#if HEX
// Hexagons: what lies around a face, the faces of a cell, and the third family of faces. `old_face` are the
// discharges before the step, `new_face` those after stage 3; tiles and whole fields each have their own.

// Boundary faces in the north and south have two halves.
const HALVES: f32 = 0.5;

// The sums of the discharges over the four faces that touch a face's ends.
fn across_x(p: vec2<i32>) -> f32 {
    if odd(p.y) {
        return (old_face(Z, p) + old_face(Y, p + vec2(0, 1))) + (old_face(Y, p) + old_face(Z, p + vec2(0, 1)));
    }
    return (old_face(Z, p) + old_face(Y, p + vec2(-1, 1))) + (old_face(Y, p + vec2(-1, 0)) + old_face(Z, p + vec2(0, 1)));
}

fn across_y(p: vec2<i32>) -> f32 {
    let second = old_face(Z, p) + old_face(Z, p + vec2(1, 0));
    if odd(p.y) {
        return (old_face(X, p + vec2(1, -1)) + old_face(X, p)) - second;
    }
    return (old_face(X, p + vec2(0, -1)) + old_face(X, p + vec2(1, 0))) + second;
}

fn across_z(p: vec2<i32>) -> f32 {
    let first = old_face(X, p + vec2(0, -1)) + old_face(X, p);
    let second = old_face(Y, p + vec2(-1, 0)) + old_face(Y, p);
    return select(first - second, first + second, odd(p.y));
}

fn across(family: i32, p: vec2<i32>) -> f32 {
    switch family {
        case X: { return across_x(p); }
        case Y: { return across_y(p); }
        default: { return across_z(p); }
    }
}

// The next faces in a face's direction, behind and ahead.
fn along(family: i32, p: vec2<i32>) -> vec2<f32> {
    switch family {
        case X: { return vec2(old_face(X, p - vec2(1, 0)), old_face(X, p + vec2(1, 0))); }
        case Y: { return along_y(p); }
        default: { return along_z(p); }
    }
}

fn along_y(p: vec2<i32>) -> vec2<f32> {
    if odd(p.y) {
        return vec2(old_face(Z, p + vec2(0, -1)), old_face(Z, p + vec2(1, 1)));
    }
    return vec2(old_face(Z, p + vec2(1, -1)), old_face(Z, p + vec2(0, 1)));
}

fn along_z(p: vec2<i32>) -> vec2<f32> {
    if odd(p.y) {
        return vec2(old_face(Y, p + vec2(0, -1)), old_face(Y, p + vec2(-1, 1)));
    }
    return vec2(old_face(Y, p + vec2(-1, -1)), old_face(Y, p + vec2(0, 1)));
}

fn outflow(p: vec2<i32>) -> f32 {
    let z = p + vec2(z_offset(p.y), 0);
    let one = leaving(new_face(Z, z), new_face(Z, z + vec2(0, 1)));
    let other = leaving(new_face(Y, p), new_face(Y, p + vec2(0, 1)));
    return (one + other) + leaving(new_face(X, p), new_face(X, p + vec2(1, 0)));
}

// What comes over all faces of a cell, less what goes, and what rounding leaves of that.
fn came(p: vec2<i32>) -> vec2<f32> {
    let z = p + vec2(z_offset(p.y), 0);
    let one = net(new_face(Z, z), new_face(Z, z + vec2(0, 1)));
    let other = net(new_face(Y, p), new_face(Y, p + vec2(0, 1)));
    return gathered(gathered(one, other), net(new_face(X, p), new_face(X, p + vec2(1, 0))));
}

// The second halves of boundary faces, before the step.
fn north_half(i: i32) -> f32 { return discharge_z[from_q() + i]; }
fn south_half(i: i32) -> f32 {
    return -discharge_z[from_q() + world.ny * world.pitch + i + z_offset(world.ny - 1)];
}

// A z-face before the step, or as stage 1 sets it.
fn stored_z(p: vec2<i32>) -> f32 {
    if is_boundary(Z, p) {
        // The column of the cell behind it, if there is one.
        let i = column(p.x - select(0, z_offset(world.ny - 1), p.y > 0));
        if i < 0 {
            return 0.0;
        }
        if p.y == 0 {
            return HALVES * outermost_face(NORTH, i);
        }
        return -(HALVES * outermost_face(SOUTH, i));
    }
    if place(above_z(p)) < 0 || place(below_z(p)) < 0 {
        return 0.0;
    }
    return discharge_z[from_q() + row(p.y) * world.pitch + column(p.x)];
}
#endif
