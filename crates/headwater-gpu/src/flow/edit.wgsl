// What an edit does to the depths of cells, as `WaterDelta::apply` in crates/headwater/src/flow/edit_delta.rs. Each invocation
// does a cell.

@group(0) @binding(25) var<storage, read> cells: array<CellWork>;

fn edited(cell: CellWork, before: f32) -> f32 {
    if cell.keeps_surface == 0u {
        return max(opaque_(before + cell.to), 0.0);
    }
    let surface = opaque_(cell.old_bed + before);
    return select(before, max(opaque_(surface - cell.to), 0.0), before > 0.0);
}

@compute @workgroup_size(THREADS)
fn edit_cells(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    open_books(lane);
    workgroupBarrier();
    let i = (group.y * groups.x + group.x) * THREADS + lane;
    if i < arrayLength(&cells) {
        let cell = cells[i];
        let at = from_h() + i32(cell.place);
        let before = depth[at];
        let after = edited(cell, before);
        depth[at] = after;
#if SHALLOW_WATER
        follow_water(i32(cell.place), before, after);
#endif
        if after < before {
            book_group_words(EDIT_OUT, minus(words(before), words(after)));
        } else {
            book_group_words(EDIT_IN, minus(words(after), words(before)));
        }
    }
    workgroupBarrier();
    close_books(lane);
}
