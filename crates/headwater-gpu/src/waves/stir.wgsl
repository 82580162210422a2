// What stirs the surface: adds a list of heights or heads to their cells, or takes it off again. A cell may be in it
// several times.

// Where in the list to begin, how many entries there are, and 1 to take them off.
@group(0) @binding(0) var<storage, read> record: array<u32>;
// Places in store, and quanta.
@group(0) @binding(1) var<storage, read> list: array<vec2<i32>>;
@group(0) @binding(2) var<storage, read_write> cells: array<atomic<i32>>;

@compute @workgroup_size(ENTRIES)
fn stir(@builtin(global_invocation_id) at: vec3<u32>) {
    if at.x < record[1] {
        let entry = list[record[0] + at.x];
        let value = select(entry.y, -entry.y, record[2] == 1u);
        atomicAdd(&cells[entry.x], value);
    }
}
