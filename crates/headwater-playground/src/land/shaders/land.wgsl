// Colours of the land and the water at a position, including light.

// A position on the ground, as needed for shading.
struct GroundPoint {
    place: vec2<f32>,
    cell: vec2<f32>,
    // Size of a pixel at this position (m).
    pixel: f32,
}

fn grain_at(place: vec2<f32>, size: f32, pixel: f32) -> vec4<f32> {
    // A texture of 256 texels contains 16 bumps.
    let tile = 16.0 * size;
    let level = log2(max(pixel * 256.0 / tile, 1e-3));
    return textureSampleLevel(grains, repeat_sampler, place / tile, level);
}

// Returns the ground colour: tint by height, rock on steep slopes, woods and rivers.
fn tint(spot: GroundPoint, map: vec4<f32>, height: f32, rough: f32) -> vec3<f32> {
    let steep = length(map.xy) * frame.heights.w;
    if frame.view.w > 0.5 {
        let own = textureSampleLevel(tints, clamp_sampler, spot.place / frame.size.xy, 0.0).rgb;
        return linear(own) * (1.0 + 0.10 * rough);
    }
    let hollow = 1.0 - map.w;
    let span = max(frame.heights.y - frame.heights.x, 1e-6);
    let t = clamp((height - frame.heights.x) / span - 0.05 * hollow + 0.022 * rough, 0.0, 1.0);
    var color: vec3<f32>;
    let sea = frame.ground.y;
    if sea >= 0.0 && t < sea {
        color = ramp(1.0, (sea - t) / max(sea, 1e-3));
    } else if sea >= 0.0 {
        color = ramp(0.0, (t - sea) / (1.0 - sea));
    } else {
        color = ramp(0.0, t * frame.ground.x);
    }
    let bare = smoothstep(0.62, 1.25, steep + 0.3 * rough - 0.3 * hollow);
    color = mix(color, frame.rock.rgb, 0.8 * bare);
    return color * (1.0 + 0.09 * rough);
}

struct Ground {
    light: vec3<f32>,
    // Fraction of direct sunlight that reaches the ground.
    sun: f32,
    height: f32,
}

// Returns the shading of dry ground. `bright` scales the sunlight.
fn ground(spot: GroundPoint, bright: f32) -> Ground {
    let map = ground_at(spot.cell);
    let height = bed_straight(spot.cell);
    let coarse = grain_at(spot.place, frame.ground.z, spot.pixel);
    var rough = coarse.b * 2.0 - 1.0;
    if FINE {
        let close = grain_at(spot.place.yx + 3.7 * frame.ground.z, 0.27 * frame.ground.z, spot.pixel);
        rough = 0.62 * rough + 0.38 * (close.b * 2.0 - 1.0);
    }
    var color = tint(spot, map, height, rough);
    let mark = textureSampleLevel(marks, clamp_sampler, spot.place / frame.size.xy, 0.0);
    color = mix(color, vec3(0.10, 0.30, 0.46), 0.85 * mark.r);
    color = mix(color, vec3(0.92, 0.96, 0.98), 0.95 * mark.b);
    // Bumps are smaller than cells, and stronger on rock.
    let steep = length(map.xy) * frame.heights.w;
    let bumps = (coarse.rg - 0.5) * (0.10 + 0.30 * smoothstep(0.3, 1.2, steep));
    let normal = normalize(vec3(-(map.xy * frame.heights.w + bumps), 1.0));
    let sun = clamp(map.z, 0.0, 1.0) * (1.0 - 0.62 * mark.g);
    return Ground(diffuse_light(color, normal, sun * bright, clamp(map.w, 0.0, 1.0)), sun, height);
}

