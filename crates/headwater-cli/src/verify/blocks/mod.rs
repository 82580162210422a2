//! Block water: whether vessels level out and how soon, whether worlds come to rest, and whether not a unit
//! is lost on the way.

mod article;
mod oil;
mod outlets;
mod rest;
mod same;
mod seeds;
mod surfaces;
mod vessels;
mod walls;

use super::{Case, entries};

pub(super) fn cases() -> Vec<Case> {
    let mut cases = entries([
        ("blocks/volume", same::volume),
        ("blocks/mirror", same::mirror),
        ("blocks/threads", same::threads),
    ]);
    cases.extend(vessels::cases());
    cases.extend(oil::cases());
    cases.extend(seeds::cases());
    cases.extend(walls::cases());
    cases.extend(outlets::cases());
    cases.extend(entries([
        ("blocks/settles", rest::settles),
        ("blocks/ledge", rest::ledge),
        ("blocks/bell", vessels::bell),
        ("blocks/siphon", vessels::siphon),
        ("blocks/article", article::article),
    ]));
    cases
}
