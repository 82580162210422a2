use crate::apps::{create_app, create_cave_world, create_dam_world, pools};
use bevy::prelude::*;
use bevy_headwater::headwater::blocks::Cell;
use bevy_headwater::headwater::flow::{Amount, Change, Edit};
use bevy_headwater::headwater::{Brush, Region, columns};
use bevy_headwater::prelude::*;

#[test]
fn an_edit_changes_the_depth_in_the_next_step() {
    let mut app = create_app();
    let water = app.world_mut().spawn(Water(create_dam_world())).id();
    app.update();
    let pour = Brush::with_flat_falloff(Region::disc([100.0, 40.0], 4.0));
    app.world_mut().write_message(WaterEdit::new(water, pour, Edit::Pour(Amount::Depth(1.0))));
    assert!(!app.world().get::<Water>(water).unwrap().is_flooded([100.0, 40.0]));
    app.update();
    assert!(app.world().get::<Water>(water).unwrap().is_flooded([100.0, 40.0]));
}

#[test]
fn edits_apply_in_order_even_while_paused() {
    let mut app = create_app();
    let clock = WaterClock { paused: true, ..default() };
    let water = app.world_mut().spawn((Water(create_dam_world()), clock)).id();
    let place = Brush::with_flat_falloff(Region::disc([100.0, 40.0], 4.0));
    for edit in [Edit::Flatten { level: Some(9.0), strength: 1.0 }, Edit::Lower(Change::By(2.0))] {
        app.world_mut().write_message(WaterEdit::new(water, place.clone(), edit));
    }
    app.update();
    let flow = app.world().get::<Water>(water).unwrap();
    assert_eq!((flow.bed_at([100.0, 40.0]), flow.steps()), (Some(7.0), 0));
}

#[test]
fn edits_by_name_work_on_any_model() {
    let mut app = create_app();
    let blocks = app.world_mut().spawn(BlockWorld(create_cave_world())).id();
    let pools = app.world_mut().spawn(Pools(pools())).id();
    let wall = Brush::with_flat_falloff(Region::rect([4.0, 1.0], [5.0, 2.0]));
    app.world_mut().write_message(WaterEdit::from_name(blocks, wall, "dig", 0.0));
    let right = Brush::with_flat_falloff(Region::rect([6.0, 0.0], [9.0, 5.5]));
    app.world_mut().write_message(WaterEdit::from_name(pools, right.clone(), "pour", 1.0));
    app.world_mut().write_message(WaterEdit::new(pools, right, columns::Edit::Pour(1.0)));
    let before = app.world().get::<Pools>(pools).unwrap().volume();
    app.update();
    assert_ne!(app.world().get::<BlockWorld>(blocks).unwrap().cell(4, 1), Some(Cell::Wall));
    let poured = app.world().get::<Pools>(pools).unwrap().volume() - before;
    assert!((poured - 2.0).abs() < 1e-3, "{poured} m³");
}

#[test]
fn invalid_edits_are_refused_without_effect() {
    let mut app = create_app();
    let water = app.world_mut().spawn(Water(create_dam_world())).id();
    let place = Brush::smooth_disc([20.0, 20.0], 4.0);
    let gone = app.world_mut().spawn_empty().id();
    app.world_mut().despawn(gone);
    for edit in [
        WaterEdit::new(water, place.clone(), columns::Edit::Pour(1.0)),
        WaterEdit::from_name(water, place.clone(), "boil", 1.0),
        WaterEdit::new(water, place.clone(), Edit::Pour(Amount::Depth(-1.0))),
        WaterEdit::from_name(gone, place, "pour", 1.0),
    ] {
        app.world_mut().write_message(edit);
    }
    app.update();
    let refused = app.world().resource::<Messages<WaterRefused>>();
    let errors: Vec<_> =
        refused.iter_current_update_messages().map(|refused| refused.error.clone()).collect();
    assert_eq!(errors.len(), 4, "{errors:?}");
    assert!(errors[0].contains("columns") && errors[0].contains("flow"), "{}", errors[0]);
    assert!(errors[1].contains("boil") && errors[1].contains("pour"), "{}", errors[1]);
    assert!(errors[2].contains("-1"), "{}", errors[2]);
    assert!(errors[3].contains("an entity with a water"), "{}", errors[3]);
}
