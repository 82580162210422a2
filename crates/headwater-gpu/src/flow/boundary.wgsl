// Edges of the grid (states, widths and cells of boundary faces) and families of faces.

const WEST: i32 = 0;
const EAST: i32 = 1;
const NORTH: i32 = 2;
const SOUTH: i32 = 3;

const WALL: u32 = 0u;
const DISCHARGE: u32 = 1u;
const FREE_OUTFLOW: u32 = 2u;
const LEVEL: u32 = 3u;
const WAVES: u32 = 4u;

// Returns the boundary state outside face `i` of an edge.
fn boundary_state(edge: i32, i: i32) -> Entry {
    let starts = vec4(0, world.ny, 2 * world.ny, 2 * world.ny + world.nx);
    let index = boundary_indices[starts[edge] + i];
    if index >= world.boundary_count {
        return Entry(WALL, 0.0, 0.0, 0.0);
    }
    return current.entries[index];
}

fn edge_width(edge: i32, i: i32) -> f32 {
    return select(world.edge_even, world.edge_odd, (i & 1) == 1)[edge];
}

// Returns the index of the cell next to boundary face `i` of an edge.
fn edge_cell_index(edge: i32, i: i32) -> i32 {
    if edge == WEST {
        return i * world.pitch;
    }
    if edge == EAST {
        return i * world.pitch + world.nx - 1;
    }
    return select(0, world.ny - 1, edge == SOUTH) * world.pitch + i;
}

// Returns whether a cell lies at an edge.
fn is_at_edge(p: vec2<i32>, edge: i32) -> bool {
    return vec4(p.x, world.nx - 1 - p.x, p.y, world.ny - 1 - p.y)[edge] == 0;
}

fn along_edge(p: vec2<i32>, edge: i32) -> i32 { return select(p.x, p.y, edge <= EAST); }

// Families of faces: X-faces lie west of their cells, Y-faces north. Hexagons have a third family.
const X: i32 = 0;
const Y: i32 = 1;
#if HEX
const Z: i32 = 2;
const FAMILIES: u32 = 3u;
#else
const FAMILIES: u32 = 2u;
#endif

// Returns whether a face lies on an edge of the grid that is not periodic.
fn is_boundary(family: i32, p: vec2<i32>) -> bool {
    if family == X {
        return world.periodic_x == 0u && (p.x == 0 || p.x == world.nx);
    }
    return world.periodic_y == 0u && (p.y == 0 || p.y == world.ny);
}

#if HEX
// Columns of the third face family are shifted by one in every other row.
fn is_odd_row(y: i32) -> bool { return (y & 1) == 1; }
fn z_offset(y: i32) -> i32 { return y & 1; }

// Returns the cells above and below a face of the third family.
fn above_z(p: vec2<i32>) -> vec2<i32> {
    return p - select(vec2(1, 1), vec2(0, 1), is_odd_row(p.y));
}

fn below_z(p: vec2<i32>) -> vec2<i32> {
    return p - select(vec2(0, 0), vec2(1, 0), is_odd_row(p.y));
}
#endif
