// One step in one dispatch: a workgroup loads a tile and two cells around it, and does all five stages in its own
// memory. Each place of the tile is a cell, with the faces to its west and north (and, on hexagons, its z-face).

// Places along a row of the tile, and in all.
const WIDE: i32 = i32(TILE_X + 2u + BEYOND);
const HIGH: i32 = i32(TILE_Y + 2u + BEYOND);
const PLACES: u32 = u32(WIDE * HIGH);

// Bed, later the part of a cell's outflow that it can feed; depth; discharges, later the depths that they move.
var<workgroup> tile_bed: array<f32, PLACES>;
var<workgroup> tile_depth: array<f32, PLACES>;
var<workgroup> tile_x: array<f32, PLACES>;
var<workgroup> tile_y: array<f32, PLACES>;
// The tile's first own cell.
var<private> origin: vec2<i32>;

// The place of a cell or face in the tile.
fn at(p: vec2<i32>) -> i32 {
    let q = p - origin + vec2(2, 2);
    return q.y * WIDE + q.x;
}

fn cell(p: vec2<i32>) -> vec2<f32> {
    return vec2(tile_bed[at(p)], tile_depth[at(p)]);
}

fn new_x(p: vec2<i32>) -> f32 { return tile_x[at(p)]; }
fn new_y(p: vec2<i32>) -> f32 { return tile_y[at(p)]; }

// The cell or face at a place of a part of the tile that is `wide` places wide and begins at `first`.
fn spot(i: u32, wide: u32, first: i32) -> vec2<i32> {
    return origin + vec2(i32(i % wide), i32(i / wide)) + vec2(first, first);
}

// Stages 4 and 5, a face: cut down to what the cell that it leaves can feed, and what it moves. Returns both.
fn carried(q: f32, before: vec2<i32>, after: vec2<i32>) -> vec2<f32> {
    let cut = scaled(q, tile_bed[at(before)], tile_bed[at(after)]);
    return vec2(cut, transfer(cut, greater(tile_depth[at(before)], tile_depth[at(after)])));
}

fn move_x(p: vec2<i32>) {
    let local = p - origin;
    let done = carried(tile_x[at(p)], p - vec2(1, 0), p);
    tile_x[at(p)] = done.y;
    let own = (local.x < i32(TILE_X) || p.x == world.nx) && p.x <= world.nx;
    if own && local.y < i32(TILE_Y) && p.y < world.ny {
        discharge_x[to_q() + p.y * world.pitch + p.x] = done.x;
        if is_rim_x(p) {
            book_rim(select(-done.y, done.y, p.x == 0));
        }
    }
}

fn move_y(p: vec2<i32>) {
    let local = p - origin;
    let done = carried(tile_y[at(p)], p - vec2(0, 1), p);
    tile_y[at(p)] = done.y;
    let own = (local.y < i32(TILE_Y) || p.y == world.ny) && p.y <= world.ny;
    if own && local.x < i32(TILE_X) && p.x < world.nx {
        discharge_y[to_q() + p.y * world.pitch + p.x] = done.x;
        if is_rim_y(p) {
            book_rim(select(-done.y, done.y, p.y == 0));
        }
    }
}

@compute @workgroup_size(THREADS)
fn step_tile(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    if !may_step(lane) {
        return;
    }
    origin = vec2<i32>(group.xy * vec2(TILE_X, TILE_Y));
    open_books(lane);
    for (var i = lane; i < PLACES; i += THREADS) {
        let p = spot(i, u32(WIDE), -2);
        let stored = stored_cell(p);
        tile_bed[i] = stored.x;
        tile_depth[i] = stored.y;
        load_old(i, p);
    }
    workgroupBarrier();

    // 1 to 3. The faces of all cells that may share a face with a cell of the tile.
    for (var i = lane; i < (TILE_X + 3u) * (TILE_Y + 3u); i += THREADS) {
        let p = spot(i, TILE_X + 3u, -1);
        tile_x[at(p)] = driven_x(p);
        tile_y[at(p)] = driven_y(p);
        drive_third(p);
    }
    workgroupBarrier();

    // 4. What each cell can feed.
    for (var i = lane; i < (TILE_X + 2u) * (TILE_Y + 2u); i += THREADS) {
        let p = spot(i, TILE_X + 2u, -1);
        // What is closed or off the grid is in no need.
        var part = 1.0;
        if tile_bed[at(p)] < CLOSED {
            part = fed_part(tile_depth[at(p)], outflow(p));
        }
        tile_bed[at(p)] = part;
    }
    workgroupBarrier();

    // 4 and 5. Faces: cut down, and what they move.
    for (var i = lane; i < (TILE_X + 1u) * (TILE_Y + 1u); i += THREADS) {
        let p = spot(i, TILE_X + 1u, 0);
        move_x(p);
        move_y(p);
        move_third(p);
    }
    workgroupBarrier();

    // 5. Depth.
    for (var i = lane; i < TILE_X * TILE_Y; i += THREADS) {
        let p = spot(i, TILE_X, 0);
        if p.x < world.nx && p.y < world.ny {
            let left = outflow(p);
            let settled = (tile_depth[at(p)] - left) + inflow(p);
            depth[to_h() + p.y * world.pitch + p.x] = settled;
            note_cell(settled, left);
        }
    }
    workgroupBarrier();
    note_tile(lane);
    close_books(lane);
}
