// Drawing kernel: writes ground height, depth and velocity of each cell into the canvas.

@group(0) @binding(26) var<uniform> params: DrawParams;
// Bed heights of all cells, with the true heights of closed cells.
@group(0) @binding(27) var<storage, read> ground: array<f32>;
@group(0) @binding(28) var canvas: texture_storage_2d<rgba32float, write>;
#if !PIPES
@group(0) @binding(29) var<storage, read> schedule: array<u32>;
#endif

// Number of completed steps of the batch in flight.
var<private> steps_completed: u32;

fn sampled_h_offset() -> i32 { return i32((params.buffer_h + steps_completed) & 1u) * world.plane; }
fn sampled_q_offset() -> i32 { return i32((params.buffer_q + steps_completed) & 1u) * world.plane; }
fn sampled_dt() -> f32 {
    if steps_completed == 0u {
        return params.dt;
    }
    return batch_dt(steps_completed - 1u);
}

#if PIPES
// In the pipes scheme, no submitted step is ever skipped.
fn steps_done() -> u32 { return 0u; }
fn batch_dt(step: u32) -> f32 { return params.dt; }
#else
// State summaries of the batch in flight, which show how many steps were executed.
@group(0) @binding(10) var<storage, read_write> summaries: array<u32>;

fn steps_done() -> u32 {
    // After a skipped step, all later ones are skipped too, so bisection finds the first skipped
    // step.
    var low = 0u;
    var high = params.steps;
    while low < high {
        let middle = (low + high + 1u) / 2u;
        if summaries[3u * middle + 2u] == 1u {
            low = middle;
        } else {
            high = middle - 1u;
        }
    }
    return low;
}

fn batch_dt(step: u32) -> f32 { return bitcast<f32>(schedule[step * params.record_words + DT_WORD]); }
#endif

@compute @workgroup_size(GROUP_X, GROUP_Y)
fn draw(@builtin(global_invocation_id) id: vec3<u32>) {
    let p = vec2<i32>(id.xy);
    if !is_on_grid(p) {
        return;
    }
    steps_completed = steps_done();
    let index = grid_index(p);
    textureStore(canvas, p, vec4(ground[index], sampled_depth(index), velocity_of(p)));
}
