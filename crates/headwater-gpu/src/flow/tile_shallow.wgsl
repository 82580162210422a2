#if SHALLOW_WATER
// Kernel that performs one shallow-water step in one dispatch: a workgroup loads a tile with a halo
// of three cells and performs all stages in workgroup memory.

const HALO: i32 = 3;
const WIDTH: i32 = i32(TILE_X + 6u);
const TILE_CELLS: u32 = (TILE_X + 6u) * (TILE_Y + 6u);

// State of each cell: bed height (later the outflow limiter), depth and velocity.
var<workgroup> tile_bed: array<f32, TILE_CELLS>;
var<workgroup> tile_depth: array<f32, TILE_CELLS>;
var<workgroup> tile_u: array<f32, TILE_CELLS>;
var<workgroup> tile_v: array<f32, TILE_CELLS>;
// State of each cell after half a step, and half-slopes of h, w, u and v along each axis, in the
// frame of that axis.
var<workgroup> half_h: array<f32, TILE_CELLS>;
var<workgroup> half_u: array<f32, TILE_CELLS>;
var<workgroup> half_v: array<f32, TILE_CELLS>;
var<workgroup> slope_x: array<vec4<f32>, TILE_CELLS>;
var<workgroup> slope_y: array<vec4<f32>, TILE_CELLS>;
// Momentum fluxes through faces: normal momentum before and after the face, and tangential
// momentum.
var<workgroup> momentum_flux_x: array<vec3<f32>, TILE_CELLS>;
var<workgroup> momentum_flux_y: array<vec3<f32>, TILE_CELLS>;

fn outflow_scale_at(p: vec2<i32>) -> f32 { return half_h[tile_index(p)]; }

fn is_open(p: vec2<i32>) -> bool { return tile_bed[tile_index(p)] < CLOSED; }

fn water(p: vec2<i32>) -> Water {
    let i = tile_index(p);
    let w = tile_bed[i] + tile_depth[i];
    return Water(tile_bed[i], tile_depth[i], w, tile_u[i], tile_v[i], abs(w) + tile_depth[i]);
}

// Returns the state of a cell's neighbour, in the frame of its direction. Outside the grid, returns
// the ghost state beyond face `i` of `edge`.
fn neighbour_state(
    p: vec2<i32>,
    here: Water,
    step_: vec2<i32>,
    edge: i32,
    i: i32,
    is_y: bool,
) -> Water {
    let neighbor = p + step_;
    if is_open(neighbor) {
        let loaded = water(neighbor);
        if is_y {
            return transposed(loaded);
        }
        return loaded;
    }
    if cell_index(neighbor) >= 0 {
        return mirrored(here);
    }
    // On a grid with only one column or row, a cell is its own neighbour.
    var inner = p - step_;
    if cell_index(inner) < 0 {
        inner = p;
    }
    return ghost_cell(boundary_state(edge, i), here, tile_bed[tile_index(inner)]);
}

// Performs stages 1 and 2 for a cell.
fn reconstruct_cell(p: vec2<i32>) {
    if !is_open(p) {
        return;
    }
    let here = water(p);
    let x = column(p.x);
    let y = row(p.y);
    let slopes_x = half_slopes(
        neighbour_state(p, here, vec2(-1, 0), WEST, y, false),
        here,
        neighbour_state(p, here, vec2(1, 0), EAST, y, false),
    );
    let here_y = transposed(here);
    let slopes_y = half_slopes(
        neighbour_state(p, here_y, vec2(0, -1), NORTH, x, true),
        here_y,
        neighbour_state(p, here_y, vec2(0, 1), SOUTH, x, true),
    );
    let drag = half_drag(here.h, manning(p));
    let half = half_step(here, slopes_x, slopes_y.xywz, drag);
    let i = tile_index(p);
    half_h[i] = half.x;
    half_u[i] = half.y;
    half_v[i] = half.z;
    slope_x[i] = slopes_x;
    slope_y[i] = slopes_y;
}

// Returns the state of a cell at its face before (`to` = −1) or after it (`to` = 1), in the frame
// of the face.
fn face_state(p: vec2<i32>, to: f32, is_y: bool) -> Water {
    let i = tile_index(p);
    if is_y {
        return side(tile_bed[i], vec3(half_h[i], half_v[i], half_u[i]), slope_y[i], to);
    }
    return side(tile_bed[i], vec3(half_h[i], half_u[i], half_v[i]), slope_x[i], to);
}

