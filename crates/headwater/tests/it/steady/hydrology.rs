//! Tests that frames of a game with a [`Hydrology`] world allocate no memory.

use super::{TestWorld, check_frames_after_warm_up, layer_maximum};
use crate::support::hydrology::noise;
use headwater::Square;
use headwater::hydrology::{self, Hydrology};

/// Size of the maps in cells.
const NX: usize = 40;
const NY: usize = 30;

fn wet_cell_count(land: &Hydrology) -> usize {
    let depth = land.layer("depth").unwrap();
    depth.as_slice().iter().filter(|&&depth| depth > 0.0).count()
}

fn test_worlds() -> Vec<TestWorld<Hydrology>> {
    use hydrology::{EdgeKind, Edges, Inflow, Method, Params, Strata, Wind};
    let land = |params| {
        let lattice = Square::new(NX, NY, 1.0, 1.0).unwrap();
        Hydrology::new(lattice, params, &noise(NX, NY, 3)).unwrap()
    };
    let open = land(Params::default());
    let mut rivers = open.clone();
    for (position, catchment) in [([20.0, 1.0], 900.0), ([28.0, 20.0], 2000.0)] {
        rivers.add_spring(Inflow { position, catchment }).unwrap();
    }
    let mut windy = open.clone();
    windy.set_winds(&[Wind::default(), Wind { towards: [-0.4, 1.0], ..Wind::default() }]).unwrap();
    let edges =
        Edges { west: EdgeKind::Sea, south: EdgeKind::Sea, ..Edges::uniform(EdgeKind::Wall) };
    let coast = land(Params { edges, sea: 3.3, ..Params::default() });
    // The rock is resistant, so that lakes persist.
    let still = Params { rock: 0.01, weathering: 0.0, evaporation: 0.0, ..Params::default() };
    let lakes = land(still);
    let basin =
        Params { edges: Edges::uniform(EdgeKind::Wall), evaporation: 3.0, ..Params::default() };
    let slides = land(Params {
        strata: Some(Strata { thickness: 2.0, dip: [0.1, 0.0], ..Strata::default() }),
        soil: 4.0,
        repose: 0.1,
        creep: 0.5,
        weathering: 0.2,
        ..Params::default()
    });
    let mut range =
        land(Params { method: Method::StreamPower, sea: 3.3, edges, ..Params::default() });
    range.add_spring(Inflow { position: [28.0, 20.0], catchment: 2000.0 }).unwrap();
    let bare = land(Params { plants: Vec::new(), ..Params::default() });
    vec![
        ("open land", open, |land| layer_maximum(land, "vegetation") > 1.0),
        ("rivers from outside", rivers, |land| land.springs().len() == 2),
        ("rain that winds bring", windy, |land| land.rain_map().is_some()),
        ("a coast", coast, |land| (150..1080).contains(&wet_cell_count(land))),
        ("lakes", lakes, |land| land.lakes().iter().filter(|lake| lake.is_full).count() > 1),
        ("a basin without a way out", land(basin), |land| {
            (50..1080).contains(&wet_cell_count(land))
        }),
        ("strata and slides", slides, |land| layer_maximum(land, "vegetation") > 1.0),
        ("a range that rises", range, |land| {
            land.time() > 2.0 && layer_maximum(land, "stream") > 0.5
        }),
        ("bare land", bare, |land| layer_maximum(land, "plant") == 0.0),
    ]
}

#[test]
fn frames_of_hydrology_do_not_allocate() {
    for (name, mut land, shows) in test_worlds() {
        check_frames_after_warm_up(800, &format!("hydrology: {name}"), &mut land, 0.02);
        assert!(shows(&land), "hydrology: {name}");
    }
}
