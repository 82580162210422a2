#if HEX
// Hexagons: what lies around a face, the faces of a cell, and the third family of faces. `old_…` are the
// discharges before the step, `new_…` those after stage 3; tiles and whole fields each have their own.

// Boundary faces in the north and south have two halves.
const HALVES: f32 = 0.5;

// The sums of the discharges over the four faces that touch a face's ends.
fn across_x(p: vec2<i32>) -> f32 {
    if odd(p.y) {
        return (old_z(p) + old_y(p + vec2(0, 1))) + (old_y(p) + old_z(p + vec2(0, 1)));
    }
    return (old_z(p) + old_y(p + vec2(-1, 1))) + (old_y(p + vec2(-1, 0)) + old_z(p + vec2(0, 1)));
}

fn across_y(p: vec2<i32>) -> f32 {
    let second = old_z(p) + old_z(p + vec2(1, 0));
    if odd(p.y) {
        return (old_x(p + vec2(1, -1)) + old_x(p)) - second;
    }
    return (old_x(p + vec2(0, -1)) + old_x(p + vec2(1, 0))) + second;
}

fn across_z(p: vec2<i32>) -> f32 {
    let first = old_x(p + vec2(0, -1)) + old_x(p);
    let second = old_y(p + vec2(-1, 0)) + old_y(p);
    return select(first - second, first + second, odd(p.y));
}

// The next faces in a face's direction, behind and ahead.
fn along_y(p: vec2<i32>) -> vec2<f32> {
    if odd(p.y) {
        return vec2(old_z(p + vec2(0, -1)), old_z(p + vec2(1, 1)));
    }
    return vec2(old_z(p + vec2(1, -1)), old_z(p + vec2(0, 1)));
}

fn along_z(p: vec2<i32>) -> vec2<f32> {
    if odd(p.y) {
        return vec2(old_y(p + vec2(0, -1)), old_y(p + vec2(-1, 1)));
    }
    return vec2(old_y(p + vec2(-1, -1)), old_y(p + vec2(0, 1)));
}

fn outflow(p: vec2<i32>) -> f32 {
    let z = p + vec2(z_offset(p.y), 0);
    return (leaving(new_z(z), new_z(z + vec2(0, 1))) + leaving(new_y(p), new_y(p + vec2(0, 1))))
        + leaving(new_x(p), new_x(p + vec2(1, 0)));
}

fn inflow(p: vec2<i32>) -> f32 {
    let z = p + vec2(z_offset(p.y), 0);
    return (entering(new_z(z), new_z(z + vec2(0, 1))) + entering(new_y(p), new_y(p + vec2(0, 1))))
        + entering(new_x(p), new_x(p + vec2(1, 0)));
}

// The second halves of boundary faces, before the step.
fn north_half(i: i32) -> f32 { return discharge_z[from_q() + i]; }
fn south_half(i: i32) -> f32 {
    return -discharge_z[from_q() + world.ny * world.pitch + i + z_offset(world.ny - 1)];
}

// Whether a z-face is on the northern or southern boundary.
fn is_boundary_z(p: vec2<i32>) -> bool {
    return world.joined_y == 0u && (p.y == 0 || p.y == world.ny);
}

// The column of the cell behind a z-face of the boundary; −1 if there is none.
fn boundary_column_z(p: vec2<i32>) -> i32 {
    return column(p.x - select(0, z_offset(world.ny - 1), p.y > 0));
}

// A z-face before the step, or as stage 1 sets it.
fn stored_z(p: vec2<i32>) -> f32 {
    if is_boundary_z(p) {
        let i = boundary_column_z(p);
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

// Stages 1 to 3.
fn driven_z(p: vec2<i32>) -> f32 {
    let above = cell(above_z(p));
    let below = cell(below_z(p));
    if max(above.x, below.x) >= CLOSED {
        if is_boundary_z(p) {
            return old_z(p);
        }
        return 0.0;
    }
    return drive_z(p, above, below);
}

// Whether a z-face has a place in store that is its own: at the boundary some that are beside no cell have none.
fn is_kept_z(p: vec2<i32>) -> bool {
    if p.x > world.nx || p.y > world.ny {
        return false;
    }
    if is_boundary_z(p) {
        let x = p.x - select(0, z_offset(world.ny - 1), p.y > 0);
        return x >= 0 && x < world.nx;
    }
    return true;
}
#endif
