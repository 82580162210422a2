// Water exchange of sources and sinks, applied before stage 1 of a step, as in
// crates/headwater/src/flow/exchange.rs. Depths change in the buffer that the step reads.

// Depth and rounding remainder after an exchange, and the exchanged depth (m).
struct Exchanged {
    h: f32,
    remainder: f32,
    exchanged: f32,
}

const UNBOUNDED: f32 = 3.4028234663852886e38;

// The differences are rounding errors; `opaque` prevents the compiler from simplifying them to 0.
fn add_with_carry(h: f32, remainder: f32, amount: f32) -> Exchanged {
    let due = opaque_(remainder + amount);
    let after = opaque_(max(opaque_(h + due), 0.0));
    let net_inflow = opaque_(after - h);
    return Exchanged(after, due - net_inflow, net_inflow);
}

fn remove_with_carry(h: f32, remainder: f32, amount: f32, room: f32) -> Exchanged {
    let due = min(opaque_(remainder + amount), room);
    let after = opaque_(max(opaque_(h - due), 0.0));
    let went = opaque_(h - after);
    return Exchanged(after, select(0.0, due - went, after > 0.0), went);
}
