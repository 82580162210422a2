//! Verification cases for block water: levelling of connected vessels, coming to rest, and exact
//! conservation of volume.

mod article;
mod invariants;
mod oil;
mod outlets;
mod random_boards;
mod rest;
mod surfaces;
mod vessels;
mod walls;

use super::{Case, entries};

pub(super) fn cases() -> Vec<Case> {
    let mut cases = entries([
        ("blocks/volume", invariants::volume),
        ("blocks/mirror", invariants::mirror),
        ("blocks/threads", invariants::threads),
    ]);
    cases.extend(vessels::cases());
    cases.extend(oil::cases());
    cases.extend(random_boards::cases());
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
