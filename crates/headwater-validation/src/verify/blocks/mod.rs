//! Verification cases for block water: levelling of connected vessels, coming to rest, and exact
//! conservation of volume.

mod article;
mod invariants;
mod ledges;
mod oil;
mod outlets;
mod random_boards;
mod rest;
mod rest_times;
mod sides;
mod surfaces;
mod vessels;
mod walls;

use super::{Case, named_cases};

pub(super) fn cases() -> Vec<Case> {
    let mut cases = named_cases([
        ("blocks/volume", invariants::check_volume_conservation),
        ("blocks/mirror", invariants::check_mirror_symmetry),
        ("blocks/threads", invariants::check_thread_independence),
    ]);
    cases.extend(vessels::cases());
    cases.extend(oil::cases());
    cases.extend(random_boards::cases());
    cases.extend(walls::cases());
    cases.extend(outlets::cases());
    cases.extend(named_cases([
        ("blocks/settles", rest::check_rest),
        ("blocks/ledge", rest::measure_ledges),
        ("blocks/bell", vessels::measure_diving_bell),
        ("blocks/siphon", vessels::measure_siphon),
        ("blocks/seeds-siphons", vessels::measure_cup_siphons),
        ("blocks/article", article::check_article_rule),
        ("blocks/seeds-ledges", ledges::measure_ledges_beside_pools),
        ("blocks/seeds-sides", sides::measure_open_sides),
        ("blocks/seeds-rest", rest_times::measure_rest_times),
    ]));
    cases
}
