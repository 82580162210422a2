// Stages 2 and 3 of the local inertial equations over the third family of faces of hexagons.

fn drive_z(p: vec2<i32>, above: vec2<f32>, below: vec2<f32>) -> f32 {
    let n = rough(manning(above_z(p)), manning(below_z(p)));
    let face = Face(old_z(p), along_z(p), across_z(p), above, below, n);
    return drive(face, now.step.push_y, now.step.unit_y, now.step.across_y);
}
