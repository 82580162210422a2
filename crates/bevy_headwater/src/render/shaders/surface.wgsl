// Shared by the shaders of ground and water: textures of cell data and access to them.
#define_import_path bevy_headwater::surface

#import bevy_pbr::mesh_functions

struct Look {
    // Columns, rows, cell size (m).
    grid: vec4<f32>,
    // Colour of deep water, and the depth (m) at which a third of the light returns.
    deep: vec4<f32>,
    // Transmission colour of shallow water, and strength of refraction.
    shallow: vec4<f32>,
    // Colour and amount of foam.
    foam: vec4<f32>,
    // Colour of the reflected sky, and height of ripples.
    sky: vec4<f32>,
    // Colours of flat, steep and wet ground; then the elevation of the block's floor, cells per
    // vertex, and 1 if the ground is a flat floor.
    flat_ground: vec4<f32>,
    steep_ground: vec4<f32>,
    wet_ground: vec4<f32>,
    // Depth (m) below which a cell counts as dry.
    limits: vec4<f32>,
}

// Ground elevation, water depth (m), velocity to the east and south (m/s).
@group(#{MATERIAL_BIND_GROUP}) @binding(100) var state_texture: texture_2d<f32>;
// Foam, stream, plants, closed; 0 to 1.
@group(#{MATERIAL_BIND_GROUP}) @binding(101) var looks_texture: texture_2d<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(102) var<uniform> look: Look;

fn cell_state(cell: vec2<i32>) -> vec4<f32> {
    let last = vec2<i32>(look.grid.xy) - 1;
    return textureLoad(state_texture, clamp(cell, vec2<i32>(0), last), 0);
}

fn cell_looks(cell: vec2<i32>) -> vec4<f32> {
    let last = vec2<i32>(look.grid.xy) - 1;
    return textureLoad(looks_texture, clamp(cell, vec2<i32>(0), last), 0);
}

fn is_wet(state: vec4<f32>) -> bool {
    return state.y > look.limits.x;
}

fn stride() -> i32 {
    return i32(look.steep_ground.w);
}

// Returns a cell's water level and 1 if it is wet, otherwise zeros.
fn wet_level(cell: vec2<i32>) -> vec2<f32> {
    let state = cell_state(cell);
    return select(vec2(0.0), vec2(state.x + state.y, 1.0), is_wet(state));
}

// Returns how far the water of a cell stands above a level; 0 where it is dry.
fn rise_over(cell: vec2<i32>, level: f32) -> f32 {
    let state = cell_state(cell);
    return select(0.0, state.x + state.y - level, is_wet(state));
}

// Returns the water level at a vertex. Dry cells continue the level of wet neighbours, limited to
// the ground, so that the shoreline is where the level meets the ground.
fn level_at(cell: vec2<i32>) -> f32 {
    // The textures are loaded outside of branches, because llvmpipe of Mesa 22.3 fails on loads
    // inside branches of vertex shaders.
    let here = cell_state(cell);
    let s = stride();
    let around = wet_level(cell + vec2(s, 0)) + wet_level(cell + vec2(-s, 0)) + wet_level(cell + vec2(0, s))
        + wet_level(cell + vec2(0, -s)) + wet_level(cell + vec2(s, s)) + wet_level(cell + vec2(s, -s))
        + wet_level(cell + vec2(-s, s)) + wet_level(cell + vec2(-s, -s));
    let under = here.x - 0.02 * look.grid.z;
    // On coarse meshes there may be water between vertices.
    let alone = select(under, here.x + 0.02 * look.grid.z, s > 1);
    let beside = min(around.x / max(around.y, 1.0), under);
    let dry = select(alone, beside, around.y > 0.0);
    return select(dry, here.x + here.y, is_wet(here));
}

// Returns the normal of the water surface at a vertex in mesh space. Dry cells are ignored.
fn water_normal(cell: vec2<i32>, level: f32) -> vec3<f32> {
    let s = stride();
    let east = rise_over(cell + vec2(s, 0), level) - rise_over(cell - vec2(s, 0), level);
    let south = rise_over(cell + vec2(0, s), level) - rise_over(cell - vec2(0, s), level);
    let run = 2.0 * f32(s) * look.grid.zw;
    return normalize(vec3(-east / run.x, 1.0, -south / run.y));
}

// Returns the normal of the ground at a vertex.
fn ground_normal(cell: vec2<i32>) -> vec3<f32> {
    let s = stride();
    let east = cell_state(cell + vec2(s, 0)).x - cell_state(cell - vec2(s, 0)).x;
    let south = cell_state(cell + vec2(0, s)).x - cell_state(cell - vec2(0, s)).x;
    let run = 2.0 * f32(s) * look.grid.zw;
    return normalize(vec3(-east / run.x, 1.0, -south / run.y));
}

// Returns the state at a point, interpolated between cell centres.
fn state_at(at: vec2<f32>) -> vec4<f32> {
    let cell = vec2<i32>(floor(at));
    let part = at - floor(at);
    let north = mix(cell_state(cell), cell_state(cell + vec2(1, 0)), part.x);
    let south = mix(cell_state(cell + vec2(0, 1)), cell_state(cell + vec2(1, 1)), part.x);
    return mix(north, south, part.y);
}

// Returns whether any of the four nearest cells is wet.
fn is_wet_near(at: vec2<f32>) -> bool {
    let cell = vec2<i32>(floor(at));
    return is_wet(cell_state(cell)) || is_wet(cell_state(cell + vec2(1, 0))) || is_wet(cell_state(cell + vec2(0, 1)))
        || is_wet(cell_state(cell + vec2(1, 1)));
}

fn looks_at(at: vec2<f32>) -> vec4<f32> {
    let cell = vec2<i32>(floor(at));
    let part = at - floor(at);
    let north = mix(cell_looks(cell), cell_looks(cell + vec2(1, 0)), part.x);
    let south = mix(cell_looks(cell + vec2(0, 1)), cell_looks(cell + vec2(1, 1)), part.x);
    return mix(north, south, part.y);
}

fn hash(at: vec2<f32>) -> f32 {
    var p = fract(vec3(at.xyx) * 0.1031);
    p += dot(p, p.yzx + 33.33);
    return fract((p.x + p.y) * p.z);
}

// Returns noise from -1 to 1 and its gradient.
fn noise(at: vec2<f32>) -> vec3<f32> {
    let cell = floor(at);
    let f = at - cell;
    let u = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
    let du = 30.0 * f * f * (f * (f - 2.0) + 1.0);
    let a = hash(cell);
    let b = hash(cell + vec2(1.0, 0.0));
    let c = hash(cell + vec2(0.0, 1.0));
    let d = hash(cell + vec2(1.0, 1.0));
    let k = a - b - c + d;
    let value = a + (b - a) * u.x + (c - a) * u.y + k * u.x * u.y;
    let slope = du * vec2(b - a + k * u.y, c - a + k * u.x);
    return vec3(2.0 * value - 1.0, 2.0 * slope);
}
