// Hexagons: discharges over the third family of faces (m³/s).

@group(0) @binding(8) var<storage, read_write> discharge_z: array<f32>;
