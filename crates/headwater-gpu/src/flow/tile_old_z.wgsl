// As tile_old.wgsl, the third family of faces.

fn old_z(p: vec2<i32>) -> f32 { return stored_z(p); }
