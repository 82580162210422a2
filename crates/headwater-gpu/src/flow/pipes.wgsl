#if PIPES
// Stages 2 and 3 of the pipes, as crates/headwater/src/flow/pipes/mod.rs has them.

fn accelerate(q: f32, push: f32, before: vec2<f32>, after: vec2<f32>) -> f32 {
    return q * now.step.keep + push * fall(before, after);
}

fn drag(q: f32, upstream: f32) -> f32 {
    let h2 = upstream * upstream;
    return q * (h2 / (h2 + now.step.viscous));
}

fn drive(q: f32, push: f32, before: vec2<f32>, after: vec2<f32>) -> f32 {
    let next = accelerate(q, push, before, after);
    if now.step.viscous > 0.0 {
        return drag(next, select(after.y, before.y, next > 0.0));
    }
    return next;
}

fn drive_face(family: i32, p: vec2<i32>, before: vec2<f32>, after: vec2<f32>) -> f32 {
    let push = select(now.step.push_y, now.step.push_x, family == X);
    return drive(old_face(family, p), push, before, after);
}

// A boundary face with water at a level outside, where the ground goes on level.
fn drive_rim(is_x: bool, at: i32, into: f32, ground: f32, h: f32, level: f32) -> f32 {
    let push = select(now.step.push_y, now.step.push_x, is_x);
    return accelerate(into, push, vec2(ground, max(level - ground, 0.0)), vec2(ground, h));
}

// The speed of waves in still water: in pipes, at any depth.
fn celerity(still: f32, is_x: bool) -> f32 {
    return select(world.celerity_y, world.celerity_x, is_x);
}
#endif
