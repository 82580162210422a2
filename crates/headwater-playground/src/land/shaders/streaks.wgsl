// Flow visualisation: tracers drawn as streaks, and velocity arrows. Both are blended over the
// surface.

struct Streak {
    @builtin(position) position: vec4<f32>,
    @location(0) at: vec2<f32>,
    @location(1) color: vec4<f32>,
}

// Number of spray puffs along each side of the world.
override SPRAY: u32 = 96u;

// Returns the size of a pixel (m) at a position.
fn pixel_size(world: vec3<f32>) -> f32 {
    let way = dot(world - frame.eye.xyz, frame.ahead.xyz);
    return frame.ahead.w * mix(1.0, max(way, 1e-3), frame.eye.w);
}

// Returns the drawn (exaggerated) height of the water surface at a position.
fn surface_drawn(place: vec2<f32>) -> f32 {
    return surface_height(cell_of(place)) * frame.heights.w;
}

// Clip position outside the view, for hidden vertices.
const OUTSIDE_VIEW: vec4<f32> = vec4(0.0, 0.0, 2.0, 1.0);

// Vertex shader of a streak. `where_at` is position (m) and velocity (m/s); `age` is 0 for a new
// tracer and 1 at the end of its life.
@vertex
fn vs_tracer(
    @builtin(vertex_index) index: u32,
    @location(0) where_at: vec4<f32>,
    @location(1) age: f32,
) -> Streak {
    let corner = vec2(f32(index & 1u) * 2.0 - 1.0, f32(index >> 1u) * 2.0 - 1.0);
    let depth = depth_at(cell_of(where_at.xy)).x;
    let pixel = pixel_size(vec3(where_at.xy, surface_drawn(where_at.xy)));
    let speed = length(where_at.zw);
    let along = select(vec2(1.0, 0.0), where_at.zw / max(speed, 1e-9), speed > 1e-6);
    let across = vec2(-along.y, along.x);
    let quick = clamp(speed / frame.water.z, 0.0, 1.0);
    let half_width = 1.25 * pixel;
    let half_length = half_width + quick * clamp(7.0 * pixel, 0.2 * frame.grid.z, 1.6 * frame.grid.z);
    let place = where_at.xy + along * (corner.x * half_length - 0.6 * half_length) + across * corner.y * half_width;
    let up = surface_drawn(place) + 1.2 * pixel;
    let fade = smoothstep(0.0, 0.12, age) * (1.0 - smoothstep(0.7, 1.0, age));
    let warm = select(vec3(0.97, 1.0, 1.0), vec3(1.0, 0.92, 0.6), frame.ground.w > 0.5 && frame.ground.w < 1.5);
    let shown = f32(depth > frame.water.x) * (1.0 - frame.layer.w);
    let position = select(frame.clip * vec4(place, up, 1.0), OUTSIDE_VIEW, shown < 0.5);
    return Streak(position, corner, vec4(warm, fade * (0.08 + 0.72 * sqrt(quick)) * shown));
}

@fragment
fn fs_tracer(streak: Streak) -> @location(0) vec4<f32> {
    // A streak is bright at the head and thin at the tail.
    let tail = 0.5 + 0.5 * streak.at.x;
    let side = 1.0 - smoothstep(0.25, 1.0, abs(streak.at.y) / max(0.3 + 0.7 * tail, 0.05));
    let tip = 1.0 - smoothstep(0.86, 1.0, streak.at.x);
    let alpha = streak.color.a * side * tip * (0.15 + 0.85 * tail * tail);
    return vec4(streak.color.rgb * alpha, alpha);
}

// Vertex shader of spray over falls and breaking fronts: puffs that rise from white water and drift
// with it.
@vertex
fn vs_spray(@builtin(vertex_index) index: u32, @builtin(instance_index) number: u32) -> Streak {
    let corner = vec2(f32(index & 1u) * 2.0 - 1.0, f32(index >> 1u) * 2.0 - 1.0);
    let row = f32(number / SPRAY);
    let column = f32(number % SPRAY);
    let own = fract(sin(row * 12.9898 + column * 78.233) * 43758.5453);
    let turn = frame.water.w * (0.7 + 0.5 * own) + own * 9.0;
    let age = fract(turn);
    let again = fract(sin(floor(turn) * 37.7 + own * 91.3) * 43758.5453);
    let jitter = vec2(again, fract(again * 17.3));
    let cell = (vec2(column, row) + jitter) / f32(SPRAY) * frame.grid.xy - 0.5;
    let water = depth_at(cell);
    let size = 1.1 * max(frame.grid.z, frame.view.z);
    let place = position_of(cell) + water.yz / max(frame.water.z, 1e-6) * size * age;
    let deep = smoothstep(0.02, 0.12, water.x / frame.water.y);
    let white = smoothstep(0.5, 0.95, water.w) * deep;
    let up = surface_drawn(place) + size * (0.15 + 1.1 * age * (1.0 - 0.5 * age)) * white;
    let wide = size * (0.35 + 0.8 * age);
    let world = vec3(place, up) + (frame.right.xyz * corner.x + frame.up.xyz * corner.y) * wide;
    let alpha = 0.30 * white * sin(PI * age) * (1.0 - frame.layer.w);
    let hides = white < 0.02 || frame.eye.w < 0.5 || frame.layer.x > 0.5 || frame.ground.w > 0.5;
    let position = select(frame.clip * vec4(world, 1.0), OUTSIDE_VIEW, hides);
    return Streak(position, corner, vec4(0.93, 0.96, 0.98, alpha));
}

@fragment
fn fs_spray(streak: Streak) -> @location(0) vec4<f32> {
    let way = dot(streak.at, streak.at);
    let alpha = streak.color.a * exp(-2.2 * way) * clamp(2.0 - 2.0 * way, 0.0, 1.0);
    return vec4(streak.color.rgb * alpha, alpha);
}

// Vertex shader of the arrows, which are at the centre of every n-th cell, with `every` = n.
@vertex
fn vs_arrow(@builtin(vertex_index) index: u32, @location(0) cell: vec2<f32>, @location(1) every: f32) -> Streak {
    // An arrow consists of a shaft and a head: three triangles with seven vertices.
    var points = array<vec2<f32>, 9>(
        vec2(-1.0, -0.10), vec2(0.35, -0.10), vec2(0.35, 0.10),
        vec2(-1.0, -0.10), vec2(0.35, 0.10), vec2(-1.0, 0.10),
        vec2(0.30, -0.36), vec2(1.0, 0.0), vec2(0.30, 0.36),
    );
    let map = depth_at(cell);
    let velocity = map.yz;
    let speed = length(velocity);
    let quick = sqrt(clamp(speed / frame.water.z, 0.0, 1.0));
    let along = velocity / max(speed, 1e-9);
    let across = vec2(-along.y, along.x);
    let reach = 0.46 * every * frame.grid.z * quick;
    let middle = position_of(cell);
    let point = points[index];
    let place = middle + (along * point.x + across * point.y * (0.4 + 0.6 * quick)) * reach;
    let top = surface_drawn(place);
    let seen = frame.clip * vec4(place, top + 1.5 * pixel_size(vec3(place, top)), 1.0);
    let position = select(seen, OUTSIDE_VIEW, map.x <= frame.water.x || quick < 0.05);
    return Streak(position, vec2(0.0), vec4(0.97, 0.99, 1.0, 0.85));
}

@fragment
fn fs_arrow(streak: Streak) -> @location(0) vec4<f32> {
    return vec4(streak.color.rgb * streak.color.a, streak.color.a);
}
