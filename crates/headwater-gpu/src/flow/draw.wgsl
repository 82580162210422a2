// A world as a picture needs it: for each cell the height of its ground, its depth, and the velocity of its water.

@group(0) @binding(26) var<uniform> drawn: Drawn;
// As the bed, but with the ground of closed cells too.
@group(0) @binding(27) var<storage, read> ground: array<f32>;
@group(0) @binding(28) var canvas: texture_storage_2d<rgba32float, write>;
#if !PIPES
@group(0) @binding(29) var<storage, read> schedule: array<u32>;
#endif

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

#if PIPES
// Steps that are submitted are done.
fn steps_done() -> u32 { return 0u; }
fn told_dt(step: u32) -> f32 { return drawn.dt; }
#else
// Steps that may have been too long: of a batch that is on its way, how many were done, by the notes that they left.
@group(0) @binding(10) var<storage, read_write> notes: array<u32>;

fn steps_done() -> u32 {
    // After one that was not done, none is.
    var least = 0u;
    var most = drawn.steps;
    while least < most {
        let middle = (least + most + 1u) / 2u;
        if notes[3u * middle + 2u] == 1u {
            least = middle;
        } else {
            most = middle - 1u;
        }
    }
    return least;
}

fn told_dt(step: u32) -> f32 { return bitcast<f32>(schedule[step * drawn.record + DT_WORD]); }
#endif

@compute @workgroup_size(GROUP_X, GROUP_Y)
fn draw(@builtin(global_invocation_id) id: vec3<u32>) {
    let p = vec2<i32>(id.xy);
    if !is_on_grid(p) {
        return;
    }
    done = steps_done();
    let at = stored_at(p);
    textureStore(canvas, p, vec4(ground[at], seen_depth(at), velocity_of(p)));
}
