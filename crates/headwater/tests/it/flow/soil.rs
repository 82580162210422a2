//! Tests of Green–Ampt infiltration, and of soils that vary in space.

use headwater::flow::{Flow, MM_PER_HOUR, Params, Rain, Soil, SoilMap};
use headwater::{Field, Square};

fn flat_world(depth: f32) -> Flow {
    let lattice = Square::new(4, 3, 1.0, 1.0).unwrap();
    Flow::new(lattice, Params::default(), Field::new(4, 3, 0.0), Field::new(4, 3, depth)).unwrap()
}

const LOAM: Soil = Soil { rate: 13.2, suction: 0.0889, deficit: 0.3, capacity: None, seepage: 0.0 };

#[test]
fn ponding_starts_at_the_time_of_green_and_ampt() {
    let mut flow = flat_world(0.0);
    flow.set_soil(Some(LOAM)).unwrap();
    flow.set_rain(Some(Rain { rate: 40.0.into(), map: None })).unwrap();
    // At this time, the depth F = K·ψ·Δθ/(i − K) has infiltrated.
    let ponded = 13.2 * 0.0889 * 0.3 / (40.0 - 13.2) / (40.0 * MM_PER_HOUR);
    flow.advance(0.98 * ponded).unwrap();
    assert!(flow.state().depth[(1, 1)] < 1e-6, "all of the rain goes in");
    flow.advance(0.04 * ponded).unwrap();
    assert!(flow.state().depth[(1, 1)] > 1e-6);
    assert!(flow.balance().residual_relative.abs() < 1e-9);
}

#[test]
fn each_cell_infiltrates_by_its_own_soil() {
    let mut flow = flat_world(0.5);
    let map = Field::from_fn(4, 3, |x, _| x as u16);
    let tight = Soil::default();
    let sand = Soil { rate: 3600.0, capacity: Some(0.02), ..Soil::default() };
    let soils = vec![tight, sand, LOAM];
    // Without a soil for the whole grid, other cells absorb no water.
    flow.set_soil_map(Some(SoilMap { soils: soils.clone(), map: map.clone() })).unwrap();
    flow.advance(60.0).unwrap();
    let soil = flow.layer("soil").unwrap().into_owned();
    assert_eq!((soil[(0, 1)], soil[(1, 1)]), (0.0, 0.0));
    assert!((soil[(2, 1)] - 0.02).abs() < 1e-6 && soil[(3, 1)] > 13.2e-3 / 60.0 * 5.0, "{soil:?}");
    assert!(flow.balance().residual_relative.abs() < 1e-9);

    let mut again = Flow::restore(flow.snapshot()).unwrap();
    again.advance(30.0).unwrap();
    flow.advance(30.0).unwrap();
    assert_eq!(again.state_hash(), flow.state_hash());

    // Invalid soils and indices are rejected, and the world is unchanged.
    let few = SoilMap { soils: vec![tight], map: map.clone() };
    let error = flow.set_soil_map(Some(few)).unwrap_err().to_string();
    assert!(error.contains("soil map") && error.contains("0 to 1"), "{error}");
    let wrong = SoilMap { soils: vec![tight, sand, Soil { deficit: 1.5, ..LOAM }], map };
    let error = flow.set_soil_map(Some(wrong)).unwrap_err().to_string();
    assert!(error.contains("infiltration.deficit"), "{error}");
    assert_eq!(again.state_hash(), flow.state_hash());
    assert!(flow.device_view().has_nonuniform_soil());
    flow.set_soil_map(None).unwrap();
    assert!(!flow.device_view().has_nonuniform_soil());
}
