//! Random numbers for tracer particles. The generator is PCG32 as in `rand_pcg`, but its state is
//! accessible, so that a device such as a GPU can continue the sequence (M. O'Neill, *PCG: A Family
//! of Simple Fast Space-Efficient Statistically Good Algorithms for Random Number Generation*,
//! 2014).

use rand_pcg::rand_core::SeedableRng;
use serde::{Deserialize, Serialize};

/// A generator of 32-bit random numbers with the same sequence as `rand_pcg::Pcg32`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::flow) struct TracerRng {
    pub(in crate::flow) state: u64,
    pub(in crate::flow) increment: u64,
}

impl TracerRng {
    pub(in crate::flow) const MULTIPLIER: u64 = 6_364_136_223_846_793_005;

    fn advance_state(&mut self) {
        self.state = self.state.wrapping_mul(Self::MULTIPLIER).wrapping_add(self.increment);
    }

    pub(in crate::flow) fn next_u32(&mut self) -> u32 {
        let state = self.state;
        self.advance_state();
        let mixed = (((state >> 18) ^ state) >> 27) as u32;
        mixed.rotate_right((state >> 59) as u32)
    }
}

impl SeedableRng for TracerRng {
    type Seed = [u8; 16];

    fn from_seed(seed: Self::Seed) -> Self {
        let [state, stream] = [0, 8].map(|first: usize| {
            let word = seed[first..].iter().take(8).rev();
            word.fold(0, |word, &byte| word << 8 | u64::from(byte))
        });
        let mut random = Self { state, increment: stream | 1 };
        random.state = random.state.wrapping_add(random.increment);
        random.advance_state();
        random
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_pcg::Pcg32;
    use rand_pcg::rand_core::Rng;

    #[test]
    fn the_sequence_equals_that_of_rand_pcg() {
        for seed in [0, 1, 4, 0xFEED_5EED, u64::MAX] {
            let (mut random, mut pcg) =
                (TracerRng::seed_from_u64(seed), Pcg32::seed_from_u64(seed));
            for _ in 0..1000 {
                assert_eq!(random.next_u32(), pcg.next_u32());
            }
            // Both states serialise alike, so older snapshots stay readable.
            let (ours, theirs) = (serde_json::to_value(&random), serde_json::to_value(&pcg));
            assert_eq!(ours.unwrap(), theirs.unwrap());
        }
    }
}
