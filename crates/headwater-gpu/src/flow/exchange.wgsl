// Water that comes and goes from above and below, the part of a step before stage 1, as
// crates/headwater/src/flow/exchange.rs has it. Depths change where they lie: on the side that the step reads.

// A depth and its remainder, after giving or taking; and what arrived or went.
struct Passed {
    h: f32,
    remainder: f32,
    moved: f32,
}

const UNBOUNDED: f32 = 3.4028234663852886e38;

// The differences are what a float could show of the sums: they must not be seen through.
fn give(h: f32, remainder: f32, amount: f32) -> Passed {
    let due = opaque_(remainder + amount);
    let after = opaque_(max(opaque_(h + due), 0.0));
    let came = opaque_(after - h);
    return Passed(after, due - came, came);
}

fn take(h: f32, remainder: f32, amount: f32, room: f32) -> Passed {
    let due = min(opaque_(remainder + amount), room);
    let after = opaque_(max(opaque_(h - due), 0.0));
    let went = opaque_(h - after);
    return Passed(after, select(0.0, due - went, after > 0.0), went);
}