// Returns a colour with contour lines drawn over it.
fn contours(color: vec3<f32>, height: f32, climb: f32) -> vec3<f32> {
    let interval = frame.contour.x;
    let lines = (height - frame.contour.y) / max(interval, 1e-6);
    let nearest = round(lines);
    let each = climb / max(interval, 1e-6);
    if interval <= 0.0 || each < 1e-5 || (nearest == 0.0 && frame.contour.z < 0.5) {
        return color;
    }
    let distance = abs(lines - nearest) / each;
    let main = abs(nearest - 5.0 * round(nearest / 5.0)) < 0.5;
    let half = select(0.42, 0.62, main);
    let ink = select(0.22, 0.34, main) * (1.0 - smoothstep(0.12, 0.4, each));
    return mix(color, color * vec3(0.35, 0.26, 0.2), clamp(half + 0.5 - distance, 0.0, 1.0) * 1.6 * ink);
}

// Returns the logarithmic depth, from 0 for films to 1 at the darkest depth, so that rivulets and
// seas are both visible.
fn depth_fraction(depth: f32) -> f32 {
    let film = max(frame.water.x, 2e-4 * frame.water.y);
    return clamp(log(max(depth, film) / film) / log(frame.water.y / film), 0.0, 1.0);
}

// Returns the slopes of ripples advected with the flow: two patterns that fade in and out
// alternately, so that neither is distorted (flow maps, Vlachos 2010). Blue is the grain of the
// patterns, for foam.
fn ripples(place: vec2<f32>, velocity: vec2<f32>, pixel: f32) -> vec3<f32> {
    let size = frame.view.z;
    let speed = length(velocity);
    let fast = frame.water.z;
    // The drift is slowed down to be perceptible.
    let drift = velocity / max(fast, 1e-6) * size * 3.0;
    let wander = grain_at(place, 7.0 * size, pixel).b;
    let clock = frame.water.w * 0.55 + wander;
    let first = fract(clock);
    let second = fract(clock + 0.5);
    let share = abs(1.0 - 2.0 * first);
    let a = grain_at(place - drift * first, size, pixel);
    let b = grain_at(place - drift * second + 5.3 * size, size, pixel);
    var both = mix(a, b, share);
    // Wind waves move independently of the flow.
    if FINE {
        let c = grain_at(place.yx * 1.7 + vec2(0.6, 0.35) * size * frame.water.w, size, pixel);
        both = vec4(both.rg + 0.5 * (c.gr - 0.5), both.ba);
    }
    let quick = sqrt(clamp(speed / max(fast, 1e-6), 0.0, 1.5));
    return vec3((both.rg - 0.5) * frame.contour.w * (0.10 + 0.75 * quick), both.b);
}

// Returns the shading of water over ground. `view` is the direction from the surface to the camera.
fn water(spot: GroundPoint, depths: vec4<f32>, view: vec3<f32>, below: vec3<f32>, normal: vec3<f32>,
    bed_sun: f32, foam_grain: f32, offshore: f32) -> vec3<f32> {
    let surface = surface_at(spot.cell);
    let depth = max(depths.x, 0.0);
    let share = depth_fraction(depth);
    let deep = sqrt(clamp(depth / frame.water.y, 0.0, 1.0));
    // Shadows on the bed appear weaker at the surface.
    let sun = mix(bed_sun, 1.0, 0.5 * smoothstep(0.2, 0.7, share)) * (1.0 - 0.6 * frame.air.x);
    let tone = mix(THIN, ramp(2.0, deep), smoothstep(0.3, 0.62, share));
    // The water absorbs light from the ground, most strongly red.
    let murky = pow(vec3(1.0 - 0.96 * smoothstep(0.04, 0.85, share)), vec3(1.35, 0.9, 0.8));
    let clear = exp(-vec3(2.5, 0.85, 0.56) * depth / frame.water.y);
    let left = mix(murky, clear, frame.rock.w);
    let inside = tone * (0.42 + 0.58 * sun) * (0.90 + 0.10 * normal.z);
    var light = mix(inside, below, left);
    // Add reflections of the sky and the sun.
    let facing = clamp(dot(normal, view), 0.0, 1.0);
    let mirrored = reflect(-view, normal);
    let grazing = 1.0 - facing;
    let g2 = grazing * grazing;
    let fresnel = 0.02 + 0.98 * g2 * g2 * grazing;
    let solid = smoothstep(0.05, 0.5, share);
    light = mix(light, sky(vec3(mirrored.xy, abs(mirrored.z))), min(fresnel * 1.15, 0.72) * solid);
    let half = normalize(frame.sun.xyz + view);
    let spark = max(dot(normal, half), 0.0);
    let s2 = spark * spark;
    let s8 = s2 * s2 * s2 * s2;
    let s64 = s8 * s8 * s8 * s8 * s8 * s8 * s8 * s8;
    let s512 = s64 * s64 * s64 * s64 * s64 * s64 * s64 * s64;
    light += vec3(1.0, 0.96, 0.86) * (0.85 * s512 + 0.06 * s64) * sun * solid;
    // Add foam: patches carried by the flow, and a thin rim along wide water.
    let wide = smoothstep(0.02, 0.3, share) * smoothstep(0.25, 0.5, surface.z);
    let rim = 0.5 * wide * clamp(1.0 - abs(offshore - 1.1) / 1.3, 0.0, 1.0);
    let white = clamp(depths.w, 0.0, 1.0);
    let patches = smoothstep(0.0, 0.46, white * 0.9 - foam_grain + 0.02) * (0.45 + 0.55 * white);
    return mix(light, FOAM * (0.40 + 0.52 * sun), max(patches * 0.92, rim));
}

