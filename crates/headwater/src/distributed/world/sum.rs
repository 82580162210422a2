//! Sum of the water depths in a world. It is accumulated over pieces of rows so that the result
//! equals that of an undivided world.

/// Sum of all depths (index 0) and sum of all rounding remainders (index 1), each accumulated in
/// row-major order, as in [`Field::sum`](crate::Field::sum).
pub(in crate::distributed) struct Sum([f64; 2]);

impl Default for Sum {
    fn default() -> Self {
        Self([std::iter::empty::<f64>().sum(); 2])
    }
}

impl From<[f64; 2]> for Sum {
    /// Creates a sum that continues from the sums of the rows to the north.
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
    /// Adds the depths (`which` = 0) or the rounding remainders (`which` = 1) of some rows. `words`
    /// contains the values as the bit patterns of `f32` numbers.
    pub(in crate::distributed) fn add(&mut self, which: usize, words: &[u32]) {
        let numbers = words.iter().map(|&word| f64::from(f32::from_bits(word)));
        self.0[which] = numbers.fold(self.0[which], |sum, number| sum + number);
    }

    /// Returns the sum of all depths and all rounding remainders.
    pub(in crate::distributed) fn total(&self) -> f64 {
        self.0[0] + self.0[1]
    }
}
