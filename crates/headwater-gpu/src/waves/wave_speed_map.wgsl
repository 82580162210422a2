// Gains, the factors from height difference to face flux. Counterpart of the CPU's
// `waves/wave_speed_map.rs`.

#if MAP
// If the world has land or a wave speed map, each face has its own gain.
@group(0) @binding(7) var<storage, read> gains_x: array<f32>;
@group(0) @binding(8) var<storage, read> gains_y: array<f32>;

fn gain_x(x: u32, y: u32) -> f32 {
    return gains_x[y * params.pitch + x];
}

fn gain_y(x: u32, y: u32) -> f32 {
    return gains_y[y * params.pitch + x];
}
#else
// If the wave speed is uniform and there is no land: one gain for inner faces, and one per edge.
fn gain_x(x: u32, y: u32) -> f32 {
    if x == 0u {
        return params.edge_gain.x;
    }
    return select(params.gain, params.edge_gain.y, x == params.nx);
}

fn gain_y(x: u32, y: u32) -> f32 {
    if y == 0u {
        return params.edge_gain.z;
    }
    return select(params.gain, params.edge_gain.w, y == params.ny);
}
#endif
