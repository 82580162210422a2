// Maps that are derived from the cells when these change: slopes, light and shore, one texel per
// cell. Later shaders sample the maps with filtering.

// Number of steps toward the sun, for shadows.
override REACH: i32 = 40;
// Number of rings around a cell at which the terrain is sampled for the visible sky.
override RINGS: i32 = 4;

@vertex
fn vs_cover(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    return covering_triangle(index);
}

// Returns neighbour `k` of a cell. Squares have 8 neighbours, hexagons 6.
fn neighbour(cell: vec2<i32>, k: i32) -> vec2<i32> {
    if frame.size.w > 0.5 {
        let odd = cell.y & 1;
        switch k {
            case 0: { return cell + vec2(1, 0); }
            case 1: { return cell + vec2(-1, 0); }
            case 2: { return cell + vec2(odd, 1); }
            case 3: { return cell + vec2(odd - 1, 1); }
            case 4: { return cell + vec2(odd, -1); }
            default: { return cell + vec2(odd - 1, -1); }
        }
    }
    let i = k + i32(k > 3);
    return cell + vec2(i % 3 - 1, i / 3 - 1);
}

fn neighbours() -> i32 {
    return select(8, 6, frame.size.w > 0.5);
}

fn inside(cell: vec2<i32>) -> bool {
    return all(cell >= vec2(0)) && all(cell < vec2<i32>(frame.grid.xy));
}

// Returns whether an obstacle or missing data hides the water of a cell.
fn hides_water(flag: vec4<f32>) -> bool {
    return max(flag.y, flag.z) > 0.5;
}

// Returns the height (m) at which a cell casts shadows.
fn shadow_height(cell: vec2<i32>) -> f32 { return cell_at(cell).x; }

// Fragment shader of the ground map: ground slope to the east and to the south (m/m), visible
// fraction of the sun, and visible fraction of the sky.
@fragment
fn fs_ground(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let cell = vec2<i32>(position.xy);
    let here = shadow_height(cell);
    let middle = position_of(vec2<f32>(cell));
    var slope = vec2(0.0);
    if frame.size.w > 0.5 {
        for (var k = 0; k < 6; k++) {
            let other = neighbour(cell, k);
            let aside = position_of(vec2<f32>(other)) - middle;
            slope += (shadow_height(other) - here) * aside;
        }
        slope /= 3.0 * frame.grid.z * frame.grid.z;
    } else {
        // Sobel weights are less noisy than central differences.
        for (var k = -1; k <= 1; k++) {
            let weight = select(0.25, 0.5, k == 0);
            slope.x += weight * (shadow_height(cell + vec2(1, k)) - shadow_height(cell + vec2(-1, k)));
            slope.y += weight * (shadow_height(cell + vec2(k, 1)) - shadow_height(cell + vec2(k, -1)));
        }
        slope /= 2.0 * frame.grid.zw;
    }
    return vec4(slope, sunlight(middle, here), skylight(cell, here));
}

// Returns the fraction of the sun's disc that is above the terrain horizon.
fn sunlight(middle: vec2<f32>, here: f32) -> f32 {
    let level = length(frame.sun.xy);
    let rise = frame.sun.z / max(level, 1e-4);
    if level < 1e-3 {
        return 1.0;
    }
    let toward = frame.sun.xy / level;
    let cell = min(frame.grid.z, frame.grid.w);
    var horizon = -1e3;
    var way = 0.75 * cell;
    var step = cell;
    for (var k = 0; k < REACH; k++) {
        let at = middle + toward * way;
        if any(at < vec2(0.0)) || any(at > frame.size.xy) {
            break;
        }
        let over = (bed_straight(cell_of(at)) - here) * frame.heights.w;
        horizon = max(horizon, over / way);
        way += step;
        step *= 1.09;
    }
    return 1.0 - smoothstep(rise * 0.88 - 0.03, rise * 1.08 + 0.03, horizon);
}

// Returns the fraction of the sky that surrounding terrain does not hide.
fn skylight(cell: vec2<i32>, here: f32) -> f32 {
    var open = 0.0;
    for (var k = 0; k < 8; k++) {
        let angle = f32(k) * PI / 4.0 + 0.2;
        let aside = vec2(cos(angle), sin(angle));
        var horizon = 0.0;
        var way = 1.6;
        for (var ring = 0; ring < RINGS; ring++) {
            let at = cell + vec2<i32>(round(aside * way));
            let metres = way * length(aside * frame.grid.zw);
            horizon = max(horizon, (shadow_height(at) - here) * frame.heights.w / metres);
            way *= 2.6;
        }
        open += 1.0 - horizon / sqrt(1.0 + horizon * horizon);
    }
    return open / 8.0;
}

