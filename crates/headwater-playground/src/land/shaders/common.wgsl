// Declarations shared by all shaders: frame uniforms, maps, and conversions between positions,
// cells and texels. Positions are metres to the east and south of the world's top-left corner.
// Drawn heights are exaggerated; heights of cells are in metres.

struct Frame {
    // Transformation from (east, south, exaggerated height) to clip space.
    clip: mat4x4<f32>,
    // Camera position; w is 1 in 3-D, 0 on a map.
    eye: vec4<f32>,
    // Camera axes: right, up and ahead. The w components of the first two are half the width and
    // height of the view at distance 1. The w of the last is metres per pixel, on a map or at
    // distance 1.
    right: vec4<f32>,
    up: vec4<f32>,
    ahead: vec4<f32>,
    // Direction to the sun, with exaggerated heights; w is 1 for dark surroundings, otherwise 0.
    sun: vec4<f32>,
    // Number of columns and rows, and cell size to the east and to the south (m).
    grid: vec4<f32>,
    // Width and height of the world (m), height of the block's base (exaggerated), and 1 for
    // hexagons.
    size: vec4<f32>,
    // Lowest and highest height of the terrain colours (m), sea level (m), and vertical
    // exaggeration.
    heights: vec4<f32>,
    // Smallest drawn depth (m), depth of the darkest colour (m), speed of the longest arrows (m/s),
    // and animation time (s).
    water: vec4<f32>,
    // Contours: interval (m; 0 for no contours), sea level (m), and 1 to draw the shoreline. The
    // last component is the strength of the ripples.
    contour: vec4<f32>,
    // Quantity shown by colours: number of the quantity (0 for none), both ends of its range, and 1
    // to omit the water.
    layer: vec4<f32>,
    // Centre (m) and radius (m) of the brush; the radius is 0 if there is no brush.
    cursor: vec4<f32>,
    cursor_color: vec4<f32>,
    // On a map: position of the view's top-left corner (m), metres per pixel, and 1 to draw cells
    // without smoothing.
    map: vec4<f32>,
    // Palette: upper end of the used ramp, and sea level from 0 to 1 (negative for none); size of a
    // grain of the ground (m); kind of the liquid (0 water, 1 lava, 3 acid).
    ground: vec4<f32>,
    // Colour of rock; w is the clarity of the water, 0 to 1.
    rock: vec4<f32>,
    // Size of the view (pixels), texel size of the ripples (m), and 1 if the ground has its own
    // colours.
    view: vec4<f32>,
    // Simulated time and play time since the previous frame (s); 0 after a jump.
    elapsed: vec4<f32>,
    // Intensity of rain (0 to 1), light absorbed per metre of air, distance from the camera at
    // which the air begins (m), and 1 under the open sky.
    air: vec4<f32>,
}

@group(0) @binding(0) var<uniform> frame: Frame;
// State of the cells: bed (m), depth (m), velocity to the east and to the south (m/s).
@group(0) @binding(1) var cells: texture_2d<f32>;
// Flags of the cells, 0 to 1 each: foam, closed, no data.
@group(0) @binding(2) var flags: texture_2d<f32>;

const PI: f32 = 3.14159265;

fn parity(row: f32) -> f32 {
    return row - 2.0 * floor(0.5 * row);
}

// Returns the shift of a row of hexagons to the east (cells), interpolated between rows.
fn shift(row: f32) -> f32 {
    let low = floor(row);
    return frame.size.w * 0.5 * mix(parity(low), parity(low + 1.0), row - low);
}

// Returns the position of a cell's centre (m). Fractional cells are interpolated.
fn position_of(cell: vec2<f32>) -> vec2<f32> {
    return (cell + vec2(0.5 + shift(cell.y), 0.5)) * frame.grid.zw;
}

// Returns the fractional cell coordinates of a position (m).
fn cell_of(place: vec2<f32>) -> vec2<f32> {
    let row = place.y / frame.grid.w - 0.5;
    return vec2(place.x / frame.grid.z - 0.5 - shift(row), row);
}

fn clamp_cell(cell: vec2<i32>) -> vec2<i32> {
    return clamp(cell, vec2(0), vec2<i32>(frame.grid.xy) - 1);
}

fn cell_at(cell: vec2<i32>) -> vec4<f32> {
    return textureLoad(cells, clamp_cell(cell), 0);
}

fn flags_at(cell: vec2<i32>) -> vec4<f32> {
    return textureLoad(flags, clamp_cell(cell), 0);
}

// Returns the bed height (m) at fractional cell coordinates, interpolated linearly.
fn bed_straight(cell: vec2<f32>) -> f32 {
    let low = floor(cell);
    let t = cell - low;
    let i = vec2<i32>(low);
    let north = mix(cell_at(i).x, cell_at(i + vec2(1, 0)).x, t.x);
    let south = mix(cell_at(i + vec2(0, 1)).x, cell_at(i + vec2(1, 1)).x, t.x);
    return mix(north, south, t.y);
}

// Returns Catmull–Rom weights, which interpolate smoothly through the heights of the cells.
fn catmull(t: f32) -> vec4<f32> {
    let t2 = t * t;
    let t3 = t2 * t;
    return 0.5 * vec4(
        2.0 * t2 - t - t3,
        2.0 + 3.0 * t3 - 5.0 * t2,
        t + 4.0 * t2 - 3.0 * t3,
        t3 - t2,
    );
}

// Returns the bed height (m) at fractional cell coordinates, interpolated smoothly.
fn bed_smooth(cell: vec2<f32>) -> f32 {
    let low = floor(cell);
    let i = vec2<i32>(low);
    let wx = catmull(cell.x - low.x);
    let wy = catmull(cell.y - low.y);
    var sum = 0.0;
    for (var y = 0; y < 4; y++) {
        for (var x = 0; x < 4; x++) {
            sum += wx[x] * wy[y] * cell_at(i + vec2(x - 1, y - 1)).x;
        }
    }
    return sum;
}

// Returns vertex `index` of a triangle that covers the whole view.
fn covering_triangle(index: u32) -> vec4<f32> {
    let x = f32(i32(index & 1u) * 4 - 1);
    let y = f32(i32(index >> 1u) * 4 - 1);
    return vec4(x, y, 0.0, 1.0);
}
