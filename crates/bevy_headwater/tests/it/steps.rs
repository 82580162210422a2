use crate::apps::{
    RATE, create_app, create_cave_world, create_dam_world, create_lake_world, land, pond, pools,
};
use bevy::prelude::*;
use bevy_headwater::headwater::flow::{Change, Edit};
use bevy_headwater::headwater::{Brush, Model, waves};
use bevy_headwater::prelude::*;
use bevy_headwater::{AnyWaterReadOnly, HeadwaterSystems};

fn hash(app: &mut App, water: Entity) -> u64 {
    let mut waters = app.world_mut().query::<AnyWaterReadOnly>();
    waters.get(app.world(), water).unwrap().model().unwrap().state_hash()
}

#[test]
fn edits_give_the_same_state_as_in_the_library() {
    let mut app = create_app();
    let water = app.world_mut().spawn(Water(create_dam_world())).id();
    let mut alone = create_dam_world();
    let breach = (Brush::smooth_disc([43.0, 40.0], 6.0), Edit::Lower(Change::By(6.0)));
    for step in 0..200 {
        if step == 20 {
            let (brush, edit) = breach.clone();
            app.world_mut().write_message(WaterEdit::new(water, brush.clone(), edit));
            alone.edit(&brush, edit).unwrap();
        }
        app.update();
        alone.advance(1.0 / RATE).unwrap();
        assert_eq!(hash(&mut app, water), alone.state_hash(), "after step {step}");
    }
    assert!(alone.is_flooded([80.0, 40.0]), "the dam was breached");
}

#[test]
fn all_models_step_as_in_the_library() {
    let mut app = create_app();
    let world = app.world_mut();
    let waters = [
        world.spawn(Water(create_dam_world())).id(),
        world.spawn(Pond(pond())).id(),
        world.spawn(BlockWorld(create_cave_world())).id(),
        world.spawn(Pools(pools())).id(),
        world.spawn((CarvedLand(land()), WaterClock::at_speed(0.5))).id(),
    ];
    let drop = Brush::smooth_disc([6.0, 5.0], 1.0);
    let disturb = waves::Edit::Disturb { height: -0.1 };
    world.write_message(WaterEdit::new(waters[1], drop.clone(), disturb));
    let mut flow = create_dam_world();
    let (mut pond, mut blocks, mut columns, mut hydrology) =
        (pond(), create_cave_world(), pools(), land());
    pond.edit(&drop, disturb).unwrap();
    let mut alone: [(&mut dyn Model, f64); 5] = [
        (&mut flow, 1.0),
        (&mut pond, 1.0),
        (&mut blocks, 1.0),
        (&mut columns, 1.0),
        (&mut hydrology, 0.5),
    ];
    for step in 0..60 {
        app.update();
        for (&water, (alone, speed)) in waters.iter().zip(&mut alone) {
            alone.advance(*speed / RATE).unwrap();
            let name = alone.name();
            assert_eq!(hash(&mut app, water), alone.state_hash(), "{name} after step {step}");
        }
    }
    assert!(alone.iter().all(|(model, _)| model.steps() > 0));
}

#[test]
fn waters_step_only_in_their_schedule() {
    let mut app = App::new();
    app.add_plugins(MinimalPlugins)
        .add_plugins(HeadwaterPlugin::in_schedule(PostUpdate))
        .add_systems(FixedUpdate, || {})
        .add_systems(Update, |water: Single<&Water>, mut seen: Local<u64>| {
            assert_eq!(water.steps(), *seen, "stepped before its schedule");
            *seen += 1;
        });
    let delta = std::time::Duration::from_millis(20);
    app.insert_resource(bevy::time::TimeUpdateStrategy::ManualDuration(delta));
    let water = app.world_mut().spawn(Water(create_lake_world())).id();
    app.world_mut().run_schedule(FixedUpdate);
    app.world_mut().run_schedule(Update);
    assert_eq!(app.world().get::<Water>(water).unwrap().time(), 0.0);
}

#[test]
fn time_follows_the_clock_and_stops_when_paused() {
    let mut app = create_app();
    let [fast, paused] = [WaterClock::at_speed(3.0), WaterClock { paused: true, ..default() }]
        .map(|clock| app.world_mut().spawn((Water(create_lake_world()), clock)).id());
    (0..16).for_each(|_| app.update());
    let time = |app: &App, water| app.world().get::<Water>(water).unwrap().time();
    assert!((time(&app, fast) - 3.0 * 16.0 / RATE).abs() < 1e-9);
    assert_eq!(time(&app, paused), 0.0);
    app.world_mut().get_mut::<WaterClock>(paused).unwrap().paused = false;
    app.update();
    assert!(time(&app, paused) > 0.0);
}

#[test]
fn a_run_condition_pauses_all_waters() {
    #[derive(Resource)]
    struct Running(bool);
    let mut app = create_app();
    app.insert_resource(Running(false)).configure_sets(
        FixedUpdate,
        HeadwaterSystems::Step.run_if(|running: Res<Running>| running.0),
    );
    let water = app.world_mut().spawn(Water(create_lake_world())).id();
    (0..4).for_each(|_| app.update());
    assert_eq!(app.world().get::<Water>(water).unwrap().time(), 0.0);
    app.world_mut().resource_mut::<Running>().0 = true;
    app.update();
    assert_eq!(app.world().get::<Water>(water).unwrap().time(), 1.0 / RATE);
}

#[test]
fn an_invalid_speed_is_refused_without_effect() {
    let mut app = create_app();
    let water =
        app.world_mut().spawn((Water(create_lake_world()), WaterClock::at_speed(-1.0))).id();
    app.update();
    let refused = app.world().resource::<Messages<WaterRefused>>();
    assert!(refused.iter_current_update_messages().any(|refused| refused.water == water));
    assert_eq!(app.world().get::<Water>(water).unwrap().time(), 0.0);
}

/// Regression test: high speeds and deep water on small cells used to stall the app.
#[test]
fn a_water_limits_its_steps_and_reports_dropped_time() {
    let mut app = create_app();
    let fast = app.world_mut().spawn((Water(create_dam_world()), WaterClock::at_speed(1e9))).id();
    let few = WaterClock { max_steps: 3, ..WaterClock::at_speed(1e4) };
    let [few, twin] =
        [few, few].map(|clock| app.world_mut().spawn((Water(create_dam_world()), clock)).id());
    (0..4).for_each(|_| app.update());
    let water = |entity| app.world().get::<Water>(entity).unwrap();
    let lost = |entity| app.world().get::<WaterState>(entity).unwrap().lost_time();
    assert_eq!(water(fast).steps(), 4 * u64::from(WaterClock::DEFAULT_MAX_STEPS));
    assert_eq!(water(few).steps(), 12);
    assert_eq!(water(few).state_hash(), water(twin).state_hash(), "peers leave out the same");
    for (entity, speed) in [(fast, 1e9), (few, 1e4)] {
        let asked = 4.0 * speed / RATE;
        assert!((water(entity).time() + lost(entity) - asked).abs() < 1e-9 * asked);
    }
}
