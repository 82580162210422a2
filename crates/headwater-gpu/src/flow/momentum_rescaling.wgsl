// Removal of the momentum of withdrawn water, as `Momentum::remove_with_water` in
// crates/headwater/src/flow/state.rs. One kernel saves the depths before the exchange in the buffer
// that the step will write; another then rescales the momentum in proportion to the depth.

@compute @workgroup_size(THREADS)
fn save_depths(@builtin(global_invocation_id) id: vec3<u32>) {
    let index = i32(id.y) * world.pitch + i32(id.x);
    if step_is_stable() && i32(id.x) < world.nx {
        depth[new_h_offset() + index] = depth[old_h_offset() + index];
    }
}

@compute @workgroup_size(THREADS)
fn rescale_momentum(@builtin(global_invocation_id) id: vec3<u32>) {
    let index = i32(id.y) * world.pitch + i32(id.x);
    if step_is_stable() && i32(id.x) < world.nx {
        withdraw_momentum(index, depth[new_h_offset() + index], depth[old_h_offset() + index]);
    }
}
