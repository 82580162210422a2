//! [`Sum`]: the water of a world that comes some rows at a time.

use crate::flow::part::Part;

/// The sum of all numbers of some fields, each added up in the order of the grid, as [`Field::sum`](crate::Field::sum) does it.
pub(super) struct Sum([f64; 2]);

impl Default for Sum {
    fn default() -> Self {
        Self([std::iter::empty::<f64>().sum(); 2])
    }
}

impl Sum {
    /// Adds depths and remainders of rows.
    pub(super) fn add(&mut self, which: usize, words: &[u32]) {
        let numbers = words.iter().map(|&word| f64::from(f32::from_bits(word)));
        self.0[which] = numbers.fold(self.0[which], |sum, number| sum + number);
    }

    /// Adds those of a part's own rows.
    pub(super) fn add_part(&mut self, part: &Part) {
        let state = &part.flow.state;
        for (i, field) in [&state.depth, &state.remainder].into_iter().enumerate() {
            let own = part.own.start * field.nx()..part.own.end * field.nx();
            self.add(i, bytemuck::cast_slice(&field.as_slice()[own]));
        }
    }

    pub(super) fn all(&self) -> f64 {
        self.0[0] + self.0[1]
    }
}
