#if SHALLOW_WATER
// How fast the waves of shallow water are, as crates/headwater/src/flow/shallow/limit.rs has it, for the next step's
// length (limit.wgsl).

// How many cells a wave that comes in over an edge crosses in a second.
fn entering_waves(outer: Entry, ground: f32, h: f32, per: f32) -> f32 {
    let gravity = world.gravity;
    if outer.kind == GIVEN && outer.a > 0.0 {
        let deep = greater(outer.b, h);
        return (outer.a / deep + sqrt(gravity * deep)) * per;
    }
    if outer.kind == LEVEL {
        return sqrt(gravity * greater(outer.a - ground, 0.0)) * per;
    }
    if outer.kind == WAVES && outer.a > ground {
        let still = outer.a - ground;
        let deep = greater(still, h) + 2.0 * abs(outer.b);
        return (2.0 * abs(outer.b) * sqrt(gravity / still) + sqrt(gravity * deep)) * per;
    }
    return 0.0;
}

// Notes how many cells waves cross in a second, at the cell and over the edges beside it.
fn note_waves(p: vec2<i32>, h: f32, q: vec2<f32>) {
    let per_dx = 1.0 / world.face_y;
    let per_dy = 1.0 / world.face_x;
    let c = sqrt(world.gravity * greater(h, 1e-3));
    let per = per_depth(h);
    var rate = greater((abs(q.x * per) + c) * per_dx, (abs(q.y * per) + c) * per_dy);
    let ground = bed[stored_at(p)];
    for (var edge = WEST; edge <= SOUTH; edge++) {
        if is_at_edge(p, edge) {
            let outer = outside(edge, along_edge(p, edge));
            let per = select(per_dy, per_dx, edge <= EAST);
            rate = greater(rate, entering_waves(outer, ground, h, per));
        }
    }
    atomicMax(&tile_deepest, bitcast<u32>(rate));
}
#endif
