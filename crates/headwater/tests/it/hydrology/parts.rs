//! A land in parts comes to the same state and the same books as in one piece, bit for bit.

use crate::support::hydrology::noise;
use crate::support::peers::{carve_in_parts, carve_with};
use headwater::hydrology::{
    Change, EdgeKind, Edges, Edit, Hydrology, Inflow, Method, Niche, Params, Strata, StreamPower,
    Substance,
};
use headwater::part::{Peers, bands};
use headwater::{Brush, Field, Square};
use proptest::prelude::*;

/// Whether a land has come to the same as another: state, books and layers.
fn assert_same(whole: &Hydrology, there: &Hydrology, what: &str) {
    for layer in ["bed", "soil", "depth", "discharge", "momentum_x", "size", "vegetation"] {
        assert!(whole.layer(layer) == there.layer(layer), "{layer}, {what}");
    }
    for substance in [Substance::Water, Substance::Sediment] {
        assert_eq!(whole.ledger(substance), there.ledger(substance), "{what}");
        assert_eq!(there.balance(substance).residual, 0, "{what}");
    }
    assert_eq!(whole.state_hash(), there.state_hash(), "{what}");
}

/// The same in one piece as in so many parts.
fn check(mut whole: Hydrology, parts: usize, steps: u64) {
    let mut there = whole.clone();
    for round in 0..2 {
        whole.step_many(steps);
        carve_in_parts(&mut there, parts, steps);
        assert_same(&whole, &there, &format!("{parts} parts, round {round}"));
    }
}

fn params(edges: Edges) -> Params {
    let stream_power = StreamPower { uplift: 5.0, ..StreamPower::default() };
    Params { method: Method::StreamPower, stream_power, edges, ..Params::default() }
}

fn land(bed: &Field<f32>, size: f64, params: Params) -> Hydrology {
    Hydrology::new(Square::new(bed.nx(), bed.ny(), size, size).unwrap(), params, bed).unwrap()
}

/// Ground of some kind: noise, noise in steps with much that is level, hollows in hollows, ridges across with gaps, white noise.
fn ground(kind: usize, nx: usize, ny: usize, seed: u64) -> Field<f32> {
    let noise = noise(nx, ny, seed);
    let bowl = |x: usize, y: usize| {
        let [u, v] = [(x, nx), (y, ny)].map(|(i, n)| (i as f32 + 0.5) / n as f32 - 0.5);
        30.0 * (u * u + v * v) + 2.0 * ((9.0 * u).sin() * (11.0 * v).cos())
    };
    let ridges = |x: usize, y: usize| {
        let gap = (x as u64 * 7 + y as u64 / 9 * 13 + seed).is_multiple_of(29);
        if y % 9 == 4 && !gap { 6.0 } else { 0.1 * (y % 9) as f32 }
    };
    let white = |x: usize, y: usize| {
        let mixed = (x as u64).wrapping_mul(73_856_093) ^ (y as u64).wrapping_mul(19_349_663);
        let mixed = (mixed ^ seed.wrapping_mul(83_492_791)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> 40) as f32 % 64.0 / 8.0
    };
    Field::from_fn(nx, ny, |x, y| match kind {
        0 => noise[(x, y)],
        1 => (noise[(x, y)] / 2.0).floor() * 2.0,
        2 => bowl(x, y),
        3 => ridges(x, y),
        _ => white(x, y),
    })
}

