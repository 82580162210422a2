#if !SHALLOW_WATER
// One step in one dispatch: a workgroup loads a tile and two cells around it, and does all five stages in its own
// memory. On hexagons each place has a z-face too.

// Cells before the tile's own ones, places along a row, and in all.
const HALO: i32 = 2;
const WIDE: i32 = i32(TILE_X + 2u + BEYOND);
const HIGH: i32 = i32(TILE_Y + 2u + BEYOND);
const PLACES: u32 = u32(WIDE * HIGH);

// Bed, later the part of a cell's outflow that it can feed; depth.
var<workgroup> tile_bed: array<f32, PLACES>;
var<workgroup> tile_depth: array<f32, PLACES>;

fn cell(p: vec2<i32>) -> vec2<f32> {
    return vec2(tile_bed[at(p)], tile_depth[at(p)]);
}

fn fed(p: vec2<i32>) -> f32 { return tile_bed[at(p)]; }

// Discharges before the step.
#if INERTIAL
// Faces that look at their neighbours: tiles keep what these were.
var<workgroup> kept_x: array<f32, PLACES>;
var<workgroup> kept_y: array<f32, PLACES>;
#if HEX
var<workgroup> kept_z: array<f32, PLACES>;
#endif

fn load_old(i: u32, p: vec2<i32>) {
    kept_x[i] = stored_x(p);
    kept_y[i] = stored_y(p);
#if HEX
    kept_z[i] = stored_z(p);
#endif
}

fn old_x(p: vec2<i32>) -> f32 { return kept_x[at(p)]; }
fn old_y(p: vec2<i32>) -> f32 { return kept_y[at(p)]; }
#if HEX
fn old_z(p: vec2<i32>) -> f32 { return kept_z[at(p)]; }
#endif
#else
// Pipes look at no face but their own.
fn old_x(p: vec2<i32>) -> f32 { return stored_x(p); }
fn old_y(p: vec2<i32>) -> f32 { return stored_y(p); }
#if HEX
fn old_z(p: vec2<i32>) -> f32 { return stored_z(p); }
#endif
#endif

#if HEX
var<workgroup> tile_z: array<f32, PLACES>;

fn new_z(p: vec2<i32>) -> f32 { return tile_z[at(p)]; }

fn move_z(p: vec2<i32>) {
    let local = p - origin;
    let done = carried(tile_z[at(p)], above_z(p), below_z(p));
    tile_z[at(p)] = done.y;
    let own_x = local.x < i32(TILE_X) || p.x == world.nx;
    let own_y = local.y < i32(TILE_Y) || p.y == world.ny;
    if own_x && own_y && is_kept_z(p) {
        discharge_z[to_q() + stored_at(p)] = done.x;
        if is_boundary_z(p) {
            book_crossed(select(-done.y, done.y, p.y == 0));
        }
    }
}
#endif

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
        let p = spot(i, u32(WIDE), -HALO);
        let stored = stored_cell(p);
        tile_bed[i] = stored.x;
        tile_depth[i] = stored.y;
#if INERTIAL
        load_old(i, p);
#endif
    }
    workgroupBarrier();

    // 1 to 3. The faces of all cells that may share a face with a cell of the tile.
    for (var i = lane; i < (TILE_X + 3u) * (TILE_Y + 3u); i += THREADS) {
        let p = spot(i, TILE_X + 3u, -1);
        tile_x[at(p)] = driven_x(p);
        tile_y[at(p)] = driven_y(p);
#if HEX
        tile_z[at(p)] = driven_z(p);
#endif
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
#if HEX
        move_z(p);
#endif
    }
    workgroupBarrier();

    // 5. Depth.
    for (var i = lane; i < TILE_X * TILE_Y; i += THREADS) {
        let p = spot(i, TILE_X, 0);
        if p.x < world.nx && p.y < world.ny {
            let left = outflow(p);
            let updated = (tile_depth[at(p)] - left) + inflow(p);
            depth[to_h() + stored_at(p)] = updated;
            note_cell(updated, left);
        }
    }
    workgroupBarrier();
    note_tile(lane);
    close_books(lane);
}
#endif
