// Marks on the ground, drawn from above into a texture over the whole world: rivers (red), shadows
// of objects (green), falling water (blue).

struct Mark {
    @builtin(position) position: vec4<f32>,
    @location(0) at: vec2<f32>,
    @location(1) strength: f32,
}

fn from_above(place: vec2<f32>) -> vec4<f32> {
    let at = place / frame.size.xy;
    return vec4(2.0 * at.x - 1.0, 1.0 - 2.0 * at.y, 0.0, 1.0);
}

// Vertex shader of a crown's shadow. `spot` has the foot of the tree (m), and the width and height
// as drawn (m).
@vertex
fn vs_shade(@builtin(vertex_index) index: u32, @location(0) spot: vec4<f32>) -> Mark {
    let corner = vec2(f32(index & 1u) * 2.0 - 1.0, f32(index >> 1u) * 2.0 - 1.0);
    let level = max(length(frame.sun.xy), 1e-4);
    let away = -frame.sun.xy / level;
    let across = vec2(-away.y, away.x);
    let long = min(spot.w * level / max(frame.sun.z, 0.2), 3.0 * spot.z);
    let half_long = 0.5 * (long + spot.z);
    let place = spot.xy + away * (corner.x * half_long + 0.35 * long) + across * corner.y * 0.55 * spot.z;
    return Mark(from_above(place), corner, 0.85);
}

@fragment
fn fs_shade(mark: Mark) -> @location(0) vec4<f32> {
    let shade = mark.strength * (1.0 - smoothstep(0.35, 1.0, length(mark.at)));
    return vec4(0.0, shade, 0.0, 0.0);
}

// Vertex shader of a river segment between two positions (m), with its widths (m) and the whiteness
// of the water at both.
@vertex
fn vs_river(
    @builtin(vertex_index) index: u32,
    @location(0) ends: vec4<f32>,
    @location(1) widths: vec2<f32>,
    @location(2) whites: vec2<f32>,
) -> Mark {
    let at_end = f32(index & 1u);
    let side = f32(index >> 1u) * 2.0 - 1.0;
    let way = ends.zw - ends.xy;
    let along = way / max(length(way), 1e-6);
    let across = vec2(-along.y, along.x);
    let width = mix(widths.x, widths.y, at_end);
    // Segments are slightly extended, so that bends have no gaps.
    let place = mix(ends.xy, ends.zw, at_end) + along * (2.0 * at_end - 1.0) * 0.3 * width + across * side * 0.5 * width;
    return Mark(from_above(place), vec2(mix(whites.x, whites.y, at_end), side), 1.0);
}

@fragment
fn fs_river(mark: Mark) -> @location(0) vec4<f32> {
    let band = mark.strength * (1.0 - smoothstep(0.5, 1.0, abs(mark.at.y)));
    return vec4(band, 0.0, band * mark.at.x, 0.0);
}
