// What the water asks of a step where nobody has done one: after an edit. The note of a state is reckoned as a step
// reckons that of the one it leaves (limit.wgsl), cell by cell. Which cells are shallow follows from the
// greatest depth, which is known only at the end, so this is run twice.

#if SHALLOW_WATER
fn survey_cell(p: vec2<i32>, at: i32) {
    let q = vec2(momentum_x[from_q() + at], momentum_y[from_q() + at]);
    note_waves(p, depth[from_h() + at], q);
}
#else
// What leaves a cell over its faces in a second, as crates/headwater/src/flow/inertial/limit.rs has it. A record that is
// told for a survey has 1 for `to_area`.
fn survey_cell(p: vec2<i32>, at: i32) {
    let q = from_q() + at;
    let x = leaving(discharge_x[q], discharge_x[q + 1]);
    let y = leaving(discharge_y[q], discharge_y[q + world.pitch]);
#if HEX
    let third = q + z_offset(p.y);
    let z = leaving(discharge_z[third], discharge_z[third + world.pitch]);
#else
    let z = 0.0;
#endif
    note_cell(depth[from_h() + at], (x + y + z) * now.step.to_area);
}
#endif

@compute @workgroup_size(THREADS)
fn survey(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    if lane == 0u {
        atomicStore(&tile_deepest, 0u);
        atomicStore(&tile_loss, 0u);
    }
    workgroupBarrier();
    let p = vec2(i32(group.x * THREADS + lane), i32(group.y));
    if p.x < world.nx {
        survey_cell(p, stored_at(p));
    }
    workgroupBarrier();
    note_tile(lane);
}
