// Side view: walls, liquids with smooth surfaces, ice and steam.

#import bevy_pbr::{
    forward_io::VertexOutput,
    mesh_view_bindings::globals,
}
#import bevy_headwater::surface::{look, cell_state, cell_looks, noise, hash}

@group(#{MATERIAL_BIND_GROUP}) @binding(103) var tiles_texture: texture_2d<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(104) var tiles_sampler: sampler;
@group(#{MATERIAL_BIND_GROUP}) @binding(105) var<uniform> tile_count: vec4<f32>;

fn is_wall(cell: vec2<i32>) -> bool {
    let inside = all(cell >= vec2<i32>(0)) && all(cell < vec2<i32>(look.grid.xy));
    return !inside || cell_looks(cell).x > 0.5;
}

fn liquid(cell: vec2<i32>) -> i32 {
    return i32(round(cell_looks(cell).y * 255.0));
}

fn fill(cell: vec2<i32>) -> f32 {
    return cell_state(cell).x;
}

// Returns the height of a column's liquid above the floor of a cell (in cells), searched one cell
// up and down, so that surfaces are continuous between columns. Below -1 if there is none.
fn top_over(cell: vec2<i32>, kind: i32) -> f32 {
    let here = fill(cell);
    if is_wall(cell) {
        return -2.0;
    }
    let up = cell - vec2(0, 1);
    if here > 0.995 && liquid(cell) == kind {
        if !is_wall(up) && liquid(up) == kind {
            return 1.0 + fill(up);
        }
        return 1.0;
    }
    if here > 0.0 && liquid(cell) == kind {
        return here;
    }
    let down = cell + vec2(0, 1);
    if !is_wall(down) && liquid(down) == kind {
        return fill(down) - 1.0;
    }
    return -2.0;
}

// Returns the top of the connected liquid above a cell's floor (in cells).
fn column_over(cell: vec2<i32>, kind: i32) -> f32 {
    var high = fill(cell);
    for (var i = 1; i < 32; i++) {
        let above = cell - vec2(0, i);
        if above.y < 0 || is_wall(above) || liquid(above) != kind { break; }
        high += fill(above);
    }
    return high;
}

// Returns the liquid in or beside a cell, for surfaces that extend over its edge.
fn kind_near(cell: vec2<i32>) -> i32 {
    let own = liquid(cell);
    if own > 0 && fill(cell) > 0.0 {
        return own;
    }
    var kind = 0;
    if !is_wall(cell + vec2(1, 0)) { kind = max(kind, liquid(cell + vec2(1, 0))); }
    if !is_wall(cell - vec2(1, 0)) { kind = max(kind, liquid(cell - vec2(1, 0))); }
    return kind;
}

@fragment
fn fragment(in: VertexOutput) -> @location(0) vec4<f32> {
    let at = in.uv;
    let cell = vec2<i32>(floor(at));
    let part = fract(at);
    let state = cell_state(cell);
    let looks = cell_looks(cell);
    let high = look.grid.y;

    // The air is lighter toward the top.
    var color = look.sky.rgb * mix(0.95, 0.35, clamp(at.y / high, 0.0, 1.0));
    color *= 1.0 + 0.03 * noise(at * 0.11).x;
    var cover = select(1.0, 0.0, look.limits.y > 0.5);

    if looks.x > 0.5 {
        // Walls are darker inside.
        var open = 0.0;
        for (var y = -2; y <= 2; y++) {
            for (var x = -2; x <= 2; x++) {
                let beside = cell + vec2(x, y);
                if !is_wall(beside) {
                    let middle = vec2<f32>(beside) + 0.5;
                    let far = length(max(abs(at - middle) - 0.5, vec2(0.0)));
                    open = max(open, 1.0 - far / 1.6);
                }
            }
        }
        let stone = hash(vec2<f32>(cell));
        let grain = 0.6 * noise(at * 1.3).x + 0.4 * noise(at * 4.1).x;
        color = look.flat_ground.rgb * (0.62 + 0.10 * stone + 0.10 * grain);
        color *= mix(0.40, 1.15, smoothstep(0.0, 1.0, open));
        let tag = i32(round(looks.w * 255.0));
        if tile_count.x > 0.5 && tag > 0 {
            let place = vec2((f32(tag - 1) + clamp(part.x, 0.02, 0.98)) / tile_count.x, part.y);
            // Walls with a texture are darker inside, like plain walls.
            color = textureSampleLevel(tiles_texture, tiles_sampler, place, 0.0).rgb * mix(0.35, 1.1, smoothstep(0.0, 1.0, open));
        } else if !is_wall(cell - vec2(0, 1)) && cell.y > 0 && liquid(cell - vec2(0, 1)) == 0 {
            // The top of a wall has a bright rim.
            color += 0.08 * smoothstep(0.22, 0.0, part.y) * look.sky.rgb;
        }
        cover = 1.0;
    } else {
        let kind = kind_near(cell);
        if kind > 0 {
            // Interpolate the surface between the centres of columns.
            let here = top_over(cell, kind);
            let side = select(-1, 1, part.x > 0.5);
            var beside = top_over(cell + vec2(side, 0), kind);
            if beside < -1.0 || abs(beside - here) > 1.5 { beside = here; }
            var top = mix(here, beside, abs(part.x - 0.5));
            if here < -1.0 { top = -2.0; }
            let over = top - (1.0 - part.y);
            // Falling liquid fills part of its cell and is drawn as drops.
            if over > 0.0 {
                // Depth below the surface, interpolated between column centres.
                var high_here = column_over(cell, kind);
                var high_beside = high_here;
                if liquid(cell + vec2(side, 0)) == kind && !is_wall(cell + vec2(side, 0)) {
                    high_beside = column_over(cell + vec2(side, 0), kind);
                }
                if abs(high_beside - high_here) > 3.0 { high_beside = high_here; }
                let depth = max(over, mix(high_here, high_beside, abs(part.x - 0.5)) - (1.0 - part.y));
                let metres = depth * look.grid.w;
                let speed = abs(state.y);
                let light = exp(-metres / (2.2 * look.deep.w));
                var wet = mix(look.deep.rgb, look.shallow.rgb * vec3(0.20, 0.50, 0.62), light);
                if kind == 1 { wet = mix(vec3(0.03, 0.022, 0.012), vec3(0.14, 0.10, 0.04), light); }
                if kind == 3 {
                    let glow = 0.5 + 0.5 * noise(at * 0.5 + vec2(0.0, 0.12 * globals.time)).x;
                    wet = mix(vec3(0.55, 0.06, 0.01), vec3(1.4, 0.42, 0.05), 0.45 * glow + 0.55 * light);
                }
                // Moving caustics.
                if kind == 2 {
                    let caustic = noise(vec2(at.x * 0.55 + 0.3 * globals.time, at.y * 0.25)).x * noise(vec2(at.x * 0.4 - 0.22 * globals.time, at.y * 0.2 + 5.0)).x;
                    wet *= 1.0 + 0.35 * caustic * light;
                }
                // Draw a line at the surface, and foam where the water flows.
                let is_surface = depth < 1.0 && !is_wall(cell - vec2(0, 1));
                let line = smoothstep(0.22, 0.02, over) * f32(is_surface || over < 0.2);
                let bright = select(vec3(0.55, 0.82, 0.90), vec3(1.6, 0.9, 0.25), kind == 3);
                if kind != 1 { wet = mix(wet, bright, 0.75 * line * f32(depth < 0.25)); }
                let foam = smoothstep(0.4, 2.0, speed) * smoothstep(0.9, 0.0, depth) * look.foam.w;
                wet = mix(wet, look.foam.rgb, foam * (0.55 + 0.45 * noise(at * 3.0 - vec2(state.y * globals.time, 0.0)).x));
                // Ice is white and cloudy.
                let ice = looks.z;
                if ice > 0.003 {
                    // Ice lies at the surface or continues from the cell above.
                    let into = select(part.y, over, top <= 1.0);
                    let thick = smoothstep(ice + 0.02, ice - 0.02, into);
                    let frost = vec3(0.72, 0.84, 0.92) * (0.95 + 0.1 * noise(at * 2.0).x);
                    wet = mix(wet, frost, 0.9 * clamp(max(thick, smoothstep(0.9, 1.0, ice)), 0.0, 1.0));
                }
                let body = select(0.86, 0.98, kind != 2);
                color = mix(color, wet, body);
                cover = max(cover, body);
            }
        }
        // Draw steam over hot water.
        for (var i = 1; i < 7; i++) {
            let below = cell + vec2(0, i);
            if is_wall(below) { break; }
            if fill(below) > 0.0 && liquid(below) == 2 {
                let hot = smoothstep(60.0, 100.0, cell_state(below).z);
                let rise = f32(i) - part.y;
                let cloud = noise(vec2(at.x * 0.5, at.y * 0.35 + 0.8 * globals.time)).x + 0.5 * noise(at * 1.1 + vec2(0.0, 1.3 * globals.time)).x;
                let mist = hot * smoothstep(6.0, 0.5, rise) * smoothstep(-0.3, 1.0, cloud);
                if fill(cell) <= 0.0 || looks.y == 0.0 {
                    color = mix(color, vec3(0.86), 0.6 * mist);
                    cover = max(cover, 0.6 * mist);
                }
                break;
            }
        }
    }
    return vec4(color, cover);
}
