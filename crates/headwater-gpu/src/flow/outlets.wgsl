// Springs or drains. An invocation does all of them that a cell belongs to, in their order.

// Places of the cells; from where to where in `outlets` what each belongs to stands; of each outlet there its place among
// the entries; and what it owes the cell.
@group(0) @binding(19) var<storage, read> cells: array<u32>;
@group(0) @binding(20) var<storage, read> starts: array<u32>;
@group(0) @binding(21) var<storage, read> outlets: array<u32>;
@group(0) @binding(22) var<storage, read_write> remainder: array<f32>;

fn pass_outlet(h: f32, i: u32, share: f32) -> f32 {
#if DRAINS
    let passed = take(h, remainder[i], share, UNBOUNDED);
    book(DRAIN_OUT, passed.moved);
#else
    let passed = give(h, remainder[i], share);
    book(SOURCE_IN, passed.moved);
#endif
    remainder[i] = passed.remainder;
    return passed.h;
}

@compute @workgroup_size(THREADS)
fn pass_outlets(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&cells) || !step_is_stable() {
        return;
    }
    let at = cells[id.x];
    if bed[at] >= CLOSED {
        return;
    }
    var h = depth[from_h() + i32(at)];
    for (var i = starts[id.x]; i < starts[id.x + 1u]; i++) {
        let entry = now.entries[outlets[i]];
        if entry.kind == 1u {
            h = pass_outlet(h, i, entry.a);
        }
    }
    depth[from_h() + i32(at)] = h;
}
