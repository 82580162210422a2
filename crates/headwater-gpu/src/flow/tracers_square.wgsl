// Squares: where positions are among the cells.

fn cell_of(x: Double, y: Double) -> vec2<i32> {
    let column = floor_of(quotient(x, swarm.dx));
    let row = floor_of(quotient(y, swarm.dy));
    return vec2(min(column, world.nx - 1), min(row, world.ny - 1));
}

fn center_of(cell: vec2<i32>) -> vec4<u32> {
    let x = product(sum(double_of_whole(cell.x), HALF), swarm.dx);
    let y = product(sum(double_of_whole(cell.y), HALF), swarm.dy);
    return vec4(x, y);
}
