fn old_z(p: vec2<i32>) -> f32 { return stored_z(p); }
fn new_z(p: vec2<i32>) -> f32 { return 0.0; }

fn drive_third(p: vec2<i32>) {
    if is_kept_z(p) {
        discharge_z[to_q() + stored(p)] = driven_z(p);
    }
}
