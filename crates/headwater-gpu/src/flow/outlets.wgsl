// Springs or drains. An invocation does all of them that a cell belongs to, in their order.

// Places of the cells; from where to where in `outlets` what each belongs to stands; of each outlet there its place among
// the entries; and what it owes the cell.
@group(0) @binding(11) var<storage, read> cells: array<u32>;
@group(0) @binding(12) var<storage, read> starts: array<u32>;
@group(0) @binding(13) var<storage, read> outlets: array<u32>;
@group(0) @binding(14) var<storage, read_write> owed: array<f32>;

fn pass_outlet(h: f32, i: u32, share: f32) -> f32 {
    var due = opaque_(owed[i] + share);
    if DRAINS == 1u {
        let after = opaque_(max(opaque_(h - due), 0.0));
        let went = opaque_(h - after);
        owed[i] = select(0.0, due - went, after > 0.0);
        book(DRAINED, went);
        return after;
    }
    let after = opaque_(h + due);
    let came = opaque_(after - h);
    owed[i] = due - came;
    book(SPRUNG, came);
    return after;
}

@compute @workgroup_size(THREADS)
fn pass_outlets(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= CELLS || !granted() {
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
