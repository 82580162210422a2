fn new_x(p: vec2<i32>) -> f32 { return discharge_x[to_q() + stored(p)]; }
fn new_y(p: vec2<i32>) -> f32 { return discharge_y[to_q() + stored(p)]; }

@compute @workgroup_size(THREADS)
fn feed_faces(@builtin(global_invocation_id) id: vec3<u32>) {
    let p = vec2<i32>(id.xy);
    if p.x <= world.nx && p.y < world.ny {
        let q = cut(new_x(p), p - vec2(1, 0), p);
        discharge_x[from_q() + stored(p)] = q;
        if is_rim_x(p) {
            book_rim(q, p - vec2(1, 0), p, p.x == 0);
        }
    }
    if p.x < world.nx && p.y <= world.ny {
        let q = cut(new_y(p), p - vec2(0, 1), p);
        discharge_y[from_q() + stored(p)] = q;
        if is_rim_y(p) {
            book_rim(q, p - vec2(0, 1), p, p.y == 0);
        }
    }
    feed_third(p);
}