// Returns the colour of lava: a dark crust with glowing seams, hot where it is deep or fast.
fn lava(spot: GroundPoint, depths: vec4<f32>, flow: vec3<f32>, normal: vec3<f32>, sun: f32) -> vec3<f32> {
    let quick = sqrt(clamp(length(depths.yz) / frame.water.z, 0.0, 1.0));
    let deep = sqrt(clamp(depths.x / frame.water.y, 0.0, 1.0));
    let heat = 0.05 + 0.5 * quick * quick + 0.25 * quick + 0.16 * deep;
    let seams = max(1.0 - 5.0 * abs(flow.z - 0.5), 0.0);
    let glow = heat + 0.5 * seams * (0.25 + heat);
    let color = ramp(2.0, glow);
    let crust = diffuse_light(color, normal, sun, 1.0);
    return mix(crust, color * 1.5, smoothstep(0.2, 0.5, glow));
}

// Returns the slopes of the rings that raindrops make: one drop per cell of a grid, at random
// times.
fn rings(place: vec2<f32>, size: f32) -> vec2<f32> {
    var slope = vec2(0.0);
    for (var k = 0; k < 3; k++) {
        let at = place / size + vec2(0.37, 0.71) * f32(k);
        let spot = floor(at);
        let own = fract(sin(dot(spot, vec2(12.9898, 78.233)) + f32(k) * 3.1) * 43758.5453);
        let turn = frame.water.w * (0.9 + 0.4 * own) + own * 7.0;
        let age = fract(turn);
        let again = fract(sin(floor(turn) * 91.7 + own * 57.3) * 43758.5453);
        let off = at - spot - (0.3 + 0.4 * vec2(again, fract(again * 7.31)));
        let way = length(off);
        let front = (way - 0.3 * age) * 26.0;
        let falls = select(0.0, 1.0, fract(again * 3.7) < frame.air.x);
        slope += falls * off / max(way, 1e-3) * sin(front) * exp(-0.25 * front * front) * (1.0 - age);
    }
    return slope;
}

// Returns the colour of acid: nearly opaque and luminous, brightest on crests and in deep water.
fn acid(spot: GroundPoint, depths: vec4<f32>, normal: vec3<f32>, below: vec3<f32>, grain: f32) -> vec3<f32> {
    let deep = clamp(depths.x / frame.water.y, 0.0, 1.0);
    let cloudy = pow(vec3(0.10, 0.34, 0.02), vec3(1.5 * deep));
    let side = dot(normal, frame.sun.xyz) - frame.sun.z;
    let heat = clamp(0.46 + 1.6 * side + 0.5 * (grain - 0.5), 0.05, 1.6);
    let body = ramp(2.0, heat / 1.6) * (0.45 + 0.7 * heat) * (1.0 - exp(-2.4 * deep - 0.25));
    return below * cloudy + body;
}

