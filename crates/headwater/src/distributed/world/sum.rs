//! Sum of the water in a world, accumulated over pieces of rows so that the result equals that of
//! an undivided world.

/// Sums of all depths and of all rounding remainders, each in row-major order, as in
/// [`Field::sum`](crate::Field::sum).
pub(in crate::distributed) struct Sum([f64; 2]);

impl Default for Sum {
    fn default() -> Self {
        Self([std::iter::empty::<f64>().sum(); 2])
    }
}

impl From<[f64; 2]> for Sum {
    /// Continues from the sums of the rows to the north.
    fn from(before: [f64; 2]) -> Self {
        Self(before)
    }
}

impl From<Sum> for [f64; 2] {
    fn from(sum: Sum) -> Self {
        sum.0
    }
}

impl Sum {
    /// Adds the depths (kind 0) or rounding remainders (kind 1) of some rows.
    pub(in crate::distributed) fn add(&mut self, which: usize, words: &[u32]) {
        let numbers = words.iter().map(|&word| f64::from(f32::from_bits(word)));
        self.0[which] = numbers.fold(self.0[which], |sum, number| sum + number);
    }

    /// Returns the sum of all depths and remainders.
    pub(in crate::distributed) fn total(&self) -> f64 {
        self.0[0] + self.0[1]
    }
}
