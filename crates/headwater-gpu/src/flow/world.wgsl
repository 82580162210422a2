// What a flow's kernels know of their world. Every field has rows of `pitch` places, of cells and of faces alike,
// so that one number says where all that belongs to a cell is. What a step changes is stored twice, a `plane`
// apart: a step reads one side and writes the other.

struct Now {
    step: Step,
    // The boundaries, then the springs, then the drains.
    entries: array<Entry>,
}

@group(0) @binding(0) var<uniform> world: World;
@group(0) @binding(1) var<storage, read> now: Now;
// For each boundary face, west, east, north and south, its place among the entries.
@group(0) @binding(2) var<storage, read> owners: array<u32>;
@group(0) @binding(3) var<storage, read_write> ledger: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read> bed: array<f32>;
// Two sides, and behind them the remainders of depths: a cell's own step alone looks at those.
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
// Momentum of the water of cells (m²/s, to the east and to the south).
@group(0) @binding(11) var<storage, read_write> momentum_x: array<f32>;
@group(0) @binding(12) var<storage, read_write> momentum_y: array<f32>;
#endif

#if SHALLOW_WATER
// What is left of a cell's momentum: water that goes takes its own along, water that comes brings none.
fn follow_water(at: i32, before: f32, after: f32) {
    if after < before {
        let rest = after / before;
        momentum_x[from_q() + at] *= rest;
        momentum_y[from_q() + at] *= rest;
    }
}
#endif

// The bed of a closed cell, and of all that lies off the grid.
const CLOSED: f32 = 3e38;

fn opaque_(value: f32) -> f32 {
    return opaque(value, world.zero_bits);
}

// Where the depths and discharges lie that a step reads, and those that it writes.
fn from_h() -> i32 { return i32(now.step.side_h) * world.plane; }
fn to_h() -> i32 { return i32(1u - now.step.side_h) * world.plane; }
fn remainders() -> i32 { return 2 * world.plane; }
fn from_q() -> i32 { return i32(now.step.side_q) * world.plane; }
fn to_q() -> i32 { return i32(1u - now.step.side_q) * world.plane; }

// A column or row, on the grid if that is joined there; −1 off it.
fn wrapped(i: i32, n: i32, joined: u32) -> i32 {
    if u32(i) < u32(n) {
        return i;
    }
    if joined == 0u {
        return -1;
    }
    let rest = i % n;
    return select(rest, rest + n, rest < 0);
}

fn column(x: i32) -> i32 { return wrapped(x, world.nx, world.joined_x); }
fn row(y: i32) -> i32 { return wrapped(y, world.ny, world.joined_y); }

// The place of a cell in store; −1 off the grid.
fn place(p: vec2<i32>) -> i32 {
    let x = column(p.x);
    let y = row(p.y);
    return select(y * world.pitch + x, -1, (x | y) < 0);
}

// The place in store of a cell or face that is on the grid.
fn stored_at(p: vec2<i32>) -> i32 { return p.y * world.pitch + p.x; }

// Bed and depth of a cell in store.
fn stored_cell(p: vec2<i32>) -> vec2<f32> {
    let at = place(p);
    if at < 0 {
        return vec2<f32>(CLOSED, 0.0);
    }
    return vec2<f32>(bed[at], depth[from_h() + at]);
}

// Manning's roughness of a cell (s/m^⅓), by its place on the grid and in store.
#if ROUGH_MAP
fn manning(p: vec2<i32>) -> f32 { return roughness[max(place(p), 0)]; }
fn manning_at(at: i32) -> f32 { return roughness[at]; }
#else
fn manning(p: vec2<i32>) -> f32 { return world.manning; }
fn manning_at(at: i32) -> f32 { return world.manning; }
#endif
