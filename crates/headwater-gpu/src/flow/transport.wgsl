// The formulas of stages 4 and 5, as crates/headwater/src/flow/transport.rs has them, and what is shared by others.

// 1 − 2⁻²⁰ and 2⁻²¹.
const MARGIN: f32 = 0.99999904632568359375;
// 2⁻⁶⁰ m: what is less than that stays.
const TRACE: f32 = 8.673617379884035e-19;
const ROUND_DOWN: f32 = 4.76837158203125e-7;

fn positive(value: f32) -> f32 {
    return select(0.0, value, value > 0.0);
}

fn greater(a: f32, b: f32) -> f32 {
    return select(b, a, a > b);
}

// How far the surface falls from a cell (bed and depth) to the next one, as crates/headwater/src/flow/surface.rs has it:
// surfaces that are no further apart than rounding may put them are level.
const AS_LEVEL: f32 = 7.450580596923828125e-8;

fn fall(before: vec2<f32>, after: vec2<f32>) -> f32 {
    let a = before.x + before.y;
    let b = after.x + after.y;
    let size = abs(a + b) + (before.y + after.y);
    return select(0.0, a - b, abs(a - b) > AS_LEVEL * size);
}

// A first guess of h^(−1/3), as crates/headwater/src/flow/inertial/root.rs has it.
fn guessed_root(h: f32) -> f32 {
    let bits = bitcast<u32>(h);
    let fourths = (bits >> 2u) + (bits >> 4u);
    let sixteenths = fourths + (fourths >> 4u);
    let third = sixteenths + (sixteenths >> 8u);
    return bitcast<f32>(0x54A2FA8Cu - third);
}

// What leaves a cell over two opposite faces.
fn leaving(before: f32, after: f32) -> f32 {
    return positive(-before) + positive(after);
}

// Stage 4, a cell: the part of what would leave it that its water can feed.
fn fed_part(h: f32, leaves: f32) -> f32 {
    let wanted = leaves * now.step.to_depth;
    let there = max(h - TRACE, 0.0) * MARGIN;
    return select(1.0, there / wanted, wanted > there);
}

// Stage 4, a face, by the cell that it leaves.
fn scaled(q: f32, before: f32, after: f32) -> f32 {
    return q * select(after, before, q > 0.0);
}

// Stage 5, a face: the depth that crosses it. `opaque`, as it may not be fused with the sums that it goes into.
fn transfer(q: f32) -> f32 { return opaque_(q * now.step.to_depth); }

// A sum, and exactly what rounding leaves of it. Were a compiler to see through it, nothing would be left; so what is
// in between passes `opaque`.
fn two_sum(a: f32, b: f32) -> vec2<f32> {
    let sum = opaque_(a + b);
    let from_b = opaque_(sum - a);
    let from_a = opaque_(sum - from_b);
    return vec2(sum, opaque_(opaque_(a - from_a) + opaque_(b - from_b)));
}

// Stage 5, a cell: what comes over two opposite faces, less what goes, and what rounding leaves of that.
fn net(before: f32, after: f32) -> vec2<f32> { return two_sum(before, -after); }

// Two such sums together.
fn gathered(a: vec2<f32>, b: vec2<f32>) -> vec2<f32> {
    let both = two_sum(a.x, b.x);
    return vec2(both.x, opaque_(opaque_(a.y + b.y) + both.y));
}

// Stage 5, a cell: its new depth and remainder from those before, and from what came over all its faces.
fn updated(held: vec2<f32>, came: vec2<f32>) -> vec2<f32> {
    let all = two_sum(held.x, came.x);
    let rest = opaque_(opaque_(came.y + all.y) + held.y);
    let h = positive(opaque_(all.x + rest));
    return vec2(h, opaque_(all.x - h) + rest);
}
