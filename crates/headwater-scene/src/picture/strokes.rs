//! Straight strokes: which pixels lie near one, where along it and how far aside.

/// From where to where (pixels).
#[derive(Clone, Copy, Debug)]
pub(super) struct Stroke {
    pub(super) from: [f32; 2],
    pub(super) to: [f32; 2],
}

impl Stroke {
    /// Calls `each` for every pixel of a picture of such a size that may lie within `reach` pixels, with where along
    /// the stroke it is, 0 to 1 and beyond, and how far from the stroke (pixels).
    pub(super) fn pixels(
        &self,
        reach: f32,
        size: [usize; 2],
        mut each: impl FnMut([usize; 2], f32, f32),
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
                let way = (off[0] * along[0] + off[1] * along[1]) / square;
                let t = way.clamp(0.0, 1.0);
                let aside = (off[0] - t * along[0]).hypot(off[1] - t * along[1]);
                each([x, y], way, aside);
            }
        }
    }
}
