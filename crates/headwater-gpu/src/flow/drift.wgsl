// Tracers move with the water that a step has left, by the midpoint rule, each for itself.

fn seen_h() -> i32 { return to_h(); }

// Three passes bring discharges back to where they were.
fn seen_q() -> i32 { return select(to_q(), from_q(), THREE_PASS == 1u); }

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
            found = vec4(around(world.joined_x, to, swarm.around), found.zw);
        } else {
            found = vec4(found.xy, around(world.joined_y, to, swarm.height));
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
    if !is_at_sea(place.xy, place.zw) || !less(age, swarm.lifetime) {
        return after;
    }
    if seen_depth(stored_at(cell_of(place.xy, place.zw))) <= world.dry {
        return after;
    }
    return Particle(place.xy, place.zw, velocity, age);
}

@compute @workgroup_size(THREADS)
fn move_tracers(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x < swarm.alive && granted() {
        particles[COUNT + id.x] = moved(particles[id.x]);
    }
}
