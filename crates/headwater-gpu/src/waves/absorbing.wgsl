// Absorbing edges: in their layers, the parts of a height that came along x and along y fade, and so do the fluxes.
// Twin of the CPU's `waves/absorbing.rs`. `fading` holds what columns lose, then x-faces, rows and y-faces.

#if LAYERS
@group(0) @binding(10) var<storage, read> fading: array<f32>;
@group(0) @binding(11) var<storage, read_write> part_x: array<i32>;
@group(0) @binding(12) var<storage, read_write> part_y: array<i32>;

fn faded_x(flux: f32, x: u32) -> f32 {
    return flux - opaque(flux * fading[rule.nx + x], rule.zero_bits);
}

fn faded_y(flux: f32, y: u32) -> f32 {
    return flux - opaque(flux * fading[2u * rule.nx + 1u + rule.ny + y], rule.zero_bits);
}

// Lets the parts of a cell fade, to which this has come in the step (quanta); returns what they lose.
fn fade(x: u32, y: u32, along_x: i32, along_y: i32) -> i32 {
    let i = y * rule.pitch + x;
    var lost = 0;
    if x < rule.widths.x || x >= rule.nx - rule.widths.y {
        let part = part_x[i];
        let off = whole(f32(part) * rule.quantum * fading[x]);
        part_x[i] = part + along_x - off;
        lost += off;
    }
    if y < rule.widths.z || y >= rule.ny - rule.widths.w {
        let part = part_y[i];
        let off = whole(f32(part) * rule.quantum * fading[2u * rule.nx + 1u + y]);
        part_y[i] = part + along_y - off;
        lost += off;
    }
    return lost;
}
#else
fn faded_x(flux: f32, x: u32) -> f32 { return flux; }
fn faded_y(flux: f32, y: u32) -> f32 { return flux; }
fn fade(x: u32, y: u32, along_x: i32, along_y: i32) -> i32 { return 0; }
#endif
