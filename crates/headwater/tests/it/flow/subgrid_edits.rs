//! Tests of edits of ground that is resolved more finely than the cells. Brushes must change a
//! levee that is narrower than a cell in the same way as the ground below it.

use super::subgrid::world_over_subgrid;
use crate::support::flow::step_and_compare;
use headwater::flow::{Change, Edit, Flow, Physics, PreservedQuantity, Subgrid};
use headwater::{Brush, Field, Region, Square};
use proptest::prelude::*;

const SAMPLES: usize = 8;
const LEVELS: [Physics; 2] = [Physics::Inertial, Physics::ShallowWater];

/// Returns a plain of 30 × 20 cells of 2 m with a levee that is 5 m high and `thickness` cells
/// wide. A lake 3 m deep lies to the left of the levee. `angle` is the angle of the levee's normal,
/// from east toward south (rad).
fn lake_behind_a_levee(level: Physics, angle: f32, thickness: f32) -> Flow {
    let (nx, ny) = (30, 20);
    let lattice = Square::new(nx, ny, 2.0, 2.0).unwrap();
    let across = |x: f32, y: f32| (x - 14.7) * angle.cos() + (y - 10.2) * angle.sin();
    let fine = Field::from_fn(SAMPLES * nx, SAMPLES * ny, |x, y| {
        let [x, y] = [x, y].map(|i| (i as f32 + 0.5) / SAMPLES as f32);
        if across(x, y).abs() < 0.5 * thickness { 5.0 } else { 0.0 }
    });
    let (bed, subgrid) = Subgrid::from_raster(lattice, &fine).unwrap();
    let water = Field::from_fn(nx, ny, |x, y| {
        let left = across(x as f32 + 0.5, y as f32 + 0.5) < 0.0;
        if left { subgrid.depth_at_level(x, y, bed[(x, y)], 3.0) } else { 0.0 }
    });
    world_over_subgrid(subgrid, lattice, level, bed, water)
}

/// Returns the surface elevations (m) to the left and to the right of the levee.
fn levels_beside_levee(flow: &Flow) -> [f32; 2] {
    let surface = |x: f64| flow.surface_at([x, 20.0]).unwrap_or(0.0);
    [surface(5.0), surface(55.0)]
}

#[test]
fn lake_drains_through_an_excavated_levee() {
    use Physics::{Inertial, ShallowWater};
    for (level, way, edit) in [
        (ShallowWater, 0.0, Edit::Lower(Change::To(0.0))),
        (Inertial, 0.3, Edit::Lower(Change::To(1.0))),
        (ShallowWater, 0.8, Edit::Flatten { level: Some(0.0), strength: 1.0 }),
        (Inertial, 0.8, Edit::Lower(Change::To(1.0))),
    ] {
        let mut flow = lake_behind_a_levee(level, way, 0.6);
        let brush = Brush::with_flat_falloff(Region::disc([29.4, 20.4], 6.0));
        flow.edit(&brush, edit).unwrap();
        flow.advance(300.0).unwrap();
        let [left, right] = levels_beside_levee(&flow);
        assert!(left - right < 0.1, "{level:?} {way} {edit:?}: {left} beside {right}");
        let off = flow.balance().residual_relative;
        assert!(off.abs() < 1e-12, "{off}");
    }
}

#[test]
fn slightly_lowered_levee_holds() {
    for level in LEVELS {
        for edit in [Edit::Lower(Change::By(0.5)), Edit::Lower(Change::To(3.5))] {
            let mut flow = lake_behind_a_levee(level, 0.3, 0.6);
            let brush = Brush::with_flat_falloff(Region::disc([29.4, 20.4], 6.0));
            flow.edit_preserving(&brush, edit, PreservedQuantity::Surface).unwrap();
            flow.advance(60.0).unwrap();
            assert!(
                levels_beside_levee(&flow)[1] < 0.01,
                "{level:?} {edit:?}: {:?}",
                levels_beside_levee(&flow)
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn lowered_ground_is_not_above_its_level(
        way in 0.0f32..6.3, thick in 0.3f32..2.0, to in 0.0f64..5.0, raises in any::<bool>(),
        keep in proptest::sample::select(&[PreservedQuantity::Depth, PreservedQuantity::Surface]),
        level in proptest::sample::select(&LEVELS),
    ) {
        let mut fast = lake_behind_a_levee(level, way, thick);
        let brush = Brush::with_flat_falloff(Region::disc([30.0, 20.0], 9.0));
        let edit = if raises { Edit::Raise(Change::To(to)) } else { Edit::Lower(Change::To(to)) };
        fast.edit_preserving(&brush, edit, keep).unwrap();
        let state = fast.state();
        for t in brush.cells(*fast.lattice()).unwrap() {
            let (x, y) = (t.x, t.y);
            let held = |level: f64| match &state.subgrid {
                Some(of) => f64::from(of.depth_at_level(x, y, state.bed[(x, y)], level as f32)),
                None => unreachable!("it has a sub-grid"),
            };
            if raises {
                prop_assert!(held(to) < 1e-4, "{x} {y} holds {}", held(to));
            } else {
                let over = held(to + 2.0) - held(to + 1.0);
                prop_assert!((over - 1.0).abs() < 1e-3, "{x} {y} has {over} of its ground below");
            }
        }
        let mut plain = fast.clone();
        for _ in 0..20 {
            step_and_compare(&mut fast, &mut plain);
        }
        prop_assert!(fast.balance().residual_relative.abs() < 1e-12);
        let bytes = postcard::to_allocvec(&fast.as_serializable()).unwrap();
        let snapshot: headwater::flow::Snapshot = postcard::from_bytes(&bytes).unwrap();
        prop_assert_eq!(Flow::restore(snapshot).unwrap().state_hash(), fast.state_hash());
    }
}
