// As tile_kept.wgsl, the third family of faces.

var<workgroup> kept_z: array<f32, PLACES>;

fn load_third(i: u32, p: vec2<i32>) {
    kept_z[i] = stored_z(p);
}

fn old_z(p: vec2<i32>) -> f32 { return kept_z[at(p)]; }
