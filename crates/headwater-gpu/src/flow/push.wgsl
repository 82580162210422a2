// Pushes the water, as crates/headwater/src/flow/push.rs does: in numbers of 64 bits. Each invocation does a cell where
// momentum is part of the state, or else a face.

#if SHALLOW_WATER
@group(0) @binding(25) var<storage, read> pushes: array<CellPush>;

fn pushed(q: f32, h: f32, change: Double) -> f32 {
    return float_of(sum(double_of(q), product(double_of(h), change)));
}

fn apply_push(push: CellPush) {
    let h = depth[from_h() + i32(push.place)];
    let at = from_q() + i32(push.place);
    momentum_x[at] = pushed(momentum_x[at], h, push.east);
    momentum_y[at] = pushed(momentum_y[at], h, push.south);
}
#else
@group(0) @binding(25) var<storage, read> pushes: array<FacePush>;

// Depth over a face (m): of the higher surface over the higher bed.
fn depth_over(before: i32, after: i32) -> f32 {
    let one = opaque_(bed[before] + depth[from_h() + before]);
    let other = opaque_(bed[after] + depth[from_h() + after]);
    return max(opaque_(max(one, other) - max(bed[before], bed[after])), 0.0);
}

fn pushed(q: f32, push: FacePush) -> f32 {
    let h = double_of(depth_over(i32(push.before), i32(push.after)));
    let once = float_of(sum(double_of(q), product(push.first, h)));
    return float_of(sum(double_of(once), product(push.second, h)));
}

fn apply_push(push: FacePush) {
    let at = from_q() + i32(push.place);
    switch push.family {
        case 0u: { discharge_x[at] = pushed(discharge_x[at], push); }
#if HEX
        case 2u: { discharge_z[at] = pushed(discharge_z[at], push); }
#endif
        default: { discharge_y[at] = pushed(discharge_y[at], push); }
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
