//! Pools in side view: what anchors make of a board, how vessels swing, what joints and ceilings do to waves, and
//! whether volume, energy, heat and bits are kept.

mod anchors;
mod heat;
mod kept;
mod vessels;

use super::{Case, Motion, Outcome};
use anyhow::Result;
use headwater::columns::Params;

pub(super) use vessels::cases as vessels;

/// A case's name and how it is measured.
type Entry = (&'static str, fn(&'static str, &dyn Motion) -> Result<Outcome>);

fn entries<const N: usize>(entries: [Entry; N]) -> Vec<Case> {
    let case = |(name, measure): Entry| {
        Case::new(name.into(), move |motion: &dyn Motion| measure(name, motion))
    };
    entries.into_iter().map(case).collect()
}

pub(super) fn cases() -> Vec<Case> {
    let mut cases = kept::cases();
    cases.extend(vessels());
    cases.extend(anchors::cases());
    cases.extend(heat::cases());
    cases
}

/// Parameters by which nothing takes energy away and nothing sleeps.
fn undamped() -> Params {
    Params { damping: 0.0, spread: 0.0, loss: 0.0, sleep_speed: 0.0, ..Params::default() }
}
