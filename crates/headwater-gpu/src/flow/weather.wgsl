// Kernel for rain, soil and evaporation: the water exchange of each cell in a step.

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

// Returns a soil cell after a change of its stored water (m), with compensated summation.
fn add_to_soil(cell: SoilCell, change: f32) -> SoilCell {
    let sum = opaque_(cell.held + change);
    let part = opaque_(sum - cell.held);
    let lost = opaque_(cell.held - opaque_(sum - part)) + opaque_(change - part);
    let rest = opaque_(cell.held_rest + lost);
    let whole = opaque_(sum + rest);
    return SoilCell(whole, rest - opaque_(whole - sum), cell.to_take, cell.to_give);
}

// Returns the difference of two numbers, each the sum of two floats.
fn difference(a: f32, a_rest: f32, b: f32, b_rest: f32) -> f32 {
    let whole = opaque_(a - b);
    let part = opaque_(whole - a);
    let lost = opaque_(a - opaque_(whole - part)) - opaque_(b + part);
    return whole + (lost + (a_rest - b_rest));
}
#endif

fn exchange_cell(index: i32) {
    var h = depth[old_h_offset() + index];
#if RAIN
#if RAIN_MAP
    let rain_depth = current.step.rain * rain_map[index];
#else
    let rain_depth = current.step.rain;
#endif
    let rained = add_with_carry(h, remainder_rain[index], rain_depth);
    h = rained.h;
    remainder_rain[index] = rained.remainder;
    record_in_group(RAIN_IN, rained.exchanged);
#endif
#if SOIL
    var cell = soil[index];
    let step = current.step;
    let room = difference(step.capacity, step.capacity_rest, cell.held, cell.held_rest);
    let infiltrated = remove_with_carry(h, cell.to_take, step.infiltration, max(room, 0.0));
    h = infiltrated.h;
    cell.to_take = infiltrated.remainder;
    cell = add_to_soil(cell, infiltrated.exchanged);
    record_in_group(INFILTRATION_OUT, infiltrated.exchanged);
    if step.seepage > 0.0 {
        let available = max(difference(cell.held, cell.held_rest, cell.to_give, 0.0), 0.0);
        let seeped = add_with_carry(h, cell.to_give, min(step.seepage, available));
        h = seeped.h;
        cell.to_give = seeped.remainder;
        cell = add_to_soil(cell, -seeped.exchanged);
        record_in_group(INFILTRATION_IN, seeped.exchanged);
    }
    soil[index] = cell;
#endif
#if AIR
    let evaporated = remove_with_carry(h, remainder_air[index], current.step.evaporation, UNBOUNDED);
    h = evaporated.h;
    remainder_air[index] = evaporated.remainder;
    record_in_group(EVAPORATION_OUT, evaporated.exchanged);
#endif
    depth[old_h_offset() + index] = h;
}

@compute @workgroup_size(THREADS)
fn exchange_field(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    clear_group_ledger(lane);
    workgroupBarrier();
    let x = i32(group.x * THREADS + lane);
    let index = i32(group.y) * world.pitch + x;
    if step_is_stable() && x < world.nx {
        if bed[index] < CLOSED {
            exchange_cell(index);
        }
    }
    workgroupBarrier();
    flush_group_ledger(lane);
}
