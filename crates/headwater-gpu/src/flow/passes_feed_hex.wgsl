fn old_z(p: vec2<i32>) -> f32 { return stored_z(p); }
fn new_z(p: vec2<i32>) -> f32 { return discharge_z[to_q() + stored(p)]; }

fn feed_third(p: vec2<i32>) {
    if is_kept_z(p) {
        let q = cut(new_z(p), above_z(p), below_z(p));
        discharge_z[from_q() + stored(p)] = q;
        if is_rim_z(p) {
            book_rim(q, above_z(p), below_z(p), p.y == 0);
        }
    }
}
