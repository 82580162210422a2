//! A world of waves in parts comes to the same state and the same books as in one piece, bit for bit.

use super::same_bits::{busy, calm, edges};
use crate::support::peers::wave_in_parts;
use headwater::part::bands;
use headwater::waves::{Params, Waves};
use headwater::{Field, Square};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn waves_in_parts_are_the_waves_in_one_piece(
        nx in 2usize..150, ny in 1usize..110, seed in 0u64..1000, kind in 0usize..2, parts in 1usize..7,
        edges in edges(),
        is_busy in any::<bool>(), steps in 1u64..40
    ) {
        let make = if is_busy { busy } else { calm };
        let mut whole = make(nx, ny, seed, edges, kind);
        let mut there = whole.clone();
        for round in 0..3 {
            whole.step_many(steps);
            wave_in_parts(&mut there, parts, steps);
            prop_assert_eq!(whole.state_hash(), there.state_hash(), "round {}", round);
            let (low, high) = whole.state().height.min_max().unwrap();
            if f64::from(high.max(-low)) > whole.params().highest {
                // What is higher than may be is no whole number of quanta, and sums of it have rounding.
                return Ok(());
            }
            prop_assert_eq!(whole.ledger(), there.ledger());
            for waves in [&mut whole, &mut there] {
                let at = [0.2 * nx as f64, 0.15 * (round + 1) as f64 * ny as f64];
                waves.drop(at, 2.0, 0.1).unwrap();
            }
        }
    }
}

#[test]
fn a_ring_wakes_the_parts_that_it_comes_to() {
    let lattice = Square::new(300, 400, 0.5, 0.5).unwrap();
    let mut whole = Waves::new(lattice, Params { speed: 10.0, ..Params::default() }).unwrap();
    whole.step_many(64);
    assert_eq!(whole.awake(), 0);
    whole.drop([75.0, 40.0], 3.0, 0.2).unwrap();
    let mut there = whole.clone();
    whole.step_many(400);
    wave_in_parts(&mut there, 5, 400);
    assert_eq!(whole.state_hash(), there.state_hash());
}

#[test]
fn what_is_not_stepped_in_parts_is_refused_by_name() {
    let lattice = Square::new(30, 40, 1.0, 1.0).unwrap();
    let params = Params { dispersion: true, ..Params::default() };
    let waves = Waves::new(lattice, params).unwrap();
    let error = waves.share(&bands(40, 2)).unwrap_err().to_string();
    assert!(error.contains("dispersion"), "{error}");
    let mut waves = Waves::new(lattice, Params::default()).unwrap();
    let still = || Field::new(30, 40, 0.1);
    waves.set_current(Some((still(), still()))).unwrap();
    let error = waves.share(&bands(40, 2)).unwrap_err().to_string();
    assert!(error.contains("a current"), "{error}");
}
