//! Block water: whether vessels level out and how soon, whether worlds come to rest, and whether not a unit
//! is lost on the way.

mod air;
mod article;
mod rest;
mod same;
mod vessels;

use super::{Case, entries};

pub(super) use vessels::cases as vessels;
use vessels::spread;

pub(super) fn cases() -> Vec<Case> {
    let mut cases = same::cases();
    cases.extend(vessels());
    cases.extend(rest::cases());
    cases.extend(air::cases());
    cases.extend(article::cases());
    cases
}
