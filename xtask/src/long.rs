//! Extended checks before a release. They cover everything that `.ci/run` checks, with more steps,
//! more seeds and more time.

use crate::bindings::js;
use crate::module::BuildQuality;
use crate::process::{cargo_command, run_command};
use crate::{attack, browser, hashes, page, place};
use anyhow::Result;

/// Number of time steps after which state hashes are compared.
const STEPS: u32 = 1000;
/// Duration of random user input on each page, for each window size (s).
const RANDOM_INPUT_SECONDS: u32 = 600;
/// Duration of each attack (min).
const ATTACK: u64 = 30;
/// Number of different seeds with which the property tests are run.
const SEEDS: u64 = 8;

/// Runs all extended checks: `cargo-deny` (which must be installed), property tests, attacks,
/// comparisons of state hashes, size checks of the web page and the JavaScript package,
/// and browser tests of all tools. `seed` is the first seed of the property tests; by default it is
/// the number of the current day.
pub(crate) fn run_all(seed: Option<u64>) -> Result<()> {
    let seed = seed.unwrap_or_else(|| {
        u64::from(time::OffsetDateTime::now_utc().to_julian_day().unsigned_abs())
    });
    run_command(cargo_command().args(["deny", "check", "bans", "licenses", "sources"]))?;
    for seed in seed..seed.saturating_add(SEEDS) {
        println!("PROPTEST_RNG_SEED={seed}");
        let mut test = cargo_command();
        test.args(["test", "-p", "headwater", "--test", "it"]);
        run_command(test.env("PROPTEST_RNG_SEED", seed.to_string()))?;
    }
    attack::run_attacks(None, ATTACK, Some(seed))?;
    run_command(cargo_command().args([
        "run",
        "--release",
        "-p",
        "headwater-validation",
        "--",
        "verify",
        "--long",
    ]))?;
    // Existing builds may be drafts.
    page::build(&place::page_folder(), BuildQuality::Release)?;
    js::build(&js::default_folder(), BuildQuality::Release, true)?;
    hashes::compare(STEPS, &[], true, None, false, false)?;
    browser::test_page(None, RANDOM_INPUT_SECONDS, None)
}
