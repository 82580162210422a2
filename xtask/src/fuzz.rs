//! Fuzzing of the file parsers: they are called with randomly damaged files.

use crate::process::{cargo_command, run_command};
use anyhow::{Context, Result};
use std::thread;
use std::time::SystemTime;

/// Kinds of input files: the name of the kind, the filter that selects its tests in
/// `headwater-scene`, and the number of these tests.
const READERS: [(&str, &str, u64); 5] = [
    ("scenes", "scene::fuzz", 3),
    ("rasters", "raster::fuzz", 6),
    ("boards", "fuzz::damaged_boards", 1),
    ("states", "fuzz::damaged_states", 1),
    ("checkpoints", "run::checkpoint", 2),
];

/// Searches for input that makes a file parser panic, for about `minutes` minutes. `reader` is the
/// name of the kind of input; all kinds are tested if it is `None`.
pub(crate) fn run_fuzzing(reader: Option<&str>, minutes: u64, seed: Option<u64>) -> Result<()> {
    let names: Vec<&str> = READERS.iter().map(|(name, ..)| *name).collect();
    let chosen: Vec<_> =
        READERS.iter().filter(|(name, ..)| reader.is_none_or(|reader| reader == *name)).collect();
    let searches: u64 = chosen.iter().map(|(.., searches)| searches).sum();
    // Tests run in parallel, one on each core.
    let cores = thread::available_parallelism().map_or(1, |cores| cores.get() as u64).min(searches);
    let seconds = (60 * minutes * cores)
        .checked_div(searches)
        .with_context(|| format!("unknown reader; allowed: {}", names.join(", ")))?;
    let seed = seed.unwrap_or_else(|| {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        since.map_or(0, |since| since.as_secs() % (1 << 40))
    });
    println!("HEADWATER_FUZZ_SEED={seed} HEADWATER_FUZZ_SECONDS={seconds}");
    let mut test = cargo_command();
    test.args(["test", "-p", "headwater-scene", "--test", "it", "--"]);
    test.arg("--nocapture").args(chosen.iter().map(|(_, tests, _)| tests));
    test.env("HEADWATER_FUZZ_SEED", seed.to_string());
    run_command(test.env("HEADWATER_FUZZ_SECONDS", seconds.max(1).to_string()))
}