// Returns a colour with the brush drawn over it: a ring with a faint fill.
fn draw_cursor(color: vec3<f32>, place: vec2<f32>, pixel: f32) -> vec3<f32> {
    let radius = frame.cursor.z;
    if radius <= 0.0 {
        return color;
    }
    let way = length(place - frame.cursor.xy);
    let line = clamp(1.9 - abs(way - radius) / pixel, 0.0, 1.0);
    let halo = 0.45 * clamp(3.4 - abs(way - radius) / pixel, 0.0, 1.0);
    let within = 0.10 * (1.0 - smoothstep(radius - pixel, radius, way));
    let shaded = mix(color, vec3(0.05), halo * frame.cursor_color.a);
    return mix(shaded, frame.cursor_color.rgb, max(line, within) * frame.cursor_color.a);
}

// Returns the screen colour at a position, seen from the direction `view` (unit vector to the
// camera).
fn shade(place: vec2<f32>, view: vec3<f32>) -> vec4<f32> {
    let across = fwidth(place);
    let pixel = max(max(across.x, across.y), 1e-9);
    var cell = cell_of(place);
    let exact = frame.map.w > 0.5;
    var at = place;
    if exact {
        cell = nearest_cell(place, cell);
        at = position_of(cell);
    }
    let flag = textureLoad(flags, clamp_cell(vec2<i32>(round(cell))), 0);
    var depths = depth_at(cell);
    let trace = textureSampleLevel(traces, clamp_sampler, texel(cell), 0.0);
    depths.w = max(depths.w, trace.y);
    let per_pixel = max(fwidth(depths.x), 1e-9);
    let climb = max(fwidth(bed_straight(cell)), 1e-9);
    let raw = cell_at(vec2<i32>(round(cell)));
    let offshore = depths.x / per_pixel;
    var cover = clamp(offshore + 0.5, 0.0, 1.0);
    if exact {
        cover = f32(raw.y > frame.water.x);
    }
    if frame.layer.w > 0.5 {
        cover = 0.0;
    }
    if flag.z > 0.5 {
        return vec4(0.0);
    }
    let here = GroundPoint(at, cell, pixel);
    var light: vec3<f32>;
    let surface = surface_at(cell);
    let flow = ripples(place, depths.yz, pixel);
    let fade = 1.0 - smoothstep(0.08, 0.6, pixel / (frame.view.z * 1.2));
    let calm = smoothstep(0.0, 0.25, depth_fraction(max(depths.x, 0.0)));
    var bent = surface.xy * frame.heights.w + flow.xy * fade * calm;
    if frame.air.x > 0.0 {
        // Drops are as large as the resolution of the view requires.
        let size = max(1.2 * frame.view.z, 18.0 * pixel);
        bent += 0.8 * rings(place, size) * calm * frame.contour.w;
    }
    let normal = normalize(vec3(-bent, 1.0));
    if cover < 1.0 {
        let dry = ground(here, 1.0);
        var damp = dry.light;
        // The bank is wet slightly beyond the shore.
        let moist = smoothstep(-0.5, 0.0, depths.x / max(0.05 * frame.water.y, frame.water.x));
        let shows = f32(frame.ground.w < 0.5 && frame.layer.w < 0.5);
        damp *= mix(vec3(1.0), vec3(0.74, 0.78, 0.80), moist * shows);
        // Formerly flooded or rained-on ground is darker and shiny until it dries.
        let soaked = max(trace.x, 0.55 * frame.air.x) * shows;
        damp *= mix(vec3(1.0), vec3(0.66, 0.69, 0.72), soaked);
        let glance = 1.0 - clamp(view.z, 0.0, 1.0);
        damp += sky(reflect(-view, vec3(0.0, 0.0, 1.0))) * (0.02 + 0.10 * glance * glance) * soaked;
        light = contours(damp, dry.height, climb);
    }
    if cover > 0.0 {
        var spot = here;
        var bright = 1.0;
        if frame.ground.w < 0.5 && !exact {
            // Refraction shifts the visible position of the bed.
            let ray = refract(-view, normal, 0.75);
            let down = min(max(depths.x, 0.0), 0.5 * frame.water.y) * frame.heights.w;
            let longest = 3.0 * min(frame.grid.z, frame.grid.w);
            let aside = ray.xy / max(-ray.z, 0.3) * down;
            let bending = aside * min(1.0, longest / max(length(aside), 1e-6));
            spot.place = clamp(place + bending, vec2(0.0), frame.size.xy);
            spot.cell = cell_of(spot.place);
            let threads = grain_at(spot.place + (normal.xy * 1.5 + 0.3 * flow.xy) * frame.view.z
                + vec2(0.11, 0.07) * frame.water.w * frame.view.z, 1.6 * frame.view.z, pixel).a;
            let shallow = smoothstep(0.0, 0.1, depth_fraction(depths.x)) * exp(-3.0 * max(depths.x, 0.0) / frame.water.y);
            bright += (threads - 0.32) * 1.5 * shallow * fade * fade;
        }
        let bed = ground(spot, bright);
        var wet: vec3<f32>;
        if frame.ground.w < 0.5 {
            wet = water(here, depths, view, bed.light, normal, bed.sun, flow.z, offshore);
        } else if frame.ground.w < 1.5 {
            wet = lava(here, depths, flow, normal, bed.sun);
        } else {
            wet = acid(here, depths, normal, bed.light, flow.z);
        }
        light = mix(light, wet, cover);
    }
    if frame.layer.x > 0.5 {
        light = quantity_color(here, depths, raw, light, cover);
    }
    var color = tone_map(light);
    if exact {
        let rim = min(min(fract(cell_of(place).x + 0.5), 1.0 - fract(cell_of(place).x + 0.5)) * frame.grid.z,
            min(fract(cell_of(place).y + 0.5), 1.0 - fract(cell_of(place).y + 0.5)) * frame.grid.w) / pixel;
        if frame.size.w < 0.5 {
            color *= 1.0 - 0.14 * clamp(1.2 - rim, 0.0, 1.0);
        }
    }
    return vec4(draw_cursor(color, place, pixel), 1.0);
}

