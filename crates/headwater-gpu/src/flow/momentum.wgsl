// Momentum of the water of cells (m²/s, to the east and to the south), where it is part of the state.

@group(0) @binding(11) var<storage, read_write> momentum_x: array<f32>;
@group(0) @binding(12) var<storage, read_write> momentum_y: array<f32>;
