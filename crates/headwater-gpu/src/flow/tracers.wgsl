// Tracer particles, as crates/headwater/src/flow/particles.rs has them: where they are in numbers of 64 bits, and their
// numbers from the same generator in the same order.

struct TracerState {
    head: SwarmHead,
    // For each number of draws, what the generator's state is multiplied by, and what is added then.
    jumps: array<vec4<u32>, JUMPS>,
    // Columns and rows of the cells that particles begin in.
    births: array<vec2<u32>>,
}

@group(0) @binding(23) var<storage, read_write> tracers: TracerState;
// The particles, and after as many places those that have moved.
@group(0) @binding(24) var<storage, read_write> particles: array<Particle>;

// The age of one that has come to its end.
const ENDED: vec2<u32> = vec2<u32>(0xffffffffu, 0xffffffffu);

// A step's length (s).
fn step_length() -> Double {
    return now.step.exact_dt;
}

fn is_at_sea(x: Double, y: Double) -> bool {
    let inside = less(x, tracers.head.width) && less(y, tracers.head.height);
    return inside && !is_negative(x) && !is_negative(y);
}

#if HEX
// Hexagons: where positions are among the cells.

fn shift_of(row: i32) -> Double {
    return select(NONE, HALF, (row & 1) == 1);
}

fn cell_of(x: Double, y: Double) -> vec2<i32> {
    let row = floor_of(quotient(y, tracers.head.dy));
    let rows = vec3(row, row - 1, row + 1);
    var nearest = vec2<i32>();
    var least = NONE;
    for (var i = 0; i < 3; i++) {
        let r = clamp(rows[i], 0, world.ny - 1);
        let column = floor_of(sum(quotient(x, tracers.head.dx), negated(shift_of(r))));
        let cell = vec2(clamp(column, 0, world.nx - 1), r);
        let center = center_of(cell);
        let east = sum(center.xy, negated(x));
        let south = sum(center.zw, negated(y));
        let distance = sum(product(east, east), product(south, south));
        if i == 0 || less(distance, least) {
            nearest = cell;
            least = distance;
        }
    }
    return nearest;
}

fn center_of(cell: vec2<i32>) -> vec4<u32> {
    let column = sum(sum(double_of_whole(cell.x), HALF), shift_of(cell.y));
    let row = sum(double_of_whole(cell.y), HALF);
    return vec4(product(column, tracers.head.dx), product(row, tracers.head.dy));
}
#else
// Squares: where positions are among the cells.

fn cell_of(x: Double, y: Double) -> vec2<i32> {
    let column = floor_of(quotient(x, tracers.head.dx));
    let row = floor_of(quotient(y, tracers.head.dy));
    return vec2(min(column, world.nx - 1), min(row, world.ny - 1));
}

fn center_of(cell: vec2<i32>) -> vec4<u32> {
    let x = product(sum(double_of_whole(cell.x), HALF), tracers.head.dx);
    let y = product(sum(double_of_whole(cell.y), HALF), tracers.head.dy);
    return vec4(x, y);
}
#endif
