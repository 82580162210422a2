#if PIPES
// Stages 2 and 3 of a step of the pipes scheme, as in crates/headwater/src/flow/pipes/mod.rs.

fn accelerate(q: f32, push: f32, before: vec2<f32>, after: vec2<f32>) -> f32 {
    return q * current.step.decay + push * surface_drop(before, after);
}

fn drag(q: f32, upstream: f32) -> f32 {
    let h2 = upstream * upstream;
    return q * (h2 / (h2 + current.step.viscous));
}

fn face_discharge(q: f32, push: f32, before: vec2<f32>, after: vec2<f32>) -> f32 {
    let next = accelerate(q, push, before, after);
    if current.step.viscous > 0.0 {
        return drag(next, select(after.y, before.y, next > 0.0));
    }
    return next;
}

fn accelerate_face(family: i32, p: vec2<i32>, before: vec2<f32>, after: vec2<f32>) -> f32 {
    let push = select(current.step.push_y, current.step.push_x, family == X);
    return face_discharge(old_face(family, p), push, before, after);
}

// Returns the inflow through a boundary face with a given water level outside. The outside ground
// is as high as that of the cell.
fn boundary_discharge(is_x: bool, index: i32, into: f32, ground: f32, h: f32, level: f32) -> f32 {
    let push = select(current.step.push_y, current.step.push_x, is_x);
    return accelerate(into, push, vec2(ground, max(level - ground, 0.0)), vec2(ground, h));
}

// Returns the wave speed (m/s) in still water. In the pipes scheme it does not depend on the depth.
fn celerity(still: f32, is_x: bool) -> f32 {
    return select(world.celerity_y, world.celerity_x, is_x);
}
#endif
