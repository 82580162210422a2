// Tile in workgroup memory, and stages 4 and 5 of its faces. The stored area begins `HALO` cells
// before the tile's own cells and is `WIDTH` cells wide. Each element is a cell with its west and
// north faces.

// Discharge of each face, later the depth that the face moves.
var<workgroup> faces: array<array<f32, TILE_CELLS>, FAMILIES>;
// Position in the grid of the tile's first own cell.
var<private> origin: vec2<i32>;

// Returns the index of a cell or face in the tile's arrays.
fn tile_index(p: vec2<i32>) -> i32 {
    let q = p - origin + vec2(HALO, HALO);
    return q.y * WIDTH + q.x;
}

fn new_face(family: i32, p: vec2<i32>) -> f32 { return faces[family][tile_index(p)]; }

// Returns the cell or face with the index `i` in a part of the tile that is `width` cells wide and
// begins at column and row `first`.
fn tile_cell(i: u32, width: u32, first: i32) -> vec2<i32> {
    return origin + vec2(i32(i % width), i32(i / width)) + vec2(first, first);
}

// Returns the limited discharge of a face and the depth that it moves between cells.
fn limited_transfer(q: f32, before: vec2<i32>, after: vec2<i32>) -> vec2<f32> {
    let limited = scaled_discharge(q, outflow_scale_at(before), outflow_scale_at(after));
    return vec2(limited, transfer(limited));
}

// Records the flow through a boundary face in the ledger. `into` is the depth moved into the grid
// (m).
fn record_boundary_flow(into: f32) {
    record_in_group(BOUNDARY_IN, into);
    record_in_group(BOUNDARY_OUT, -into);
}

// Limits the discharge of a face, and stores it if the face belongs to the tile.
fn limit_and_store_face(family: i32, p: vec2<i32>) {
    let result = limited_transfer(new_face(family, p), cell_before(family, p), cell_after(family, p));
    faces[family][tile_index(p)] = result.y;
    let offset = p - origin;
    let is_own_x = offset.x < i32(TILE_X) || (family != Y && p.x == world.nx);
    let is_own_y = offset.y < i32(TILE_Y) || (family != X && p.y == world.ny);
    if is_own_x && is_own_y && is_stored(family, p) {
        store_face(family, new_q_offset() + grid_index(p), result.x);
        if is_boundary(family, p) {
            record_boundary_flow(select(-result.y, result.y, select(p.y, p.x, family == X) == 0));
        }
    }
}
