// Pipes as deep as the water: what leaves a cell over its faces in a second, as crates/headwater/src/flow/inertial/limit.rs has it. A record that is told
// for a survey has 1 for `to_area`.

fn survey_cell(p: vec2<i32>, at: i32) {
    let q = from_q() + at;
    let x = leaving(discharge_x[q], discharge_x[q + 1]);
    let y = leaving(discharge_y[q], discharge_y[q + world.pitch]);
    note_cell(depth[from_h() + at], (x + y + leaving_third(p, q)) * now.step.to_area);
}
