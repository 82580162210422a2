// Water exchange of sources and sinks, applied before stage 1 of a step, as in
// crates/headwater/src/flow/sources/exchange.rs. Depths change in the buffer that the step reads.

// Depth and rounding remainder after an exchange, and the exchanged depth (m).
struct Exchanged {
    h: f32,
    remainder: f32,
    exchanged: f32,
}

const UNBOUNDED: f32 = 3.4028234663852886e38;

// The differences are rounding errors; `opaque` prevents the compiler from simplifying them to 0.
fn add_with_carry(h: f32, remainder: f32, amount: f32) -> Exchanged {
    let total = opaque_(remainder + amount);
    let after = opaque_(max(opaque_(h + total), 0.0));
    let net_inflow = opaque_(after - h);
    return Exchanged(after, total - net_inflow, net_inflow);
}

fn remove_with_carry(h: f32, remainder: f32, amount: f32, max_removed: f32) -> Exchanged {
    let total = min(opaque_(remainder + amount), max_removed);
    let after = opaque_(max(opaque_(h - total), 0.0));
    let removed = opaque_(h - after);
    return Exchanged(after, select(0.0, total - removed, after > 0.0), removed);
}
