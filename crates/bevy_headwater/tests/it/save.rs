use crate::apps::{create_app, create_cave_world, create_dam_world, land, pond, pools};
use bevy::prelude::*;
use bevy_headwater::headwater::flow::{Change, Edit};
use bevy_headwater::headwater::{Brush, Model};
use bevy_headwater::prelude::*;
use bevy_headwater::{AnyWater, AnyWaterReadOnly};

#[test]
fn saved_waters_resume_from_their_saved_state() {
    let mut app = create_app();
    let world = app.world_mut();
    let waters = [
        world.spawn(Water(create_dam_world())).id(),
        world.spawn(Pond(pond())).id(),
        world.spawn(BlockWorld(create_cave_world())).id(),
        world.spawn(Pools(pools())).id(),
        world.spawn(CarvedLand(land())).id(),
    ];
    let breach = Brush::smooth_disc([43.0, 40.0], 6.0);
    world.write_message(WaterEdit::new(waters[0], breach, Edit::Lower(Change::By(6.0))));
    (0..20).for_each(|_| app.update());
    let hashes = |app: &mut App| {
        let mut models = app.world_mut().query::<AnyWaterReadOnly>();
        waters.map(|water| models.get(app.world(), water).unwrap().model().unwrap().state_hash())
    };
    let mut models = app.world_mut().query::<AnyWaterReadOnly>();
    let saved = waters
        .map(|water| models.get(app.world(), water).unwrap().model().unwrap().save().unwrap());
    (0..20).for_each(|_| app.update());
    let there = hashes(&mut app);
    let mut models = app.world_mut().query::<AnyWater>();
    for (&water, saved) in waters.iter().zip(&saved) {
        models.get_mut(app.world_mut(), water).unwrap().model_mut().unwrap().load(saved).unwrap();
    }
    assert_ne!(hashes(&mut app), there);
    (0..20).for_each(|_| app.update());
    assert_eq!(hashes(&mut app), there);
}

#[test]
fn clocks_and_sensors_can_be_reflected() {
    let app = create_app();
    let registry = app.world().resource::<AppTypeRegistry>().read();
    for name in ["WaterClock", "WaterState", "FloodSensor"] {
        let found = registry.get_with_short_type_path(name);
        assert!(found.is_some_and(|found| found.data::<ReflectComponent>().is_some()), "{name}");
    }
    drop(registry);
    let mut one = create_dam_world();
    let saved = Model::save(&one).unwrap();
    assert!(one.load(&saved[1..]).is_err());
}
