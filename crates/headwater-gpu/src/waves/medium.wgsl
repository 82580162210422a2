// How much a difference in height adds to the flux over a face. Twin of the CPU's `waves/medium.rs`.

#if MAP
// Land and maps of speed: each face has a gain of its own.
@group(0) @binding(7) var<storage, read> gains_x: array<f32>;
@group(0) @binding(8) var<storage, read> gains_y: array<f32>;

fn gain_x(x: u32, y: u32) -> f32 {
    return gains_x[y * rule.pitch + x];
}

fn gain_y(x: u32, y: u32) -> f32 {
    return gains_y[y * rule.pitch + x];
}
#else
// Water that carries waves at one speed, with no land: faces have one gain, but for those on the rim.
fn gain_x(x: u32, y: u32) -> f32 {
    if x == 0u {
        return rule.boundary.x;
    }
    return select(rule.gain, rule.boundary.y, x == rule.nx);
}

fn gain_y(x: u32, y: u32) -> f32 {
    if y == 0u {
        return rule.boundary.z;
    }
    return select(rule.gain, rule.boundary.w, y == rule.ny);
}
#endif
