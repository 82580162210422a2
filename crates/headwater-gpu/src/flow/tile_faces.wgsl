// A tile in the memory of a workgroup, and what becomes of its faces in stages 4 and 5. It begins `HALO` cells before its
// own ones and is `WIDE` places wide; each place is a cell, with the faces to its west and north.

// Discharges, later the depths that they move.
var<workgroup> faces: array<array<f32, PLACES>, FAMILIES>;
// The tile's first own cell.
var<private> origin: vec2<i32>;

// The place of a cell or face in the tile.
fn at(p: vec2<i32>) -> i32 {
    let q = p - origin + vec2(HALO, HALO);
    return q.y * WIDE + q.x;
}

fn new_face(family: i32, p: vec2<i32>) -> f32 { return faces[family][at(p)]; }

// The cell or face at a place of a part of the tile that is `wide` places wide and begins at `first`.
fn spot(i: u32, wide: u32, first: i32) -> vec2<i32> {
    return origin + vec2(i32(i % wide), i32(i / wide)) + vec2(first, first);
}

// A face: cut down to what the cell that it leaves can feed, and what it moves. Returns both.
fn carried(q: f32, before: vec2<i32>, after: vec2<i32>) -> vec2<f32> {
    let cut = scaled(q, fed(before), fed(after));
    return vec2(cut, transfer(cut));
}

// Books what crossed a boundary face. `into` is the depth that it moved, into the grid.
fn book_crossed(into: f32) {
    book_group(BOUNDARY_IN, into);
    book_group(BOUNDARY_OUT, -into);
}

// Cuts a face down, and stores it where it is the tile's own.
fn move_face(family: i32, p: vec2<i32>) {
    let done = carried(new_face(family, p), cell_before(family, p), cell_after(family, p));
    faces[family][at(p)] = done.y;
    let local = p - origin;
    let own_x = local.x < i32(TILE_X) || (family != Y && p.x == world.nx);
    let own_y = local.y < i32(TILE_Y) || (family != X && p.y == world.ny);
    if own_x && own_y && is_kept(family, p) {
        store(family, to_q() + stored_at(p), done.x);
        if is_boundary(family, p) {
            book_crossed(select(-done.y, done.y, select(p.y, p.x, family == X) == 0));
        }
    }
}
