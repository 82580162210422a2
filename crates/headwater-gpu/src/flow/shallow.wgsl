#if SHALLOW_WATER
// Formulas of the shallow-water scheme, in the order of crates/headwater/src/flow/shallow/mod.rs
// and friction.rs. They are written for the x-direction; for the y-direction, the velocity
// components are swapped.

const FILM_DEPTH: f32 = 1e-5;
const DRY_DEPTH: f32 = 1e-8;
const MIN_MOMENTUM: f32 = 1e-15;
const SURFACE_LEVEL_TOLERANCE: f32 = 4.76837158203125e-7;
const MIN_POSITIVE: f32 = 1.17549435e-38;
const RIPPLE_FRACTION: f32 = 0.0078125;

// State of a cell or of one side of a face: bed z, depth h, surface w, velocity u and v.
// `rounding_scale` is the magnitude relative to which surface heights are rounded.
struct Water { z: f32, h: f32, w: f32, u: f32, v: f32, rounding_scale: f32 }

fn fast_min(a: f32, b: f32) -> f32 { return select(b, a, a < b); }
fn clamp_abs(value: f32, limit: f32) -> f32 { return fast_max(fast_min(value, limit), -limit); }

fn per_depth(h: f32) -> f32 {
    let floor = fast_max(h, FILM_DEPTH);
    return 2.0 * h / (h * h + floor * floor);
}

fn transposed(a: Water) -> Water { return Water(a.z, a.h, a.w, a.v, a.u, a.rounding_scale); }
fn mirrored(a: Water) -> Water { return Water(a.z, a.h, a.w, -a.u, a.v, a.rounding_scale); }

// Returns whether two surface heights `a` and `b` of the magnitudes `size_a` and `size_b` differ at
// most by rounding.
fn are_level(a: f32, size_a: f32, b: f32, size_b: f32) -> bool {
    return abs(a - b) <= SURFACE_LEVEL_TOLERANCE * fast_max(size_a, size_b);
}

// Stage 1: half-slopes of h, w, u and v.
fn rise(a: Water, b: Water) -> f32 {
    return select(b.w - a.w, 0.0, are_level(a.w, a.rounding_scale, b.w, b.rounding_scale));
}

fn limited_slope(a: f32, b: f32, ripple_square: f32) -> f32 {
    let both = a * b;
    let mean = (a + b) * (both + 0.5 * ripple_square) / ((a + b) * (a + b) + 2.0 * ripple_square);
    return select(0.0, clamp_abs(mean, fast_min(abs(a), abs(b))), both > 0.0);
}

fn smoothness(before: f32, here: f32, after: f32, h: f32) -> f32 {
    let curvature = abs((before - here) + (after - here));
    let part = 2.0 - curvature / (0.5 * fast_max(h, FILM_DEPTH));
    return fast_min(fast_max(part, 0.0), 1.0);
}

fn half_slopes(before: Water, here: Water, after: Water) -> vec4<f32> {
    let smooth_ = smoothness(before.z, here.z, after.z, here.h);
    let small = RIPPLE_FRACTION * here.h;
    let depth = small * small;
    let velocity = RIPPLE_FRACTION * small * world.gravity;
    let h = smooth_ * limited_slope(here.h - before.h, after.h - here.h, depth);
    return vec4(
        clamp_abs(h, here.h),
        smooth_ * limited_slope(rise(before, here), rise(here, after), depth),
        smooth_ * limited_slope(here.u - before.u, after.u - here.u, velocity),
        smooth_ * limited_slope(here.v - before.v, after.v - here.v, velocity),
    );
}

// Stage 2: returns h, u and v after half a time step. Both slopes are in the frame of the
// x-direction.
fn half_step(here: Water, x: vec4<f32>, y: vec4<f32>, drag: f32) -> vec3<f32> {
    let per_x = current.step.push_x;
    let per_y = current.step.push_y;
    let u = here.u;
    let v = here.v;
    let spread = per_x * (u * x.x + here.h * x.z) + per_y * (v * y.x + here.h * y.w);
    let push_u = per_x * (u * x.z + world.gravity * x.y) + per_y * (v * y.z);
    let push_v = per_y * (v * y.w + world.gravity * y.y) + per_x * (u * x.w);
    let thick = select(0.0, 1.0, here.h > FILM_DEPTH);
    let h2 = select(1.0, here.h * here.h, here.h > FILM_DEPTH);
    let laminar = vec2(h2, h2 + thick * (0.5 * current.step.viscous));
    let moved = apply_friction(vec2(u, v), vec2(-thick * push_u, -thick * push_v), thick * drag, laminar);
    let h = fast_max(here.h - thick * spread, 0.0);
    return vec3(h, moved);
}

// Stage 3: returns the state of a cell at one of its faces. `half` and `slope` are in the frame of
// the face.
fn side(z: f32, half: vec3<f32>, slope: vec4<f32>, to: f32) -> Water {
    let raised = to * clamp_abs(slope.x, half.x);
    let lift = to * slope.y;
    let lean = to * (1.0 - raised * (1.0 / fast_max(half.x, MIN_POSITIVE)));
    let w = (z + half.x) + lift;
    return Water(
        z + (lift - raised),
        half.x + raised,
        w,
        half.y + lean * slope.z,
        half.z + lean * slope.w,
        abs(w) + half.x,
    );
}

