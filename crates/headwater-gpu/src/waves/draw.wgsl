// A surface as a picture needs it: for each cell the height of its bed below the water at rest, and its depth.

@group(0) @binding(0) var<uniform> rule: Rule;
@group(0) @binding(1) var<storage, read> height: array<i32>;
// Depth of the water at rest (m); 0 on land.
@group(0) @binding(2) var<storage, read> still: array<f32>;
@group(0) @binding(3) var canvas: texture_storage_2d<rgba32float, write>;

@compute @workgroup_size(BRUSH_X, BRUSH_Y)
fn draw(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= rule.nx || id.y >= rule.ny {
        return;
    }
    let at = id.y * rule.pitch + id.x;
    let rest = still[at];
    var depth = 0.0;
    if rest > 0.0 {
        depth = max(rest + f32(height[at]) * rule.quantum, 0.0);
    }
    textureStore(canvas, id.xy, vec4(-rest, depth, 0.0, 0.0));
}
