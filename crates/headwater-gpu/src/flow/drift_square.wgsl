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
    let east = sum(quotient(x, swarm.dx), negated(HALF));
    let south = sum(quotient(y, swarm.dy), negated(HALF));
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