// A flux through a face has four components: volume, normal momentum including pressure before and
// after the face, and tangential momentum.
fn flux_mirrored(f: vec4<f32>) -> vec4<f32> { return vec4(-f.x, f.z, f.y, -f.w); }

fn depth_over(z: f32, s: Water, w: f32) -> f32 {
    let over = select(fast_max(w - z, 0.0), s.h, z < s.z);
    return select(0.0, over, s.h > 0.0);
}

// Stages 4 and 5: flux through a face from the states on its left and right.
fn hll_flux(l: Water, r: Water) -> vec4<f32> {
    let gravity = world.gravity;
    let highest = fast_max(l.w, r.w);
    let level = are_level(l.w, l.rounding_scale, r.w, r.rounding_scale);
    let wl = select(l.w, highest, level);
    let wr = select(r.w, highest, level);
    let z = fast_min(fast_max(l.z, r.z), fast_min(wl, wr));
    let drop_l = fast_min(z - l.z, 0.0);
    let drop_r = fast_min(z - r.z, 0.0);
    let hl = depth_over(z, l, wl);
    let hr = depth_over(z, r, wr);
    let cl = sqrt(gravity * hl);
    let cr = sqrt(gravity * hr);
    let ul = select(r.u - 2.0 * cr, l.u, hl > 0.0);
    let ur = select(l.u + 2.0 * cl, r.u, hr > 0.0);
    let left = fast_min(fast_min(ul - cl, ur - cr), 0.0);
    let right = fast_max(fast_max(ul + cl, ur + cr), 0.0);
    let speed_range = right - left;
    let per_speed_range = select(0.0, 1.0 / speed_range, speed_range > MIN_POSITIVE);
    let both = left * right;
    let ql = hl * ul;
    let qr = hr * ur;
    let volume = ((right * ql - left * qr) + both * (hr - hl)) * per_speed_range;
    let half_jump = 0.25 * gravity * ((hr - hl) * (hr + hl));
    let fl = ql * ul - half_jump;
    let fr = qr * ur + half_jump;
    let momentum = ((right * fl - left * fr) + both * (qr - ql)) * per_speed_range;
    return vec4(
        volume,
        (momentum + half_jump) + gravity * l.h * drop_l,
        (momentum - half_jump) + gravity * r.h * drop_r,
        volume * select(r.v, l.v, volume > 0.0),
    );
}

fn wall_flux(s: Water) -> vec4<f32> {
    let f = hll_flux(s, mirrored(s));
    return vec4(0.0, f.y, f.z, 0.0);
}

// Stage 6: returns the change of momentum during a step by face fluxes and surface slope.
fn momentum_change(west: f32, east: f32, north: f32, south: f32, incline: f32, per: vec2<f32>) -> f32 {
    return -(per.x * ((east - west) + incline) + per.y * (south - north));
}

fn slope_force(h: f32, slope_w: f32) -> f32 {
    return world.gravity * (2.0 * h) * slope_w;
}

// Bed friction, as in crates/headwater/src/flow/shallow/friction.rs.
fn newton_step(r: f32, h: f32) -> f32 {
    return r * (4.0 / 3.0 - (1.0 / 3.0 * h * r) * (r * r));
}

fn inverse_cube_root(h: f32) -> f32 {
    return newton_step(newton_step(newton_step(inverse_cube_root_guess(h), h), h), h);
}

fn half_drag(h: f32, n: f32) -> f32 {
    let root = inverse_cube_root(fast_max(h, FILM_DEPTH));
    let fourth = (root * root) * (root * root);
    return 0.5 * current.step.gravity * (n * n) * fourth;
}

fn ground_drag(h: f32, n: f32) -> f32 {
    let root = inverse_cube_root(fast_max(h, DRY_DEPTH));
    let third = root * (root * root);
    return current.step.gravity * (n * n) * (third * third * root);
}

fn apply_friction(q: vec2<f32>, push: vec2<f32>, drag: f32, laminar: vec2<f32>) -> vec2<f32> {
    let s = sqrt(1.0 + drag * sqrt(push.x * push.x + push.y * push.y));
    let left = laminar.x / ((s + drag * sqrt(q.x * q.x + q.y * q.y)) * laminar.y);
    return (q * s + push) * left;
}

// Stage 7: returns the new momentum of a cell from its depths before and after the step and its
// outflow limiter.
fn momentum(
    before: f32,
    after: f32,
    outflow_scale_at: f32,
    q: vec2<f32>,
    pushes: vec2<f32>,
    drag: f32,
) -> vec2<f32> {
    let overdrawn = outflow_scale_at < 1.0;
    let initial_depth = fast_max(before, DRY_DEPTH);
    let rest = select(initial_depth, fast_min(after, before), overdrawn) / initial_depth;
    let pushed = select(1.0, 0.0, overdrawn);
    let wet = after > DRY_DEPTH;
    let h2 = select(1.0, after * after, wet);
    let laminar = vec2(select(0.0, current.step.decay * h2, wet), h2 + current.step.viscous);
    let moved = apply_friction(q * rest, pushes * pushed, drag, laminar);
    return vec2(
        select(0.0, moved.x, abs(moved.x) > MIN_MOMENTUM),
        select(0.0, moved.y, abs(moved.y) > MIN_MOMENTUM),
    );
}
#endif
