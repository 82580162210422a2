//! Tests of change tracking in hydrology: the tiles reported as changed contain all changes.

use crate::support::changes::{check_loaded, follow_changes};
use crate::support::hydrology::{self, noise};
use headwater::hydrology::{Change, EdgeKind, Edges, Edit, Hydrology, LAYERS, Params};
use headwater::{Brush, Field, Region};

/// Returns rough land of 4 × 3 tiles, with a sea in the west, a basin in the middle, and forests.
fn land() -> Hydrology {
    let (nx, ny) = (250, 190);
    let rough = noise(nx, ny, 7);
    let bed = Field::from_fn(nx, ny, |x, y| {
        let (east, south) = (x as f32 - 125.0, y as f32 - 95.0);
        0.4 * x as f32 + rough[(x, y)] - 60.0 * (-(east * east + south * south) / 2500.0).exp()
    });
    let edges = Edges { west: EdgeKind::Sea, ..Edges::default() };
    let mut land = hydrology::new_land(&bed, Params { edges, sea: 20.0, ..Params::default() });
    land.rain(20_000);
    land
}

fn layers(land: &Hydrology) -> Vec<Field<f32>> {
    LAYERS.iter().map(|layer| land.layer(layer.name).unwrap().into_owned()).collect()
}

#[test]
fn all_changes_are_inside_reported_tiles() {
    let mut land = land();
    let brush = Brush::smooth_disc([128.0, 64.0], 6.0);
    let acts: [&dyn Fn(&mut Hydrology); 9] = [
        &|land| land.pour([125.0, 95.0], 9000.0).unwrap(),
        &|land| land.edit(&brush, Edit::Raise(Change::By(3.0))).unwrap(),
        &|land| land.edit(&brush, Edit::Plant { kind: 2 }).unwrap(),
        &|land| land.edit(&brush, Edit::Clear).unwrap(),
        // Build a dike with a breach, which changes the level of a large lake.
        &|land| {
            let dike = Brush::with_flat_falloff(Region::line([[170.0, 60.0], [170.0, 130.0]], 4.0));
            land.edit(&dike, Edit::Raise(Change::To(90.0))).unwrap();
        },
        &|land| land.pour([125.0, 95.0], 30_000.0).unwrap(),
        &|land| {
            let breach = Brush::with_flat_falloff(Region::line([[125.0, 95.0], [10.0, 95.0]], 3.0));
            land.edit(&breach, Edit::Lower(Change::To(25.0))).unwrap();
        },
        &|land| land.set_sea_level(23.0).unwrap(),
        &|land| land.step(),
    ];
    let differs = |before: &Vec<Field<f32>>, after: &Vec<Field<f32>>, at| {
        let mut pairs = before.iter().zip(after);
        pairs.any(|(old, new)| old[at].to_bits() != new[at].to_bits())
    };
    let mut followed =
        follow_changes(&mut land, acts.len(), layers, differs, |land, round| acts[round](land));
    assert!(!followed.changed.contains(&0), "a round does nothing: {:?}", followed.changed);
    assert_eq!(followed.tiles.pop(), Some(12), "a step is everywhere");
    let partial = followed.tiles.iter().filter(|&&tiles| tiles < 12).count();
    assert!(partial > 4, "{:?}", followed.tiles);
}

#[test]
fn loading_reports_the_whole_grid_as_changed() {
    let mut land = land();
    check_loaded(&mut land, 12);
}
