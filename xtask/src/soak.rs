//! Worlds that all kinds of things are done to, saved and loaded on the way, on other threads: each is held against one that ran on.

use crate::process::{cargo, run};
use anyhow::Result;

/// Gives each model so many lists of doings, from a seed.
pub(crate) fn soak(lists: u32, seed: u64) -> Result<()> {
    println!("PROPTEST_RNG_SEED={seed} HEADWATER_SOAK={lists}");
    let mut test = cargo();
    test.args(["test", "-p", "headwater", "--test", "it", "soak::"]);
    test.env("PROPTEST_RNG_SEED", seed.to_string());
    run(test.env("HEADWATER_SOAK", lists.to_string()))
}
