// Hexagons: velocity at a cell's centre (m/s, to the east and to the south); 0 in a dry cell.

// 1/√3.
const FRAC_1_SQRT_3: f32 = 0.57735026;

fn speed_z(p: vec2<i32>) -> f32 {
    let odd = (p.y & 1) == 1;
    let above = p - select(vec2(1, 1), vec2(0, 1), odd);
    let below = p - select(vec2(0, 0), vec2(1, 0), odd);
    return over_face(discharge_z[seen_q() + stored_at(p)], above, below, world.face_y);
}

// A z-face out to the west or east is shut, and the other one stands for it.
fn speed_z_or(p: vec2<i32>, other: f32) -> f32 {
    if (p.x == 0 || p.x == world.nx) && p.y > 0 && p.y < world.ny {
        return other;
    }
    return speed_z(p);
}

fn velocity_of(p: vec2<i32>) -> vec2<f32> {
    if seen_depth(stored_at(p)) <= world.dry {
        return vec2<f32>();
    }
    let along = 0.5 * (speed_x(p) + speed_x(p + vec2(1, 0)));
    let odd = (p.y & 1) == 1;
    let z = p + vec2(p.y & 1, 0);
    let y_above = speed_y(p);
    let y_below = speed_y(p + vec2(0, 1));
    let z_above = speed_z_or(z, y_below);
    let z_below = speed_z_or(z + vec2(0, 1), y_above);
    let down = 0.5 * (z_above + y_below);
    let up = 0.5 * (y_above + z_below);
    let southeast = select(down, up, odd);
    let southwest = select(up, down, odd);
    // Three axes at 60° see a vector one and a half times.
    let east = (2.0 * along + southeast - southwest) / 3.0;
    return vec2(east, (southeast + southwest) * FRAC_1_SQRT_3);
}
