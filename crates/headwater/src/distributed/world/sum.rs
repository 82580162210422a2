//! Sum of the water depths in a world. It is accumulated over pieces of rows so that the result
//! equals that of an undivided world.

/// Sum of all depths (index 0) and sum of all rounding remainders (index 1), each accumulated in
/// row-major order, as in [`Field::sum`](crate::Field::sum).
pub(in crate::distributed) struct WaterSum([f64; 2]);

impl Default for WaterSum {
    fn default() -> Self {
        Self([std::iter::empty::<f64>().sum(); 2])
    }
}

impl From<[f64; 2]> for WaterSum {
    /// Creates a sum that continues from the sums of the rows to the north.
    fn from(before: [f64; 2]) -> Self {
        Self(before)
    }
}

impl From<WaterSum> for [f64; 2] {
    fn from(sum: WaterSum) -> Self {
        sum.0
    }
}

impl WaterSum {
    /// Adds the depths (`which` = 0) or the rounding remainders (`which` = 1) of some rows. `words`
    /// contains the values as the bit patterns of `f32` numbers.
    pub(in crate::distributed) fn add_values(&mut self, which: usize, words: &[u32]) {
        let numbers = words.iter().map(|&word| f64::from(f32::from_bits(word)));
        self.0[which] = numbers.fold(self.0[which], |sum, number| sum + number);
    }

    /// Returns the sum of all depths and all rounding remainders (m).
    pub(in crate::distributed) fn total(&self) -> f64 {
        self.0[0] + self.0[1]
    }
}
