// Hexagons: where positions are among the cells.

fn shift_of(row: i32) -> Double {
    return select(NONE, HALF, (row & 1) == 1);
}

fn cell_of(x: Double, y: Double) -> vec2<i32> {
    let row = floor_of(quotient(y, swarm.dy));
    let rows = vec3(row, row - 1, row + 1);
    var nearest = vec2<i32>();
    var least = NONE;
    for (var i = 0; i < 3; i++) {
        let r = clamp(rows[i], 0, world.ny - 1);
        let column = floor_of(sum(quotient(x, swarm.dx), negated(shift_of(r))));
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
    return vec4(product(column, swarm.dx), product(row, swarm.dy));
}
