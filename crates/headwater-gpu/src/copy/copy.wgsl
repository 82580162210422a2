// Plain memory copy: the bandwidth reference for benchmarks.

@group(0) @binding(0) var<storage, read> source: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> target_: array<vec4<f32>>;

@compute @workgroup_size(THREADS)
fn copy(
    @builtin(global_invocation_id) at: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
) {
    let i = at.y * groups.x * THREADS + at.x;
    if i < arrayLength(&source) {
        target_[i] = source[i];
    }
}