// Performs stages 3 to 5 for the face west or north of a cell and returns its flux.
fn face_flux(p: vec2<i32>, is_y: bool) -> vec4<f32> {
    let before = p - select(vec2(1, 0), vec2(0, 1), is_y);
    let open_before = is_open(before);
    let open_after = is_open(p);
    if open_before && open_after {
        return hll_flux(face_state(before, 1.0, is_y), face_state(p, -1.0, is_y));
    }
    let family = select(X, Y, is_y);
    let i = select(row(p.y), column(p.x), is_y);
    if open_after {
        let inner = mirrored(face_state(p, -1.0, is_y));
        if is_boundary(family, p) {
            return flux_mirrored(boundary_flux(boundary_state(select(WEST, NORTH, is_y), i), inner));
        }
        return flux_mirrored(wall_flux(inner));
    }
    if open_before {
        let inner = face_state(before, 1.0, is_y);
        if is_boundary(family, p) {
            return boundary_flux(boundary_state(select(EAST, SOUTH, is_y), i), inner);
        }
        return wall_flux(inner);
    }
    return vec4<f32>();
}

// Performs stages 5 to 7 for a cell.
fn update_cell(p: vec2<i32>) {
    let i = tile_index(p);
    let stored = grid_index(p);
    let h = tile_depth[i];
    let updated = update_depth(vec2(h, depth[remainder_offset() + stored]), net_inflow(p));
    let after = updated.x;
    depth[new_h_offset() + stored] = after;
    depth[remainder_offset() + stored] = updated.y;
    var q = vec2<f32>();
    if bed[stored] < CLOSED {
        let per = vec2(current.step.push_x, current.step.push_y);
        let east = momentum_flux_x[tile_index(p + vec2(1, 0))];
        let south = momentum_flux_y[tile_index(p + vec2(0, 1))];
        let west = momentum_flux_x[i];
        let north = momentum_flux_y[i];
        // `tile_u` and `tile_v` now hold the bed-slope terms.
        let push_x = momentum_change(west.y, east.x, north.z, south.z, tile_u[i], per);
        let push_y = momentum_change(north.y, south.x, west.z, east.z, tile_v[i], per.yx);
        let old = vec2(momentum_x[old_q_offset() + stored], momentum_y[old_q_offset() + stored]);
        let drag = ground_drag(after, manning(p));
        q = momentum(h, after, half_h[i], old, vec2(push_x, push_y), drag);
    }
    momentum_x[new_q_offset() + stored] = q.x;
    momentum_y[new_q_offset() + stored] = q.y;
    accumulate_wave_rate(p, after, q);
}

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
        let loaded = cell_index(tile_cell(i, u32(WIDTH), -HALO));
        tile_bed[i] = CLOSED;
        tile_depth[i] = 0.0;
        if loaded >= 0 {
            let h = depth[old_h_offset() + loaded];
            let per = per_depth(h);
            tile_bed[i] = bed[loaded];
            tile_depth[i] = h;
            tile_u[i] = momentum_x[old_q_offset() + loaded] * per;
            tile_v[i] = momentum_y[old_q_offset() + loaded] * per;
        }
    }
    workgroupBarrier();

    // Stages 1 and 2.
    for (var i = lane; i < (TILE_X + 4u) * (TILE_Y + 4u); i += THREADS) {
        reconstruct_cell(tile_cell(i, TILE_X + 4u, -2));
    }
    workgroupBarrier();

    // Stages 3 to 5.
    for (var i = lane; i < (TILE_X + 3u) * (TILE_Y + 3u); i += THREADS) {
        let p = tile_cell(i, TILE_X + 3u, -1);
        let x = face_flux(p, false);
        let y = face_flux(p, true);
        faces[X][tile_index(p)] = x.x * current.step.unit_x;
        faces[Y][tile_index(p)] = y.x * current.step.unit_y;
        momentum_flux_x[tile_index(p)] = x.yzw;
        momentum_flux_y[tile_index(p)] = y.yzw;
    }
    workgroupBarrier();

    // Stage 4. The outflow limiter overwrites the depth after half a step, and the bed-slope terms
    // overwrite the velocities.
    for (var i = lane; i < (TILE_X + 2u) * (TILE_Y + 2u); i += THREADS) {
        let p = tile_cell(i, TILE_X + 2u, -1);
        let k = tile_index(p);
        var scale = 1.0;
        if is_open(p) {
            scale = outflow_scale(tile_depth[k], cell_outflow(p));
            tile_u[k] = slope_force(half_h[k], slope_x[k].y);
            tile_v[k] = slope_force(half_h[k], slope_y[k].y);
        }
        half_h[k] = scale;
    }
    workgroupBarrier();

    // Stages 4 and 5.
    for (var i = lane; i < (TILE_X + 1u) * (TILE_Y + 1u); i += THREADS) {
        let p = tile_cell(i, TILE_X + 1u, 0);
        limit_and_store_face(X, p);
        limit_and_store_face(Y, p);
    }
    workgroupBarrier();

    // Stages 5 to 7.
    for (var i = lane; i < TILE_X * TILE_Y; i += THREADS) {
        let p = tile_cell(i, TILE_X, 0);
        if p.x < world.nx && p.y < world.ny {
            update_cell(p);
        }
    }
    flush_group_ledger(lane);
    workgroupBarrier();
    flush_summary(lane);
}
#endif
