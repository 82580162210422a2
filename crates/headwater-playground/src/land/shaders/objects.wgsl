// Objects on the land, drawn as instances of low-polygon meshes.

struct Object {
    @builtin(position) position: vec4<f32>,
    @location(0) color: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) light: vec2<f32>,
    @location(3) world: vec3<f32>,
}

// Vertex shader of an object. `placement` has the position (m), heading (rad) and vertical offset
// (exaggerated). `size` has length, width and height as drawn (m), and the surface that the object
// stands on: 0 ground, 1 water, 2 none. In the last case, `color_and_extra_height.w` (m, drawn) is
// added to the height (m).
@vertex
fn vs_object(
    @location(0) point: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) color: vec4<f32>,
    @location(3) placement: vec4<f32>,
    @location(4) size: vec4<f32>,
    @location(5) color_and_extra_height: vec4<f32>,
) -> Object {
    let along = vec2(cos(placement.z), sin(placement.z));
    let across = vec2(-along.y, along.x);
    let cell = cell_of(placement.xy);
    var base = placement.w;
    var high = size.z;
    var tilt = vec2(0.0);
    if size.w < 0.5 {
        base += bed_straight(cell) * frame.heights.w;
    } else if size.w < 1.5 {
        base += surface_height(cell) * frame.heights.w;
        tilt = textureSampleLevel(surface_map, clamp_sampler, texel(cell), 0.0).xy * frame.heights.w;
    } else {
        base *= frame.heights.w;
        // Objects above the ground are not exaggerated.
        high = high * frame.heights.w + color_and_extra_height.w;
    }
    let flat_at = along * point.x * size.x + across * point.y * size.y;
    let world = vec3(placement.xy + flat_at, base + point.z * high + dot(tilt, flat_at));
    let bent = normal / max(vec3(size.xy, high), vec3(1e-6));
    let map = textureSampleLevel(ground_map, clamp_sampler, texel(cell), 0.0);
    return Object(
        frame.clip * vec4(world, 1.0),
        // Mesh parts with their own colour ignore the tone, such as trunks below crowns and masts
        // above hulls.
        linear(mix(color.rgb, color_and_extra_height.rgb, color.a)),
        vec3(along * bent.x + across * bent.y, bent.z),
        vec2(clamp(map.z, 0.0, 1.0), mix(0.75, 1.0, clamp(point.z, 0.0, 1.0)) * clamp(map.w, 0.0, 1.0)),
        world,
    );
}

@fragment
fn fs_object(thing: Object) -> @location(0) vec4<f32> {
    let light = diffuse_light(thing.color, normalize(thing.normal), thing.light.x, thing.light.y);
    return vec4(apply_haze(tone_map(light), thing.world), 1.0);
}
