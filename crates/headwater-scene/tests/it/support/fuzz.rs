//! Support for fuzzing tests: the number of rounds or the duration of a search, its seed, and its
//! corpus.
//!
//! A search has a fixed number of deterministic rounds. If `HEADWATER_FUZZ_SECONDS` is set, it runs
//! for that time with the seed `HEADWATER_FUZZ_SEED`, as in `cargo xtask attack`. Inputs that cause
//! panics are saved in `tests/corpus` and tried at the start of every later search.

use std::env;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use xxhash_rust::xxh3::xxh3_64;

/// SplitMix64 random number generator (Steele, Lea and Flood 2014).
pub(crate) struct Rng(u64);

impl Rng {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn next_below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    pub(crate) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.next_below(of.len())]
    }

    /// Changes bytes at one to three random positions.
    pub(crate) fn damage(&mut self, bytes: &mut Vec<u8>) {
        for _ in 0..1 + self.next_below(3) {
            let at = self.next_below(bytes.len());
            match self.next_below(6) {
                0 => bytes.truncate(at),
                1 => bytes.insert(at.min(bytes.len()), self.next() as u8),
                2 => drop(bytes.drain(at..(at + self.next_below(9)).min(bytes.len()))),
                3 => {
                    let end = (at + 9).min(bytes.len());
                    bytes[at..end].fill(0xff);
                }
                _ => {
                    if let Some(byte) = bytes.get_mut(at) {
                        *byte ^= 1 << self.next_below(8);
                    }
                }
            }
        }
    }
}

/// Search for inputs that make a reader panic, with a corpus of inputs that made it panic before.
pub(crate) struct Search {
    reader: &'static str,
    rounds: usize,
    end: Option<Instant>,
    /// Number of rounds that have been started.
    pub(crate) rounds_started: usize,
    pub(crate) rng: Rng,
}

fn env_number(name: &str) -> Option<u64> {
    env::var(name).ok().map(|text| text.parse().unwrap())
}

impl Search {
    /// Creates a search with `rounds` rounds and a seed. `reader` is the name of the tested reader.
    /// The corpus is stored under this name.
    pub(crate) fn new(reader: &'static str, rounds: usize, seed: u64) -> Self {
        let end = env_number("HEADWATER_FUZZ_SECONDS").map(Duration::from_secs);
        let seed = seed.wrapping_add(env_number("HEADWATER_FUZZ_SEED").unwrap_or(0) << 16);
        let end = end.map(|seconds| Instant::now() + seconds);
        Self { reader, rounds, end, rounds_started: 0, rng: Rng(seed) }
    }

    /// Starts the next round. After the last round, prints the number of rounds and returns false.
    pub(crate) fn next_round(&mut self) -> bool {
        let more = self.end.map_or(self.rounds_started < self.rounds, |end| Instant::now() < end);
        self.rounds_started += usize::from(more);
        if !more {
            println!("{}: {} inputs", self.reader, self.rounds_started);
        }
        more
    }

    /// Calls `read`, which reads `input`. If `read` panics, saves `input` to the corpus.
    pub(crate) fn try_input<T>(&self, input: &[u8], read: impl FnOnce() -> T) -> T {
        catch_unwind(AssertUnwindSafe(read)).unwrap_or_else(|panic| {
            let path = corpus_folder(self.reader).join(format!("{:016x}", xxh3_64(input)));
            let kept = fs::create_dir_all(corpus_folder(self.reader))
                .and_then(|()| fs::write(&path, input));
            println!("kept in {}: {kept:?}", path.display());
            resume_unwind(panic)
        })
    }

    /// Returns the inputs that earlier searches have saved.
    pub(crate) fn corpus_inputs(&self) -> Vec<Vec<u8>> {
        let Ok(entries) = fs::read_dir(corpus_folder(self.reader)) else { return Vec::new() };
        let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths.into_iter().map(|path| fs::read(path).unwrap()).collect()
    }
}

fn corpus_folder(reader: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "corpus", reader].iter().collect()
}
