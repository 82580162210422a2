// Kernel that edits depths, as `WaterDelta::apply` in crates/headwater/src/flow/edit_delta.rs. Each
// invocation handles one cell.

@group(0) @binding(25) var<storage, read> cells: array<DepthEdit>;

fn edited_depth(cell: DepthEdit, before: f32) -> f32 {
    if cell.keeps_surface == 0u {
        return max(opaque_(before + cell.value), 0.0);
    }
    let surface = opaque_(cell.old_bed + before);
    return select(before, max(opaque_(surface - cell.value), 0.0), before > 0.0);
}

@compute @workgroup_size(THREADS)
fn edit_cells(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    clear_group_ledger(lane);
    workgroupBarrier();
    let i = (group.y * groups.x + group.x) * THREADS + lane;
    if i < arrayLength(&cells) {
        let cell = cells[i];
        let index = old_h_offset() + i32(cell.index);
        let before = depth[index];
        let after = edited_depth(cell, before);
        depth[index] = after;
#if SHALLOW_WATER
        withdraw_momentum(i32(cell.index), before, after);
#endif
        if after < before {
            add_group_words(EDIT_OUT, subtract_words(depth_to_words(before), depth_to_words(after)));
        } else {
            add_group_words(EDIT_IN, subtract_words(depth_to_words(after), depth_to_words(before)));
        }
    }
    workgroupBarrier();
    flush_group_ledger(lane);
}
