//! The laws of columns and vessels: how far their water rises in a step, by the heads at their feet.

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Node {
    /// With a surface: `rise = 2·p + from`.
    from: f64,
    /// Full: `rise = press·p + room`, the little by which water is pressed together.
    press: f64,
    room: f64,
}

pub(super) struct Column {
    /// Its surface, its ceiling if it has one, and its height from floor to ceiling (m above the bottom; m).
    pub(super) surface: f64,
    pub(super) ceiling: Option<[f64; 2]>,
    pub(super) air: f64,
}

/// The law of a vessel: what its water, as one mass, adds to the heads of its columns.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lid {
    /// What its columns rise together: `slope·head + from`.
    pub(super) slope: f64,
    pub(super) from: f64,
}

impl Lid {
    /// A lid of so many columns, of which `mass` (m) rises as a whole at `rise` (m/s): `head =
    /// m/g·(W' − W)/dt`. The new velocity counts for the whole step, or errors would alternate.
    pub(super) fn new(columns: usize, mass: f64, rise: f64, gravity: f64, dt: f64) -> Self {
        let all = columns as f64 * dt;
        Self { slope: all * gravity * dt / mass, from: all * rise }
    }

    pub(super) fn rise(&self, head: f64) -> f64 {
        self.slope * head + self.from
    }
}

/// Rise of a surface per metre of head above its initial place; the head is that of the middle of
/// the step.
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

    /// Rise of its water with a head, `lid` being its vessel's; the derivative; whether it is full.
    #[inline(always)]
    pub(super) fn rise(&self, head: f64, lid: f64) -> (f64, f64, bool) {
        let free = SLOPE * (head - lid) + self.from;
        let full = self.press * head + self.room;
        if free < full { (free, SLOPE, false) } else { (full, self.press, true) }
    }

    /// The head from which it is full; infinite if it has no ceiling.
    pub(super) fn filling(&self, lid: f64) -> f64 {
        // A little more, or rounding would leave it free.
        let head = (self.room - self.from + SLOPE * lid) / (SLOPE - self.press);
        head + 1e-12 * head.abs()
    }
}
