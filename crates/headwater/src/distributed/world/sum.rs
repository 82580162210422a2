//! Sum of the water depths of all cells in a world. The rows may be added in several pieces; the
//! result equals that of an undivided world.

/// Two sums over cells: of the depths (index 0), and of their rounding remainders (index 1). A
/// rounding remainder is water below the `f32` resolution of a depth. Both sums are accumulated in
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
    /// Adds values of some rows to one of the sums: to the sum of the depths if `index` is 0, and
    /// to the sum of the rounding remainders if `index` is 1. `words` contains the values as the
    /// bit patterns of `f32` numbers.
    pub(in crate::distributed) fn add_values(&mut self, index: usize, words: &[u32]) {
        let numbers = words.iter().map(|&word| f64::from(f32::from_bits(word)));
        self.0[index] = numbers.fold(self.0[index], |sum, number| sum + number);
    }

    /// Returns the sum of the water depths (m), including the rounding remainders.
    pub(in crate::distributed) fn total(&self) -> f64 {
        self.0[0] + self.0[1]
    }
}
