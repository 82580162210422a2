//! Laws of columns and vessels: rise of their water in a step by the heads at their feet.

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Node {
    /// With a surface: `rise = 2·p + from`.
    from: f64,
    /// Full: `rise = press·p + room`; `press` is the small compressibility.
    press: f64,
    room: f64,
}

pub(super) struct Column {
    /// Surface; ceiling (m above the bottom) and height from floor to ceiling (m), if it has a
    /// ceiling.
    pub(super) surface: f64,
    pub(super) ceiling: Option<[f64; 2]>,
    pub(super) air: f64,
}

/// Law of a vessel: the head that its water, moving as one mass, adds to its columns.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lid {
    /// Total rise of its columns: `slope·head + from`.
    pub(super) slope: f64,
    pub(super) from: f64,
}

impl Lid {
    /// Creates the lid of a vessel with the given number of columns, of which `mass` (m) rises as a
    /// whole at `rise` (m/s): `head = m/g·(W' − W)/dt`. The new velocity acts for the whole step,
    /// because otherwise errors would alternate.
    pub(super) fn new(columns: usize, mass: f64, rise: f64, gravity: f64, dt: f64) -> Self {
        let all = columns as f64 * dt;
        Self { slope: all * gravity * dt / mass, from: all * rise }
    }

    pub(super) fn rise(&self, head: f64) -> f64 {
        self.slope * head + self.from
    }
}

/// Rise of a surface per metre of head above its initial position; the head is that at the middle
/// of the step.
const SLOPE: f64 = 2.0;

impl Node {
    pub(super) fn new(column: &Column, gravity: f64, sound: f64) -> Self {
        let Column { surface, ceiling, air } = *column;
        match ceiling {
            None => Self { from: -SLOPE * (air + surface), press: 0.0, room: f64::INFINITY },
            Some([ceiling, height]) => {
                let over = (surface - ceiling).max(0.0);
                let press = height * gravity / (sound * sound);
                Self {
                    from: -SLOPE * (air + surface.min(ceiling)) - over,
                    press,
                    room: ceiling - surface - press * ceiling,
                }
            }
        }
    }

    /// Returns the rise for a head, with `lid` the head of its vessel; the derivative; and whether
    /// it is full.
    #[inline(always)]
    pub(super) fn rise(&self, head: f64, lid: f64) -> (f64, f64, bool) {
        let free = SLOPE * (head - lid) + self.from;
        let full = self.press * head + self.room;
        if free < full { (free, SLOPE, false) } else { (full, self.press, true) }
    }

    /// Returns the head at which it becomes full; infinite without a ceiling.
    pub(super) fn filling_head(&self, lid: f64) -> f64 {
        // Slightly more, so that rounding does not leave it free.
        let head = (self.room - self.from + SLOPE * lid) / (SLOPE - self.press);
        head + 1e-12 * head.abs()
    }
}
