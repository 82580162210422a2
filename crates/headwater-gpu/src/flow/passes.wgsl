// The same step in three passes over whole fields, as it is usually done: the yardstick of the tile. Faces are driven
// (from one side to the other), cut down to what cells can feed (and back), and then depths follow.

fn cell(p: vec2<i32>) -> vec2<f32> { return stored_cell(p); }
fn old_face(family: i32, p: vec2<i32>) -> f32 { return stored(family, p); }

fn discharge(family: i32, at: i32) -> f32 {
    switch family {
        case X: { return discharge_x[at]; }
#if HEX
        case Z: { return discharge_z[at]; }
#endif
        default: { return discharge_y[at]; }
    }
}

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

fn book_crossed(q: f32, inward: bool) {
    let crossed = transfer(q);
    let into = select(-crossed, crossed, inward);
    book(BOUNDARY_IN, into);
    book(BOUNDARY_OUT, -into);
}

// The faces of a cell after stages 1 to 3; for the last pass, the depths that they move.
fn new_face(family: i32, p: vec2<i32>) -> f32 {
#if UPDATE_DEPTHS
    return transfer(discharge(family, from_q() + stored_at(p)));
#else
    return discharge(family, to_q() + stored_at(p));
#endif
}

fn drive_kept(family: i32, p: vec2<i32>) {
    if is_kept(family, p) {
        store(family, to_q() + stored_at(p), driven(family, p));
    }
}

@compute @workgroup_size(THREADS)
fn drive_faces(@builtin(global_invocation_id) id: vec3<u32>) {
    let p = vec2<i32>(id.xy);
    drive_kept(X, p);
    drive_kept(Y, p);
#if HEX
    drive_kept(Z, p);
#endif
}

fn feed_kept(family: i32, p: vec2<i32>) {
    if !is_kept(family, p) {
        return;
    }
    let before = cell_before(family, p);
    let after = cell_after(family, p);
    let q = cut(new_face(family, p), before, after);
    store(family, from_q() + stored_at(p), q);
    if is_boundary(family, p) {
        book_crossed(q, select(p.y, p.x, family == X) == 0);
    }
}

@compute @workgroup_size(THREADS)
fn feed_faces(@builtin(global_invocation_id) id: vec3<u32>) {
    let p = vec2<i32>(id.xy);
    feed_kept(X, p);
    feed_kept(Y, p);
#if HEX
    feed_kept(Z, p);
#endif
}

@compute @workgroup_size(THREADS)
fn update_depths(@builtin(global_invocation_id) id: vec3<u32>) {
    let p = vec2<i32>(id.xy);
    if p.x < world.nx && p.y < world.ny {
        let at = stored_at(p);
        let after = updated(vec2(depth[from_h() + at], depth[remainders() + at]), came(p));
        depth[to_h() + at] = after.x;
        depth[remainders() + at] = after.y;
    }
}
