// Hexagons: the third family of faces. In every other row it lies a column farther on.

fn leaving_third(p: vec2<i32>, q: i32) -> f32 {
    let z = q + (p.y & 1);
    return leaving(discharge_z[z], discharge_z[z + world.pitch]);
}
