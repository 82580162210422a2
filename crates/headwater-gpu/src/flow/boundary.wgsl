// The edges of the grid: what stands outside, how wide boundary faces are, and where their cells lie; and the families
// of faces.

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
    return select(world.edge_even, world.edge_odd, (i & 1) == 1)[edge];
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

// Whether a cell lies at an edge, and where along it.
fn is_at_edge(p: vec2<i32>, edge: i32) -> bool {
    return vec4(p.x, world.nx - 1 - p.x, p.y, world.ny - 1 - p.y)[edge] == 0;
}

fn along_edge(p: vec2<i32>, edge: i32) -> i32 { return select(p.x, p.y, edge <= EAST); }

// Families of faces: to the west of their cells, to the north, and the third of hexagons.
const X: i32 = 0;
const Y: i32 = 1;
#if HEX
const Z: i32 = 2;
const FAMILIES: u32 = 3u;
#else
const FAMILIES: u32 = 2u;
#endif

// Whether a face is on the boundary.
fn is_boundary(family: i32, p: vec2<i32>) -> bool {
    if family == X {
        return world.joined_x == 0u && (p.x == 0 || p.x == world.nx);
    }
    return world.joined_y == 0u && (p.y == 0 || p.y == world.ny);
}

#if HEX
// Where the faces of the third family lie: in every other row a column farther on.
fn odd(y: i32) -> bool { return (y & 1) == 1; }
fn z_offset(y: i32) -> i32 { return y & 1; }

// The cells above and below a z-face.
fn above_z(p: vec2<i32>) -> vec2<i32> {
    return p - select(vec2(1, 1), vec2(0, 1), odd(p.y));
}

fn below_z(p: vec2<i32>) -> vec2<i32> {
    return p - select(vec2(0, 0), vec2(1, 0), odd(p.y));
}
#endif
