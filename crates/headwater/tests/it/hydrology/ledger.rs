//! Tests that the mass balances of hydrology close exactly, and that results depend neither on the
//! number of threads nor on restarts from snapshots.

use crate::support::hydrology::{check_ledgers, new_land, noise};
use crate::support::{on_threads, round_trip_json};
use headwater::hydrology::{EdgeKind, Edges, Hydrology, Inflow, Params, Strata, Substance};
use headwater::{Cause, Field, Square};

fn world(nx: usize, ny: usize, params: Params) -> Hydrology {
    let lattice = Square::new(nx, ny, 2.0, 2.0).unwrap();
    Hydrology::new(lattice, params, &noise(nx, ny, nx as u64)).unwrap()
}

fn worlds() -> Vec<Hydrology> {
    let sea = Edges { west: EdgeKind::Sea, north: EdgeKind::Wall, ..Edges::default() };
    let layered = Params {
        seed: 3,
        edges: sea,
        sea: 8.0,
        strata: Some(Strata { dip: [0.1, 0.0], ..Strata::default() }),
        soil: 0.5,
        ..Params::default()
    };
    let walls = Params { seed: 4, edges: Edges::uniform(EdgeKind::Wall), ..Params::default() };
    let mut with_sources = world(67, 48, Params { seed: 5, ..Params::default() });
    with_sources.add_spring(Inflow { position: [0.5, 50.0], catchment: 4000.0 }).unwrap();
    with_sources.set_rain(Some(&Field::from_fn(67, 48, |x, _| x as f32))).unwrap();
    vec![
        world(64, 51, Params::default()),
        world(72, 48, layered),
        world(50, 61, walls),
        with_sources,
    ]
}

#[test]
fn water_and_sediment_are_conserved_exactly() {
    for mut world in worlds() {
        for _ in 0..4 {
            world.rain(3000);
            check_ledgers(&world);
        }
        let balance = world.balance(Substance::Water);
        let drop = (world.params().drop * 2.0 * f64::from(1 << 20)) as i128;
        let came = balance.ledger.inflow(Cause::Rain) + balance.ledger.inflow(Cause::Source);
        assert_eq!(came, drop * i128::from(world.drops()), "every drop is in the ledger");
        assert!(balance.now > 0 && balance.ledger.outflow(Cause::Evaporation) > 0);
        let balance = world.balance(Substance::Sediment);
        let carved = balance.now - world.suspended_sediment() != balance.ledger.initial_amount();
        let walls = world.params().edges == Edges::uniform(EdgeKind::Wall);
        assert!(carved && (balance.ledger.outflow(Cause::Boundary) > 0) != walls, "{balance:?}");
    }
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    for i in 0..worlds().len() {
        let run = |threads: usize| {
            let mut world = worlds().swap_remove(i);
            let before = world.state_hash();
            on_threads(threads, || world.rain(4000));
            assert_ne!(world.state_hash(), before);
            world.state_hash()
        };
        let threads = [2, 8][i % 2];
        assert_eq!(run(1), run(threads), "world {i} on {threads} threads");
    }
}

#[test]
fn a_restored_run_continues_bit_for_bit() {
    for mut world in worlds() {
        world.rain(2500);
        let mut again = Hydrology::restore(round_trip_json(&world.snapshot())).unwrap();
        assert_eq!(world.state_hash(), again.state_hash());
        for name in ["bed", "depth", "soil", "vegetation", "discharge"] {
            assert_eq!(world.layer(name), again.layer(name), "{name}");
        }
        world.rain(1500);
        again.rain(1500);
        assert_eq!(world.state_hash(), again.state_hash());
        for substance in [Substance::Water, Substance::Sediment] {
            assert_eq!(world.balance(substance), again.balance(substance));
        }
    }
}

#[test]
fn worlds_of_different_seeds_differ() {
    let run = |seed| {
        let mut world = world(64, 64, Params { seed, ..Params::default() });
        world.rain(1000);
        world.state_hash()
    };
    assert_ne!(run(1), run(2));
}

#[test]
fn rivers_enter_at_their_edge_cells() {
    let mut params = Params { plants: Vec::new(), ..Params::default() };
    params.edges.west = EdgeKind::Wall;
    let bed = Field::from_fn(60, 40, |x, y| 30.0 - 0.3 * x as f32 + 0.05 * (y as f32 - 20.0).abs());
    let discharge = |catchment: Option<f64>| {
        let mut world = new_land(&bed, params.clone());
        if let Some(catchment) = catchment {
            world.add_spring(Inflow { position: [0.5, 20.5], catchment }).unwrap();
        }
        world.rain(8000);
        let discharge = world.layer("discharge").unwrap();
        (17..=23).map(|y| f64::from(discharge[(4, y)])).sum::<f64>()
    };
    let more = discharge(Some(5000.0)) - discharge(None);
    assert!((more / 5000.0 - 1.0).abs() < 0.1, "{more}");
}
