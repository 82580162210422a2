// Kernel for springs or drains. Each invocation handles all outlets of a cell, in order.

// Buffer indices of the cells with outlets.
@group(0) @binding(19) var<storage, read> cells: array<u32>;
// For each of these cells, the start of its list in `outlets`.
@group(0) @binding(20) var<storage, read> starts: array<u32>;
// For each list element, the index of its outlet in the step's entries.
@group(0) @binding(21) var<storage, read> outlets: array<u32>;
// For each list element, the rounding remainder of its exchange.
@group(0) @binding(22) var<storage, read_write> remainder: array<f32>;

fn exchange_with_outlet(h: f32, i: u32, share: f32) -> f32 {
#if DRAINS
    let result = remove_with_carry(h, remainder[i], share, UNBOUNDED);
    record_global(DRAIN_OUT, result.exchanged);
#else
    let result = add_with_carry(h, remainder[i], share);
    record_global(SOURCE_IN, result.exchanged);
#endif
    remainder[i] = result.remainder;
    return result.h;
}

@compute @workgroup_size(THREADS)
fn exchange_outlets(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= arrayLength(&cells) || !step_is_stable() {
        return;
    }
    let index = cells[id.x];
    if bed[index] >= CLOSED {
        return;
    }
    var h = depth[old_h_offset() + i32(index)];
    for (var i = starts[id.x]; i < starts[id.x + 1u]; i++) {
        let entry = current.entries[outlets[i]];
        if entry.kind == 1u {
            h = exchange_with_outlet(h, i, entry.a);
        }
    }
    depth[old_h_offset() + i32(index)] = h;
}
