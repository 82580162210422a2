//! Tests that the results of block worlds do not depend on the fast code path, on the division into
//! chunks, on sleep, threads, mirroring or snapshots.

use crate::support::blocks::{caves, ledgers, mirrored, noise, rect, world};
use crate::support::{check_damaged_snapshots, on_threads, round_trip_json};
use headwater::blocks::{Blocks, Cell, Drain, Edit, Liquid, Params, Rule, Spring};
use proptest::prelude::*;

fn any_params() -> impl Strategy<Value = Params> {
    let lava = prop_oneof![Just(1u32), Just(3)];
    (any::<bool>(), 1u16..257, 1u16..257, 1u16..40, 0u16..60, lava).prop_map(
        |(trapped_air, flow, pour, film, evaporation, lava_period)| Params {
            trapped_air,
            flow,
            pour,
            film,
            evaporation,
            lava_period,
            evaporation_period: 7,
            ..Params::default()
        },
    )
}

fn disturb(world: &mut Blocks, step: usize, seed: u64) {
    let at = |k: usize, n: usize| (noise(step, k, seed) * n as f64) as usize;
    let place = rect(at(0, world.nx()), at(1, world.ny()), 1 + at(2, 5), 1 + at(3, 5));
    let edit = match at(4, 6) {
        0 => Edit::Dig,
        1 => Edit::Build,
        2 => Edit::Pour(Liquid::ALL[at(5, 3)], 1 + at(6, 256) as u16),
        3 => Edit::Remove(1 + at(6, 256) as u16),
        4 => Edit::Set(Cell::WATER),
        _ => Edit::Set(Cell::Wall),
    };
    world.edit(&place, edit).unwrap();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    #[test]
    fn the_fast_path_equals_the_plain_loops(
        nx in 1usize..150, ny in 1usize..150, seed in any::<u64>(), kinds in 1usize..4,
        params in any_params()
    ) {
        let mut fast = world(&caves(nx, ny, seed, kinds), &params);
        let mut plain = fast.clone();
        for step in 0..80 {
            if step % 9 == 8 {
                disturb(&mut fast, step, seed);
                disturb(&mut plain, step, seed);
            }
            fast.step();
            plain.step_plain();
            prop_assert!(fast.state_hash() == plain.state_hash(), "step {step}");
        }
        prop_assert_eq!(ledgers(&fast), ledgers(&plain));
        for liquid in Liquid::ALL {
            prop_assert_eq!(fast.balance(liquid).residual, 0);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, ..ProptestConfig::default() })]

    #[test]
    fn mirrored_worlds_stay_mirrored(
        nx in 1usize..150, ny in 1usize..100, seed in any::<u64>(), kinds in 1usize..4,
        params in any_params()
    ) {
        let cells = caves(nx, ny, seed, kinds);
        let (mut one, mut other) = (world(&cells, &params), world(&mirrored(&cells), &params));
        for step in 0..100 {
            one.step();
            other.step();
            if step % 4 == 3 {
                prop_assert!(mirrored(&one.cells()) == other.cells(), "step {step}");
            }
        }
    }
}

fn busy_world(nx: usize, ny: usize) -> Blocks {
    let params = Params { trapped_air: true, evaporation: 20, ..Params::default() };
    let mut busy = world(&caves(nx, ny, 11, 3), &params);
    let spring = Spring { region: rect(nx / 2, 2, 3, 1), liquid: Liquid::Water, rate: 200 };
    busy.add_spring(spring).unwrap();
    busy.add_drain(Drain { region: rect(nx / 3, ny - 5, 4, 3), rate: 30 }).unwrap();
    busy
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let run = |threads: usize| {
        on_threads(threads, || {
            let mut world = busy_world(200, 150);
            (0..60).for_each(|_| world.step());
            (world.state_hash(), ledgers(&world))
        })
    };
    let one = run(1);
    assert_ne!(one.0, busy_world(200, 150).state_hash());
    for threads in [3, 8] {
        assert_eq!(run(threads), one, "{threads} threads");
    }
}

#[test]
fn a_restored_world_continues_bit_for_bit() {
    let mut on = busy_world(101, 83);
    on.advance(1.02).unwrap();
    let mut again = Blocks::restore(round_trip_json(&on.snapshot())).unwrap();
    assert_eq!(again.state_hash(), on.state_hash());
    on.advance(3.33).unwrap();
    again.advance(3.33).unwrap();
    assert_eq!(again.steps(), 87);
    assert_eq!(again.state_hash(), on.state_hash());
    assert_eq!(ledgers(&again), ledgers(&on));
}

#[test]
fn an_inconsistent_snapshot_is_rejected() {
    let damages: [fn(&mut serde_json::Value); 9] = [
        |w| w["cells"]["nx"] = 12.into(),
        |w| w["cells"]["data"][0] = (2 << 9 | 257).into(),
        |w| w["cells"]["data"][0] = (2 << 9).into(),
        |w| w["cells"]["data"][0] = 65535.into(),
        |w| w["clock"]["accumulator"] = 1.5.into(),
        |w| w["steps"] = u64::MAX.into(),
        |w| w["params"]["film"] = 0.into(),
        |w| w["springs"]["items"][0]["rate"] = 0.into(),
        |w| w["ledgers"][0]["start"] = u64::MAX.into(),
    ];
    check_damaged_snapshots(&busy_world(13, 9).snapshot(), Blocks::restore, &damages);
    let whole = Params { rule: Rule::WholeBlocks, ..Params::default() };
    let whole = Blocks::from_text("~.\n##", whole).unwrap().snapshot();
    let part: fn(&mut serde_json::Value) = |w| w["cells"]["data"][0] = (2 << 9 | 100).into();
    check_damaged_snapshots(&whole, Blocks::restore, &[part]);
}
