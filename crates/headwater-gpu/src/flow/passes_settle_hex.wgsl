fn old_z(p: vec2<i32>) -> f32 { return stored_z(p); }
fn new_z(p: vec2<i32>) -> f32 {
    return moved(discharge_z[from_q() + stored(p)], above_z(p), below_z(p));
}
