// The edges of the grid: what stands outside, how wide boundary faces are, and where their cells lie.

const WEST: i32 = 0;
const EAST: i32 = 1;
const NORTH: i32 = 2;
const SOUTH: i32 = 3;

const WALL: u32 = 0u;
const GIVEN: u32 = 1u;
const NOTHING: u32 = 2u;
const LEVEL: u32 = 3u;
const WAVES: u32 = 4u;

// What stands outside a boundary face.
fn outside(edge: i32, i: i32) -> Entry {
    let starts = vec4(0, world.ny, 2 * world.ny, 2 * world.ny + world.nx);
    let owner = owners[starts[edge] + i];
    if owner >= world.kinds {
        return Entry(WALL, 0.0, 0.0, 0.0);
    }
    return now.entries[owner];
}

fn edge_width(edge: i32, i: i32) -> f32 {
    let is_odd = (i & 1) == 1;
    if edge == WEST {
        return select(world.west_even, world.west_odd, is_odd);
    }
    if edge == EAST {
        return select(world.east_even, world.east_odd, is_odd);
    }
    return world.north;
}

// The place in store of the cell behind a boundary face.
fn edge_place(edge: i32, i: i32) -> i32 {
    if edge == WEST {
        return i * world.pitch;
    }
    if edge == EAST {
        return i * world.pitch + world.nx - 1;
    }
    return select(0, world.ny - 1, edge == SOUTH) * world.pitch + i;
}

// Whether faces are on the boundary.
fn is_boundary_x(p: vec2<i32>) -> bool {
    return world.joined_x == 0u && (p.x == 0 || p.x == world.nx);
}

fn is_boundary_y(p: vec2<i32>) -> bool {
    return world.joined_y == 0u && (p.y == 0 || p.y == world.ny);
}
