//! Tests that the results of columns do not depend on the fast code path, on threads or on
//! snapshots, and that volume is conserved exactly.

use crate::support::columns::{busy_world, caves, disturb, noise};
use crate::support::{on_threads, round_trip_json};
use headwater::Region;
use headwater::columns::{Columns, Heat, Heater, Motion, Params, Snapshot};
use proptest::prelude::*;

fn params(kind: usize) -> Params {
    Params {
        columns_per_cell: 1 + kind as u32 % 3,
        wave_depth: 0.5,
        motion: if kind == 5 { Motion::Springs } else { Motion::Discharge },
        spread: 0.01,
        heat: heat_params(kind),
        ..Params::default()
    }
}

/// Returns the heat parameters of the test world `kind`: 6 for freezing lakes, 7 for boiling
/// kettles, 8 for water as warm as the air, and 9 for cooling water. Returns `None` for other
/// kinds.
fn heat_params(kind: usize) -> Option<Heat> {
    let (air, water, pace) = match kind {
        6 => (-40.0, Some(3.0), 3e4),
        7 => (150.0, Some(90.0), 300.0),
        8 => (20.0, None, 100.0),
        9 => (15.0, Some(30.0), 100.0),
        _ => return None,
    };
    Some(Heat { air, water, pace, ..Heat::default() })
}

