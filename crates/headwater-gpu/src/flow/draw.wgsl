// A world as a picture needs it: for each cell the height of its ground, its depth, and the velocity of its water.

struct Drawn {
    // The sides of depths and discharges, before the steps whose end the CPU does not know yet.
    side_h: u32,
    side_q: u32,
    // How many of these there are, and how many words each has been told.
    steps: u32,
    record: u32,
    // Length of the step before them (s).
    dt: f32,
    spare_1: u32,
    spare_2: u32,
    spare_3: u32,
}

@group(0) @binding(11) var<uniform> drawn: Drawn;
// As the bed, but with the ground of closed cells too.
@group(0) @binding(12) var<storage, read> ground: array<f32>;
@group(0) @binding(13) var canvas: texture_storage_2d<rgba32float, write>;

// Of the steps whose end the CPU does not know, those that are done.
var<private> done: u32;

fn seen_h() -> i32 { return i32((drawn.side_h + done) & 1u) * world.plane; }
fn seen_q() -> i32 { return i32((drawn.side_q + done) & 1u) * world.plane; }
fn seen_dt() -> f32 {
    if done == 0u {
        return drawn.dt;
    }
    return told_dt(done - 1u);
}

@compute @workgroup_size(BRUSH_X, BRUSH_Y)
fn draw(@builtin(global_invocation_id) id: vec3<u32>) {
    let p = vec2<i32>(id.xy);
    if !is_on_grid(p) {
        return;
    }
    done = steps_done();
    let at = stored_at(p);
    textureStore(canvas, p, vec4(ground[at], seen_depth(at), velocity_of(p)));
}
