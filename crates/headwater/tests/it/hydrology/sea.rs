//! Tests of changes of the sea level in hydrology.

use crate::support::hydrology::{check_ledgers, new_land};
use headwater::Field;
use headwater::hydrology::{EdgeKind, Edges, Hydrology, Params};

/// Returns a coast that rises to the east and contains a hollow 6 m deep.
fn coast() -> Hydrology {
    let bed = Field::from_fn(48, 32, |x, y| {
        let (x, y) = (x as f32, y as f32);
        let hollow = ((x - 30.0).powi(2) + (y - 16.0).powi(2)) / 20.0;
        0.5 * x - 4.0 - 6.0 * (-hollow).exp()
    });
    let edges = Edges { west: EdgeKind::Sea, ..Edges::uniform(EdgeKind::Wall) };
    new_land(&bed, Params { edges, ..Params::default() })
}

fn cells_at_level(world: &Hydrology, level: f32) -> usize {
    let (bed, depth) = (world.layer("bed").unwrap(), world.layer("depth").unwrap());
    let both = bed.as_slice().iter().zip(depth.as_slice());
    both.filter(|(z, h)| **h > 0.0 && (**z + **h - level).abs() < 1e-3).count()
}

#[test]
fn a_rising_sea_floods_the_coast_and_a_falling_sea_exposes_it() {
    let mut world = coast();
    world.rain(50);
    let before = cells_at_level(&world, 0.0);
    assert!(before > 100, "{before} cells of sea");
    world.set_sea_level(5.0).unwrap();
    let high = cells_at_level(&world, 5.0);
    assert!(high > before + 200, "{high} cells after {before}");
    world.rain(50);
    world.set_sea_level(-2.0).unwrap();
    let low = cells_at_level(&world, -2.0);
    assert!(low < before, "{low} cells after {before}");
    assert_eq!(world.params().sea, -2.0);
    world.rain(50);
    check_ledgers(&world);
}

#[test]
fn setting_the_current_sea_level_changes_only_the_snapshot() {
    let mut world = coast();
    world.rain(50);
    let mut other = world.clone();
    other.set_sea_level(0.0).unwrap();
    assert_eq!(cells_at_level(&world, 0.0), cells_at_level(&other, 0.0));
    other.set_sea_level(3.0).unwrap();
    let mut again = Hydrology::restore(other.snapshot()).unwrap();
    other.rain(500);
    again.rain(500);
    assert_eq!(other.state_hash(), again.state_hash());
}

#[test]
fn an_invalid_sea_level_is_rejected() {
    for height in [f64::NAN, 1e6] {
        let error = coast().set_sea_level(height).unwrap_err();
        assert_eq!(error.what, "sea", "{error}");
    }
}
