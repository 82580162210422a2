#if !SHALLOW_WATER
// Kernel that performs one step in one dispatch: a workgroup loads a tile with a halo of two cells
// and performs all five stages in workgroup memory. On hexagons each cell also has a face of the
// third family.

// Number of halo cells before the tile.
const HALO: i32 = 2;
const WIDTH: i32 = i32(TILE_X + 2u + BEYOND);
const HEIGHT: i32 = i32(TILE_Y + 2u + BEYOND);
const TILE_CELLS: u32 = u32(WIDTH * HEIGHT);

// Bed height of each cell, later its outflow limiter.
var<workgroup> tile_bed: array<f32, TILE_CELLS>;
var<workgroup> tile_depth: array<f32, TILE_CELLS>;

fn cell(p: vec2<i32>) -> vec2<f32> {
    return vec2(tile_bed[tile_index(p)], tile_depth[tile_index(p)]);
}

fn outflow_scale_at(p: vec2<i32>) -> f32 { return tile_bed[tile_index(p)]; }

// Discharges before the step.
#if INERTIAL
// The scheme reads neighbouring faces, so old discharges are kept in workgroup memory.
var<workgroup> old_faces: array<array<f32, TILE_CELLS>, FAMILIES>;

fn old_face(family: i32, p: vec2<i32>) -> f32 { return old_faces[family][tile_index(p)]; }
#else
// The pipes scheme reads each face only once.
fn old_face(family: i32, p: vec2<i32>) -> f32 { return stored(family, p); }
#endif

@compute @workgroup_size(THREADS)
fn step_tile(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    if !begin_step(lane) {
        return;
    }
    origin = vec2<i32>(group.xy * vec2(TILE_X, TILE_Y));
    clear_group_ledger(lane);
    for (var i = lane; i < TILE_CELLS; i += THREADS) {
        let p = tile_cell(i, u32(WIDTH), -HALO);
        let loaded = load_cell(p);
        tile_bed[i] = loaded.x;
        tile_depth[i] = loaded.y;
#if INERTIAL
        old_faces[X][i] = stored(X, p);
        old_faces[Y][i] = stored(Y, p);
#if HEX
        old_faces[Z][i] = stored(Z, p);
#endif
#endif
    }
    workgroupBarrier();

    // Stages 1 to 3: all faces of cells in the tile and next to it.
    for (var i = lane; i < (TILE_X + 3u) * (TILE_Y + 3u); i += THREADS) {
        let p = tile_cell(i, TILE_X + 3u, -1);
        faces[X][tile_index(p)] = accelerated_face(X, p);
        faces[Y][tile_index(p)] = accelerated_face(Y, p);
#if HEX
        faces[Z][tile_index(p)] = accelerated_face(Z, p);
#endif
    }
    workgroupBarrier();

    // Stage 4: outflow limiter of each cell.
    for (var i = lane; i < (TILE_X + 2u) * (TILE_Y + 2u); i += THREADS) {
        let p = tile_cell(i, TILE_X + 2u, -1);
        // Closed cells and cells outside the grid need no outflow limiter.
        var scale = 1.0;
        if tile_bed[tile_index(p)] < CLOSED {
            scale = outflow_scale(tile_depth[tile_index(p)], cell_outflow(p));
        }
        tile_bed[tile_index(p)] = scale;
    }
    workgroupBarrier();

    // Stages 4 and 5: limited discharges, and the depths that they move between cells.
    for (var i = lane; i < (TILE_X + 1u) * (TILE_Y + 1u); i += THREADS) {
        let p = tile_cell(i, TILE_X + 1u, 0);
        limit_and_store_face(X, p);
        limit_and_store_face(Y, p);
#if HEX
        limit_and_store_face(Z, p);
#endif
    }
    workgroupBarrier();

    // Stage 5: new depths.
    for (var i = lane; i < TILE_X * TILE_Y; i += THREADS) {
        let p = tile_cell(i, TILE_X, 0);
        if p.x < world.nx && p.y < world.ny {
            let outflow = cell_outflow(p);
            let stored = grid_index(p);
            let after = update_depth(vec2(tile_depth[tile_index(p)], depth[remainder_offset() + stored]), net_inflow(p));
            depth[new_h_offset() + stored] = after.x;
            depth[remainder_offset() + stored] = after.y;
            accumulate_summary(after.x, outflow);
        }
    }
    workgroupBarrier();
    flush_summary(lane);
    flush_group_ledger(lane);
}
#endif
