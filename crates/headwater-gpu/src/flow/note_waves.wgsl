// How fast the waves of shallow water are, for the next step's length; see guard.wgsl.

// Notes how many cells waves cross in a second, at the cell and over the edges beside it.
fn note_waves(p: vec2<i32>, h: f32, q: vec2<f32>) {
    let per_dx = 1.0 / world.face_y;
    let per_dy = 1.0 / world.face_x;
    let c = sqrt(world.gravity * larger(h, 1e-3));
    let per = per_depth(h);
    var rate = larger((abs(q.x * per) + c) * per_dx, (abs(q.y * per) + c) * per_dy);
    let ground = bed[p.y * world.pitch + p.x];
    if p.x == 0 {
        rate = larger(rate, entering_rate(outside(WEST, p.y), ground, h, per_dx));
    }
    if p.x == world.nx - 1 {
        rate = larger(rate, entering_rate(outside(EAST, p.y), ground, h, per_dx));
    }
    if p.y == 0 {
        rate = larger(rate, entering_rate(outside(NORTH, p.x), ground, h, per_dy));
    }
    if p.y == world.ny - 1 {
        rate = larger(rate, entering_rate(outside(SOUTH, p.x), ground, h, per_dy));
    }
    atomicMax(&tile_deepest, bitcast<u32>(rate));
}
