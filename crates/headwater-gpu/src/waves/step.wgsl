// Kernel that performs one step of waves. Each invocation handles a cell with its west and north
// faces. Counterpart of the CPU's `waves/plain.rs` and `waves/state.rs`.
//
// Heights are integers (quanta), and the flow through a face is rounded to whole quanta. Both cells
// of a face compute its flux independently, so they change by exactly the same amount. Fluxes match
// the CPU bit for bit: quanta are powers of two, so unit conversions are exact, and `opaque`
// prevents fused multiply-add.

@group(0) @binding(0) var<uniform> params: WaveParams;
@group(0) @binding(1) var<storage, read> old_height: array<i32>;
@group(0) @binding(2) var<storage, read> old_x: array<f32>;
@group(0) @binding(3) var<storage, read> old_y: array<f32>;
@group(0) @binding(4) var<storage, read_write> new_height: array<i32>;
@group(0) @binding(5) var<storage, read_write> new_x: array<f32>;
@group(0) @binding(6) var<storage, read_write> new_y: array<f32>;
#if PRESS
@group(0) @binding(9) var<storage, read> head: array<i32>;

// Bodies, gusts and wave makers press on the surface: their pressure heads (quanta) are added to
// the heights.
fn pressed_height(i: u32) -> i32 { return old_height[i] + head[i]; }
#else

fn pressed_height(i: u32) -> i32 { return old_height[i]; }
#endif

// Returns the new flux of a face, from its damped old value and the height difference.
fn update_flux(flux: f32, before: i32, after: i32, gain: f32) -> f32 {
    let fall = f32(before - after) * params.quantum;
    let damped = opaque(params.flux_retention * flux, params.zero_bits);
    let accelerated = damped + opaque(gain * fall, params.zero_bits);
    return accelerated - clamp(accelerated, -params.friction, params.friction);
}

// Rounds a flux to whole quanta, ties to even.
fn quantize(flux: f32) -> i32 {
    return i32(round(flux * params.per_quantum));
}

// Returns the new flux through an x-face.
fn flux_x(x: u32, y: u32) -> f32 {
    let row = y * params.pitch;
    var before = 0;
    if x > 0u {
        before = pressed_height(row + x - 1u);
    } else if params.periodic_axes.x == 1u {
        before = pressed_height(row + params.nx - 1u);
    }
    var after = 0;
    if x < params.nx {
        after = pressed_height(row + x);
    } else if params.periodic_axes.x == 1u {
        after = pressed_height(row);
    }
    return update_flux(old_x[row + x], before, after, gain_x(x, y));
}

// Returns the new flux through a y-face.
fn flux_y(x: u32, y: u32) -> f32 {
    var before = 0;
    if y > 0u {
        before = pressed_height((y - 1u) * params.pitch + x);
    } else if params.periodic_axes.y == 1u {
        before = pressed_height((params.ny - 1u) * params.pitch + x);
    }
    var after = 0;
    if y < params.ny {
        after = pressed_height(y * params.pitch + x);
    } else if params.periodic_axes.y == 1u {
        after = pressed_height(x);
    }
    return update_flux(old_y[y * params.pitch + x], before, after, gain_y(x, y));
}

// Returns the inflow through pinned edges in x (quanta), from the flux through the west face.
fn edge_inflow_x(x: u32, flux: f32) -> i32 {
    if x == 0u && params.pinned.x == 1u {
        return quantize(flux);
    }
    if x == params.nx && params.pinned.y == 1u {
        return -quantize(flux);
    }
    return 0;
}

fn edge_inflow_y(y: u32, flux: f32) -> i32 {
    if y == 0u && params.pinned.z == 1u {
        return quantize(flux);
    }
    if y == params.ny && params.pinned.w == 1u {
        return -quantize(flux);
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
    let i = y * params.pitch + x;
    let in_columns = x < params.nx;
    let in_rows = y < params.ny;
    var inflow = 0;
    // There is one more column and row of faces than of cells.
    var west = 0.0;
    if x <= params.nx && in_rows {
        west = flux_x(x, y);
        new_x[i] = damped_x(west, x);
        inflow += edge_inflow_x(x, west);
    }
    var north = 0.0;
    if y <= params.ny && in_columns {
        north = flux_y(x, y);
        new_y[i] = damped_y(north, y);
        inflow += edge_inflow_y(y, north);
    }
    if in_columns && in_rows {
        let inflow_x = quantize(west) - quantize(flux_x(x + 1u, y));
        let inflow_y = quantize(north) - quantize(flux_y(x, y + 1u));
        let total_loss = damp(x, y, inflow_x, inflow_y);
        new_height[i] = old_height[i] + inflow_x + inflow_y - total_loss;
        inflow -= total_loss;
    }
    record_inflow(inflow, own, group.y * groups.x + group.x);
}
