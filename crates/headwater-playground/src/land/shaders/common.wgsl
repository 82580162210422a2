// What all shaders share: the frame, the maps, and how places, cells and texels belong together.
// Places are metres to the east and to the south of the world's top-left corner. Heights that are drawn
// are exaggerated; those in the cells are metres.

struct Frame {
    // From (east, south, exaggerated height) to the screen.
    clip: mat4x4<f32>,
    // Of the eye; w: 1 in the view in three dimensions, 0 from above.
    eye: vec4<f32>,
    // The eye's axes: to the right, up and ahead; w of the first two: half the view's width and height at a
    // distance of 1. w of the last: metres across a pixel, from above or at a distance of 1.
    right: vec4<f32>,
    up: vec4<f32>,
    ahead: vec4<f32>,
    // Towards the sun, heights exaggerated; w: how dark the surroundings are (0 or 1).
    sun: vec4<f32>,
    // Columns, rows, size of a cell to the east and to the south (m).
    grid: vec4<f32>,
    // Width and height of the world (m), height of the block's foot (exaggerated), 1 on hexagons.
    size: vec4<f32>,
    // Heights of the lowest and the highest tint and of the sea (m), exaggeration.
    heights: vec4<f32>,
    // Depths under which nothing is drawn and of the deepest colour (m), the fast speed (m/s), time (s).
    water: vec4<f32>,
    // Contours: interval (m, 0 for none), height of the sea (m), 1 if the sea's own is drawn; factor of the
    // ripples.
    contour: vec4<f32>,
    // What is shown by colours: 0 nothing, else the number of the layer; range; 1 to leave the water out.
    layer: vec4<f32>,
    // Middle (m) and radius (m) of the brush; 0 without one.
    cursor: vec4<f32>,
    cursor_color: vec4<f32>,
    // From above: the place of the view's top-left corner, metres per pixel, 1 for cells as they are.
    map: vec4<f32>,
    // The palette: top of the ramp in use, height of the sea from 0 to 1 or below 0 for none; size of a grain
    // of the ground (m); kind of the liquid (0 water, 1 lava, 3 acid).
    ground: vec4<f32>,
    // The colour of rock; how clear the water is, 0 to 1.
    rock: vec4<f32>,
    // Size of the view (pixels), of a texel of the ripples (m), 1 where the ground has its own colours.
    view: vec4<f32>,
    // Since the frame before: time of the world (s) and of play (s); 0 if it shows another world.
    passed: vec4<f32>,
    // How hard it rains, 0 to 1; how much of the light a metre of air takes, and where air begins (m from the eye); 1 under the open sky.
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

// How far a row of hexagons is shifted to the east (cells), also between rows.
fn shift(row: f32) -> f32 {
    let low = floor(row);
    return frame.size.w * 0.5 * mix(parity(low), parity(low + 1.0), row - low);
}

// The place of a cell's middle; between cells in between.
fn place_of(cell: vec2<f32>) -> vec2<f32> {
    return (cell + vec2(0.5 + shift(cell.y), 0.5)) * frame.grid.zw;
}

// The number of the cell at a place; between middles in between.
fn cell_of(place: vec2<f32>) -> vec2<f32> {
    let row = place.y / frame.grid.w - 0.5;
    return vec2(place.x / frame.grid.z - 0.5 - shift(row), row);
}

fn within(cell: vec2<i32>) -> vec2<i32> {
    return clamp(cell, vec2(0), vec2<i32>(frame.grid.xy) - 1);
}

fn cell_at(cell: vec2<i32>) -> vec4<f32> {
    return textureLoad(cells, within(cell), 0);
}

fn flags_at(cell: vec2<i32>) -> vec4<f32> {
    return textureLoad(flags, within(cell), 0);
}

// Bed height (m) between cells, straight.
fn bed_straight(cell: vec2<f32>) -> f32 {
    let low = floor(cell);
    let t = cell - low;
    let i = vec2<i32>(low);
    let north = mix(cell_at(i).x, cell_at(i + vec2(1, 0)).x, t.x);
    let south = mix(cell_at(i + vec2(0, 1)).x, cell_at(i + vec2(1, 1)).x, t.x);
    return mix(north, south, t.y);
}

// Catmull and Rom's weights: smooth, and through the cells' heights.
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

// Bed height (m) between cells, smooth.
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
fn covering(index: u32) -> vec4<f32> {
    let x = f32(i32(index & 1u) * 4 - 1);
    let y = f32(i32(index >> 1u) * 4 - 1);
    return vec4(x, y, 0.0, 1.0);
}
