//! Distance of pixels to line segments, for antialiased strokes.

/// Line segment between two points (pixels).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Segment {
    pub(crate) from: [f32; 2],
    pub(crate) to: [f32; 2],
}

impl Segment {
    /// Calls `visit` for every pixel that may lie within `reach` pixels of the segment, in a
    /// picture of the given size. `visit` receives the pixel, the position of the nearest point
    /// along the line (0 at the start of the segment, 1 at its end, not clamped), and the distance
    /// from the segment (pixels).
    pub(crate) fn for_each_pixel(
        &self,
        reach: f32,
        size: [usize; 2],
        mut visit: impl FnMut([usize; 2], f32, f32),
    ) {
        let Self { from, to } = *self;
        let range = |k: usize| {
            let low = (from[k].min(to[k]) - reach).floor().clamp(0.0, size[k] as f32);
            let high = (from[k].max(to[k]) + reach).ceil().clamp(0.0, size[k] as f32);
            low as usize..high as usize
        };
        let along = [to[0] - from[0], to[1] - from[1]];
        let square = (along[0] * along[0] + along[1] * along[1]).max(1e-6);
        for y in range(1) {
            for x in range(0) {
                let off = [x as f32 + 0.5 - from[0], y as f32 + 0.5 - from[1]];
                let position = (off[0] * along[0] + off[1] * along[1]) / square;
                let t = position.clamp(0.0, 1.0);
                let distance = (off[0] - t * along[0]).hypot(off[1] - t * along[1]);
                visit([x, y], position, distance);
            }
        }
    }
}
