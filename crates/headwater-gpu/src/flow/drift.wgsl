// Advection of tracers by the midpoint rule, with the velocity after a step.

#if HEX
// Velocity at a point on hexagons: linear between the centres of three cells.

// Returns the velocity of the cell in column `q` along a slanted axis and row `r`, clamped to the
// grid.
fn velocity_near(q: i32, r: i32) -> vec2<f32> {
    let column = q + (r >> 1u);
    return velocity_of(vec2(clamp(column, 0, world.nx - 1), clamp(r, 0, world.ny - 1)));
}

fn scaled_by(cell: vec2<f32>, weight: Double) -> vec2<f32> {
    let factor = double_to_f32(weight);
    return vec2(opaque_(factor * cell.x), opaque_(factor * cell.y));
}

fn velocity_at(x: Double, y: Double) -> vec2<f32> {
    let south = sum(quotient(y, tracers.head.dy), negated(HALF));
    let east = sum(quotient(x, tracers.head.dx), negated(HALF));
    let along = sum(east, negated(product(HALF, south)));
    let q = floor_to_i32(along);
    let r = floor_to_i32(south);
    let u = sum(along, negated(i32_to_double(q)));
    let v = sum(south, negated(i32_to_double(r)));
    // Of the four centres around the point, either the first or the last is not part of the
    // triangle.
    var cells = array(vec2(q, r), vec2(q + 1, r), vec2(q, r + 1));
    var weights = array(sum(sum(ONE, negated(u)), negated(v)), u, v);
    if less(ONE, sum(u, v)) {
        cells = array(vec2(q + 1, r + 1), vec2(q, r + 1), vec2(q + 1, r));
        weights = array(sum(sum(u, v), negated(ONE)), sum(ONE, negated(u)), sum(ONE, negated(v)));
    }
    var velocity = vec2<f32>();
    for (var i = 0; i < 3; i++) {
        velocity += scaled_by(velocity_near(cells[i].x, cells[i].y), weights[i]);
    }
    return velocity;
}
#else
// Velocity at a point on squares: bilinear between the midpoints of faces.

// Position between two of the sample points 0 to `last`, with the weight of the second point.
struct Interpolation {
    first: i32,
    second: i32,
    weight: f32,
}

fn interpolation(p: Double, last: i32) -> Interpolation {
    let last_point = i32_to_double(last);
    var position = p;
    if is_negative(p) {
        position = ZERO;
    } else if less(last_point, p) {
        position = last_point;
    }
    let first = floor_to_i32(position);
    let weight = double_to_f32(sum(position, negated(i32_to_double(first))));
    return Interpolation(first, min(first + 1, last), weight);
}

fn speed(is_y: bool, p: vec2<i32>) -> f32 {
    if is_y {
        return speed_y(p);
    }
    return speed_x(p);
}

fn lerp(a: f32, b: f32, weight: f32) -> f32 {
    return opaque_(a * (1.0 - weight)) + opaque_(b * weight);
}

fn velocity_at(x: Double, y: Double) -> vec2<f32> {
    let east = sum(quotient(x, tracers.head.dx), negated(HALF));
    let south = sum(quotient(y, tracers.head.dy), negated(HALF));
    var velocity = vec2<f32>();
    for (var axis = 0; axis < 2; axis++) {
        // Faces lie half a cell before the centres of their cells, along the axis of their family.
        let is_y = axis == 1;
        let i = interpolation(select(sum(east, HALF), east, is_y), world.nx - axis);
        let j = interpolation(select(south, sum(south, HALF), is_y), world.ny - 1 + axis);
        var rows = vec2<f32>();
        for (var k = 0; k < 2; k++) {
            let row = select(j.first, j.second, k == 1);
            let first = speed(is_y, vec2(i.first, row));
            rows[k] = lerp(first, speed(is_y, vec2(i.second, row)), i.weight);
        }
        velocity[axis] = lerp(rows.x, rows.y, j.weight);
    }
    return velocity;
}
#endif

fn sampled_h_offset() -> i32 { return new_h_offset(); }

// After a step, the current discharges are in the buffer that the step wrote.
fn sampled_q_offset() -> i32 { return new_q_offset(); }

fn sampled_dt() -> f32 { return current.step.dt; }

// Wraps a coordinate into the period `length` on periodic axes.
fn wrap_coordinate(joined: u32, p: Double, length: Double) -> Double {
    if joined == 0u {
        return p;
    }
    var rest = p;
    // A particle moves less than one cell per step, so the loop ends soon.
    while !less(rest, length) {
        rest = sum(rest, negated(length));
    }
    while less(rest, negated(length)) {
        rest = sum(rest, length);
    }
    if is_negative(rest) {
        rest = sum(rest, length);
    }
    // Rounding of a small negative coordinate must not result in the period itself, which is
    // outside the allowed range.
    if !less(rest, length) {
        return ZERO;
    }
    return rest;
}

// Returns `position` moved with a velocity (m/s) for some time (s).
fn advance(position: vec4<u32>, velocity: vec2<f32>, seconds: Double) -> vec4<u32> {
    var result = position;
    for (var axis = 0; axis < 2; axis++) {
        let displacement = product(f32_to_double(select(velocity.x, velocity.y, axis == 1)), seconds);
        let to = sum(select(position.xy, position.zw, axis == 1), displacement);
        if axis == 0 {
            result = vec4(wrap_coordinate(world.periodic_x, to, tracers.head.period_x), result.zw);
        } else {
            result = vec4(result.xy, wrap_coordinate(world.periodic_y, to, tracers.head.height));
        }
    }
    return result;
}

fn is_finite(velocity: vec2<f32>) -> bool {
    let exponents = vec2(bitcast<u32>(velocity.x), bitcast<u32>(velocity.y)) & vec2(0x7f800000u);
    return all(exponents != vec2(0x7f800000u));
}

// Returns the particle after advection. Its age is `EXPIRED` if it is too old, dry or outside the
// grid.
fn advect(before: Particle) -> Particle {
    var after = before;
    after.age = EXPIRED;
    let age = sum(before.age, step_length());
    let start = vec4(before.x, before.y);
    var position = start;
    var velocity = vec2<f32>();
    // Move by half a step with the velocity at the start, then by a full step from the start with
    // the velocity at the midpoint.
    for (var half = 1; half >= 0; half--) {
        if !is_inside_grid(position.xy, position.zw) {
            return after;
        }
        velocity = velocity_at(position.xy, position.zw);
        if !is_finite(velocity) {
            return after;
        }
        let seconds = product(select(ONE, HALF, half == 1), step_length());
        position = advance(start, velocity, seconds);
    }
    if !is_inside_grid(position.xy, position.zw) || !less(age, tracers.head.lifetime) {
        return after;
    }
    if sampled_depth(grid_index(cell_of(position.xy, position.zw))) <= world.dry {
        return after;
    }
    return Particle(position.xy, position.zw, velocity, age);
}

@compute @workgroup_size(THREADS)
fn move_tracers(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < tracers.head.alive && step_is_stable() {
        particles[COUNT + id.x] = advect(particles[id.x]);
    }
}
