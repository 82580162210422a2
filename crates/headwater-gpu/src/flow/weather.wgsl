// Rain, soil and air: what each cell of the grid exchanges with them in a step.

#if RAIN
@group(0) @binding(15) var<storage, read_write> remainder_rain: array<f32>;
#if RAIN_MAP
@group(0) @binding(18) var<storage, read> rain_map: array<f32>;
#endif
#endif
#if AIR
@group(0) @binding(16) var<storage, read_write> remainder_air: array<f32>;
#endif
#if SOIL
@group(0) @binding(17) var<storage, read_write> soil: array<SoilCell>;

// Adds to what a soil holds; the sum of two floats keeps what one would lose.
fn hold(cell: SoilCell, change: f32) -> SoilCell {
    let sum = opaque_(cell.held + change);
    let part = opaque_(sum - cell.held);
    let lost = opaque_(cell.held - opaque_(sum - part)) + opaque_(change - part);
    let rest = opaque_(cell.held_rest + lost);
    let whole = opaque_(sum + rest);
    return SoilCell(whole, rest - opaque_(whole - sum), cell.to_take, cell.to_give);
}

// The difference of two numbers of two floats each.
fn difference(a: f32, a_rest: f32, b: f32, b_rest: f32) -> f32 {
    let whole = opaque_(a - b);
    let part = opaque_(whole - a);
    let lost = opaque_(a - opaque_(whole - part)) - opaque_(b + part);
    return whole + (lost + (a_rest - b_rest));
}
#endif

fn exchange_cell(at: i32) {
    var h = depth[from_h() + at];
#if RAIN
#if RAIN_MAP
    let due = now.step.rain * rain_map[at];
#else
    let due = now.step.rain;
#endif
    let rained = give(h, remainder_rain[at], due);
    h = rained.h;
    remainder_rain[at] = rained.remainder;
    book_group(RAIN_IN, rained.moved);
#endif
#if SOIL
    var cell = soil[at];
    let step = now.step;
    let room = difference(step.capacity, step.capacity_rest, cell.held, cell.held_rest);
    let soaked = take(h, cell.to_take, step.soak, max(room, 0.0));
    h = soaked.h;
    cell.to_take = soaked.remainder;
    cell = hold(cell, soaked.moved);
    book_group(INFILTRATION_OUT, soaked.moved);
    if step.seep > 0.0 {
        let there = max(difference(cell.held, cell.held_rest, cell.to_give, 0.0), 0.0);
        let seeped = give(h, cell.to_give, min(step.seep, there));
        h = seeped.h;
        cell.to_give = seeped.remainder;
        cell = hold(cell, -seeped.moved);
        book_group(INFILTRATION_IN, seeped.moved);
    }
    soil[at] = cell;
#endif
#if AIR
    let dried = take(h, remainder_air[at], now.step.evaporation, UNBOUNDED);
    h = dried.h;
    remainder_air[at] = dried.remainder;
    book_group(EVAPORATION_OUT, dried.moved);
#endif
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
    if step_is_stable() && x < world.nx {
        if bed[at] < CLOSED {
            exchange_cell(at);
        }
    }
    workgroupBarrier();
    close_books(lane);
}
