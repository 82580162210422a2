// What the water asks of a step where nobody has done one: after an edit. The note of a state is reckoned as a step
// reckons that of the one it leaves (guard.wgsl), cell by cell. Which cells are shallow follows from the
// greatest depth, which is known only at the end, so this is run twice.

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
        survey_cell(p, p.y * world.pitch + p.x);
    }
    workgroupBarrier();
    note_tile(lane);
}
