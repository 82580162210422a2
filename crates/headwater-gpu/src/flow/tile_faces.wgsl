// A tile in the memory of a workgroup, and what becomes of its faces in stages 4 and 5. It begins `HALO` cells before its
// own ones and is `WIDE` places wide; each place is a cell, with the faces to its west and north.

// Discharges, later the depths that they move.
var<workgroup> tile_x: array<f32, PLACES>;
var<workgroup> tile_y: array<f32, PLACES>;
// The tile's first own cell.
var<private> origin: vec2<i32>;

// The place of a cell or face in the tile.
fn at(p: vec2<i32>) -> i32 {
    let q = p - origin + vec2(HALO, HALO);
    return q.y * WIDE + q.x;
}

fn new_x(p: vec2<i32>) -> f32 { return tile_x[at(p)]; }
fn new_y(p: vec2<i32>) -> f32 { return tile_y[at(p)]; }

// The cell or face at a place of a part of the tile that is `wide` places wide and begins at `first`.
fn spot(i: u32, wide: u32, first: i32) -> vec2<i32> {
    return origin + vec2(i32(i % wide), i32(i / wide)) + vec2(first, first);
}

// A face: cut down to what the cell that it leaves can feed, and what it moves. Returns both.
fn carried(q: f32, before: vec2<i32>, after: vec2<i32>) -> vec2<f32> {
    let cut = scaled(q, fed(before), fed(after));
    return vec2(cut, transfer(cut, greater(tile_depth[at(before)], tile_depth[at(after)])));
}

// Books what crossed a boundary face. `into` is the depth that it moved, into the grid.
fn book_crossed(into: f32) {
    book_group(BOUNDARY_IN, into);
    book_group(BOUNDARY_OUT, -into);
}

fn move_x(p: vec2<i32>) {
    let local = p - origin;
    let done = carried(tile_x[at(p)], p - vec2(1, 0), p);
    tile_x[at(p)] = done.y;
    let own = (local.x < i32(TILE_X) || p.x == world.nx) && p.x <= world.nx;
    if own && local.y < i32(TILE_Y) && p.y < world.ny {
        discharge_x[to_q() + stored_at(p)] = done.x;
        if is_boundary_x(p) {
            book_crossed(select(-done.y, done.y, p.x == 0));
        }
    }
}

fn move_y(p: vec2<i32>) {
    let local = p - origin;
    let done = carried(tile_y[at(p)], p - vec2(0, 1), p);
    tile_y[at(p)] = done.y;
    let own = (local.y < i32(TILE_Y) || p.y == world.ny) && p.y <= world.ny;
    if own && local.x < i32(TILE_X) && p.x < world.nx {
        discharge_y[to_q() + stored_at(p)] = done.x;
        if is_boundary_y(p) {
            book_crossed(select(-done.y, done.y, p.y == 0));
        }
    }
}
