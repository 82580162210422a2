// Kernel that exports tracers as five numbers each: position (m), velocity (m/s), and age divided
// by lifetime. Inactive tracers have the value 1 for the age.

@group(0) @binding(30) var<storage, read_write> vertices: array<f32>;

@compute @workgroup_size(THREADS)
fn export_tracers(@builtin(global_invocation_id) id: vec3<u32>) {
    if id.x >= COUNT {
        return;
    }
    let index = 5u * id.x;
    if id.x >= tracers.head.alive {
        vertices[index + 4u] = 1.0;
        return;
    }
    let particle = particles[id.x];
    vertices[index] = double_to_f32(particle.x);
    vertices[index + 1u] = double_to_f32(particle.y);
    vertices[index + 2u] = particle.velocity.x;
    vertices[index + 3u] = particle.velocity.y;
    vertices[index + 4u] = double_to_f32(particle.age) / double_to_f32(tracers.head.lifetime);
}
