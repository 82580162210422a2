// The ground's roughness (s/m^⅓): the same everywhere.

fn manning(p: vec2<i32>) -> f32 { return world.manning; }
fn manning_at(at: i32) -> f32 { return world.manning; }
