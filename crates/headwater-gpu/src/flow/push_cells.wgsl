// Pushes the water of cells where momentum is part of the state, as `push_cell` in crates/headwater/src/flow/push.rs: in
// numbers of 64 bits.

struct Push {
    place: u32,
    spare: u32,
    // Changes of velocity (m/s).
    east: Double,
    south: Double,
}

@group(0) @binding(13) var<storage, read> pushes: array<Push>;

fn pushed(q: f32, h: f32, change: Double) -> f32 {
    return float_of(sum(double_of(q), product(double_of(h), change)));
}

@compute @workgroup_size(THREADS)
fn push_cells(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let i = (group.y * groups.x + group.x) * THREADS + lane;
    if i < arrayLength(&pushes) {
        let push = pushes[i];
        let h = depth[from_h() + i32(push.place)];
        let at = from_q() + i32(push.place);
        momentum_x[at] = pushed(momentum_x[at], h, push.east);
        momentum_y[at] = pushed(momentum_y[at], h, push.south);
    }
}
