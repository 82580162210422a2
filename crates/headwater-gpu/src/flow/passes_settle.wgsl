// Here the faces of a cell are the depths that they move.
fn new_x(p: vec2<i32>) -> f32 {
    return moved(discharge_x[from_q() + stored(p)], p - vec2(1, 0), p);
}

fn new_y(p: vec2<i32>) -> f32 {
    return moved(discharge_y[from_q() + stored(p)], p - vec2(0, 1), p);
}

@compute @workgroup_size(THREADS)
fn settle_cells(@builtin(global_invocation_id) id: vec3<u32>) {
    let p = vec2<i32>(id.xy);
    if p.x < world.nx && p.y < world.ny {
        let h = depth[from_h() + stored(p)];
        depth[to_h() + stored(p)] = (h - outflow(p)) + inflow(p);
    }
}
