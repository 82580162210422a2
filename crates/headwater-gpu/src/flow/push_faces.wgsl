// Pushes the water over faces, as `push_face` in crates/headwater/src/flow/push.rs: in numbers of 64 bits. Each
// invocation does a face.

struct Push {
    family: u32,
    place: u32,
    // The cells before and after it.
    before: u32,
    after: u32,
    // What its discharge gains per depth over it (m²/s), from one of its cells and then from the other, or nothing.
    first: Double,
    second: Double,
}

@group(0) @binding(13) var<storage, read> pushes: array<Push>;

// Depth over a face (m): of the higher surface over the higher bed.
fn depth_over(before: i32, after: i32) -> f32 {
    let one = opaque_(bed[before] + depth[from_h() + before]);
    let other = opaque_(bed[after] + depth[from_h() + after]);
    return max(opaque_(max(one, other) - max(bed[before], bed[after])), 0.0);
}

fn pushed(q: f32, push: Push) -> f32 {
    let h = double_of(depth_over(i32(push.before), i32(push.after)));
    let once = float_of(sum(double_of(q), product(push.first, h)));
    return float_of(sum(double_of(once), product(push.second, h)));
}

@compute @workgroup_size(THREADS)
fn push_faces(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = (group.y * groups.x + group.x) * THREADS + lane;
    if i < arrayLength(&pushes) {
        let push = pushes[i];
        let at = from_q() + i32(push.place);
        if push.family == 0u {
            discharge_x[at] = pushed(discharge_x[at], push);
        } else if push.family == 1u {
            discharge_y[at] = pushed(discharge_y[at], push);
        } else {
            push_third(at, push);
        }
    }
}
