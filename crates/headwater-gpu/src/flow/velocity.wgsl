// Velocity of the water from what crosses the faces, as crates/headwater/src/flow/velocity.rs has it. Whoever includes
// this says where the depths (`seen_h`) and discharges (`seen_q`) begin that are looked at, and how long the step was
// that they belong to (`seen_dt`).

fn seen_depth(at: i32) -> f32 { return depth[seen_h() + at]; }

fn is_on_grid(p: vec2<i32>) -> bool {
    return u32(p.x) < u32(world.nx) && u32(p.y) < u32(world.ny);
}

fn stored_at(p: vec2<i32>) -> i32 { return p.y * world.pitch + p.x; }

// Velocity over a face between two cells (m/s): its discharge through the depth of the cell that it leaves, on the edge
// of the one inside; a cell that was emptied had at least the depth that has left it.
fn over_face(q: f32, before: vec2<i32>, after: vec2<i32>, width: f32) -> f32 {
    let upstream = select(after, before, q > 0.0);
    let downstream = select(before, after, q > 0.0);
    var h = 0.0;
    if is_on_grid(upstream) {
        h = seen_depth(stored_at(upstream));
    } else if is_on_grid(downstream) {
        h = seen_depth(stored_at(downstream));
    }
    let deep = max(h, abs(q) * seen_dt() / world.area);
    if deep > world.dry {
        return q / (width * deep);
    }
    return 0.0;
}

fn speed_x(p: vec2<i32>) -> f32 {
    var width = world.face_x;
    if p.x == 0 {
        width = edge_width(WEST, p.y);
    } else if p.x == world.nx {
        width = edge_width(EAST, p.y);
    }
    return over_face(discharge_x[seen_q() + stored_at(p)], p - vec2(1, 0), p, width);
}

fn speed_y(p: vec2<i32>) -> f32 {
    return over_face(discharge_y[seen_q() + stored_at(p)], p - vec2(0, 1), p, world.face_y);
}
