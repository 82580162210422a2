// The formulas of stages 4 and 5, as crates/headwater/src/flow/transport.rs has them.

// 1 − 2⁻²⁰ and 2⁻²¹.
const MARGIN: f32 = 0.99999904632568359375;
// 2⁻¹²⁰ m: what is less than that stays.
const TRACE: f32 = 7.52316384526264e-37;
const ROUND_DOWN: f32 = 4.76837158203125e-7;

fn positive(value: f32) -> f32 {
    return select(0.0, value, value > 0.0);
}

fn greater(a: f32, b: f32) -> f32 {
    return select(b, a, a > b);
}

// A first guess of h^(−1/3), as crates/headwater/src/flow/inertial/root.rs has it.
fn guessed_root(h: f32) -> f32 {
    let bits = bitcast<u32>(h);
    let fourths = (bits >> 2u) + (bits >> 4u);
    let sixteenths = fourths + (fourths >> 4u);
    let third = sixteenths + (sixteenths >> 8u);
    return bitcast<f32>(0x54A2FA8Cu - third);
}

// What leaves and what enters a cell over two opposite faces.
fn leaving(before: f32, after: f32) -> f32 {
    return positive(-before) + positive(after);
}

fn entering(before: f32, after: f32) -> f32 {
    return positive(before) + positive(-after);
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

// Stage 5, a face: the depth that crosses it, rounded towards zero to what both cells can hold. Were a compiler to
// see through the sum it would leave nothing of the rounding; so it passes `opaque`. The products by powers of two
// are exact, fused with a sum or not.
fn transfer(q: f32, deeper: f32) -> f32 {
    let wished = opaque_(abs(q * now.step.to_depth));
    let coarse = 4.0 * deeper;
    let raised = opaque_(coarse + positive(wished - deeper * ROUND_DOWN));
    let moved = raised - coarse;
    return select(moved, -moved, q < 0.0);
}
