// Tracers as a picture needs them, in places of five numbers: where each is (m), its velocity (m/s), and its age as a part of its
// lifetime. Those that are not on their way are as old as can be: nothing is seen of them.

@group(0) @binding(30) var<storage, read_write> shown: array<f32>;

@compute @workgroup_size(THREADS)
fn show_tracers(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= COUNT {
        return;
    }
    let at = 5u * id.x;
    if id.x >= tracers.head.alive {
        shown[at + 4u] = 1.0;
        return;
    }
    let it = particles[id.x];
    shown[at] = float_of(it.x);
    shown[at + 1u] = float_of(it.y);
    shown[at + 2u] = it.velocity.x;
    shown[at + 3u] = it.velocity.y;
    shown[at + 4u] = float_of(it.age) / float_of(tracers.head.lifetime);
}
