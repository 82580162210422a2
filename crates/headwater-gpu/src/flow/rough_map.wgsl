// The ground's roughness (s/m^⅓): one for each cell.

@group(0) @binding(9) var<storage, read> roughness: array<f32>;

fn manning(p: vec2<i32>) -> f32 { return roughness[max(place(p), 0)]; }
fn manning_at(at: i32) -> f32 { return roughness[at]; }
