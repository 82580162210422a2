//! Counter-based random numbers. Each combination of seed, round and item has its own stream, so
//! numbers do not depend on the order in which streams are used.

use multiversion::multiversion;

/// Stream of random numbers (SplitMix64: G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom
/// number generators", 2014).
#[derive(Clone, Debug)]
pub(in crate::hydrology) struct RandomStream(u64);

const STEP: u64 = 0x9E37_79B9_7F4A_7C15;
const ITEM_STEP: u64 = 0xD1B5_4A32_D192_ED03;

#[inline(always)]
fn mix_bits(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[derive(Clone, Copy, Debug)]
pub(in crate::hydrology) struct RandomRound(u64);

impl RandomRound {
    pub(in crate::hydrology) fn new(seed: u64, round: u64) -> Self {
        Self(mix_bits(seed.wrapping_add(STEP) ^ mix_bits(round.wrapping_add(STEP))))
    }

    pub(in crate::hydrology) fn stream(self, item: u64) -> RandomStream {
        RandomStream(mix_bits(self.0 ^ item.wrapping_mul(ITEM_STEP)))
    }
}

impl RandomStream {
    pub(in crate::hydrology) fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        mix_bits(self.0)
    }

    pub(in crate::hydrology) fn next_uniform(&mut self) -> f32 {
        to_uniform(self.next_u64())
    }

    pub(in crate::hydrology) fn next_below(&mut self, n: usize) -> usize {
        scale_below(self.next_u64(), n)
    }
}

pub(in crate::hydrology) fn to_uniform(random: u64) -> f32 {
    (random >> 40) as f32 / (1_u32 << 24) as f32
}

pub(in crate::hydrology) fn scale_below(random: u64, n: usize) -> usize {
    ((u128::from(random) * n as u128) >> 64) as usize
}

/// Number of streams from which numbers are drawn together in one vectorised call.
pub(in crate::hydrology) const STREAMS: usize = 64;
pub(in crate::hydrology) const DRAWS: usize = 5;

#[multiversion(targets = "simd")]
pub(in crate::hydrology) fn fill_draws(
    round: RandomRound,
    first: u64,
    draws: &mut [[u64; STREAMS]; DRAWS],
) {
    let mut state = [0_u64; STREAMS];
    for (i, state) in state.iter_mut().enumerate() {
        let item = first.wrapping_add(i as u64);
        *state = mix_bits(round.0 ^ item.wrapping_mul(ITEM_STEP));
    }
    for row in draws {
        for (number, state) in row.iter_mut().zip(&mut state) {
            *state = state.wrapping_add(STEP);
            *number = mix_bits(*state);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbouring_streams_are_uncorrelated() {
        let of = |seed, round, item| RandomRound::new(seed, round).stream(item);
        let mean = |item: &dyn Fn(u64) -> f32| (0..4096).map(item).sum::<f32>() / 4096.0;
        assert!((mean(&|i| of(7, 3, i).next_uniform()) - 0.5).abs() < 0.02);
        assert!((mean(&|i| of(7, i, 3).next_uniform()) - 0.5).abs() < 0.02);
        assert!((mean(&|i| of(i, 0, 0).next_uniform()) - 0.5).abs() < 0.02);
        let product = mean(&|i| of(7, 3, i).next_uniform() * of(7, 3, i + 1).next_uniform());
        assert!((product - 0.25).abs() < 0.02, "{product}");
    }

    #[test]
    fn batched_draws_match_the_streams() {
        let round = RandomRound::new(3, 5);
        let mut draws = [[0; STREAMS]; DRAWS];
        fill_draws(round, 7000, &mut draws);
        for i in 0..STREAMS {
            let mut stream = round.stream(7000 + i as u64);
            assert!(draws.iter().all(|row| row[i] == stream.next_u64()), "{i}");
        }
    }
}
