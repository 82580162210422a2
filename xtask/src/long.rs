//! What the checks of every change do in a short form, at its full length: for the night before a release.

use crate::bindings::js;
use crate::module::Make;
use crate::process::{cargo, run};
use crate::{browser, fuzz, hashes, page, place};
use anyhow::Result;

/// Steps that scenes are compared after.
const STEPS: u32 = 1000;
/// How long each window and page is played with at random (s).
const RANDOM: u32 = 600;
/// Runs that are killed at random moments and resumed.
const CRASHES: u32 = 200;
/// Lists of doings that worlds of each model are soaked in.
const LISTS: u32 = 2000;
/// How long readers are fed with damaged input (min).
const FUZZ: u64 = 30;
/// Seeds that properties are searched from.
const SEEDS: u64 = 8;

/// Looks at licences and sources of what others wrote, with `cargo-deny`, which must be there; searches for what breaks a property,
/// from seeds of its own (from the number of the day on, if none is given); kills runs and resumes them; feeds readers with damaged
/// input; compares scenes in the page and here; weighs the page and the package for JavaScript, tries all tools of the page, and plays.
pub(crate) fn run_all(seed: Option<u64>) -> Result<()> {
    let seed = seed.unwrap_or_else(|| {
        u64::from(time::OffsetDateTime::now_utc().to_julian_day().unsigned_abs())
    });
    run(cargo().args(["deny", "check", "bans", "licenses", "sources"]))?;
    for seed in seed..seed.saturating_add(SEEDS) {
        println!("PROPTEST_RNG_SEED={seed}");
        let mut test = cargo();
        test.args(["test", "-p", "headwater", "--test", "it"]);
        run(test.env("PROPTEST_RNG_SEED", seed.to_string()))?;
    }
    let mut crashes = cargo();
    crashes.args(["test", "-p", "headwater-cli", "--test", "it", "crashes", "--", "--nocapture"]);
    run(crashes.env("HEADWATER_CRASHES", CRASHES.to_string()))?;
    fuzz::search(None, FUZZ, None)?;
    let mut soak = cargo();
    soak.args(["test", "-p", "headwater", "--test", "it", "soak::"]);
    run(soak.env("PROPTEST_RNG_SEED", seed.to_string()).env("HEADWATER_SOAK", LISTS.to_string()))?;
    run(cargo().args(["run", "--release", "--", "verify", "--long"]))?;
    // Those that lie there may be drafts.
    page::build(&place::page(), Make::Whole)?;
    js::build(&js::folder(), Make::Whole, true)?;
    hashes::compare(STEPS, &[], true, None, false)?;
    browser::test(None, RANDOM, None)
}
