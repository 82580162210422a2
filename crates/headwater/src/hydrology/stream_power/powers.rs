//! Powers of integers by table lookup. The results are identical bit for bit on all machines and
//! need only a few multiplications.

/// Number of table intervals between two successive powers of two.
const INTERVALS: usize = 256;

#[derive(Clone, Debug)]
pub(in super::super) struct PowerTable {
    twos: [f64; 64],
    /// For each table interval between 1 and 2: the m-th power of the midpoint, and the inverse of
    /// the midpoint.
    midpoints: [[f64; 2]; INTERVALS],
    /// Coefficients of the binomial series of (1 + r)^m, without the constant term.
    series: [f64; 3],
}

impl PowerTable {
    pub(in super::super) fn new(m: f64) -> Self {
        let midpoint = |i: usize| 1.0 + (i as f64 + 0.5) / INTERVALS as f64;
        Self {
            twos: std::array::from_fn(|e| libm::pow(2.0, m * e as f64)),
            midpoints: std::array::from_fn(|i| [libm::pow(midpoint(i), m), 1.0 / midpoint(i)]),
            series: [m, m * (m - 1.0) / 2.0, m * (m - 1.0) * (m - 2.0) / 6.0],
        }
    }

    /// Returns x^m, with a relative error of at most 10⁻¹¹ for exponents m up to 1. Returns 0 if x
    /// is 0.
    pub(in super::super) fn pow(&self, x: u64) -> f64 {
        if x == 0 {
            return 0.0;
        }
        let zeros = x.leading_zeros();
        let first = x << zeros;
        let [midpoint, inverse] = self.midpoints[(first >> 55) as usize - INTERVALS];
        let mantissa = (first >> 11) as f64 / (1_u64 << 52) as f64;
        let r = mantissa * inverse - 1.0;
        let [a, b, c] = self.series;
        self.twos[63 - zeros as usize] * (midpoint * (1.0 + r * (a + r * (b + r * c))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_match_libm() {
        for m in [0.05, 0.45, 0.5, 1.0, 2.0] {
            let powers = PowerTable::new(m);
            assert_eq!(powers.pow(0), 0.0);
            for k in 0..4000_u64 {
                let x = 1 + (k * k * k * k * k) % (1 << 60);
                let (found, exact) = (powers.pow(x), libm::pow(x as f64, m));
                assert!((found / exact - 1.0).abs() < 2e-11, "{x}^{m}: {found}, {exact}");
            }
        }
    }
}
