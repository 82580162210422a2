// Code shared by all shaders: the frame, the maps, and conversions between positions, cells and
// texels. Positions are metres to the east and south of the world's top-left corner. Drawn heights
// are exaggerated; heights of cells are metres.

struct Frame {
    // From (east, south, exaggerated height) to clip space.
    clip: mat4x4<f32>,
    // Camera position; w: 1 in 3-D, 0 on a map.
    eye: vec4<f32>,
    // Camera axes: right, up and ahead. w of the first two: half the view's width and height at
    // distance 1; w of the last: metres per pixel, on a map or at distance 1.
    right: vec4<f32>,
    up: vec4<f32>,
    ahead: vec4<f32>,
    // Direction to the sun, heights exaggerated; w: darkness of the surroundings (0 or 1).
    sun: vec4<f32>,
    // Columns, rows, cell size to the east and to the south (m).
    grid: vec4<f32>,
    // Width and height of the world (m), height of the block's base (exaggerated), 1 for hexagons.
    size: vec4<f32>,
    // Lowest and highest height of the terrain colours, sea level (m), exaggeration.
    heights: vec4<f32>,
    // Smallest drawn depth and depth of the darkest colour (m), speed of the longest arrows (m/s),
    // time (s).
    water: vec4<f32>,
    // Contours: interval (m, 0 for none), sea level (m), 1 to draw the shoreline contour; strength
    // of the ripples.
    contour: vec4<f32>,
    // Quantity shown by colours: its number, 0 for none; range; 1 to omit the water.
    layer: vec4<f32>,
    // Centre (m) and radius (m) of the brush; 0 without one.
    cursor: vec4<f32>,
    cursor_color: vec4<f32>,
    // On a map: position of the view's top-left corner, metres per pixel, 1 to draw cells without
    // smoothing.
    map: vec4<f32>,
    // Palette: upper end of the used ramp, sea level from 0 to 1 or negative for none; size of a
    // grain of the ground (m); kind of the liquid (0 water, 1 lava, 3 acid).
    ground: vec4<f32>,
    // Colour of rock; clarity of the water, 0 to 1.
    rock: vec4<f32>,
    // Size of the view (pixels), texel size of the ripples (m), 1 if the ground has its own
    // colours.
    view: vec4<f32>,
    // Since the previous frame: simulated time (s) and play time (s); 0 after a jump.
    elapsed: vec4<f32>,
    // Intensity of rain, 0 to 1; light absorbed per metre of air; distance at which the air begins
    // (m); 1 under the open sky.
    air: vec4<f32>,
}

@group(0) @binding(0) var<uniform> frame: Frame;
// Bed (m), depth (m), velocity to the east and to the south (m/s).
@group(0) @binding(1) var cells: texture_2d<f32>;
// Foam, closed, no data: 0 to 1.
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

// Returns the position of a cell's centre; fractional cells are interpolated.
fn position_of(cell: vec2<f32>) -> vec2<f32> {
    return (cell + vec2(0.5 + shift(cell.y), 0.5)) * frame.grid.zw;
}

// Returns the fractional cell at a position.
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

// Bed height (m) between cells, interpolated linearly.
fn bed_straight(cell: vec2<f32>) -> f32 {
    let low = floor(cell);
    let t = cell - low;
    let i = vec2<i32>(low);
    let north = mix(cell_at(i).x, cell_at(i + vec2(1, 0)).x, t.x);
    let south = mix(cell_at(i + vec2(0, 1)).x, cell_at(i + vec2(1, 1)).x, t.x);
    return mix(north, south, t.y);
}

// Catmull–Rom weights: smooth interpolation through the cells' heights.
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

// Bed height (m) between cells, interpolated smoothly.
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

// A triangle that covers the view.
fn covering_triangle(index: u32) -> vec4<f32> {
    let x = f32(i32(index & 1u) * 4 - 1);
    let y = f32(i32(index >> 1u) * 4 - 1);
    return vec4(x, y, 0.0, 1.0);
}
