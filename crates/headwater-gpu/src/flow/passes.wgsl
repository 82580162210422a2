// The same step in three passes over whole fields, as it is usually done: the yardstick of the tile. Faces are driven
// (from one side to the other), cut down to what cells can feed (and back), and then depths follow.

fn cell(p: vec2<i32>) -> vec2<f32> { return stored_cell(p); }
fn old_x(p: vec2<i32>) -> f32 { return stored_x(p); }
fn old_y(p: vec2<i32>) -> f32 { return stored_y(p); }
#if HEX
fn old_z(p: vec2<i32>) -> f32 { return stored_z(p); }
#endif

// Stage 4: what a cell can feed; what is closed or off the grid is in no need.
fn fed(p: vec2<i32>) -> f32 {
    let here = stored_cell(p);
    if here.x >= CLOSED {
        return 1.0;
    }
    return fed_part(here.y, outflow(vec2(column(p.x), row(p.y))));
}

// Stage 4, a face: cut down to what the cell that it leaves can feed.
fn cut(q: f32, before: vec2<i32>, after: vec2<i32>) -> f32 {
    if q == 0.0 {
        return q;
    }
    return q * fed(select(after, before, q > 0.0));
}

// Stage 5, a face: the depth that it moves.
fn moved(q: f32, before: vec2<i32>, after: vec2<i32>) -> f32 {
    return transfer(q, greater(stored_cell(before).y, stored_cell(after).y));
}

fn book_crossed(q: f32, before: vec2<i32>, after: vec2<i32>, inward: bool) {
    let crossed = moved(q, before, after);
    let into = select(-crossed, crossed, inward);
    book(BOUNDARY_IN, into);
    book(BOUNDARY_OUT, -into);
}

// The faces of a cell after stages 1 to 3; for the last pass, the depths that they move.
#if UPDATE_DEPTHS
fn new_x(p: vec2<i32>) -> f32 {
    return moved(discharge_x[from_q() + stored_at(p)], p - vec2(1, 0), p);
}

fn new_y(p: vec2<i32>) -> f32 {
    return moved(discharge_y[from_q() + stored_at(p)], p - vec2(0, 1), p);
}

#if HEX
fn new_z(p: vec2<i32>) -> f32 {
    return moved(discharge_z[from_q() + stored_at(p)], above_z(p), below_z(p));
}
#endif
#else
fn new_x(p: vec2<i32>) -> f32 { return discharge_x[to_q() + stored_at(p)]; }
fn new_y(p: vec2<i32>) -> f32 { return discharge_y[to_q() + stored_at(p)]; }
#if HEX
fn new_z(p: vec2<i32>) -> f32 { return discharge_z[to_q() + stored_at(p)]; }
#endif
#endif

@compute @workgroup_size(THREADS)
fn drive_faces(@builtin(global_invocation_id) id: vec3<u32>) {
    let p = vec2<i32>(id.xy);
    if p.x <= world.nx && p.y < world.ny {
        discharge_x[to_q() + stored_at(p)] = driven_x(p);
    }
    if p.x < world.nx && p.y <= world.ny {
        discharge_y[to_q() + stored_at(p)] = driven_y(p);
    }
#if HEX
    if is_kept_z(p) {
        discharge_z[to_q() + stored_at(p)] = driven_z(p);
    }
#endif
}

@compute @workgroup_size(THREADS)
fn feed_faces(@builtin(global_invocation_id) id: vec3<u32>) {
    let p = vec2<i32>(id.xy);
    if p.x <= world.nx && p.y < world.ny {
        let q = cut(new_x(p), p - vec2(1, 0), p);
        discharge_x[from_q() + stored_at(p)] = q;
        if is_boundary_x(p) {
            book_crossed(q, p - vec2(1, 0), p, p.x == 0);
        }
    }
    if p.x < world.nx && p.y <= world.ny {
        let q = cut(new_y(p), p - vec2(0, 1), p);
        discharge_y[from_q() + stored_at(p)] = q;
        if is_boundary_y(p) {
            book_crossed(q, p - vec2(0, 1), p, p.y == 0);
        }
    }
#if HEX
    if is_kept_z(p) {
        let q = cut(new_z(p), above_z(p), below_z(p));
        discharge_z[from_q() + stored_at(p)] = q;
        if is_boundary_z(p) {
            book_crossed(q, above_z(p), below_z(p), p.y == 0);
        }
    }
#endif
}

@compute @workgroup_size(THREADS)
fn update_depths(@builtin(global_invocation_id) id: vec3<u32>) {
    let p = vec2<i32>(id.xy);
    if p.x < world.nx && p.y < world.ny {
        let h = depth[from_h() + stored_at(p)];
        depth[to_h() + stored_at(p)] = (h - outflow(p)) + inflow(p);
    }
}
