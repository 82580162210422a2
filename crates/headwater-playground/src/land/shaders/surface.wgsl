// Drawing of the land: a rectangle on a map, grid patches in 3-D, and the sides of the block of
// land.

// Number of quads along a side of a patch.
const PATCH_QUADS: f32 = 32.0;

struct Land {
    @builtin(position) position: vec4<f32>,
    @location(0) place: vec2<f32>,
    @location(1) height: f32,
    // 1 for cells without data, 0 for others. Between them, the ground is cut where the
    // interpolated value crosses a threshold.
    @location(2) unknown: f32,
}

fn drawn_height(cell: vec2<f32>, whole: bool) -> f32 {
    let i = vec2<i32>(round(cell));
    if flags_at(i).z > 0.5 {
        return frame.size.z;
    }
    var bed = cell_at(i).x;
    if !whole {
        bed = bed_smooth(cell);
    }
    let depth = select(depth_at(cell).x, -1.0, frame.layer.w > 0.5);
    return (bed + max(depth, 0.0)) * frame.heights.w;
}

// Returns the drawn position of a cell's centre. The edge of a hexagonal world is straightened.
fn drawn_place(cell: vec2<f32>) -> vec2<f32> {
    var place = position_of(cell);
    if frame.size.w > 0.5 && (cell.x <= 0.0 || cell.x >= frame.grid.x - 1.0) {
        place.x = (cell.x + 0.75) * frame.grid.z;
    }
    return place;
}

// Vertex shader of a patch. `patch_at` has the first cell of the patch and the number of cells per
// quad (a power of 2, possibly below 1).
@vertex
fn vs_patch(@location(0) grid: vec2<f32>, @location(1) patch_at: vec4<f32>) -> Land {
    let last = frame.grid.xy - 1.0;
    // A skirt closes the gaps between patches of different resolution.
    let inner = clamp(grid, vec2(0.0), vec2(PATCH_QUADS));
    let hangs = any(inner != grid);
    let cell = min(patch_at.xy + inner * patch_at.z, last);
    var height = drawn_height(cell, patch_at.z >= 1.0);
    // At the world's edge, the sides of the block close the gaps instead.
    if hangs && all(cell > vec2(0.0)) && all(cell < last) {
        height -= patch_at.w;
    }
    let place = drawn_place(cell);
    let unknown = flags_at(vec2<i32>(round(cell))).z;
    return Land(frame.clip * vec4(place, height, 1.0), place, height, unknown);
}

@fragment
fn fs_patch(land: Land) -> @location(0) vec4<f32> {
    let view = normalize(frame.eye.xyz - vec3(land.place, land.height));
    // Shading must come first, because derivatives need the neighbouring invocations.
    let color = shade(land.place, view);
    if land.unknown > 0.999 {
        discard;
    }
    if land.unknown > 0.001 {
        return vec4(tone_map(earth(land.place.x + land.place.y, land.height) * 0.8), 1.0);
    }
    if color.a < 0.5 {
        discard;
    }
    return vec4(apply_haze(color.rgb, vec3(land.place, land.height)), color.a);
}

@vertex
fn vs_map(@builtin(vertex_index) index: u32) -> Land {
    let at = covering_triangle(index).xy;
    let corner = vec2(0.5 * at.x + 0.5, 0.5 - 0.5 * at.y);
    return Land(vec4(at, 0.999, 1.0), frame.map.xy + corner * frame.view.xy * frame.map.z, 0.0, 0.0);
}

@fragment
fn fs_map(land: Land) -> @location(0) vec4<f32> {
    // On a map, the view direction is slightly from the south; from directly above, the water would
    // only mirror the zenith.
    let color = shade(land.place, normalize(vec3(0.0, 0.42, 1.0)));
    let outside = any(land.place < vec2(0.0)) || any(land.place > frame.size.xy);
    if outside || color.a < 0.5 {
        discard;
    }
    return color;
}

// Returns the height of the block of land (exaggerated).
fn earth_span() -> f32 {
    return max(frame.heights.y * frame.heights.w - frame.size.z, 1e-6);
}

// Returns the colour of the soil layers in the cut, which are slightly bent and darker toward the
// base.
fn earth(along: f32, height: f32) -> vec3<f32> {
    let up = (height - frame.size.z) / earth_span();
    let wave = textureSampleLevel(grains, repeat_sampler, vec2(along / frame.size.x * 1.3, 0.3), 2.0).b - 0.5;
    let layer = up * 9.0 + 1.6 * wave;
    let band = fract(layer);
    let tone = fract(sin(floor(layer) * 12.9898) * 43758.5453);
    let thin = 0.92 + 0.08 * smoothstep(0.0, 0.08, min(band, 1.0 - band));
    let fine = textureSampleLevel(grains, repeat_sampler, vec2(along, height) / (30.0 * frame.ground.z), 0.0).b;
    let bottom = 0.72 + 0.28 * smoothstep(0.0, 0.5, up);
    return mix(vec3(0.23, 0.17, 0.12), vec3(0.40, 0.31, 0.22), tone) * thin * (0.86 + 0.28 * fine) * bottom;
}

struct Side {
    @builtin(position) position: vec4<f32>,
    @location(0) place: vec2<f32>,
    @location(1) height: f32,
    @location(2) bed: f32,
    // Outward normal of the side.
    @location(3) @interpolate(flat) normal: vec2<f32>,
    @location(4) depth: f32,
}

