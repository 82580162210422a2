fn new_x(p: vec2<i32>) -> f32 { return 0.0; }
fn new_y(p: vec2<i32>) -> f32 { return 0.0; }

@compute @workgroup_size(THREADS)
fn drive_faces(@builtin(global_invocation_id) id: vec3<u32>) {
    let p = vec2<i32>(id.xy);
    if p.x <= world.nx && p.y < world.ny {
        discharge_x[to_q() + stored(p)] = driven_x(p);
    }
    if p.x < world.nx && p.y <= world.ny {
        discharge_y[to_q() + stored(p)] = driven_y(p);
    }
    drive_third(p);
}
