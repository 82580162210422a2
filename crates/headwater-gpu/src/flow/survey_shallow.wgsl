// Shallow water: how many cells waves cross in a second.

fn survey_cell(p: vec2<i32>, at: i32) {
    let q = vec2(momentum_x[from_q() + at], momentum_y[from_q() + at]);
    note_waves(p, depth[from_h() + at], q);
}
