#if INERTIAL
// Stages 2 and 3 of a step of the local inertial equations, as in
// crates/headwater/src/flow/inertial/mod.rs.

// Depth over a face (m) below which no water flows.
const MIN_FACE_DEPTH: f32 = 1e-6;

struct Face {
    q: f32,
    neighbours: vec2<f32>,
    transverse_sum: f32,
    before: vec2<f32>,
    after: vec2<f32>,
    drag_factor: f32,
}

fn halley_step(r: f32, h: f32) -> f32 {
    let e = 1.0 - h * r * (r * r);
    return r + r * (e * (1.0 / 3.0 + e * (2.0 / 9.0)));
}

// Returns h^(−1/3), as in crates/headwater/src/flow/inertial/root.rs.
fn inverse_cube_root(h: f32) -> f32 {
    return halley_step(halley_step(inverse_cube_root_guess(h), h), h);
}

fn face_discharge(face: Face, push: f32, unit: f32, unit_across: f32) -> f32 {
    let before = face.before.x + face.before.y;
    let after = face.after.x + face.after.y;
    let over = fast_max(before, after) - fast_max(face.before.x, face.after.x);
    let wet = fast_max(over, MIN_FACE_DEPTH);
    let filtered = current.step.theta * face.q + current.step.half_one_minus_theta * (face.neighbours.x + face.neighbours.y);
    let kept = filtered * current.step.decay;
    let pushed = push * wet * surface_drop(face.before, face.after);
    let u = face.q * unit;
    let v = face.transverse_sum * unit_across;
    let speed = sqrt(u * u + v * v);
    let third = inverse_cube_root(wet);
    let inverse_square = third * third * third * (third * third * third);
    let open = select(0.0, 1.0, over > MIN_FACE_DEPTH);
    let drag = face.drag_factor * third * inverse_square;
    return open * apply_friction(vec2(kept, pushed), vec2(drag, current.step.viscous * inverse_square), speed, unit);
}

// Returns an approximation of √x for x ≥ 1, with a relative error of 0 to +6 %.
fn approximate_sqrt(x: f32) -> f32 {
    return bitcast<f32>((bitcast<u32>(x) >> 1u) + 0x1fc00000u);
}

// Applies friction to a discharge and its acceleration, which follow a Riccati equation.
fn apply_friction(moved: vec2<f32>, drag: vec2<f32>, speed: f32, unit: f32) -> f32 {
    let s = approximate_sqrt(1.0 + drag.x * abs(moved.y * unit));
    return (moved.x * s + moved.y) / (s + (drag.x * speed + drag.y));
}

// Returns g·dt·n² of a face, from the roughness n of its two cells.
fn drag_factor(before: f32, after: f32) -> f32 {
    let n = 0.5 * (before + after);
    return current.step.gravity * (n * n);
}

fn face_discharge_along(is_x: bool, face: Face) -> f32 {
    let step = current.step;
    if is_x {
        return face_discharge(face, step.push_x, step.unit_x, step.across_x);
    }
    return face_discharge(face, step.push_y, step.unit_y, step.across_y);
}

fn accelerate_face(family: i32, p: vec2<i32>, before: vec2<f32>, after: vec2<f32>) -> f32 {
    let n = drag_factor(manning(cell_before(family, p)), manning(cell_after(family, p)));
    let face = Face(old_face(family, p), along(family, p), transverse_sum(family, p), before, after, n);
    return face_discharge_along(family == X, face);
}

// Returns the inflow through a boundary face with a given water level outside. The outside ground
// is as high as that of the cell, and the flow is uniform.
fn boundary_discharge(is_x: bool, index: i32, into: f32, ground: f32, h: f32, level: f32) -> f32 {
    let n = manning_at(index);
    let boundary_state = vec2(ground, fast_max(level - ground, 0.0));
    let face = Face(into, vec2(into, into), 0.0, boundary_state, vec2(ground, h), drag_factor(n, n));
    return face_discharge_along(is_x, face);
}

// Returns the wave speed (m/s) in still water of the depth `still` (m).
fn celerity(still: f32, is_x: bool) -> f32 {
    return sqrt(world.gravity * still);
}
#endif
