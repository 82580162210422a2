// Velocities computed from discharges, as in crates/headwater/src/flow/velocity.rs. The including
// file defines the offsets of the sampled depths (`sampled_h_offset`) and discharges
// (`sampled_q_offset`), and their step length (`sampled_dt`).

fn sampled_depth(index: i32) -> f32 { return depth[sampled_h_offset() + index]; }

fn is_on_grid(p: vec2<i32>) -> bool {
    return u32(p.x) < u32(world.nx) && u32(p.y) < u32(world.ny);
}

// Returns the velocity through a face (m/s): the discharge divided by the depth of the upstream
// cell, or at an edge by the depth of the inner cell. The divisor is at least the depth that left
// the cell during the step.
fn face_velocity(q: f32, before: vec2<i32>, after: vec2<i32>, width: f32) -> f32 {
    let upstream = select(after, before, q > 0.0);
    let downstream = select(before, after, q > 0.0);
    var h = 0.0;
    if is_on_grid(upstream) {
        h = sampled_depth(grid_index(upstream));
    } else if is_on_grid(downstream) {
        h = sampled_depth(grid_index(downstream));
    }
    let deep = max(h, abs(q) * sampled_dt() / world.area);
    if deep > world.dry {
        return q / (width * deep);
    }
    return 0.0;
}

fn speed_x(p: vec2<i32>) -> f32 {
    var width = world.face_x;
    if p.x == 0 {
        width = edge_width(WEST, p.y);
    } else if p.x == world.nx {
        width = edge_width(EAST, p.y);
    }
    return face_velocity(discharge_x[sampled_q_offset() + grid_index(p)], p - vec2(1, 0), p, width);
}

fn speed_y(p: vec2<i32>) -> f32 {
    return face_velocity(discharge_y[sampled_q_offset() + grid_index(p)], p - vec2(0, 1), p, world.face_y);
}

#if HEX
// Velocity at the centre of a hexagon (m/s, to the east and to the south); 0 in a dry cell.

// 1/√3.
const FRAC_1_SQRT_3: f32 = 0.57735026;

fn speed_z(p: vec2<i32>) -> f32 {
    return face_velocity(discharge_z[sampled_q_offset() + grid_index(p)], above_z(p), below_z(p), world.face_y);
}

// Closed faces of the third family at the west and east edges are replaced by the other face.
fn speed_z_or(p: vec2<i32>, other: f32) -> f32 {
    if (p.x == 0 || p.x == world.nx) && p.y > 0 && p.y < world.ny {
        return other;
    }
    return speed_z(p);
}

fn velocity_of(p: vec2<i32>) -> vec2<f32> {
    if sampled_depth(grid_index(p)) <= world.dry {
        return vec2<f32>();
    }
    let along = 0.5 * (speed_x(p) + speed_x(p + vec2(1, 0)));
    let z = p + vec2(z_offset(p.y), 0);
    let y_above = speed_y(p);
    let y_below = speed_y(p + vec2(0, 1));
    let z_above = speed_z_or(z, y_below);
    let z_below = speed_z_or(z + vec2(0, 1), y_above);
    let down = 0.5 * (z_above + y_below);
    let up = 0.5 * (y_above + z_below);
    let southeast = select(down, up, is_odd_row(p.y));
    let southwest = select(up, down, is_odd_row(p.y));
    // The projections on three axes at 60° add up to 3/2 of the vector.
    let east = (2.0 * along + southeast - southwest) / 3.0;
    return vec2(east, (southeast + southwest) * FRAC_1_SQRT_3);
}
#else
// Returns the velocity at the centre of a square (m/s, to the east and to the south); 0 in a dry
// cell.
fn velocity_of(p: vec2<i32>) -> vec2<f32> {
    if sampled_depth(grid_index(p)) <= world.dry {
        return vec2<f32>();
    }
    let east = 0.5 * (speed_x(p) + speed_x(p + vec2(1, 0)));
    return vec2(east, 0.5 * (speed_y(p) + speed_y(p + vec2(0, 1))));
}
#endif
