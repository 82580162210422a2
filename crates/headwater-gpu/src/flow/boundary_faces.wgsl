#if !SHALLOW_WATER
// Stage 1 of a step: discharges of boundary faces, as in
// crates/headwater/src/flow/boundary_faces.rs. They are computed where they are needed.

// Largest fraction of a cell's excess water that outgoing waves may remove in one step.
const MAX_WAVE_OUTFLOW: f32 = 1.3333333333333333;

// Returns the discharge into the grid through a boundary face before the step. On hexagons it is
// the sum over the two halves of the face.
fn old_boundary_inflow(edge: i32, i: i32) -> f32 {
    let start = old_q_offset();
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

// Returns the total width (m) of the faces through which waves leave a cell.
fn wave_face_width(index: i32) -> f32 {
    let p = vec2(index % world.pitch, index / world.pitch);
    var width = 0.0;
    for (var edge = WEST; edge <= SOUTH; edge++) {
        let i = along_edge(p, edge);
        if is_at_edge(p, edge) && boundary_state(edge, i).kind == WAVES {
            width += edge_width(edge, i);
        }
    }
    return width;
}

// Returns the new discharge into the grid through boundary face `i` of an edge.
fn boundary_face_discharge(edge: i32, i: i32) -> f32 {
    let beyond = boundary_state(edge, i);
    let index = edge_cell_index(edge, i);
    let ground = bed[index];
    if beyond.kind == WALL || ground >= CLOSED {
        return 0.0;
    }
    let h = depth[old_h_offset() + index];
    let width = edge_width(edge, i);
    let is_x = edge <= EAST;
    if beyond.kind == DISCHARGE {
        return beyond.a * width;
    }
    if beyond.kind == FREE_OUTFLOW {
        return -(world.weir_coefficient * h * sqrt(h) * width);
    }
    if beyond.kind == WAVES {
        let still = beyond.a - ground;
        if !(still > 0.0) {
            return 0.0;
        }
        let c = celerity(still, is_x);
        let wave_outflow = c * wave_face_width(index) * current.step.to_depth;
        let share = select(1.0, MAX_WAVE_OUTFLOW / wave_outflow, wave_outflow > MAX_WAVE_OUTFLOW);
        return share * c * width * (2.0 * beyond.b - surface_drop(vec2(ground, h), vec2(beyond.a, 0.0)));
    }
    let wider = width / select(world.face_y, world.face_x, is_x);
    let into = wider * boundary_discharge(is_x, index, old_boundary_inflow(edge, i) / wider, ground, h, beyond.a);
    // If the outside is dry, it receives water but supplies none.
    return select(min(into, 0.0), into, beyond.a > ground);
}

// Returns the discharge of an x-face: its value before the step, or the one set in stage 1 if the
// face is on the boundary.
fn load_face_x(p: vec2<i32>) -> f32 {
    let y = row(p.y);
    if y < 0 {
        return 0.0;
    }
    if is_boundary(X, p) {
        if p.x == 0 {
            return boundary_face_discharge(WEST, y);
        }
        return -boundary_face_discharge(EAST, y);
    }
    let x = column(p.x);
    if x < 0 {
        return 0.0;
    }
    return discharge_x[old_q_offset() + y * world.pitch + x];
}

fn load_face_y(p: vec2<i32>) -> f32 {
    let x = column(p.x);
    if x < 0 {
        return 0.0;
    }
    if is_boundary(Y, p) {
        if p.y == 0 {
            return HALVES * boundary_face_discharge(NORTH, x);
        }
        return -(HALVES * boundary_face_discharge(SOUTH, x));
    }
    let y = row(p.y);
    if y < 0 {
        return 0.0;
    }
    return discharge_y[old_q_offset() + y * world.pitch + x];
}

fn stored(family: i32, p: vec2<i32>) -> f32 {
    if family == X {
        return load_face_x(p);
    }
#if HEX
    if family == Z {
        return load_face_z(p);
    }
#endif
    return load_face_y(p);
}

// Performs stages 1 to 3 for one face and returns its discharge.
fn accelerated_face(family: i32, p: vec2<i32>) -> f32 {
    let before = cell(cell_before(family, p));
    let after = cell(cell_after(family, p));
    if max(before.x, after.x) >= CLOSED {
        if is_boundary(family, p) {
            return old_face(family, p);
        }
        return 0.0;
    }
    return accelerate_face(family, p, before, after);
}
#endif
