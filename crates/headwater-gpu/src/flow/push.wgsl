// Kernel that changes the velocity of water (a push), as in crates/headwater/src/flow/push.rs, with
// 64-bit arithmetic. It runs one invocation per cell for schemes with momentum, otherwise one per
// face.

#if SHALLOW_WATER
@group(0) @binding(25) var<storage, read> pushes: array<CellPush>;

fn pushed(q: f32, h: f32, change: Double) -> f32 {
    return double_to_f32(sum(f32_to_double(q), product(f32_to_double(h), change)));
}

fn apply_push(push: CellPush) {
    let h = depth[old_h_offset() + i32(push.index)];
    let index = old_q_offset() + i32(push.index);
    momentum_x[index] = pushed(momentum_x[index], h, push.east);
    momentum_y[index] = pushed(momentum_y[index], h, push.south);
}
#else
@group(0) @binding(25) var<storage, read> pushes: array<FacePush>;

// Returns the depth at a face (m), from the higher bed up to the higher water surface.
fn depth_over(before: i32, after: i32) -> f32 {
    let one = opaque_(bed[before] + depth[old_h_offset() + before]);
    let other = opaque_(bed[after] + depth[old_h_offset() + after]);
    return max(opaque_(max(one, other) - max(bed[before], bed[after])), 0.0);
}

fn pushed(q: f32, push: FacePush) -> f32 {
    let h = f32_to_double(depth_over(i32(push.before), i32(push.after)));
    let once = double_to_f32(sum(f32_to_double(q), product(push.before_gain, h)));
    return double_to_f32(sum(f32_to_double(once), product(push.after_gain, h)));
}

fn apply_push(push: FacePush) {
    let index = old_q_offset() + i32(push.index);
    switch push.family {
        case 0u: { discharge_x[index] = pushed(discharge_x[index], push); }
#if HEX
        case 2u: { discharge_z[index] = pushed(discharge_z[index], push); }
#endif
        default: { discharge_y[index] = pushed(discharge_y[index], push); }
    }
}
#endif

@compute @workgroup_size(THREADS)
fn push_water(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = (group.y * groups.x + group.x) * THREADS + lane;
    if i < arrayLength(&pushes) {
        apply_push(pushes[i]);
    }
}
