// Tracers move with the water that a step has left, by the midpoint rule, each for itself.

#if HEX
// Hexagons: velocity at a point, linear between the centres of three cells.

// A cell's velocity, by its column along a slanted axis and its row; beyond the rim, that of the nearest.
fn velocity_near(q: i32, r: i32) -> vec2<f32> {
    let column = q + (r >> 1u);
    return velocity_of(vec2(clamp(column, 0, world.nx - 1), clamp(r, 0, world.ny - 1)));
}

fn weighed(cell: vec2<f32>, weight: Double) -> vec2<f32> {
    let part = float_of(weight);
    return vec2(opaque_(part * cell.x), opaque_(part * cell.y));
}

fn velocity_at(x: Double, y: Double) -> vec2<f32> {
    let south = sum(quotient(y, tracers.head.dy), negated(HALF));
    let east = sum(quotient(x, tracers.head.dx), negated(HALF));
    let along = sum(east, negated(product(HALF, south)));
    let q = floor_of(along);
    let r = floor_of(south);
    let u = sum(along, negated(double_of_whole(q)));
    let v = sum(south, negated(double_of_whole(r)));
    // Of the four centres around, the first or the last is not one of the triangle's.
    var cells = array(vec2(q, r), vec2(q + 1, r), vec2(q, r + 1));
    var weights = array(sum(sum(ONE, negated(u)), negated(v)), u, v);
    if less(ONE, sum(u, v)) {
        cells = array(vec2(q + 1, r + 1), vec2(q, r + 1), vec2(q + 1, r));
        weights = array(sum(sum(u, v), negated(ONE)), sum(ONE, negated(u)), sum(ONE, negated(v)));
    }
    var velocity = vec2<f32>();
    for (var i = 0; i < 3; i++) {
        velocity += weighed(velocity_near(cells[i].x, cells[i].y), weights[i]);
    }
    return velocity;
}
#else
// Squares: velocity at a point, bilinear between the middles of faces.

// A place among points 0 to `last`, and how far it is on the way to the next.
struct Between {
    first: i32,
    second: i32,
    part: f32,
}

fn between(p: Double, last: i32) -> Between {
    let most = double_of_whole(last);
    var place = p;
    if is_negative(p) {
        place = NONE;
    } else if less(most, p) {
        place = most;
    }
    let first = floor_of(place);
    let part = float_of(sum(place, negated(double_of_whole(first))));
    return Between(first, min(first + 1, last), part);
}

fn speed(is_y: bool, p: vec2<i32>) -> f32 {
    if is_y {
        return speed_y(p);
    }
    return speed_x(p);
}

fn mixed(a: f32, b: f32, part: f32) -> f32 {
    return opaque_(a * (1.0 - part)) + opaque_(b * part);
}

fn velocity_at(x: Double, y: Double) -> vec2<f32> {
    let east = sum(quotient(x, tracers.head.dx), negated(HALF));
    let south = sum(quotient(y, tracers.head.dy), negated(HALF));
    var velocity = vec2<f32>();
    for (var axis = 0; axis < 2; axis++) {
        // Faces lie half a cell before the centres of their cells, each family on its own axis.
        let is_y = axis == 1;
        let i = between(select(sum(east, HALF), east, is_y), world.nx - axis);
        let j = between(select(south, sum(south, HALF), is_y), world.ny - 1 + axis);
        var rows = vec2<f32>();
        for (var k = 0; k < 2; k++) {
            let row = select(j.first, j.second, k == 1);
            let first = speed(is_y, vec2(i.first, row));
            rows[k] = mixed(first, speed(is_y, vec2(i.second, row)), i.part);
        }
        velocity[axis] = mixed(rows.x, rows.y, j.part);
    }
    return velocity;
}
#endif

fn seen_h() -> i32 { return to_h(); }

// Three passes bring discharges back to where they were.
fn seen_q() -> i32 { return to_q(); }

fn seen_dt() -> f32 { return now.step.dt; }

// Once around a world without an end.
fn around(joined: u32, p: Double, length: Double) -> Double {
    if joined == 0u {
        return p;
    }
    var rest = p;
    // Nothing goes farther in a step than a cell.
    while !less(rest, length) {
        rest = sum(rest, negated(length));
    }
    while less(rest, negated(length)) {
        rest = sum(rest, length);
    }
    if is_negative(rest) {
        rest = sum(rest, length);
    }
    // What is a rounding below 0 must not come out at the length itself.
    if !less(rest, length) {
        return NONE;
    }
    return rest;
}

// Where a velocity carries a point in some time (s).
fn carried_along(place: vec4<u32>, velocity: vec2<f32>, seconds: Double) -> vec4<u32> {
    var found = place;
    for (var axis = 0; axis < 2; axis++) {
        let way = product(double_of(select(velocity.x, velocity.y, axis == 1)), seconds);
        let to = sum(select(place.xy, place.zw, axis == 1), way);
        if axis == 0 {
            found = vec4(around(world.joined_x, to, tracers.head.around), found.zw);
        } else {
            found = vec4(found.xy, around(world.joined_y, to, tracers.head.height));
        }
    }
    return found;
}

fn is_finite(velocity: vec2<f32>) -> bool {
    let exponents = vec2(bitcast<u32>(velocity.x), bitcast<u32>(velocity.y)) & vec2(0x7f800000u);
    return all(exponents != vec2(0x7f800000u));
}

// A particle after the step; `ENDED` if it is too old, dry or off the grid.
fn moved(before: Particle) -> Particle {
    var after = before;
    after.age = ENDED;
    let age = sum(before.age, step_length());
    let start = vec4(before.x, before.y);
    var place = start;
    var velocity = vec2<f32>();
    // Half a step by the velocity where it is, then the whole step by the velocity there.
    for (var half = 1; half >= 0; half--) {
        if !is_at_sea(place.xy, place.zw) {
            return after;
        }
        velocity = velocity_at(place.xy, place.zw);
        if !is_finite(velocity) {
            return after;
        }
        let seconds = product(select(ONE, HALF, half == 1), step_length());
        place = carried_along(start, velocity, seconds);
    }
    if !is_at_sea(place.xy, place.zw) || !less(age, tracers.head.lifetime) {
        return after;
    }
    if seen_depth(stored_at(cell_of(place.xy, place.zw))) <= world.dry {
        return after;
    }
    return Particle(place.xy, place.zw, velocity, age);
}

@compute @workgroup_size(THREADS)
fn move_tracers(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < tracers.head.alive && step_is_stable() {
        particles[COUNT + id.x] = moved(particles[id.x]);
    }
}
