// Pipes look at no face but their own, so tiles do not keep what was before the step.

fn load_old(i: u32, p: vec2<i32>) {}
fn old_x(p: vec2<i32>) -> f32 { return stored_x(p); }
fn old_y(p: vec2<i32>) -> f32 { return stored_y(p); }
