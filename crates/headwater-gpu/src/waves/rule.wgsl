// What the kernels of waves know of their world.
struct Rule {
    // Cells along x and y, and from one row to the next in store.
    nx: u32,
    ny: u32,
    pitch: u32,
    // 0; see `opaque`.
    zero_bits: u32,
    keep: f32,
    gain: f32,
    friction: f32,
    quantum: f32,
    // Gains of the faces on the west, east, north and south rim.
    rim: vec4<f32>,
    // 1 where these edges are pinned.
    pinned: vec4<u32>,
    // Cells of the absorbing layers at these edges.
    widths: vec4<u32>,
    // 1 if the west and the east, the north and the south are joined.
    joined: vec2<u32>,
    per_quantum: f32,
    unused: u32,
}
