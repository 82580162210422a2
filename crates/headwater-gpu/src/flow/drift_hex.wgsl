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
    let south = sum(quotient(y, swarm.dy), negated(HALF));
    let east = sum(quotient(x, swarm.dx), negated(HALF));
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
