// Stages 4 and 5 of a step, as in crates/headwater/src/flow/transport.rs, and arithmetic that other
// kernels share.

// Factors of the outflow limiter, 1 − 2⁻²⁰ and 2⁻²¹.
const OUTFLOW_MARGIN: f32 = 0.99999904632568359375;
// Depth (m) that stays in a cell, 2⁻⁶⁰ m: smaller depths do not flow.
const RETAINED_DEPTH: f32 = 8.673617379884035e-19;
const ROUND_DOWN: f32 = 4.76837158203125e-7;

fn positive_part(value: f32) -> f32 {
    return select(0.0, value, value > 0.0);
}

fn fast_max(a: f32, b: f32) -> f32 {
    return select(b, a, a > b);
}

// Drop of the water surface from a cell (bed and depth) to the next cell, as in
// crates/headwater/src/flow/surface.rs. Surfaces that differ only by rounding count as level.
const LEVEL_TOLERANCE: f32 = 7.450580596923828125e-8;

fn surface_drop(before: vec2<f32>, after: vec2<f32>) -> f32 {
    let a = before.x + before.y;
    let b = after.x + after.y;
    let size = abs(a + b) + (before.y + after.y);
    return select(0.0, a - b, abs(a - b) > LEVEL_TOLERANCE * size);
}

// Returns an initial guess of h^(−1/3), as in crates/headwater/src/flow/inertial/root.rs.
fn inverse_cube_root_guess(h: f32) -> f32 {
    let bits = bitcast<u32>(h);
    let fourths = (bits >> 2u) + (bits >> 4u);
    let sixteenths = fourths + (fourths >> 4u);
    let third = sixteenths + (sixteenths >> 8u);
    return bitcast<f32>(0x54A2FA8Cu - third);
}

// Returns the outflow of a cell over two opposite faces.
fn outflow_over_pair(before: f32, after: f32) -> f32 {
    return positive_part(-before) + positive_part(after);
}

// Stage 4, per cell: returns the outflow limiter, the fraction of the outflow that the cell's water
// can supply.
fn outflow_scale(h: f32, outflow: f32) -> f32 {
    let requested = outflow * current.step.to_depth;
    let available = max(h - RETAINED_DEPTH, 0.0) * OUTFLOW_MARGIN;
    return select(1.0, available / requested, requested > available);
}

// Stage 4, per face: returns a discharge scaled by the limiter of its upstream cell.
fn scaled_discharge(q: f32, before: f32, after: f32) -> f32 {
    return q * select(after, before, q > 0.0);
}

// Stage 5, per face: returns the depth that crosses the face. `opaque` prevents fusion with the
// sums that follow.
fn transfer(q: f32) -> f32 { return opaque_(q * current.step.to_depth); }

// Returns a sum and its exact rounding error. `opaque` prevents the compiler from simplifying the
// error to 0.
fn two_sum(a: f32, b: f32) -> vec2<f32> {
    let sum = opaque_(a + b);
    let from_b = opaque_(sum - a);
    let from_a = opaque_(sum - from_b);
    return vec2(sum, opaque_(opaque_(a - from_a) + opaque_(b - from_b)));
}

// Stage 5, per cell: returns the net inflow through two opposite faces, and its rounding error.
fn net(before: f32, after: f32) -> vec2<f32> { return two_sum(before, -after); }

// Adds the net inflows of two axes, with their rounding errors.
fn sum_axes(a: vec2<f32>, b: vec2<f32>) -> vec2<f32> {
    let both = two_sum(a.x, b.x);
    return vec2(both.x, opaque_(opaque_(a.y + b.y) + both.y));
}

// Stage 5, per cell: returns the new depth and rounding remainder, from the old ones and the net
// inflow.
fn update_depth(old: vec2<f32>, net_inflow: vec2<f32>) -> vec2<f32> {
    let all = two_sum(old.x, net_inflow.x);
    let rest = opaque_(opaque_(net_inflow.y + all.y) + old.y);
    let h = positive_part(opaque_(all.x + rest));
    return vec2(h, opaque_(all.x - h) + rest);
}
