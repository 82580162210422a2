// Absorbing edges: within their layers, the x and y parts of the height and the fluxes are damped.
// Counterpart of the CPU's `waves/absorbing.rs`. `absorbing_profile` has the loss factors of
// columns, x-faces, rows and y-faces, in this order.

#if LAYERS
@group(0) @binding(10) var<storage, read> absorbing_profile: array<f32>;
@group(0) @binding(11) var<storage, read_write> part_x: array<i32>;
@group(0) @binding(12) var<storage, read_write> part_y: array<i32>;

fn damped_x(flux: f32, x: u32) -> f32 {
    return flux - opaque(flux * absorbing_profile[params.nx + x], params.zero_bits);
}

fn damped_y(flux: f32, y: u32) -> f32 {
    return flux - opaque(flux * absorbing_profile[2u * params.nx + 1u + params.ny + y], params.zero_bits);
}

// Damps the x and y parts of a cell's height after adding the inflow of the step (quanta). Returns
// the height that the parts lose (quanta).
fn damp(x: u32, y: u32, inflow_x: i32, inflow_y: i32) -> i32 {
    let i = y * params.pitch + x;
    var total_loss = 0;
    if x < params.absorbing_widths.x || x >= params.nx - params.absorbing_widths.y {
        let part = part_x[i];
        let loss = quantize(f32(part) * params.quantum * absorbing_profile[x]);
        part_x[i] = part + inflow_x - loss;
        total_loss += loss;
    }
    if y < params.absorbing_widths.z || y >= params.ny - params.absorbing_widths.w {
        let part = part_y[i];
        let loss = quantize(f32(part) * params.quantum * absorbing_profile[2u * params.nx + 1u + y]);
        part_y[i] = part + inflow_y - loss;
        total_loss += loss;
    }
    return total_loss;
}
#else
fn damped_x(flux: f32, x: u32) -> f32 { return flux; }
fn damped_y(flux: f32, y: u32) -> f32 { return flux; }
fn damp(x: u32, y: u32, inflow_x: i32, inflow_y: i32) -> i32 { return 0; }
#endif