// Returns the cell whose centre is nearest to a position.
fn nearest_cell(place: vec2<f32>, between: vec2<f32>) -> vec2<f32> {
    var best = vec2<f32>(clamp_cell(vec2<i32>(round(between))));
    if frame.size.w > 0.5 {
        let row = floor(place.y / frame.grid.w - 0.5);
        var shortest = 1e30;
        for (var k = 0; k < 2; k++) {
            let y = row + f32(k);
            let x = round(place.x / frame.grid.z - 0.5 - shift(y));
            let candidate = vec2<f32>(clamp_cell(vec2<i32>(vec2(x, y))));
            let way = length(position_of(candidate) - place);
            if way < shortest {
                shortest = way;
                best = candidate;
            }
        }
    }
    return best;
}

// Returns the colour of a quantity over the relief. Quantities: 1 depth, 2 speed, 3 surface, 4
// ground.
fn quantity_color(spot: GroundPoint, depths: vec4<f32>, raw: vec4<f32>, natural: vec3<f32>, cover: f32) -> vec3<f32> {
    let kind = i32(frame.layer.x + 0.5);
    var value = max(depths.x, 0.0);
    var share = cover;
    switch kind {
        case 2: { value = length(depths.yz); }
        case 3: { value = bed_straight(spot.cell) + max(depths.x, 0.0); }
        case 4: { value = bed_straight(spot.cell); share = 1.0; }
        default: {}
    }
    let t = (value - frame.layer.y) / max(frame.layer.z - frame.layer.y, 1e-9);
    let map = ground_at(spot.cell);
    let normal = normalize(vec3(-map.xy * frame.heights.w, 1.0));
    let relief = diffuse_light(vec3(0.62), normal, clamp(map.z, 0.0, 1.0), clamp(map.w, 0.0, 1.0));
    let shade = mix(1.0, clamp(relief.g / 0.6, 0.3, 1.4), 0.35);
    return mix(relief, ramp(3.0, t) * shade, 0.94 * share);
}
