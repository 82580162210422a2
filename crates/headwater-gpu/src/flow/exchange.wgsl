// Water that comes and goes from above and below, the part of a step before stage 1, as
// crates/headwater/src/flow/exchange.rs has it. Depths change where they lie: on the side that the step reads.

// What is owed: by the rain, to the air.
@group(0) @binding(11) var<storage, read_write> owed_rain: array<f32>;
@group(0) @binding(12) var<storage, read_write> owed_air: array<f32>;

struct Ground {
    // Water in the soil (m), in two floats.
    held: f32,
    held_rest: f32,
    to_take: f32,
    to_give: f32,
}

@group(0) @binding(13) var<storage, read_write> soil: array<Ground>;
@group(0) @binding(14) var<storage, read> rain_map: array<f32>;

// A depth or what is owed, after giving or taking; and what arrived or went.
struct Passed {
    depth: f32,
    owed: f32,
    moved: f32,
}

const UNBOUNDED: f32 = 3.4028234663852886e38;

// The differences are what a float could show of the sums: they must not be seen through.
fn give(h: f32, owed: f32, amount: f32) -> Passed {
    let due = opaque_(owed + amount);
    let after = opaque_(h + due);
    let came = opaque_(after - h);
    return Passed(after, due - came, came);
}

fn take(h: f32, owed: f32, amount: f32, room: f32) -> Passed {
    let due = min(opaque_(owed + amount), room);
    let after = opaque_(max(opaque_(h - due), 0.0));
    let went = opaque_(h - after);
    return Passed(after, select(0.0, due - went, after > 0.0), went);
}

// Adds to what a soil holds; the sum of two floats keeps what one would lose.
fn hold(ground: Ground, change: f32) -> Ground {
    let sum = opaque_(ground.held + change);
    let part = opaque_(sum - ground.held);
    let lost = opaque_(ground.held - opaque_(sum - part)) + opaque_(change - part);
    let rest = opaque_(ground.held_rest + lost);
    let whole = opaque_(sum + rest);
    return Ground(whole, rest - opaque_(whole - sum), ground.to_take, ground.to_give);
}

// The difference of two numbers of two floats each.
fn difference(a: f32, a_rest: f32, b: f32, b_rest: f32) -> f32 {
    let whole = opaque_(a - b);
    let part = opaque_(whole - a);
    let lost = opaque_(a - opaque_(whole - part)) - opaque_(b + part);
    return whole + (lost + (a_rest - b_rest));
}

fn exchange_cell(at: i32) {
    var h = depth[from_h() + at];
    if RAIN == 1u {
        let due = now.step.rain * select(1.0, rain_map[at * i32(RAIN_MAP)], RAIN_MAP == 1u);
        let rained = give(h, owed_rain[at], due);
        h = rained.depth;
        owed_rain[at] = rained.owed;
        book_group(RAINED, rained.moved);
    }
    if SOIL == 1u {
        var ground = soil[at];
        let capacity = vec2(now.step.capacity, now.step.capacity_rest);
        let room = difference(capacity.x, capacity.y, ground.held, ground.held_rest);
        let soaked = take(h, ground.to_take, now.step.soak, max(room, 0.0));
        h = soaked.depth;
        ground.to_take = soaked.owed;
        ground = hold(ground, soaked.moved);
        book_group(SOAKED, soaked.moved);
        if now.step.seep > 0.0 {
            let there = max(difference(ground.held, ground.held_rest, ground.to_give, 0.0), 0.0);
            let seeped = give(h, ground.to_give, min(now.step.seep, there));
            h = seeped.depth;
            ground.to_give = seeped.owed;
            ground = hold(ground, -seeped.moved);
            book_group(SEEPED, seeped.moved);
        }
        soil[at] = ground;
    }
    if AIR == 1u {
        let dried = take(h, owed_air[at], now.step.evaporation, UNBOUNDED);
        h = dried.depth;
        owed_air[at] = dried.owed;
        book_group(EVAPORATED, dried.moved);
    }
    depth[from_h() + at] = h;
}

@compute @workgroup_size(THREADS)
fn exchange_field(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    open_books(lane);
    workgroupBarrier();
    let x = i32(group.x * THREADS + lane);
    let at = i32(group.y) * world.pitch + x;
    if granted() && x < world.nx {
        if bed[at] < CLOSED {
            exchange_cell(at);
        }
    }
    workgroupBarrier();
    close_books(lane);
}
