// Traces that water leaves: wet ground that dries, and foam that is advected and fades.

// Current water map: depth, velocity and foam.
@group(0) @binding(3) var water: texture_2d<f32>;
// Previous traces: wet ground and foam.
@group(0) @binding(4) var before: texture_2d<f32>;
@group(0) @binding(5) var clamp_sampler: sampler;

// Time constant of drying ground (s of play).
const DRYING_TIME: f32 = 14.0;
// Time constant of fading foam (s of play).
const FOAM_TIME: f32 = 2.6;

@vertex
fn vs_cover(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    return covering_triangle(index);
}

@fragment
fn fs_trace(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let cell = floor(position.xy);
    let here = textureLoad(water, vec2<i32>(cell), 0);
    let kept = textureLoad(before, vec2<i32>(cell), 0).x;
    // Foam is advected by a semi-Lagrangian step (the first step of Stam 1999).
    let origin = cell_of(position_of(cell) - here.yz * frame.elapsed.x);
    let carried = textureSampleLevel(before, clamp_sampler, (origin + 0.5) / frame.grid.xy, 0.0).y;
    let wet = select(0.0, 1.0, here.x > 0.0);
    let damp = max(wet, kept * frame.elapsed.z * exp(-frame.elapsed.y / DRYING_TIME));
    let foam = max(here.w, carried * frame.elapsed.z * exp(-frame.elapsed.y / FOAM_TIME));
    return vec4(damp, foam * wet, 0.0, 1.0);
}
