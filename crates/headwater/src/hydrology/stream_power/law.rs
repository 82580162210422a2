//! The law of stream power for one cell over one step, backward in time and so always stable (J.
//! Braun, S. Willett, Geomorphology 180–181:170, 2013). With x the slope after the step, s the
//! height of the receiver, d the way there and z the risen ground, x + f·xⁿ = (z − s)/d where f =
//! K·A^m·Δt/d: for n = 1 a division (their equation 22), otherwise Newton's method.

use super::powers::Powers;

/// Newton's steps at most; five do in practice.
const ROUNDS: usize = 60;
/// What a whole cell's rain counts in areas.
pub(in super::super) const CELL: u64 = 1 << 16;

#[derive(Clone, Debug)]
pub(in super::super) struct Law {
    /// Power of areas that are counted in [`CELL`]ths of a cell.
    powers: Powers,
    /// What f is on a power of 1, to a side and to a corner.
    factor: [f64; 2],
    n: f64,
    /// The ways to a side and to a corner (quanta).
    lengths: [f64; 2],
    /// What rock bears at most there, in differences of height (quanta).
    bears: [f64; 2],
}

#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Reach {
    /// Its ground with what it has risen (quanta).
    pub(in super::super) ground: i64,
    /// The height after the step of where its water goes (quanta).
    pub(in super::super) below: i64,
    pub(in super::super) corner: usize,
    /// Area that drains to it ([`CELL`]ths of a cell).
    pub(in super::super) area: u64,
    /// Its erodibility, that of soil being 1.
    pub(in super::super) soft: f32,
}

impl Law {
    /// K (m^(1−2m) per depth of rain), m and n over a step of `rain` on cells of `size` m, on rock
    /// that bears slopes up to `steepest`; `quanta` per metre.
    pub(in super::super) fn new(
        [k, m, n]: [f64; 3],
        rain: f64,
        size: f64,
        steepest: f64,
        quanta: f64,
    ) -> Self {
        let unit = libm::pow(size * size / CELL as f64, m);
        let lengths = [size, size * std::f64::consts::SQRT_2];
        Self {
            powers: Powers::new(m),
            factor: lengths.map(|length| k * rain * unit / length),
            n,
            lengths: lengths.map(|length| length * quanta),
            bears: lengths.map(|length| steepest * length * quanta),
        }
    }

    /// Wear of a cell (quanta). A fall of one quantum stays; what is too steep for rock slides into
    /// the stream.
    pub(in super::super) fn wear(&self, reach: Reach) -> u32 {
        let Reach { ground, below, corner, area, soft } = reach;
        if ground <= below + 1 {
            return 0;
        }
        let fall = (ground - below) as f64;
        let f = self.factor[corner] * f64::from(soft) * self.powers.of(area);
        let left = if self.n == 1.0 {
            fall / (1.0 + f)
        } else {
            self.lengths[corner] * slope(fall / self.lengths[corner], f, self.n)
        };
        let left = (left.min(self.bears[corner]) + 0.5) as i64;
        let worn = ground - below - left.max(1);
        u32::try_from(worn.max(0)).unwrap_or(u32::MAX)
    }
}

/// The x of x + f·xⁿ = a, for a above 0.
fn slope(a: f64, f: f64, n: f64) -> f64 {
    if f == 0.0 {
        return a;
    }
    // In the variable in which the left side is convex: x, or y = xⁿ for n below 1. From above, steps only go down.
    let (power, linear) = if n > 1.0 { (n, 1.0) } else { (1.0 / n, f) };
    let scale = if n > 1.0 { f } else { 1.0 };
    let mut x = (a / linear).min(libm::pow(a / scale, 1.0 / power));
    for _ in 0..ROUNDS {
        let term = scale * libm::pow(x, power);
        let step = (linear * x + term - a) / (linear + power * term / x);
        let next = x - step;
        if next.is_nan() || next >= x || next <= 0.0 || step < 1e-14 * x {
            break;
        }
        x = next;
    }
    if n > 1.0 { x } else { libm::pow(x, power) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newtons_method_finds_the_slope() {
        for n in [0.2, 0.5, 0.7, 1.3, 2.0, 5.0] {
            for f in [0.0, 1e-6, 0.1, 3.0, 1e4] {
                for a in [1e-6, 0.02, 1.0, 50.0] {
                    let x = slope(a, f, n);
                    let off = (x + f * libm::pow(x, n) - a) / a;
                    assert!(off.abs() < 1e-9 && x > 0.0, "n {n}, f {f}, a {a}: {x}, off {off}");
                }
            }
        }
    }

    #[test]
    fn a_cell_is_worn_towards_what_lies_below_it_and_no_farther() {
        let law = |k, n| Law::new([k, 0.5, n], 1.0, 10.0, 1.0, 1024.0);
        let reach = Reach { ground: 9_000, below: 1_000, corner: 0, area: 100 * CELL, soft: 1.0 };
        // K·A^m·Δt/d is 1: half of the fall is left.
        assert_eq!(law(0.1, 1.0).wear(reach), 4_000);
        assert_eq!(law(0.0, 1.0).wear(reach), 0);
        assert_eq!(law(1e6, 1.0).wear(reach), 7_999);
        assert_eq!(law(1e6, 1.0).wear(Reach { below: 9_001, ..reach }), 0);
        let steep = law(0.0, 1.0).wear(Reach { below: -20_000, ..reach });
        assert_eq!(steep, 29_000 - 10_240, "rock bears 45°");
        // A step in two halves wears nearly as much; for n = 2, x + x² = 0.78125.
        let x = f64::from(8_000 - law(0.1, 2.0).wear(reach)) / 10_240.0;
        assert!((x + x * x - 0.78125).abs() < 1e-3, "{x}");
    }
}
