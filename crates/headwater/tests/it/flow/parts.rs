//! A world in parts comes to the same state and the same books as in one piece, bit for bit.

use crate::support::flow::{Cells, WORLDS, bounded, busy, join};
use crate::support::peers::step_in_parts;
use headwater::flow::{Amount, Change, Edit, Flow, Physics, Tracers};
use headwater::part::bands;
use headwater::{Brush, Field, Region, Square};
use proptest::prelude::*;

/// Takes the tracers out, which are not stepped in parts.
fn without_tracers(mut flow: Flow) -> Flow {
    flow.set_tracers(Some(Tracers { count: 0, ..Tracers::default() })).unwrap();
    flow
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn a_busy_world_in_parts_is_the_world_in_one_piece(
        nx in 2usize..90, ny in 1usize..80, seed in 0u64..1000,
        world in proptest::sample::select(&WORLDS), parts in 1usize..7,
        joined in any::<[bool; 2]>(), is_busy in any::<bool>(), rounds in 1usize..4
    ) {
        let flow = if is_busy {
            without_tracers(busy(world, nx, ny, seed, 0.5))
        } else {
            bounded(world, nx, ny, seed, 0.0)
        };
        let mut whole = flow.clone();
        join(&mut whole, joined[0], joined[1]);
        if joined[1] {
            whole.set_flood(None).unwrap();
        }
        let mut there = whole.clone();
        let (width, height) = (whole.lattice().width(), whole.lattice().height());
        for round in 0..rounds {
            let stop = whole.time() + 11.7 * whole.stable_dt();
            for _ in 0..40 {
                whole.step_toward(stop).unwrap();
            }
            step_in_parts(&mut there, parts, stop, 40);
            prop_assert_eq!(whole.steps(), there.steps());
            prop_assert_eq!(whole.state_hash(), there.state_hash(), "round {}", round);
            prop_assert_eq!(whole.ledger(), there.ledger());
            let at = [width * 0.3 * round as f64, height * (0.9 - 0.3 * round as f64)];
            for flow in [&mut whole, &mut there] {
                flow.edit(&Brush::soft(at, 5.0), Edit::Raise(Change::By(0.7))).unwrap();
                flow.edit(&Brush::soft([width - at[0], at[1]], 4.0), Edit::Pour(Amount::Depth(0.4))).unwrap();
            }
        }
    }
}

#[test]
fn what_sleeps_in_a_part_wakes_when_a_wave_comes_from_the_next() {
    for cells in [Cells::Square, Cells::Hex] {
        for level in [Physics::Pipes, Physics::Inertial, Physics::ShallowWater] {
            let mut whole = bounded((cells, level), 70, 300, 3, 0.0);
            // A lake at rest over flat ground, which has gone to sleep.
            let lattice = *whole.lattice();
            let (bed, depth) = (Field::new(70, 300, 0.0), Field::new(70, 300, 1.0));
            whole = Flow::new(lattice, whole.params().clone(), bed, depth).unwrap();
            for _ in 0..40 {
                whole.step(whole.stable_dt()).unwrap();
            }
            let middle = [0.5 * lattice.width(), 0.2 * lattice.height()];
            let drop = Brush::flat(Region::disc(middle, 6.0));
            whole.edit(&drop, Edit::Pour(Amount::Depth(0.5))).unwrap();
            let mut there = whole.clone();
            let stop = whole.time() + 160.0 * whole.stable_dt();
            while whole.step_toward(stop).unwrap() {}
            step_in_parts(&mut there, 4, stop, usize::MAX);
            assert_eq!(whole.state_hash(), there.state_hash(), "{cells:?} {level:?}");
        }
    }
}

#[test]
fn what_is_not_stepped_in_parts_is_refused_by_name() {
    let lattice = Square::new(30, 40, 1.0, 1.0).unwrap();
    let flat = || Field::new(30, 40, 0.0);
    let mut flow = Flow::new(lattice, Default::default(), flat(), flat()).unwrap();
    flow.set_tracers(Some(Tracers::default())).unwrap();
    let error = flow.share(&bands(40, 2)).unwrap_err().to_string();
    assert!(error.contains("tracer particles"), "{error}");
    flow.set_tracers(None).unwrap();
    assert!(flow.share(&[0..20, 21..40]).is_err(), "a gap");
    assert!(flow.share(&[0..21, 21..40]).is_err(), "an odd row");
    assert_eq!(flow.share(&bands(40, 2)).unwrap().len(), 2);
}
