// Momentum follows water that is taken: depths before it are kept on the side that the step will write, and what is left
// of each depth is left of its momentum. As `Momentum::follow` in crates/headwater/src/flow/state.rs.

@compute @workgroup_size(THREADS)
fn remember(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = i32(id.y) * world.pitch + i32(id.x);
    if step_is_stable() && i32(id.x) < world.nx {
        depth[to_h() + at] = depth[from_h() + at];
    }
}

@compute @workgroup_size(THREADS)
fn follow(@builtin(global_invocation_id) id: vec3<u32>) {
    let at = i32(id.y) * world.pitch + i32(id.x);
    if step_is_stable() && i32(id.x) < world.nx {
        follow_water(at, depth[to_h() + at], depth[from_h() + at]);
    }
}
