// State and helper functions of tracer particles, as in crates/headwater/src/flow/tracers.rs:
// 64-bit positions, and random numbers from the same generator in the same order.

struct TracerState {
    head: TracerHeader,
    // Jump-ahead coefficients of the random number generator: multiplier and increment for each
    // number of draws.
    jumps: array<vec4<u32>, JUMP_COEFFICIENT_COUNT>,
    // Column and row of each cell where particles start.
    spawn_cells: array<vec2<u32>>,
}

@group(0) @binding(23) var<storage, read_write> tracers: TracerState;
// Particles, followed by their advected copies.
@group(0) @binding(24) var<storage, read_write> particles: array<Particle>;

// Age that marks an expired particle.
const EXPIRED: vec2<u32> = vec2<u32>(0xffffffffu, 0xffffffffu);

// Returns the step length (s).
fn step_length() -> Double {
    return current.step.exact_dt;
}

fn is_inside_grid(x: Double, y: Double) -> bool {
    let inside = less(x, tracers.head.width) && less(y, tracers.head.height);
    return inside && !is_negative(x) && !is_negative(y);
}

#if HEX
// Conversion of positions to cells on hexagons.

fn shift_of(row: i32) -> Double {
    return select(ZERO, HALF, (row & 1) == 1);
}

fn cell_of(x: Double, y: Double) -> vec2<i32> {
    let row = floor_to_i32(quotient(y, tracers.head.dy));
    let rows = vec3(row, row - 1, row + 1);
    var nearest = vec2<i32>();
    var min_distance = ZERO;
    for (var i = 0; i < 3; i++) {
        let r = clamp(rows[i], 0, world.ny - 1);
        let column = floor_to_i32(sum(quotient(x, tracers.head.dx), negated(shift_of(r))));
        let cell = vec2(clamp(column, 0, world.nx - 1), r);
        let center = center_of(cell);
        let east = sum(center.xy, negated(x));
        let south = sum(center.zw, negated(y));
        let distance = sum(product(east, east), product(south, south));
        if i == 0 || less(distance, min_distance) {
            nearest = cell;
            min_distance = distance;
        }
    }
    return nearest;
}

fn center_of(cell: vec2<i32>) -> vec4<u32> {
    let column = sum(sum(i32_to_double(cell.x), HALF), shift_of(cell.y));
    let row = sum(i32_to_double(cell.y), HALF);
    return vec4(product(column, tracers.head.dx), product(row, tracers.head.dy));
}
#else
// Conversion of positions to cells on squares.

fn cell_of(x: Double, y: Double) -> vec2<i32> {
    let column = floor_to_i32(quotient(x, tracers.head.dx));
    let row = floor_to_i32(quotient(y, tracers.head.dy));
    return vec2(min(column, world.nx - 1), min(row, world.ny - 1));
}

fn center_of(cell: vec2<i32>) -> vec4<u32> {
    let x = product(sum(i32_to_double(cell.x), HALF), tracers.head.dx);
    let y = product(sum(i32_to_double(cell.y), HALF), tracers.head.dy);
    return vec4(x, y);
}
#endif
