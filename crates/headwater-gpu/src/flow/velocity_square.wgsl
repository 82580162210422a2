// Squares: velocity at a cell's centre (m/s, to the east and to the south); 0 in a dry cell.
fn velocity_of(p: vec2<i32>) -> vec2<f32> {
    if seen_depth(stored_at(p)) <= world.dry {
        return vec2<f32>();
    }
    let east = 0.5 * (speed_x(p) + speed_x(p + vec2(1, 0)));
    return vec2(east, 0.5 * (speed_y(p) + speed_y(p + vec2(0, 1))));
}
