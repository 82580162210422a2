#if SHALLOW_WATER
// One step of shallow water in one dispatch: a workgroup loads a tile and three cells around it, and does all stages in
// its own memory.

const HALO: i32 = 3;
const WIDE: i32 = i32(TILE_X + 6u);
const PLACES: u32 = (TILE_X + 6u) * (TILE_Y + 6u);

// Water: bed, later the part of a cell's outflow that it can feed; depth; velocity.
var<workgroup> tile_bed: array<f32, PLACES>;
var<workgroup> tile_depth: array<f32, PLACES>;
var<workgroup> tile_u: array<f32, PLACES>;
var<workgroup> tile_v: array<f32, PLACES>;
// The same half a step later, and half-slopes of h, w, u, v, each in its own direction's view.
var<workgroup> half_h: array<f32, PLACES>;
var<workgroup> half_u: array<f32, PLACES>;
var<workgroup> half_v: array<f32, PLACES>;
var<workgroup> slope_x: array<vec4<f32>, PLACES>;
var<workgroup> slope_y: array<vec4<f32>, PLACES>;
// The momentum that crosses faces: before, after, along.
var<workgroup> force_x: array<vec3<f32>, PLACES>;
var<workgroup> force_y: array<vec3<f32>, PLACES>;

fn fed(p: vec2<i32>) -> f32 { return half_h[at(p)]; }

fn is_open(p: vec2<i32>) -> bool { return tile_bed[at(p)] < CLOSED; }

fn water(p: vec2<i32>) -> Water {
    let i = at(p);
    let w = tile_bed[i] + tile_depth[i];
    return Water(tile_bed[i], tile_depth[i], w, tile_u[i], tile_v[i], abs(w) + tile_depth[i]);
}

// The water on one side of a cell, as its direction sees it; off the grid, beyond face `i` of `edge`.
fn beside(
    p: vec2<i32>,
    here: Water,
    step_: vec2<i32>,
    edge: i32,
    i: i32,
    is_y: bool,
) -> Water {
    let there = p + step_;
    if is_open(there) {
        let found = water(there);
        if is_y {
            return turned(found);
        }
        return found;
    }
    if place(there) >= 0 {
        return mirrored(here);
    }
    // In a grid of one column or row a cell is its own neighbour.
    var inner = p - step_;
    if place(inner) < 0 {
        inner = p;
    }
    return beyond(outside(edge, i), here, tile_bed[at(inner)]);
}

// 1 and 2, a cell.
fn work_out(p: vec2<i32>) {
    if !is_open(p) {
        return;
    }
    let here = water(p);
    let x = column(p.x);
    let y = row(p.y);
    let slopes_x = half_slopes(
        beside(p, here, vec2(-1, 0), WEST, y, false),
        here,
        beside(p, here, vec2(1, 0), EAST, y, false),
    );
    let across = turned(here);
    let slopes_y = half_slopes(
        beside(p, across, vec2(0, -1), NORTH, x, true),
        across,
        beside(p, across, vec2(0, 1), SOUTH, x, true),
    );
    let drag = half_drag(here.h, manning(p));
    let half = half_step(here, slopes_x, slopes_y.xywz, drag);
    let i = at(p);
    half_h[i] = half.x;
    half_u[i] = half.y;
    half_v[i] = half.z;
    slope_x[i] = slopes_x;
    slope_y[i] = slopes_y;
}

// A cell at its face before (−1) or after it (1), in that face's view.
fn side_of(p: vec2<i32>, to: f32, is_y: bool) -> Water {
    let i = at(p);
    if is_y {
        return side(tile_bed[i], vec3(half_h[i], half_v[i], half_u[i]), slope_y[i], to);
    }
    return side(tile_bed[i], vec3(half_h[i], half_u[i], half_v[i]), slope_x[i], to);
}

