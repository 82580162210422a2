// Forcing kernel: adds a list of heights or pressure heads to the cells, or subtracts it. A cell
// may occur several times in the list.

// Start of the list, number of entries, and 1 if they are to be subtracted.
@group(0) @binding(0) var<storage, read> record: array<u32>;
// List entries: cell index and value (quanta).
@group(0) @binding(1) var<storage, read> list: array<vec2<i32>>;
@group(0) @binding(2) var<storage, read_write> cells: array<atomic<i32>>;

@compute @workgroup_size(FORCING_THREADS)
fn apply_forcing(@builtin(global_invocation_id) at: vec3<u32>) {
    if at.x < record[1] {
        let entry = list[record[0] + at.x];
        let value = select(entry.y, -entry.y, record[2] == 1u);
        atomicAdd(&cells[entry.x], value);
    }
}
