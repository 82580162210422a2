//! Stream-power law for one cell and one step, implicit in time and therefore always stable (J.
//! Braun, S. Willett, Geomorphology 180–181:170, 2013). The slope x after the step satisfies x +
//! f·xⁿ = (z − s)/d with f = K·A^m·Δt/d, where s is the height of the receiver after the step, d is
//! the distance, and z is the height of the uplifted ground. For n = 1, the solution is a division
//! (their equation 22). Otherwise, Newton's method is used.

use super::powers::PowerTable;

/// Largest number of Newton iterations. Typically, five iterations suffice.
const MAX_ITERATIONS: usize = 60;
/// Fixed-point value of the area of one cell with mean rain.
pub(in super::super) const AREA_UNIT: u64 = 1 << 16;

#[derive(Clone, Debug)]
pub(in super::super) struct StreamPowerLaw {
    /// Table of A^m, for areas A in units of 1/[`AREA_UNIT`] of a cell.
    powers: PowerTable,
    /// Factor f of the law for A^m = 1, `K·Δt/d`, for flow to an edge neighbour and to a corner
    /// neighbour at the distance d.
    factor: [f64; 2],
    n: f64,
    /// Distance to an edge neighbour and to a corner neighbour (quanta of 2⁻²⁰ m).
    lengths: [f64; 2],
    /// Largest stable height difference of rock to an edge neighbour and to a corner neighbour
    /// (quanta of 2⁻²⁰ m).
    stable_drops: [f64; 2],
}

#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Reach {
    /// Height of the ground, including the uplift of the step (quanta of 2⁻²⁰ m).
    pub(in super::super) ground: i64,
    /// Height of the receiver after the step (quanta of 2⁻²⁰ m).
    pub(in super::super) receiver_height: i64,
    pub(in super::super) corner: usize,
    /// Upstream area of the cell, in units of 1/[`AREA_UNIT`] of a cell.
    pub(in super::super) area: u64,
    /// Erodibility of the ground relative to soil (dimensionless).
    pub(in super::super) erodibility: f32,
}

impl StreamPowerLaw {
    /// Creates the law for a step of `rain` (drops per cell) on square cells of side `size` (m).
    /// `k` is the erodibility K (m^(1−2m) per drop per cell), `m` is the exponent of the upstream
    /// area, and `n` is the exponent of the slope. `steepest` is the steepest stable slope of rock
    /// (m per m). `quanta` is the number of fixed-point units per metre.
    pub(in super::super) fn new(
        [k, m, n]: [f64; 3],
        rain: f64,
        size: f64,
        steepest: f64,
        quanta: f64,
    ) -> Self {
        let unit = libm::pow(size * size / AREA_UNIT as f64, m);
        let lengths = [size, size * std::f64::consts::SQRT_2];
        Self {
            powers: PowerTable::new(m),
            factor: lengths.map(|length| k * rain * unit / length),
            n,
            lengths: lengths.map(|length| length * quanta),
            stable_drops: lengths.map(|length| steepest * length * quanta),
        }
    }

    /// Returns the thickness that a cell loses by erosion in one step (quanta of 2⁻²⁰ m). The
    /// height difference to the receiver remains at least one quantum. Ground that is steeper than
    /// the stable slope of rock slides into the stream.
    pub(in super::super) fn erosion(&self, reach: Reach) -> u32 {
        let Reach { ground, receiver_height, corner, area, erodibility } = reach;
        if ground <= receiver_height + 1 {
            return 0;
        }
        let fall = (ground - receiver_height) as f64;
        let f = self.factor[corner] * f64::from(erodibility) * self.powers.pow(area);
        let remaining = if self.n == 1.0 {
            fall / (1.0 + f)
        } else {
            self.lengths[corner] * solve_slope(fall / self.lengths[corner], f, self.n)
        };
        let remaining = (remaining.min(self.stable_drops[corner]) + 0.5) as i64;
        let eroded = ground - receiver_height - remaining.max(1);
        u32::try_from(eroded.max(0)).unwrap_or(u32::MAX)
    }
}

/// Solves x + f·xⁿ = a for x, where a is positive.
fn solve_slope(a: f64, f: f64, n: f64) -> f64 {
    if f == 0.0 {
        return a;
    }
    // Iterate in the variable in which the left side is convex: x, or y = xⁿ if n is below 1. From
    // an upper bound, the iterates decrease monotonically.
    let (power, linear) = if n > 1.0 { (n, 1.0) } else { (1.0 / n, f) };
    let scale = if n > 1.0 { f } else { 1.0 };
    let mut x = (a / linear).min(libm::pow(a / scale, 1.0 / power));
    for _ in 0..MAX_ITERATIONS {
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
                    let x = solve_slope(a, f, n);
                    let off = (x + f * libm::pow(x, n) - a) / a;
                    assert!(off.abs() < 1e-9 && x > 0.0, "n {n}, f {f}, a {a}: {x}, off {off}");
                }
            }
        }
    }

    #[test]
    fn erosion_never_cuts_below_the_receiver() {
        let law = |k, n| StreamPowerLaw::new([k, 0.5, n], 1.0, 10.0, 1.0, 1024.0);
        let reach = Reach {
            ground: 9_000,
            receiver_height: 1_000,
            corner: 0,
            area: 100 * AREA_UNIT,
            erodibility: 1.0,
        };
        // K·A^m·Δt/d is 1, so half of the height difference remains.
        assert_eq!(law(0.1, 1.0).erosion(reach), 4_000);
        assert_eq!(law(0.0, 1.0).erosion(reach), 0);
        assert_eq!(law(1e6, 1.0).erosion(reach), 7_999);
        assert_eq!(law(1e6, 1.0).erosion(Reach { receiver_height: 9_001, ..reach }), 0);
        let steep = law(0.0, 1.0).erosion(Reach { receiver_height: -20_000, ..reach });
        assert_eq!(steep, 29_000 - 10_240, "rock bears 45°");
        // The law is nearly linear for this step. For n = 2, the equation is x + x² = 0.78125.
        let x = f64::from(8_000 - law(0.1, 2.0).erosion(reach)) / 10_240.0;
        assert!((x + x * x - 0.78125).abs() < 1e-3, "{x}");
    }
}
