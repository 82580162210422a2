// Drawing kernel: writes the ground height and depth of each cell into the canvas.

@group(0) @binding(0) var<uniform> params: WaveParams;
@group(0) @binding(1) var<storage, read> height: array<i32>;
// For each cell, the ground height (m), and 1 if the cell can hold water.
@group(0) @binding(2) var<storage, read> ground: array<vec2<f32>>;
@group(0) @binding(3) var canvas: texture_storage_2d<rgba32float, write>;

@compute @workgroup_size(GROUP_X, GROUP_Y)
fn draw(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= params.nx || id.y >= params.ny {
        return;
    }
    let at = id.y * params.pitch + id.x;
    let bed = ground[at].x;
    var depth = 0.0;
    if ground[at].y > 0.0 {
        depth = max(f32(height[at]) * params.quantum - bed, 0.0);
    }
    textureStore(canvas, id.xy, vec4(bed, depth, 0.0, 0.0));
}