// Vertex shader of the four sides in sequence, as strips with alternating top and bottom vertices.
@vertex
fn vs_side(@builtin(vertex_index) index: u32, @builtin(instance_index) side: u32) -> Side {
    let last = frame.grid.xy - 1.0;
    let along = f32(index / 2u);
    var cell: vec2<f32>;
    var normal: vec2<f32>;
    switch side {
        case 0u: { cell = vec2(min(along, last.x), 0.0); normal = vec2(0.0, -1.0); }
        case 1u: { cell = vec2(min(along, last.x), last.y); normal = vec2(0.0, 1.0); }
        case 2u: { cell = vec2(0.0, min(along, last.y)); normal = vec2(-1.0, 0.0); }
        default: { cell = vec2(last.x, min(along, last.y)); normal = vec2(1.0, 0.0); }
    }
    let top = drawn_height(cell, true);
    let place = drawn_place(cell);
    let height = select(top, frame.size.z, (index & 1u) == 1u);
    let bed = cell_at(vec2<i32>(cell)).x * frame.heights.w;
    let position = frame.clip * vec4(place, height, 1.0);
    return Side(position, place, height, bed, normal, max(top - bed, 0.0));
}

@fragment
fn fs_side(side: Side) -> @location(0) vec4<f32> {
    let normal = vec3(side.normal, 0.0);
    let facing = 0.52 + 0.38 * max(dot(normal, frame.sun.xyz), 0.0) + 0.10 * abs(side.normal.x);
    let along = dot(side.place, abs(side.normal.yx));
    let pixel = max(fwidth(side.height), 1e-6);
    let edge = clamp((side.height - side.bed) / pixel + 0.5, 0.0, 1.0);
    let under = (side.bed - side.height) / earth_span();
    var soil = earth(along, side.height);
    // Add a dark layer of topsoil.
    soil = mix(soil, vec3(0.12, 0.085, 0.055), 1.0 - smoothstep(0.012, 0.022, under));
    let down = max(side.depth + side.bed - side.height, 0.0) / frame.heights.w;
    let deep = sqrt(clamp(down / frame.water.y, 0.0, 1.0));
    var wet = mix(ramp(2.0, 0.25 + 0.7 * deep), vec3(0.75, 0.9, 0.95),
        0.35 * (1.0 - smoothstep(0.0, 2.5, down * frame.heights.w / pixel)));
    wet = mix(wet, vec3(0.14, 0.46, 0.52), 0.7 * max(frame.rock.w - 0.3, 0.0));
    if frame.ground.w > 0.5 {
        wet = ramp(2.0, 0.5);
    }
    let light = mix(soil * facing * 1.05, wet * (0.55 + 0.45 * facing), edge);
    return vec4(apply_haze(tone_map(light), vec3(side.place, side.height)), 1.0);
}

@vertex
fn vs_backdrop(@builtin(vertex_index) index: u32) -> Land {
    let at = covering_triangle(index).xy;
    return Land(vec4(at, 0.9999, 1.0), at, 0.0, 0.0);
}

// Fragment shader of the background: a plain room with the block's soft shadow on its floor.
@fragment
fn fs_backdrop(land: Land) -> @location(0) vec4<f32> {
    let height = 0.5 + 0.5 * land.place.y;
    let bright = mix(vec3(0.905, 0.925, 0.94), vec3(0.755, 0.82, 0.875), smoothstep(0.1, 1.0, height));
    let dark = mix(vec3(0.095, 0.11, 0.135), vec3(0.05, 0.06, 0.085), smoothstep(0.1, 1.0, height));
    var color = mix(bright, dark, frame.sun.w);
    if frame.eye.w > 0.5 {
        let ray = frame.ahead.xyz + frame.right.xyz * land.place.x * frame.right.w
            + frame.up.xyz * land.place.y * frame.up.w;
        let way = (frame.size.z - frame.eye.z) / min(ray.z, -1e-5);
        if ray.z < -1e-5 && way > 0.0 {
            let floor_at = frame.eye.xy + ray.xy * way;
            let out = max(max(-floor_at, floor_at - frame.size.xy), vec2(0.0));
            let reach = 0.09 * max(frame.size.x, frame.size.y);
            color *= 1.0 - 0.42 * exp(-length(out) / reach);
        }
        if frame.air.w > 0.0 {
            // At ground level the background is the sky.
            let look = normalize(ray);
            var light = sky(normalize(vec3(look.xy, 1.5 * max(look.z, 0.0))));
            let disc = smoothstep(0.9993, 0.9998, dot(look, frame.sun.xyz));
            // Draw drifting clouds on a distant plane.
            let spot = look.xy / max(look.z + 0.08, 0.05) * 0.35 + vec2(0.004, 0.002) * frame.water.w;
            let broad = textureSampleLevel(grains, repeat_sampler, spot * 0.11, 1.0).b;
            let fine = textureSampleLevel(grains, repeat_sampler, spot * 0.37, 0.0).b;
            let cloud = smoothstep(0.5, 0.78, 0.7 * broad + 0.3 * fine) * smoothstep(0.02, 0.25, look.z);
            light = mix(light, vec3(0.92, 0.94, 0.96) * (0.75 + 0.25 * fine), 0.8 * cloud);
            let clear = tone_map(light * 1.15 + vec3(1.6, 1.5, 1.2) * disc * (1.0 - frame.air.x) * (1.0 - cloud));
            let gray = vec3(0.55, 0.59, 0.63) * (0.85 + 0.15 * clamp(look.z, 0.0, 1.0));
            let air = apply_haze(clear, frame.eye.xyz + look * (frame.air.z + 0.5 / max(frame.air.y * (max(look.z, 0.0) * 6.0 + 0.2), 1e-9)));
            color = mix(color, mix(air, gray, 0.85 * frame.air.x), frame.air.w);
        }
    }
    // Add dithering smaller than one quantization step, to prevent banding.
    let noise = fract(sin(dot(land.position.xy, vec2(12.9898, 78.233))) * 43758.5453);
    return vec4(color + (noise - 0.5) / 255.0, 1.0);
}