fn world(nx: usize, ny: usize, seed: u64, kind: usize) -> Columns {
    if kind == 5 {
        let walls = caves(nx, ny, seed);
        let at = |k| [0.5 * nx as f64 * noise(k, 1, seed), 0.1 * k as f64];
        let anchors: Vec<_> =
            (0..8).map(|k| headwater::columns::Anchor::new_level(at(k))).collect();
        Columns::new(&walls, 0.5, &anchors, params(kind)).unwrap()
    } else {
        let mut world = busy_world(nx, ny, seed, params(kind));
        if kind > 5 {
            let at = [0.3 * nx as f64 * 0.5, 0.3 * ny as f64];
            // Adding a heater inside a wall fails, because there is no column.
            let _ = world.add_heater(Heater::new(Region::disc(at, 2.0), 1e5));
        }
        world
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn the_fast_path_equals_the_plain_loops(
        nx in 1usize..120, ny in 1usize..50, seed in 0u64..1000, kind in 0usize..10
    ) {
        let mut fast = world(nx, ny, seed, kind);
        let mut plain = fast.clone();
        for k in 0..60 {
            disturb(&mut fast, k, seed);
            disturb(&mut plain, k, seed);
            fast.step();
            plain.step_plain();
            if k == 40 && kind > 5 {
                fast.set_air_temperature(20.0).unwrap();
                plain.set_air_temperature(20.0).unwrap();
            }
            prop_assert_eq!(fast.state_hash(), plain.state_hash(), "step {}", k);
        }
        prop_assert_eq!(fast.balance().residual, 0.0);
        if let Some(balance) = fast.heat_balance() {
            prop_assert_eq!(balance.residual, 0.0);
        }
        prop_assert!(fast.volume() >= 0.0);
    }

    #[test]
    fn a_restored_world_continues_bit_for_bit(
        nx in 1usize..60, ny in 1usize..40, seed in 0u64..1000, kind in 0usize..10
    ) {
        let mut world = world(nx, ny, seed, kind);
        for k in 0..20 {
            disturb(&mut world, k, seed);
            world.step();
        }
        let mut again = Columns::restore(round_trip_json(&world.snapshot())).unwrap();
        prop_assert_eq!(world.state_hash(), again.state_hash());
        // Queries also depend on the heads.
        prop_assert_eq!(world.energy(), again.energy());
        for k in 20..60 {
            disturb(&mut world, k, seed);
            disturb(&mut again, k, seed);
            world.step();
            again.step();
            prop_assert_eq!(world.state_hash(), again.state_hash(), "step {}", k);
            prop_assert_eq!(world.energy(), again.energy(), "step {}", k);
        }
        prop_assert_eq!(world.balance(), again.balance());
        prop_assert_eq!(world.heat_balance(), again.heat_balance());
    }
}

/// Checks that a cellar that fills, drains and refills is restored exactly from a snapshot. The
/// snapshot does not contain earlier hydraulic heads.
#[test]
fn a_refilled_cellar_is_restored_bit_for_bit() {
    let (seed, kind) = (420, 8);
    let mut world = world(1, 23, seed, kind);
    for k in 0..20 {
        disturb(&mut world, k, seed);
        world.step();
    }
    let mut again = Columns::restore(world.snapshot()).unwrap();
    for k in 20..60 {
        for world in [&mut world, &mut again] {
            disturb(world, k, seed);
            world.step();
        }
        assert_eq!(world.state_hash(), again.state_hash(), "step {k}");
    }
}

/// Checks that a splash next to a step in the ice conserves volume if the splash exceeds the
/// available space. The excess must not be taken from columns that are frozen to the bottom.
#[test]
fn a_splash_beside_ice_conserves_volume() {
    let (seed, kind) = (660, 6);
    let mut world = world(52, 6, seed, kind);
    for k in 0..60 {
        disturb(&mut world, k, seed);
        assert_eq!(world.balance().residual, 0.0, "edit {k}");
        world.step();
    }
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let run = |threads: usize, kind: usize| {
        on_threads(threads, || {
            let mut world = busy_world(
                700,
                12,
                5,
                Params { columns_per_cell: 4, wave_depth: 0.1, ..params(kind) },
            );
            let start = world.state_hash();
            for k in 0..20 {
                disturb(&mut world, k, 5);
                world.step();
            }
            assert_ne!(world.state_hash(), start);
            world.state_hash()
        })
    };
    for (kind, threads) in [(0, 3), (6, 8), (7, 2), (9, 8)] {
        assert_eq!(run(threads, kind), run(1, kind), "{kind}, {threads} threads");
    }
}

#[test]
fn a_damaged_snapshot_is_rejected() {
    let world = world(20, 12, 3, 0);
    let text = serde_json::to_value(world.snapshot()).unwrap().to_string();
    for (from, to) in [
        ("\"steps\":0", "\"steps\":18446744073709551615"),
        ("\"cell\":0.5", "\"cell\":0.25"),
        ("\"cell\":0.5", "\"cell\":-1.0"),
        ("\"accumulator\":0.0", "\"accumulator\":7.0"),
        ("\"awake\":[0", "\"awake\":[3"),
        ("\"depth\":[", "\"depth\":[-5,"),
        ("\"excess\":[0,", "\"excess\":["),
        ("\"marks\":[", "\"marks\":[0,"),
        ("\"pressed\":[", "\"pressed\":[false,"),
        ("\"step\":0.016", "\"step\":0.9"),
    ] {
        let damaged = text.replacen(from, to, 1);
        assert!(damaged != text, "{from} is not there");
        // A world with another cell size is incompatible.
        if let Ok(Ok(_)) =
            serde_json::from_value::<Snapshot>(damaged.parse().unwrap()).map(Columns::restore)
        {
            assert!(from.starts_with("\"cell\"") && to.ends_with("25"), "{to} was taken");
        }
    }
}

/// Checks that the heat exchange in wide pools equals that of the plain loops. The pools are wider
/// than the range of columns that one task of the fast code path covers.
#[test]
fn heat_of_wide_pools_equals_the_plain_loops() {
    for kind in [6, 7, 8, 9] {
        let params = Params { columns_per_cell: 8, ..params(kind) };
        let mut fast = busy_world(1300, 9, kind as u64, params);
        let start = fast.state_hash();
        let mut plain = fast.clone();
        for k in 0..16 {
            disturb(&mut fast, k, 3);
            disturb(&mut plain, k, 3);
            fast.step();
            plain.step_plain();
            assert_eq!(fast.state_hash(), plain.state_hash(), "kind {kind}, step {k}");
        }
        assert_ne!(fast.state_hash(), start);
        assert_eq!(fast.heat_balance().unwrap().residual, 0.0);
    }
}
