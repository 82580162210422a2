// Tiles of hexagons: the third family of faces.

var<workgroup> tile_z: array<f32, PLACES>;

fn new_z(p: vec2<i32>) -> f32 { return tile_z[at(p)]; }

fn drive_third(p: vec2<i32>) {
    tile_z[at(p)] = driven_z(p);
}

fn move_third(p: vec2<i32>) {
    let local = p - origin;
    let done = carried(tile_z[at(p)], above_z(p), below_z(p));
    tile_z[at(p)] = done.y;
    let own_x = local.x < i32(TILE_X) || p.x == world.nx;
    let own_y = local.y < i32(TILE_Y) || p.y == world.ny;
    if own_x && own_y && is_kept_z(p) {
        discharge_z[to_q() + p.y * world.pitch + p.x] = done.x;
        if is_rim_z(p) {
            book_rim(select(-done.y, done.y, p.y == 0));
        }
    }
}
