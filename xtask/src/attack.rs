//! Attacks on the program and the library: damaged files, runs that are killed and resumed, failing
//! file accesses, and random calls with saved and restored worlds. The attacks are longer runs of
//! tests in the crates, which `cargo test` builds and runs with every change.

use crate::process::{cargo_command, run_command};
use anyhow::{Result, bail};
use std::thread;
use std::time::SystemTime;

/// Kinds of damaged files. Each entry holds the name of the kind, the filter that selects its tests
/// in `headwater-scene`, and the number of these tests.
const DAMAGED_FILE_ATTACKS: [(&str, &str, u64); 5] = [
    ("scenes", "scene::fuzz", 3),
    ("rasters", "raster::fuzz", 6),
    ("boards", "fuzz::damaged_boards", 1),
    ("states", "fuzz::damaged_states", 1),
    ("checkpoints", "run::checkpoint", 2),
];

/// Attacks other than damaged files. Each entry holds the name, the package and the filter of the
/// tests, the environment variable for the number of rounds, and the number of rounds per minute on
/// two cores in the dev profile.
const OTHER_ATTACKS: [(&str, [&str; 2], &str, u64); 3] = [
    ("kills", ["headwater-cli", "crashes"], "HEADWATER_CRASHES", 120),
    // The number of faults is limited by the number of file accesses, about 800.
    ("faults", ["headwater-cli", "faults::"], "HEADWATER_FAULTS", 100),
    ("calls", ["headwater", "soak::"], "HEADWATER_SOAK", 2000),
];

/// Runs the attack with the name `kind`, or all attacks if it is `None`. `minutes` is the
/// approximate duration of all attacks with damaged files together, and of each other attack.
pub(crate) fn run_attacks(kind: Option<&str>, minutes: u64, seed: Option<u64>) -> Result<()> {
    let is_chosen = |name: &str| kind.is_none_or(|kind| kind == name);
    let readers: Vec<_> =
        DAMAGED_FILE_ATTACKS.iter().filter(|(name, ..)| is_chosen(name)).collect();
    let rounds: Vec<_> = OTHER_ATTACKS.iter().filter(|(name, ..)| is_chosen(name)).collect();
    if readers.is_empty() && rounds.is_empty() {
        let names = DAMAGED_FILE_ATTACKS
            .iter()
            .map(|(name, ..)| *name)
            .chain(OTHER_ATTACKS.map(|(name, ..)| name));
        bail!("unknown attack; allowed: {}", names.collect::<Vec<_>>().join(", "));
    }
    let seed = seed.unwrap_or_else(|| {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        since.map_or(0, |since| since.as_secs() % (1 << 40))
    });
    let searches: u64 = readers.iter().map(|(.., searches)| searches).sum();
    // Tests run in parallel, one on each core.
    let cores = thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
    if let Some(seconds) = (60 * minutes * cores.min(searches)).checked_div(searches) {
        println!("HEADWATER_FUZZ_SEED={seed} HEADWATER_FUZZ_SECONDS={seconds}");
        let mut test = cargo_command();
        test.args(["test", "-p", "headwater-scene", "--test", "it", "--"]);
        test.arg("--nocapture").args(readers.iter().map(|(_, tests, _)| tests));
        test.env("HEADWATER_FUZZ_SEED", seed.to_string());
        run_command(test.env("HEADWATER_FUZZ_SECONDS", seconds.max(1).to_string()))?;
    }
    for (_, [package, tests], variable, per_minute) in rounds {
        let count = minutes * per_minute;
        println!("PROPTEST_RNG_SEED={seed} {variable}={count}");
        let mut test = cargo_command();
        test.args(["test", "-p", package, "--test", "it", tests, "--", "--nocapture"]);
        test.env("PROPTEST_RNG_SEED", seed.to_string());
        run_command(test.env(variable, count.to_string()))?;
    }
    Ok(())
}
