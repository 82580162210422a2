// Faces that look at their neighbours as they were before the step: tiles keep that too.

var<workgroup> kept_x: array<f32, PLACES>;
var<workgroup> kept_y: array<f32, PLACES>;

fn load_old(i: u32, p: vec2<i32>) {
    kept_x[i] = stored_x(p);
    kept_y[i] = stored_y(p);
    load_third(i, p);
}

fn old_x(p: vec2<i32>) -> f32 { return kept_x[at(p)]; }
fn old_y(p: vec2<i32>) -> f32 { return kept_y[at(p)]; }
