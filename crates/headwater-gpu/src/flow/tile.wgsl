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
var<workgroup> kept: array<array<f32, PLACES>, FAMILIES>;

fn old_face(family: i32, p: vec2<i32>) -> f32 { return kept[family][at(p)]; }
#else
// Pipes look at no face but their own.
fn old_face(family: i32, p: vec2<i32>) -> f32 { return stored(family, p); }
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
        let found = stored_cell(p);
        tile_bed[i] = found.x;
        tile_depth[i] = found.y;
#if INERTIAL
        kept[X][i] = stored(X, p);
        kept[Y][i] = stored(Y, p);
#if HEX
        kept[Z][i] = stored(Z, p);
#endif
#endif
    }
    workgroupBarrier();

    // 1 to 3. The faces of all cells that may share a face with a cell of the tile.
    for (var i = lane; i < (TILE_X + 3u) * (TILE_Y + 3u); i += THREADS) {
        let p = spot(i, TILE_X + 3u, -1);
        faces[X][at(p)] = driven(X, p);
        faces[Y][at(p)] = driven(Y, p);
#if HEX
        faces[Z][at(p)] = driven(Z, p);
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
        move_face(X, p);
        move_face(Y, p);
#if HEX
        move_face(Z, p);
#endif
    }
    workgroupBarrier();

    // 5. Depth.
    for (var i = lane; i < TILE_X * TILE_Y; i += THREADS) {
        let p = spot(i, TILE_X, 0);
        if p.x < world.nx && p.y < world.ny {
            let left = outflow(p);
            let stored = stored_at(p);
            let after = updated(vec2(tile_depth[at(p)], depth[remainders() + stored]), came(p));
            depth[to_h() + stored] = after.x;
            depth[remainders() + stored] = after.y;
            note_cell(after.x, left);
        }
    }
    workgroupBarrier();
    note_tile(lane);
    close_books(lane);
}
#endif
