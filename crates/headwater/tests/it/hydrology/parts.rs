//! A land in parts comes to the same state and the same books as in one piece, bit for bit.

use crate::support::hydrology::noise;
use crate::support::peers::carve_in_parts;
use headwater::hydrology::{
    EdgeKind, Edges, Hydrology, Inflow, Method, Niche, Params, Strata, StreamPower, Substance,
};
use headwater::part::bands;
use headwater::{Field, Square};
use proptest::prelude::*;

/// The same in one piece as in so many parts: state, books and layers, on the way and after.
fn check(mut whole: Hydrology, parts: usize, rounds: usize, steps: u64) {
    let mut there = whole.clone();
    for round in 0..rounds {
        whole.step_many(steps);
        carve_in_parts(&mut there, parts, steps);
        for layer in ["bed", "soil", "depth", "discharge", "size", "vegetation"] {
            assert_eq!(whole.layer(layer), there.layer(layer), "{layer} in round {round}");
        }
        for substance in [Substance::Water, Substance::Sediment] {
            assert_eq!(whole.ledger(substance), there.ledger(substance), "round {round}");
            assert_eq!(there.balance(substance).residual, 0, "round {round}");
        }
        assert_eq!(whole.state_hash(), there.state_hash(), "round {round}");
    }
}

fn params(edges: Edges) -> Params {
    Params { method: Method::StreamPower, edges, ..Params::default() }
}

fn land(bed: &Field<f32>, size: f64, params: Params) -> Hydrology {
    Hydrology::new(Square::new(bed.nx(), bed.ny(), size, size).unwrap(), params, bed).unwrap()
}

#[test]
fn noise_in_parts_is_noise_in_one_piece() {
    for parts in 1..=5 {
        check(land(&noise(60, 70, 3), 10.0, params(Edges::default())), parts, 2, 4);
    }
}
