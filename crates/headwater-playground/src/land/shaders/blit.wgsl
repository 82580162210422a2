// Copies the finished offscreen picture to the window, with antialiasing.

struct Blit {
    // 1 if the window expects linear colours, 0 for sRGB; 1 to antialias, otherwise 0; size of a
    // pixel (fractions of the picture).
    how: vec4<f32>,
}

@group(0) @binding(0) var<uniform> blit: Blit;
@group(0) @binding(1) var picture: texture_2d<f32>;
@group(0) @binding(2) var clamp_sampler: sampler;

struct Corner {
    @builtin(position) position: vec4<f32>,
    @location(0) at: vec2<f32>,
}

@vertex
fn vs_blit(@builtin(vertex_index) index: u32) -> Corner {
    let x = f32(i32(index & 1u) * 4 - 1);
    let y = f32(i32(index >> 1u) * 4 - 1);
    return Corner(vec4(x, y, 0.0, 1.0), vec2(0.5 + 0.5 * x, 0.5 - 0.5 * y));
}

fn luma(color: vec3<f32>) -> f32 {
    return dot(color, vec3(0.299, 0.587, 0.114));
}

fn at(place: vec2<f32>) -> vec3<f32> {
    return textureSampleLevel(picture, clamp_sampler, place, 0.0).rgb;
}

// Returns a colour averaged over one or two pixels along the edge direction, which follows from the
// gradient (after Lottes 2009).
fn smoothed(place: vec2<f32>) -> vec3<f32> {
    let step = blit.how.zw;
    let middle = at(place);
    let nw = luma(at(place + vec2(-0.5, -0.5) * step));
    let ne = luma(at(place + vec2(0.5, -0.5) * step));
    let sw = luma(at(place + vec2(-0.5, 0.5) * step));
    let se = luma(at(place + vec2(0.5, 0.5) * step));
    let m = luma(middle);
    let lowest = min(m, min(min(nw, ne), min(sw, se)));
    let highest = max(m, max(max(nw, ne), max(sw, se)));
    if highest - lowest < max(0.04, 0.12 * highest) {
        return middle;
    }
    var way = vec2(-((nw + ne) - (sw + se)), (nw + sw) - (ne + se));
    let dim = max((nw + ne + sw + se) * 0.03, 1.0 / 128.0);
    way = clamp(way / (min(abs(way.x), abs(way.y)) + dim), vec2(-6.0), vec2(6.0)) * step;
    let close = 0.5 * (at(place - way / 6.0) + at(place + way / 6.0));
    let far = 0.5 * close + 0.25 * (at(place - 0.5 * way) + at(place + 0.5 * way));
    let l = luma(far);
    return select(far, close, l < lowest || l > highest);
}

@fragment
fn fs_blit(corner: Corner) -> @location(0) vec4<f32> {
    var color: vec3<f32>;
    if blit.how.y > 0.5 {
        color = smoothed(corner.at);
    } else {
        color = at(corner.at);
    }
    if blit.how.x > 0.5 {
        let low = color / 12.92;
        let high = pow((color + 0.055) / 1.055, vec3(2.4));
        color = select(high, low, color <= vec3(0.04045));
    }
    return vec4(color, 1.0);
}
