// Kernel that computes the summary of an edited state, in the same way as a step computes the
// summary of its result (limit.wgsl). The loss rates need the largest depth, which is known only
// after the first pass, so the kernel runs twice.

#if SHALLOW_WATER
fn summarize_cell(p: vec2<i32>, index: i32) {
    let q = vec2(momentum_x[old_q_offset() + index], momentum_y[old_q_offset() + index]);
    accumulate_wave_rate(p, depth[old_h_offset() + index], q);
}
#else
// Adds a cell to the summary with its outflow per second, as in
// crates/headwater/src/flow/inertial/limit.rs. Step records of this kernel have `to_area` = 1.
fn summarize_cell(p: vec2<i32>, index: i32) {
    let q = old_q_offset() + index;
    let x = outflow_over_pair(discharge_x[q], discharge_x[q + 1]);
    let y = outflow_over_pair(discharge_y[q], discharge_y[q + world.pitch]);
#if HEX
    let third = q + z_offset(p.y);
    let z = outflow_over_pair(discharge_z[third], discharge_z[third + world.pitch]);
#else
    let z = 0.0;
#endif
    accumulate_summary(depth[old_h_offset() + index], (x + y + z) * current.step.to_area);
}
#endif

@compute @workgroup_size(THREADS)
fn summarize(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    if lane == 0u {
        atomicStore(&tile_max_depth, 0u);
        atomicStore(&tile_max_loss, 0u);
    }
    workgroupBarrier();
    let p = vec2(i32(group.x * THREADS + lane), i32(group.y));
    if p.x < world.nx {
        summarize_cell(p, grid_index(p));
    }
    workgroupBarrier();
    flush_summary(lane);
}
