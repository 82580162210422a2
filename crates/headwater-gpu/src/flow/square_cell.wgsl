// Squares: the faces of a cell. `new_…` are what a tile or a whole field holds of its faces.

fn outflow(p: vec2<i32>) -> f32 {
    return leaving(new_y(p), new_y(p + vec2(0, 1))) + leaving(new_x(p), new_x(p + vec2(1, 0)));
}

fn inflow(p: vec2<i32>) -> f32 {
    return entering(new_y(p), new_y(p + vec2(0, 1))) + entering(new_x(p), new_x(p + vec2(1, 0)));
}
