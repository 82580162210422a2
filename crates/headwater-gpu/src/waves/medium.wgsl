// Land and maps of speed: each face has a gain of its own. Twin of the CPU's `waves/medium.rs`.

fn gain_x(x: u32, y: u32) -> f32 {
    return gains_x[y * rule.pitch + x];
}

fn gain_y(x: u32, y: u32) -> f32 {
    return gains_y[y * rule.pitch + x];
}
