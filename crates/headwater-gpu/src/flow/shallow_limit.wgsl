#if SHALLOW_WATER
// Wave rates of the shallow-water scheme, as in crates/headwater/src/flow/shallow/limit.rs. They
// limit the length of the next step (limit.wgsl).

// Returns the rate at which an incoming wave crosses cells at an edge (cells/s).
fn inflow_rate(outer: Entry, ground: f32, h: f32, per: f32) -> f32 {
    let gravity = world.gravity;
    if outer.kind == DISCHARGE && outer.a > 0.0 {
        let deep = fast_max(outer.b, h);
        return (outer.a / deep + sqrt(gravity * deep)) * per;
    }
    if outer.kind == LEVEL {
        return sqrt(gravity * fast_max(outer.a - ground, 0.0)) * per;
    }
    if outer.kind == WAVES && outer.a > ground {
        let still = outer.a - ground;
        let deep = fast_max(still, h) + 2.0 * abs(outer.b);
        return (2.0 * abs(outer.b) * sqrt(gravity / still) + sqrt(gravity * deep)) * per;
    }
    return 0.0;
}

// Adds the wave rate (cells/s) of a cell and of its edges to the workgroup's summary.
fn accumulate_wave_rate(p: vec2<i32>, h: f32, q: vec2<f32>) {
    let per_dx = 1.0 / world.face_y;
    let per_dy = 1.0 / world.face_x;
    let c = sqrt(world.gravity * fast_max(h, 1e-3));
    let per = per_depth(h);
    var rate = fast_max((abs(q.x * per) + c) * per_dx, (abs(q.y * per) + c) * per_dy);
    let ground = bed[grid_index(p)];
    for (var edge = WEST; edge <= SOUTH; edge++) {
        if is_at_edge(p, edge) {
            let outer = boundary_state(edge, along_edge(p, edge));
            let per = select(per_dy, per_dx, edge <= EAST);
            rate = fast_max(rate, inflow_rate(outer, ground, h, per));
        }
    }
    atomicMax(&tile_max_depth, bitcast<u32>(rate));
}
#endif
