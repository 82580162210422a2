// Sampling of the maps, and light from sun and sky.

@group(0) @binding(3) var ground_map: texture_2d<f32>;
@group(0) @binding(4) var depth_map: texture_2d<f32>;
@group(0) @binding(5) var surface_map: texture_2d<f32>;
// Colour ramps, one per row: land, sea floor, liquid, layer.
@group(0) @binding(6) var ramps: texture_2d<f32>;
// Tileable detail texture: ripple slopes (red, green), grain (blue), caustics (alpha).
@group(0) @binding(7) var grains: texture_2d<f32>;
// Marks map: rivers (red), shadows of objects (green), falling water (blue).
@group(0) @binding(8) var marks: texture_2d<f32>;
// Ground colours of the model, if it has its own.
@group(0) @binding(9) var tints: texture_2d<f32>;
@group(0) @binding(10) var clamp_sampler: sampler;
@group(0) @binding(11) var repeat_sampler: sampler;
// Traces: wet ground (red) and foam (green).
@group(0) @binding(12) var traces: texture_2d<f32>;

override FINE: bool = true;

fn linear(color: vec3<f32>) -> vec3<f32> {
    return pow(color, vec3(2.2));
}

fn ramp(row: f32, t: f32) -> vec3<f32> {
    let at = vec2((clamp(t, 0.0, 1.0) * 255.0 + 0.5) / 256.0, (row + 0.5) / 4.0);
    return textureSampleLevel(ramps, clamp_sampler, at, 0.0).rgb;
}

fn texel(cell: vec2<f32>) -> vec2<f32> {
    return (cell + 0.5) / frame.grid.xy;
}

// Sample positions of bicubic spline filtering with four bilinear samples (Sigg & Hadwiger 2005):
// two positions and their weights along each axis.
struct Taps {
    low: vec2<f32>,
    high: vec2<f32>,
    share: vec2<f32>,
}

fn taps(cell: vec2<f32>) -> Taps {
    let base = floor(cell);
    let t = cell - base;
    let s = 1.0 - t;
    let w0 = s * s * s / 6.0;
    let w1 = 2.0 / 3.0 - 0.5 * t * t * (2.0 - t);
    let w3 = t * t * t / 6.0;
    let w2 = 1.0 - w0 - w1 - w3;
    return Taps(texel(base - 1.0 + w1 / (w0 + w1)), texel(base + 1.0 + w3 / (w2 + w3)), w2 + w3);
}

fn ground_at(cell: vec2<f32>) -> vec4<f32> {
    if !FINE {
        return textureSampleLevel(ground_map, clamp_sampler, texel(cell), 0.0);
    }
    let t = taps(cell);
    let a = textureSampleLevel(ground_map, clamp_sampler, t.low, 0.0);
    let b = textureSampleLevel(ground_map, clamp_sampler, vec2(t.high.x, t.low.y), 0.0);
    let c = textureSampleLevel(ground_map, clamp_sampler, vec2(t.low.x, t.high.y), 0.0);
    let d = textureSampleLevel(ground_map, clamp_sampler, t.high, 0.0);
    return mix(mix(a, b, t.share.x), mix(c, d, t.share.x), t.share.y);
}

fn depth_at(cell: vec2<f32>) -> vec4<f32> {
    return textureSampleLevel(depth_map, clamp_sampler, texel(cell), 0.0);
}

fn surface_at(cell: vec2<f32>) -> vec4<f32> {
    if !FINE {
        return textureSampleLevel(surface_map, clamp_sampler, texel(cell), 0.0);
    }
    let t = taps(cell);
    let a = textureSampleLevel(surface_map, clamp_sampler, t.low, 0.0);
    let b = textureSampleLevel(surface_map, clamp_sampler, vec2(t.high.x, t.low.y), 0.0);
    let c = textureSampleLevel(surface_map, clamp_sampler, vec2(t.low.x, t.high.y), 0.0);
    let d = textureSampleLevel(surface_map, clamp_sampler, t.high, 0.0);
    return mix(mix(a, b, t.share.x), mix(c, d, t.share.x), t.share.y);
}

// Returns the height (m) of the water surface, or of the ground if dry.
fn surface_height(cell: vec2<f32>) -> f32 {
    return bed_straight(cell) + max(depth_at(cell).x, 0.0);
}

// Returns the sky radiance in a direction.
fn sky(ray: vec3<f32>) -> vec3<f32> {
    let up = clamp(ray.z, 0.0, 1.0);
    // At ground level the sky is bright, even if the surroundings are dark.
    let dark = frame.sun.w * (1.0 - frame.air.w);
    let low = mix(vec3(0.70, 0.81, 0.88), vec3(0.10, 0.14, 0.20), dark);
    let high = mix(vec3(0.13, 0.32, 0.62), vec3(0.02, 0.05, 0.13), dark);
    let clear = mix(low, high, smoothstep(0.0, 0.8, up));
    let glare = max(dot(ray, frame.sun.xyz), 0.0);
    let g2 = glare * glare;
    let fair = clear + vec3(0.14, 0.12, 0.08) * g2 * g2 * g2;
    return mix(fair, vec3(0.36, 0.40, 0.44) * (1.0 - 0.7 * dark), 0.85 * frame.air.x);
}

// Returns diffusely reflected light, from surface colour, normal, and visible fractions of the sun
// and the sky.
fn diffuse_light(color: vec3<f32>, normal: vec3<f32>, sun: f32, open: f32) -> vec3<f32> {
    let facing = max(dot(normal, frame.sun.xyz), 0.0) / max(frame.sun.z, 0.3);
    let direct = vec3(1.0, 0.95, 0.85) * facing * sun * 0.80 * (1.0 - 0.6 * frame.air.x);
    let above = mix(vec3(0.27, 0.32, 0.40), vec3(0.33, 0.35, 0.38), frame.air.x) * (0.55 + 0.45 * normal.z) * open * open;
    let around = vec3(0.085, 0.076, 0.060) * (1.3 - 0.5 * normal.z);
    return color * (direct + above + around);
}

// Maps linear light to screen colours (tone mapping), with a soft shoulder.
fn tone_map(light: vec3<f32>) -> vec3<f32> {
    let soft = select(light, 0.72 + 0.34 * (1.0 - exp(-(light - 0.72) / 0.34)), light > vec3(0.72));
    return pow(max(soft, vec3(0.0)), vec3(1.0 / 2.2));
}

// Applies the haze of the air between a position and the camera to a screen colour.
fn apply_haze(color: vec3<f32>, world: vec3<f32>) -> vec3<f32> {
    if frame.eye.w < 0.5 {
        return color;
    }
    let way = max(length(world - frame.eye.xyz) - frame.air.z, 0.0);
    let bright = mix(vec3(0.74, 0.81, 0.86), vec3(0.62, 0.66, 0.70), frame.air.x);
    let air = mix(bright, vec3(0.16, 0.20, 0.27), frame.sun.w * (1.0 - frame.air.w));
    return mix(color, air, 1.0 - exp(-way * frame.air.y));
}
