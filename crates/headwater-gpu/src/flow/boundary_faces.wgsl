#if !SHALLOW_WATER
// Stage 1: the outermost faces, as crates/headwater/src/flow/boundary_faces.rs has them. Each is worked out where it is needed.

// The part of a cell's excess of water that waves may take out of it in a step.
const EAGER: f32 = 1.3333333333333333;

// The discharge into the grid over a boundary face, before the step, both halves of it.
fn boundary_into(edge: i32, i: i32) -> f32 {
    let start = from_q();
    if edge == WEST {
        return discharge_x[start + i * world.pitch];
    }
    if edge == EAST {
        return -discharge_x[start + i * world.pitch + world.nx];
    }
    if edge == NORTH {
        return discharge_y[start + i] + north_half(i);
    }
    return -discharge_y[start + world.ny * world.pitch + i] + south_half(i);
}

// The width of all faces over which waves leave a cell.
fn wave_width(at: i32) -> f32 {
    let p = vec2(at % world.pitch, at / world.pitch);
    var width = 0.0;
    for (var edge = WEST; edge <= SOUTH; edge++) {
        let i = along_edge(p, edge);
        if is_at_edge(p, edge) && outside(edge, i).kind == WAVES {
            width += edge_width(edge, i);
        }
    }
    return width;
}

// The new discharge into the grid over a boundary face.
fn outermost_face(edge: i32, i: i32) -> f32 {
    let beyond = outside(edge, i);
    let at = edge_place(edge, i);
    let ground = bed[at];
    if beyond.kind == WALL || ground >= CLOSED {
        return 0.0;
    }
    let h = depth[from_h() + at];
    let width = edge_width(edge, i);
    let is_x = edge <= EAST;
    if beyond.kind == GIVEN {
        return beyond.a * width;
    }
    if beyond.kind == NOTHING {
        return -(world.weir * h * sqrt(h) * width);
    }
    if beyond.kind == WAVES {
        let still = beyond.a - ground;
        if !(still > 0.0) {
            return 0.0;
        }
        let c = celerity(still, is_x);
        let eager = c * wave_width(at) * now.step.to_depth;
        let share = select(1.0, EAGER / eager, eager > EAGER);
        return share * c * width * (2.0 * beyond.b - fall(vec2(ground, h), vec2(beyond.a, 0.0)));
    }
    let wider = width / select(world.face_y, world.face_x, is_x);
    let into = wider * drive_rim(is_x, at, boundary_into(edge, i) / wider, ground, h, beyond.a);
    // A dry outside takes water and gives none.
    return select(min(into, 0.0), into, beyond.a > ground);
}

// A face before the step, or as stage 1 sets it.
fn stored_x(p: vec2<i32>) -> f32 {
    let y = row(p.y);
    if y < 0 {
        return 0.0;
    }
    if is_boundary(X, p) {
        if p.x == 0 {
            return outermost_face(WEST, y);
        }
        return -outermost_face(EAST, y);
    }
    let x = column(p.x);
    if x < 0 {
        return 0.0;
    }
    return discharge_x[from_q() + y * world.pitch + x];
}

fn stored_y(p: vec2<i32>) -> f32 {
    let x = column(p.x);
    if x < 0 {
        return 0.0;
    }
    if is_boundary(Y, p) {
        if p.y == 0 {
            return HALVES * outermost_face(NORTH, x);
        }
        return -(HALVES * outermost_face(SOUTH, x));
    }
    let y = row(p.y);
    if y < 0 {
        return 0.0;
    }
    return discharge_y[from_q() + y * world.pitch + x];
}

fn stored(family: i32, p: vec2<i32>) -> f32 {
    if family == X {
        return stored_x(p);
    }
#if HEX
    if family == Z {
        return stored_z(p);
    }
#endif
    return stored_y(p);
}

// Stages 1 to 3, a face.
fn driven(family: i32, p: vec2<i32>) -> f32 {
    let before = cell(cell_before(family, p));
    let after = cell(cell_after(family, p));
    if max(before.x, after.x) >= CLOSED {
        if is_boundary(family, p) {
            return old_face(family, p);
        }
        return 0.0;
    }
    return drive_face(family, p, before, after);
}
#endif
