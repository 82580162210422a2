// Water that carries waves at one speed, with no land: faces have one gain, but for those on the rim.

fn gain_x(x: u32, y: u32) -> f32 {
    if x == 0u {
        return rule.rim.x;
    }
    return select(rule.gain, rule.rim.y, x == rule.nx);
}

fn gain_y(x: u32, y: u32) -> f32 {
    if y == 0u {
        return rule.rim.z;
    }
    return select(rule.gain, rule.rim.w, y == rule.ny);
}
