// What a flow's kernels know of their world. Every field has rows of `pitch` places, of cells and of faces alike,
// so that one number says where all that belongs to a cell is. What a step changes is stored twice, a `plane`
// apart: a step reads one side and writes the other.

struct World {
    nx: i32,
    ny: i32,
    pitch: i32,
    plane: i32,
    // 1 where opposite edges are one.
    joined_x: u32,
    joined_y: u32,
    // 0, see `opaque`.
    zero_bits: u32,
    // How many kinds of boundaries there are.
    kinds: u32,
    // Manning's roughness where there is no map (s/m^⅓).
    manning: f32,
    // Gravity (m/s²).
    gravity: f32,
    // See `rim`.
    weir: f32,
    // The speed of waves in pipes, over x-faces and y-faces (m/s).
    celerity_x: f32,
    celerity_y: f32,
    // Widths of inner faces (m).
    face_x: f32,
    face_y: f32,
    // Widths of boundary faces (m): of even and odd rows in the west and east, in the north and south.
    west_even: f32,
    west_odd: f32,
    east_even: f32,
    east_odd: f32,
    north: f32,
    // Area of a cell (m²).
    area: f32,
    // Depth up to which a cell counts as dry, for velocities (m).
    dry: f32,
    spare_1: u32,
    spare_2: u32,
}

// What stays the same over a step: the CPU's coefficients.
struct Step {
    // 0: nothing is to be done.
    go: u32,
    // The side that depths and discharges are read from.
    side_h: u32,
    side_q: u32,
    // The part of a discharge that friction leaves.
    keep: f32,
    // dt / area of a cell (s/m²).
    to_depth: f32,
    // By the way that faces are crossed: gain per metre of surface difference, 1/width, and from discharges beside to
    // a unit discharge along.
    push_x: f32,
    push_y: f32,
    unit_x: f32,
    unit_y: f32,
    across_x: f32,
    across_y: f32,
    // The filter's θ and ½(1 − θ).
    theta: f32,
    beside: f32,
    // g·dt (m/s).
    gravity: f32,
    // 3·dt·ν (m²).
    viscous: f32,
    // What is due to each cell (m).
    rain: f32,
    evaporation: f32,
    soak: f32,
    seep: f32,
    // What the soil can hold (m), in two floats.
    capacity: f32,
    capacity_rest: f32,
    // Of the guard: the number of the state that it looks at, the depth that waves allow (m), the loss that is
    // allowed (1/s, times the area of a cell), up to which depth any loss is (m), and how deep it is outside (m).
    slot: u32,
    deepest: f32,
    loss: f32,
    deepest_of_losses: f32,
    outside: f32,
    // dt / area, to turn depths that left into losses.
    to_area: f32,
    // The step's length (s), and the same in 64 bits.
    dt: f32,
    dt_low: u32,
    dt_high: u32,
}

// What stands outside a boundary, or what is due to the cells of a source.
struct Entry {
    kind: u32,
    a: f32,
    b: f32,
    spare: f32,
}

struct Now {
    step: Step,
    // The boundaries, then the springs, then the drains.
    entries: array<Entry>,
}

@group(0) @binding(0) var<uniform> world: World;
@group(0) @binding(1) var<storage, read> now: Now;
// For each boundary face, west, east, north and south, its place among the entries.
@group(0) @binding(2) var<storage, read> owners: array<u32>;
@group(0) @binding(3) var<storage, read_write> books: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read> bed: array<f32>;
@group(0) @binding(5) var<storage, read_write> depth: array<f32>;
@group(0) @binding(6) var<storage, read_write> discharge_x: array<f32>;
@group(0) @binding(7) var<storage, read_write> discharge_y: array<f32>;

// The bed of a closed cell, and of all that lies off the grid.
const CLOSED: f32 = 3e38;

fn opaque_(value: f32) -> f32 {
    return opaque(value, world.zero_bits);
}

// Where the depths and discharges lie that a step reads, and those that it writes.
fn from_h() -> i32 { return i32(now.step.side_h) * world.plane; }
fn to_h() -> i32 { return i32(1u - now.step.side_h) * world.plane; }
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

// Bed and depth of a cell in store.
fn stored_cell(p: vec2<i32>) -> vec2<f32> {
    let at = place(p);
    if at < 0 {
        return vec2<f32>(CLOSED, 0.0);
    }
    return vec2<f32>(bed[at], depth[from_h() + at]);
}
