//! How readers are searched for input that they fail on: for how long, from which seed, and what becomes of what is found.
//!
//! A search does a fixed number of rounds, the same in every run. With `HEADWATER_FUZZ_SECONDS` it goes on for so long, from the seed
//! `HEADWATER_FUZZ_SEED`: that is what `cargo xtask fuzz` does. What a reader panics on is kept in `tests/corpus`, and every later
//! search begins with what is there.

use std::env;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use xxhash_rust::xxh3::xxh3_64;

/// SplitMix64 (Steele, Lea and Flood 2014): a few lines of seeded chance.
pub(crate) struct Chance(u64);

impl Chance {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    pub(crate) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    /// Damages one to three places of a text or file.
    pub(crate) fn damage(&mut self, bytes: &mut Vec<u8>) {
        for _ in 0..1 + self.below(3) {
            let at = self.below(bytes.len());
            match self.below(6) {
                0 => bytes.truncate(at),
                1 => bytes.insert(at.min(bytes.len()), self.next() as u8),
                2 => drop(bytes.drain(at..(at + self.below(9)).min(bytes.len()))),
                3 => {
                    let end = (at + 9).min(bytes.len());
                    bytes[at..end].fill(0xff);
                }
                _ => {
                    if let Some(byte) = bytes.get_mut(at) {
                        *byte ^= 1 << self.below(8);
                    }
                }
            }
        }
    }
}

/// A search for what a reader fails on.
pub(crate) struct Search {
    reader: &'static str,
    rounds: usize,
    end: Option<Instant>,
    /// Rounds that have begun.
    pub(crate) begun: usize,
    pub(crate) chance: Chance,
}

fn number(name: &str) -> Option<u64> {
    env::var(name).ok().map(|text| text.parse().unwrap())
}

impl Search {
    /// One of so many rounds, with a seed of its own.
    pub(crate) fn new(reader: &'static str, rounds: usize, seed: u64) -> Self {
        let end = number("HEADWATER_FUZZ_SECONDS").map(Duration::from_secs);
        let seed = seed.wrapping_add(number("HEADWATER_FUZZ_SEED").unwrap_or(0) << 16);
        let end = end.map(|seconds| Instant::now() + seconds);
        Self { reader, rounds, end, begun: 0, chance: Chance(seed) }
    }

    /// Begins the next round; false if that was the last.
    pub(crate) fn goes_on(&mut self) -> bool {
        let more = self.end.map_or(self.begun < self.rounds, |end| Instant::now() < end);
        self.begun += usize::from(more);
        more
    }

    /// Has the reader read some input, which is kept if it panics.
    pub(crate) fn feed<T>(&self, input: &[u8], read: impl FnOnce() -> T) -> T {
        catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|panic| {
            let path = corpus(self.reader).join(format!("{:016x}", xxh3_64(input)));
            let kept =
                fs::create_dir_all(corpus(self.reader)).and_then(|()| fs::write(&path, input));
            println!("kept in {}: {kept:?}", path.display());
            resume_unwind(panic)
        })
    }

    /// What has been found before.
    pub(crate) fn known(&self) -> Vec<Vec<u8>> {
        let Ok(entries) = fs::read_dir(corpus(self.reader)) else { return Vec::new() };
        let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths.into_iter().map(|path| fs::read(path).unwrap()).collect()
    }
}

fn corpus(reader: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "corpus", reader].iter().collect()
}