// 3 to 5, the face to the west of a cell, or to its north.
fn cross(p: vec2<i32>, is_y: bool) -> vec4<f32> {
    let before = p - select(vec2(1, 0), vec2(0, 1), is_y);
    let open_before = is_open(before);
    let open_after = is_open(p);
    if open_before && open_after {
        return flux(side_of(before, 1.0, is_y), side_of(p, -1.0, is_y));
    }
    let family = select(X, Y, is_y);
    let i = select(row(p.y), column(p.x), is_y);
    if open_after {
        let inner = mirrored(side_of(p, -1.0, is_y));
        if is_boundary(family, p) {
            return flux_mirrored(outward(outside(select(WEST, NORTH, is_y), i), inner));
        }
        return flux_mirrored(wall(inner));
    }
    if open_before {
        let inner = side_of(before, 1.0, is_y);
        if is_boundary(family, p) {
            return outward(outside(select(EAST, SOUTH, is_y), i), inner);
        }
        return wall(inner);
    }
    return vec4<f32>();
}

// 5 to 7, a cell.
fn update_cell(p: vec2<i32>) {
    let i = at(p);
    let stored = stored_at(p);
    let h = tile_depth[i];
    let held = updated(vec2(h, depth[remainders() + stored]), came(p));
    let after = held.x;
    depth[to_h() + stored] = after;
    depth[remainders() + stored] = held.y;
    var q = vec2<f32>();
    if bed[stored] < CLOSED {
        let per = vec2(now.step.push_x, now.step.push_y);
        let east = force_x[at(p + vec2(1, 0))];
        let south = force_y[at(p + vec2(0, 1))];
        let west = force_x[i];
        let north = force_y[i];
        // A cell's inclines were put where its velocities had been.
        let push_x = push(west.y, east.x, north.z, south.z, tile_u[i], per);
        let push_y = push(north.y, south.x, west.z, east.z, tile_v[i], per.yx);
        let old = vec2(momentum_x[from_q() + stored], momentum_y[from_q() + stored]);
        let drag = ground_drag(after, manning(p));
        q = momentum(h, after, half_h[i], old, vec2(push_x, push_y), drag);
    }
    momentum_x[to_q() + stored] = q.x;
    momentum_y[to_q() + stored] = q.y;
    note_waves(p, after, q);
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
        let found = place(spot(i, u32(WIDE), -HALO));
        tile_bed[i] = CLOSED;
        tile_depth[i] = 0.0;
        if found >= 0 {
            let h = depth[from_h() + found];
            let per = per_depth(h);
            tile_bed[i] = bed[found];
            tile_depth[i] = h;
            tile_u[i] = momentum_x[from_q() + found] * per;
            tile_v[i] = momentum_y[from_q() + found] * per;
        }
    }
    workgroupBarrier();

    // 1 and 2.
    for (var i = lane; i < (TILE_X + 4u) * (TILE_Y + 4u); i += THREADS) {
        work_out(spot(i, TILE_X + 4u, -2));
    }
    workgroupBarrier();

    // 3 to 5.
    for (var i = lane; i < (TILE_X + 3u) * (TILE_Y + 3u); i += THREADS) {
        let p = spot(i, TILE_X + 3u, -1);
        let x = cross(p, false);
        let y = cross(p, true);
        faces[X][at(p)] = x.x * now.step.unit_x;
        faces[Y][at(p)] = y.x * now.step.unit_y;
        force_x[at(p)] = x.yzw;
        force_y[at(p)] = y.yzw;
    }
    workgroupBarrier();

    // 4. What each cell can feed goes where its depth after half a step was, and its inclines where its velocities
    // were.
    for (var i = lane; i < (TILE_X + 2u) * (TILE_Y + 2u); i += THREADS) {
        let p = spot(i, TILE_X + 2u, -1);
        let k = at(p);
        var part = 1.0;
        if is_open(p) {
            part = fed_part(tile_depth[k], outflow(p));
            tile_u[k] = incline(half_h[k], slope_x[k].y);
            tile_v[k] = incline(half_h[k], slope_y[k].y);
        }
        half_h[k] = part;
    }
    workgroupBarrier();

    // 4 and 5.
    for (var i = lane; i < (TILE_X + 1u) * (TILE_Y + 1u); i += THREADS) {
        let p = spot(i, TILE_X + 1u, 0);
        move_face(X, p);
        move_face(Y, p);
    }
    workgroupBarrier();

    // 5 to 7.
    for (var i = lane; i < TILE_X * TILE_Y; i += THREADS) {
        let p = spot(i, TILE_X, 0);
        if p.x < world.nx && p.y < world.ny {
            update_cell(p);
        }
    }
    close_books(lane);
    workgroupBarrier();
    note_tile(lane);
}
#endif
