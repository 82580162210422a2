// Stages 2 and 3 of the pipes over the third family of faces of hexagons.

fn drive_z(p: vec2<i32>, above: vec2<f32>, below: vec2<f32>) -> f32 {
    return drive(old_z(p), now.step.push_y, above, below);
}
