//! Equations of columns and vessels in a network: rise of their water in a step as a function of
//! the heads at their feet.

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Node {
    /// Constant of a column with a free surface: `rise = 2·p + from` for the head p.
    from: f64,
    /// Compressibility of a full column (small): `rise = press·p + room` for the head p.
    press: f64,
    room: f64,
}

pub(super) struct Column {
    /// Height of the surface (m above the bottom).
    pub(super) surface: f64,
    /// Height of the ceiling (m above the bottom), and height from floor to ceiling (m); `None`
    /// without a ceiling.
    pub(super) ceiling: Option<[f64; 2]>,
    /// Head of the trapped air or body above the surface (m).
    pub(super) air: f64,
}

/// Equation of a vessel: the head that its water, moving as one mass, adds to its columns.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lid {
    /// Factor in the total rise of the vessel's columns, `slope·head + from`.
    pub(super) slope: f64,
    pub(super) from: f64,
}

impl Lid {
    /// Creates the equation of a vessel with the given number of columns, of which the height
    /// `mass` (m) moves as one mass at the velocity `rise` (m/s): `head = mass/g·(W' − W)/dt` for
    /// the old velocity W and the new velocity W'. The new velocity acts for the whole step,
    /// because otherwise errors would alternate.
    pub(super) fn new(columns: usize, mass: f64, rise: f64, gravity: f64, dt: f64) -> Self {
        let all = columns as f64 * dt;
        Self { slope: all * gravity * dt / mass, from: all * rise }
    }

    pub(super) fn rise(&self, head: f64) -> f64 {
        self.slope * head + self.from
    }
}

/// Rise of a surface per metre of head above its initial position. The factor is 2 because the head
/// is taken at the middle of the step.
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

    /// Returns the rise of the column for a head, the derivative of the rise, and whether the
    /// column is full. `lid` is the head of its vessel.
    #[inline(always)]
    pub(super) fn rise(&self, head: f64, lid: f64) -> (f64, f64, bool) {
        let free = SLOPE * (head - lid) + self.from;
        let full = self.press * head + self.room;
        if free < full { (free, SLOPE, false) } else { (full, self.press, true) }
    }

    /// Returns the head at which the column becomes full; infinite without a ceiling.
    pub(super) fn filling_head(&self, lid: f64) -> f64 {
        // Slightly above the exact value, so that rounding does not leave the column free.
        let head = (self.room - self.from + SLOPE * lid) / (SLOPE - self.press);
        head + 1e-12 * head.abs()
    }
}