fn edge() -> impl Strategy<Value = EdgeKind> {
    prop_oneof![Just(EdgeKind::Open), Just(EdgeKind::Sea), Just(EdgeKind::Wall)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn any_land_in_parts_is_the_land_in_one_piece(
        (nx, ny, parts) in (3usize..50, 11usize..90, 1usize..6),
        (kind, seed) in (0usize..5, 0u64..1000),
        edges in (edge(), edge(), edge(), edge()),
        sea in -5.0..25.0,
        power in (0.0..1.5, 0.0..3.0, prop_oneof![Just(1.0), 0.5..2.0], 0.05..2.0),
        evaporation in prop_oneof![Just(0.3), 0.0..40.0],
        (drop, soil) in (0.01..3.0, 0.0..3.0),
        unit in prop_oneof![Just(0.0), 8.0..40.0],
        variation in prop_oneof![Just(0.0), 0.1..0.9],
        (layers, plants, maps, rivers) in any::<(bool, bool, bool, bool)>(),
        steps in 1u64..6,
    ) {
        let (erodibility, uplift, slope_exponent, step) = power;
        let (west, east, north, south) = edges;
        let params = Params {
            stream_power: StreamPower {
                erodibility: 4.0 * erodibility,
                uplift: 4.0 * uplift,
                slope_exponent,
                step,
                ..StreamPower::default()
            },
            sea,
            evaporation,
            drop,
            soil,
            unit,
            variation,
            seed,
            strata: layers.then(|| Strata { dip: [0.1, 0.2], hard_repose: 2.0, ..Strata::default() }),
            plants: if plants { Niche::three() } else { Vec::new() },
            ..params(Edges { west, east, north, south })
        };
        let mut whole = land(&ground(kind, nx, ny, seed), 10.0, params);
        if maps {
            let map = Field::from_fn(nx, ny, |x, y| ((x * 5 + y * 3) % 11) as f32 + 0.5);
            whole.set_rain(Some(&map)).unwrap();
            whole.set_uplift(Some(&map)).unwrap();
        }
        if rivers {
            for (x, y) in [(0.5, 0.5), (0.1, 0.9), (0.99, 0.3)] {
                let position = [x * 10.0 * nx as f64, y * 10.0 * ny as f64];
                whole.add_spring(Inflow { position, catchment: 3000.0 }).unwrap();
            }
        }
        let mut there = whole.clone();
        for round in 0..3 {
            whole.step_many(steps);
            carve_in_parts(&mut there, parts, steps);
            assert_same(&whole, &there, &format!("round {round}"));
            for land in [&mut whole, &mut there] {
                let place = [4.0 * nx as f64, (2.0 + 3.0 * f64::from(round)) * ny as f64];
                land.pour(place, 2000.0).unwrap();
                land.storm(2.0 * step, 3.0).unwrap();
                let dig = Edit::Lower(Change::By(1.0));
                land.edit(&Brush::soft(place, 45.0), dig).unwrap();
            }
        }
    }
}

#[test]
fn noise_in_parts_is_noise_in_one_piece() {
    for parts in 1..=5 {
        check(land(&noise(60, 70, 3), 10.0, params(Edges::default())), parts, 4);
    }
}

/// A long trough with a lake that lies in the rows of all parts, and islands with lakes of their own.
#[test]
fn a_lake_in_three_parts_rises_and_runs_over_as_one() {
    let bed = Field::from_fn(40, 66, |x, y| {
        let [u, v] = [x as f32 / 20.0 - 1.0, y as f32 / 33.0 - 1.0];
        let island = |cy: f32| {
            let far = (x as f32 - 20.0).hypot(y as f32 - cy);
            (3.0 - (far - 5.0).abs()).max(0.0)
        };
        20.0 * u.powi(4) + 8.0 * v.powi(8) + island(22.0) + island(44.0)
    });
    let still = StreamPower { erodibility: 0.2, uplift: 0.0, ..StreamPower::default() };
    for edges in [Edges::all(EdgeKind::Wall), Edges::default()] {
        let params = Params { stream_power: still, evaporation: 0.1, drop: 1.0, ..params(edges) };
        let mut whole = land(&bed, 10.0, params);
        let mut there = whole.clone();
        let mut longest = 0;
        for round in 0..8 {
            whole.step_many(3);
            carve_in_parts(&mut there, 3, 3);
            assert_same(&whole, &there, &format!("round {round}"));
            let depth = whole.layer("depth").unwrap();
            longest = longest.max((0..66).filter(|&y| depth[(13, y)] > 0.0).count());
        }
        assert!(longest > 44, "it lies in {longest} rows");
    }
}

/// Rivers bring mud to a hollow that the air dries: it fills the floor from the lowest cell up, in the rows of all parts.
#[test]
fn mud_fills_a_dry_hollow_over_borders_as_in_one_piece() {
    let power = StreamPower { uplift: 0.0, diffusivity: 0.0, ..StreamPower::default() };
    let params = Params {
        stream_power: power,
        evaporation: 100.0,
        drop: 0.01,
        creep: 0.0,
        weathering: 0.0,
        repose: 10.0,
        plants: Vec::new(),
        ..params(Edges::all(EdgeKind::Wall))
    };
    let rough = noise(30, 44, 5);
    let bed = Field::from_fn(30, 44, |x, y| 2.0 * (x as f32 - 14.6).abs() + 0.05 * rough[(x, y)]);
    let mut whole = land(&bed, 10.0, params);
    let mut there = whole.clone();
    whole.step_many(12);
    carve_in_parts(&mut there, 4, 12);
    assert_same(&whole, &there, "mud");
    let (after, depth) = (whole.layer("bed").unwrap(), whole.layer("depth").unwrap());
    let is_mud =
        |&y: &usize| (13..17).any(|x| after[(x, y)] > bed[(x, y)] + 0.1 && depth[(x, y)] == 0.0);
    let rows = (0..44).filter(is_mud).count();
    assert!(rows > 33, "mud in {rows} of 44 rows");
}

/// Peers who give, in place of some rows, those that they gave first.
struct Stale<P> {
    peers: P,
    /// How many words such rows have, and what came first from either side.
    words: usize,
    first: [Vec<f32>; 2],
}

impl<P: Peers> Peers for Stale<P> {
    fn greatest(&mut self, values: &mut [f64]) {
        self.peers.greatest(values);
    }

    fn swap(&mut self, to: [&[f32]; 2], [north, south]: [&mut [f32]; 2]) {
        self.peers.swap(to, [&mut *north, &mut *south]);
        for (rows, first) in [north, south].into_iter().zip(&mut self.first) {
            if rows.len() != self.words {
                continue;
            }
            if first.is_empty() {
                first.extend_from_slice(rows);
            }
            rows.copy_from_slice(first);
        }
    }
}

/// The comparison notices rows of the halo that are out of date: ground and soil (16 bytes a cell), plants (8 for each of four rows).
#[test]
fn rows_that_are_out_of_date_show() {
    // No other message has as many words.
    let nx = 61;
    let mut whole = land(&noise(nx, 40, 3), 10.0, params(Edges::default()));
    whole.step_many(8);
    let start = whole.clone();
    whole.step_many(8);
    for (words, same) in [(0, true), (4 * nx, false), (8 * nx, false)] {
        let mut there = start.clone();
        carve_with(&mut there, 2, 8, |peers| Stale { peers, words, first: Default::default() });
        assert_eq!(whole.state_hash() == there.state_hash(), same, "rows of {words} words");
    }
}

#[test]
fn what_is_not_stepped_in_parts_is_refused_by_name() {
    let drops = Params { method: Method::Drops, ..params(Edges::default()) };
    let error = land(&noise(20, 40, 1), 10.0, drops).share(&bands(40, 2)).unwrap_err();
    assert!(error.to_string().contains("method"), "{error}");
    let far = Params { unit: 100.0, ..params(Edges::default()) };
    let far = land(&noise(20, 40, 1), 10.0, far);
    assert_eq!(far.most_parts(), 1, "seeds fly 40 cells");
    let error = far.share(&bands(40, 2)).unwrap_err();
    assert!(error.to_string().contains("seeds"), "{error}");
    assert!(far.share(&[0..20, 21..40]).is_err());
    let mut land = land(&noise(20, 40, 1), 10.0, params(Edges::default()));
    assert!(land.take_back(&[], &[]).is_err());
}
