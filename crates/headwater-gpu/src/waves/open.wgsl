// No edge absorbs.

fn faded_x(flux: f32, x: u32) -> f32 {
    return flux;
}

fn faded_y(flux: f32, y: u32) -> f32 {
    return flux;
}

fn fade(x: u32, y: u32, along_x: i32, along_y: i32) -> i32 {
    return 0;
}
