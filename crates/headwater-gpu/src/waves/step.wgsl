// One step of waves, a cell with the faces on its west and north for each invocation. Twin of the CPU's
// `waves/plain.rs` and `waves/state.rs`.
//
// Heights are whole numbers of quanta, and what crosses a face is cut to whole quanta too: so both cells of a face,
// each of which works its flux out by itself, change by exactly as much. Fluxes are the CPU's to the last bit:
// quanta are powers of two, so going from one unit to the other rounds nothing, and `opaque` keeps products apart
// from sums.

@group(0) @binding(0) var<uniform> rule: Rule;
@group(0) @binding(1) var<storage, read> old_height: array<i32>;
@group(0) @binding(2) var<storage, read> old_x: array<f32>;
@group(0) @binding(3) var<storage, read> old_y: array<f32>;
@group(0) @binding(4) var<storage, read_write> new_height: array<i32>;
@group(0) @binding(5) var<storage, read_write> new_x: array<f32>;
@group(0) @binding(6) var<storage, read_write> new_y: array<f32>;
#if PRESS
@group(0) @binding(9) var<storage, read> head: array<i32>;

// Bodies, gusts and wave makers press on the surface while it pushes: their heads (quanta) count as height.
fn pushing(i: u32) -> i32 { return old_height[i] + head[i]; }
#else

fn pushing(i: u32) -> i32 { return old_height[i]; }
#endif

// How much of a flux stays, and what a difference in height adds to it.
fn push(flux: f32, before: i32, after: i32, gain: f32) -> f32 {
    let rise = f32(before - after) * rule.quantum;
    let kept = opaque(rule.keep * flux, rule.zero_bits);
    let pushed = kept + opaque(gain * rise, rule.zero_bits);
    return pushed - clamp(pushed, -rule.friction, rule.friction);
}

// What really crosses: the nearest whole number of quanta, the even one of two as near.
fn whole(flux: f32) -> i32 {
    return i32(round(flux * rule.per_quantum));
}

// The new flux over an x-face.
fn flux_x(x: u32, y: u32) -> f32 {
    let row = y * rule.pitch;
    var before = 0;
    if x > 0u {
        before = pushing(row + x - 1u);
    } else if rule.joined.x == 1u {
        before = pushing(row + rule.nx - 1u);
    }
    var after = 0;
    if x < rule.nx {
        after = pushing(row + x);
    } else if rule.joined.x == 1u {
        after = pushing(row);
    }
    return push(old_x[row + x], before, after, gain_x(x, y));
}

// The new flux over a y-face.
fn flux_y(x: u32, y: u32) -> f32 {
    var before = 0;
    if y > 0u {
        before = pushing((y - 1u) * rule.pitch + x);
    } else if rule.joined.y == 1u {
        before = pushing((rule.ny - 1u) * rule.pitch + x);
    }
    var after = 0;
    if y < rule.ny {
        after = pushing(y * rule.pitch + x);
    } else if rule.joined.y == 1u {
        after = pushing(x);
    }
    return push(old_y[y * rule.pitch + x], before, after, gain_y(x, y));
}

// What crossed pinned edges (quanta), from the flux over the west or over the north face.
fn crossed_x(x: u32, flux: f32) -> i32 {
    if x == 0u && rule.pinned.x == 1u {
        return whole(flux);
    }
    if x == rule.nx && rule.pinned.y == 1u {
        return -whole(flux);
    }
    return 0;
}

fn crossed_y(y: u32, flux: f32) -> i32 {
    if y == 0u && rule.pinned.z == 1u {
        return whole(flux);
    }
    if y == rule.ny && rule.pinned.w == 1u {
        return -whole(flux);
    }
    return 0;
}

@compute @workgroup_size(WIDE, TALL)
fn step(
    @builtin(global_invocation_id) at: vec3<u32>,
    @builtin(local_invocation_index) own: u32,
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    let x = at.x;
    let y = at.y;
    let i = y * rule.pitch + x;
    let in_columns = x < rule.nx;
    let in_rows = y < rule.ny;
    var came = 0;
    // Beyond the last cells there are still faces.
    var west = 0.0;
    if x <= rule.nx && in_rows {
        west = flux_x(x, y);
        new_x[i] = faded_x(west, x);
        came += crossed_x(x, west);
    }
    var north = 0.0;
    if y <= rule.ny && in_columns {
        north = flux_y(x, y);
        new_y[i] = faded_y(north, y);
        came += crossed_y(y, north);
    }
    if in_columns && in_rows {
        let along_x = whole(west) - whole(flux_x(x + 1u, y));
        let along_y = whole(north) - whole(flux_y(x, y + 1u));
        let lost = fade(x, y, along_x, along_y);
        new_height[i] = old_height[i] + along_x + along_y - lost;
        came -= lost;
    }
    book(came, own, group.y * groups.x + group.x);
}
