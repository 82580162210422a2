// Buffers and indexing shared by the flow kernels. All cell and face fields have rows of `pitch`
// elements, so one index addresses a cell and its faces. Fields that a step changes are
// double-buffered, with the copies `plane` elements apart: a step reads one copy and writes the
// other.

struct StepInput {
    step: Step,
    // Entries of boundaries, then of springs, then of drains.
    entries: array<Entry>,
}

@group(0) @binding(0) var<uniform> world: World;
@group(0) @binding(1) var<storage, read> current: StepInput;
// For each boundary face, the index of its boundary in the entries; edges in the order west, east,
// north, south.
@group(0) @binding(2) var<storage, read> boundary_indices: array<u32>;
@group(0) @binding(3) var<storage, read_write> ledger: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read> bed: array<f32>;
// Two copies of the depths, followed by their rounding remainders, which only the step of the same
// cell uses.
@group(0) @binding(5) var<storage, read_write> depth: array<f32>;
@group(0) @binding(6) var<storage, read_write> discharge_x: array<f32>;
@group(0) @binding(7) var<storage, read_write> discharge_y: array<f32>;
#if HEX
@group(0) @binding(8) var<storage, read_write> discharge_z: array<f32>;
#endif
#if ROUGH_MAP
// Manning's roughness of each cell (s/m^⅓).
@group(0) @binding(9) var<storage, read> roughness: array<f32>;
#endif
#if SHALLOW_WATER
// Momentum of the water in each cell (m²/s), to the east and to the south.
@group(0) @binding(11) var<storage, read_write> momentum_x: array<f32>;
@group(0) @binding(12) var<storage, read_write> momentum_y: array<f32>;
#endif

#if SHALLOW_WATER
// Removes the momentum of withdrawn water from a cell. Added water brings no momentum.
fn withdraw_momentum(index: i32, before: f32, after: f32) {
    if after < before {
        let rest = after / before;
        momentum_x[old_q_offset() + index] *= rest;
        momentum_y[old_q_offset() + index] *= rest;
    }
}
#endif

// Bed height that marks closed cells and everything outside the grid.
const CLOSED: f32 = 3e38;

fn opaque_(value: f32) -> f32 {
    return opaque(value, world.zero_bits);
}

// Offsets (elements) of the copies that a step reads (old) and writes (new).
fn old_h_offset() -> i32 { return i32(current.step.buffer_h) * world.plane; }
fn new_h_offset() -> i32 { return i32(1u - current.step.buffer_h) * world.plane; }
fn remainder_offset() -> i32 { return 2 * world.plane; }
fn old_q_offset() -> i32 { return i32(current.step.buffer_q) * world.plane; }
fn new_q_offset() -> i32 { return i32(1u - current.step.buffer_q) * world.plane; }

// Wraps a column or row index on periodic axes. Returns −1 outside the grid.
fn wrap(i: i32, n: i32, joined: u32) -> i32 {
    if u32(i) < u32(n) {
        return i;
    }
    if joined == 0u {
        return -1;
    }
    let rest = i % n;
    return select(rest, rest + n, rest < 0);
}

fn column(x: i32) -> i32 { return wrap(x, world.nx, world.periodic_x); }
fn row(y: i32) -> i32 { return wrap(y, world.ny, world.periodic_y); }

// Returns the buffer index of a cell; −1 outside the grid.
fn cell_index(p: vec2<i32>) -> i32 {
    let x = column(p.x);
    let y = row(p.y);
    return select(y * world.pitch + x, -1, (x | y) < 0);
}

// Returns the buffer index of a cell or face on the grid.
fn grid_index(p: vec2<i32>) -> i32 { return p.y * world.pitch + p.x; }

// Returns the bed height and depth of a cell.
fn load_cell(p: vec2<i32>) -> vec2<f32> {
    let index = cell_index(p);
    if index < 0 {
        return vec2<f32>(CLOSED, 0.0);
    }
    return vec2<f32>(bed[index], depth[old_h_offset() + index]);
}

// Returns Manning's roughness (s/m^⅓) of a cell, given its coordinates or its index.
#if ROUGH_MAP
fn manning(p: vec2<i32>) -> f32 { return roughness[max(cell_index(p), 0)]; }
fn manning_at(index: i32) -> f32 { return roughness[index]; }
#else
fn manning(p: vec2<i32>) -> f32 { return world.manning; }
fn manning_at(index: i32) -> f32 { return world.manning; }
#endif