struct WaterMaps {
    // Depth (m; negative on banks), velocity (m/s) and foam.
    @location(0) depth: vec4<f32>,
    // Surface slope (m/m) and fraction of wet neighbours.
    @location(1) surface: vec4<f32>,
}

// Returns the mean surface height (m) and depth (m) over neighbours with clearly more water, and
// their weight.
fn wet_neighbors(cell: vec2<i32>, deeper_than: f32) -> vec3<f32> {
    let min_depth = max(deeper_than, frame.water.x);
    var sum = vec3(0.0);
    for (var k = 0; k < neighbours(); k++) {
        let other = neighbour(cell, k);
        if !inside(other) || hides_water(flags_at(other)) {
            continue;
        }
        let state = cell_at(other);
        if state.y > min_depth {
            let straight = other.x == cell.x || other.y == cell.y;
            let weight = select(0.5, 1.0, straight || frame.size.w > 0.5);
            sum += weight * vec3(state.x + state.y, state.y, 1.0);
        }
    }
    return vec3(sum.xy / max(sum.z, 1e-6), sum.z);
}

fn signed_depth(cell: vec2<i32>, state: vec4<f32>, hides: bool) -> f32 {
    let depth = state.y;
    let wet = depth > frame.water.x;
    let near = wet_neighbors(cell, select(BANK_RATIO * depth, 0.0, hides));
    if near.z > 0.0 {
        // Water continues behind walls, because walls are drawn over it.
        if hides {
            return near.y;
        }
        let over = near.x - state.x;
        if over <= depth || !wet {
            let steepest = STEEPEST_BANK * near.y;
            // Dry ground below the neighbours' surface lies in front of an advancing front.
            return select(clamp(over, steepest, FLATTEST_BANK * near.y), 0.3 * steepest, over > 0.0);
        }
    }
    return select(-0.5 * frame.water.x, depth, wet);
}

@fragment
fn fs_water(@builtin(position) position: vec4<f32>) -> WaterMaps {
    let cell = vec2<i32>(position.xy);
    let state = cell_at(cell);
    let flag = flags_at(cell);
    let hides = hides_water(flag);
    let signed = signed_depth(cell, state, hides);
    let surface = state.x + state.y;
    let middle = position_of(vec2<f32>(cell));
    // Fit the surface slope by least squares over wet neighbours.
    var rise = vec2(0.0);
    var spread = vec3(1e-6, 0.0, 1e-6) * frame.grid.z;
    var wet = 0.0;
    for (var k = 0; k < neighbours(); k++) {
        let other = neighbour(cell, k);
        if !inside(other) {
            continue;
        }
        let beyond = cell_at(other);
        if beyond.y > frame.water.x && state.y > frame.water.x && !hides_water(flags_at(other)) {
            let aside = position_of(vec2<f32>(other)) - middle;
            rise += (beyond.x + beyond.y - surface) * aside;
            spread += vec3(aside.x * aside.x, aside.x * aside.y, aside.y * aside.y);
            wet += 1.0;
        }
    }
    let det = spread.x * spread.z - spread.y * spread.y;
    var slope = vec2(0.0);
    if det > 1e-3 * spread.x * spread.z && wet > 1.5 {
        slope = vec2(spread.z * rise.x - spread.y * rise.y, spread.x * rise.y - spread.y * rise.x) / det;
    }
    // White water appears in supercritical flow and at breaking fronts.
    let speed = length(state.zw);
    let froude = speed / sqrt(9.81 * max(state.y, 1e-4));
    let thick = smoothstep(3.0, 12.0, state.y / max(frame.water.x, 4e-4 * frame.water.y));
    let rapid = smoothstep(0.8, 2.2, froude) * smoothstep(0.12, 0.5, speed / frame.water.z);
    let breaking = smoothstep(0.16, 0.5, length(slope) * select(0.0, 1.0, speed > 0.3 * frame.water.z));
    let foam = max(flag.x, max(rapid, breaking) * thick);
    return WaterMaps(
        vec4(signed, select(state.zw, vec2(0.0), hides), foam),
        vec4(clamp(slope, vec2(-8.0), vec2(8.0)), wet / f32(neighbours()), 0.0),
    );
}
