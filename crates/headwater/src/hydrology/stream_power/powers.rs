//! A power of many numbers by a table: the same bits on every machine, in a few multiplications.

/// Parts that the numbers from one power of two to the next are cut into.
const PARTS: usize = 256;

#[derive(Clone, Debug)]
pub(in super::super) struct Powers {
    twos: [f64; 64],
    /// Of the middle of each part between 1 and 2: its power, and 1 over it.
    middles: [[f64; 2]; PARTS],
    /// The binomial series of (1 + r)^m after its 1.
    series: [f64; 3],
}

impl Powers {
    pub(in super::super) fn new(m: f64) -> Self {
        let middle = |i: usize| 1.0 + (i as f64 + 0.5) / PARTS as f64;
        Self {
            twos: std::array::from_fn(|e| libm::pow(2.0, m * e as f64)),
            middles: std::array::from_fn(|i| [libm::pow(middle(i), m), 1.0 / middle(i)]),
            series: [m, m * (m - 1.0) / 2.0, m * (m - 1.0) * (m - 2.0) / 6.0],
        }
    }

    /// x^m, to 10⁻¹¹ of it for exponents up to 1; 0 of 0.
    pub(in super::super) fn of(&self, x: u64) -> f64 {
        if x == 0 {
            return 0.0;
        }
        let zeros = x.leading_zeros();
        let first = x << zeros;
        let [middle, inverse] = self.middles[(first >> 55) as usize - PARTS];
        let mantissa = (first >> 11) as f64 / (1_u64 << 52) as f64;
        let r = mantissa * inverse - 1.0;
        let [a, b, c] = self.series;
        self.twos[63 - zeros as usize] * (middle * (1.0 + r * (a + r * (b + r * c))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_those_of_the_library() {
        for m in [0.05, 0.45, 0.5, 1.0, 2.0] {
            let powers = Powers::new(m);
            assert_eq!(powers.of(0), 0.0);
            for k in 0..4000_u64 {
                let x = 1 + (k * k * k * k * k) % (1 << 60);
                let (found, exact) = (powers.of(x), libm::pow(x as f64, m));
                assert!((found / exact - 1.0).abs() < 2e-11, "{x}^{m}: {found}, {exact}");
            }
        }
    }
}
