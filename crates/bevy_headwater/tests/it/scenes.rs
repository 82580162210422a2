use bevy::asset::io::AssetSourceBuilder;
use bevy::asset::{AssetPlugin, AssetServer};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_headwater::headwater_scene::live::Live;
use bevy_headwater::headwater_scene::scene::Files;
use bevy_headwater::prelude::*;
use std::path::Path;
use std::time::Duration;

const SCENE: &str = "
model = 'flow'
[terrain]
file = 'hill.asc'
[water]
level = 7.5
[[event]]
time = 1.0
do = 'pour'
disc = { center = [15, 5], radius = 8 }
amount = 0.5
[time]
until = 10
";

fn hill(height: f32) -> String {
    format!("ncols 3\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 10\n7 8 9\n4 5 {height}\n")
}

fn app(folder: &Path) -> App {
    let mut app = App::new();
    let path = folder.to_str().unwrap().to_owned();
    let source = AssetSourceBuilder::platform_default(&path, None);
    app.register_asset_source(bevy::asset::io::AssetSourceId::Default, source)
        .add_plugins((MinimalPlugins, AssetPlugin::default()))
        .add_plugins(HeadwaterPlugin::default())
        .insert_resource(Time::<Fixed>::from_hz(32.0))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / 32.0)));
    app
}

/// Updates until something holds.
fn until(app: &mut App, what: &str, holds: impl Fn(&mut App) -> bool) {
    for _ in 0..2000 {
        app.update();
        if holds(app) {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    panic!("{what} has not come");
}

#[test]
fn scenes_are_loaded_with_what_they_name_run_their_events_and_begin_anew_when_they_change() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("hill.asc"), hill(6.0)).unwrap();
    std::fs::write(folder.path().join("hill.water.toml"), SCENE).unwrap();
    let files = Files::held_only().with("hill.asc", hill(6.0));
    WaterScene::new("hill", SCENE, files).unwrap();
    let mut app = app(folder.path());
    let handle = app.world().resource::<AssetServer>().load::<WaterScene>("hill.water.toml");
    let root = app.world_mut().spawn(WaterSceneRoot(handle)).id();
    until(&mut app, "the scene", |app| app.world().get::<SceneWater>(root).is_some());
    let steps = |app: &App| app.world().get::<SceneWater>(root).unwrap().simulation().steps();
    until(&mut app, "the event", |app| app.world().get::<SceneWater>(root).unwrap().clock() > 2.0);
    // The same as the library makes of the scene.
    let mut alone =
        Live::with("hill", SCENE, &[], Some(folder.path()), &Default::default()).unwrap();
    alone.steps(steps(&app)).unwrap();
    assert_eq!(app.world().get::<SceneWater>(root).unwrap().state_hash(), alone.state_hash());

    // Another hill: the scene is read anew.
    std::fs::write(folder.path().join("hill.asc"), hill(3.0)).unwrap();
    app.world().resource::<AssetServer>().reload("hill.water.toml");
    let bed = |app: &App| {
        let water = app.world().get::<SceneWater>(root).unwrap();
        water.model().unwrap().place([25.0, 15.0]).unwrap().bed.unwrap()
            + water.simulation().datum()
    };
    until(&mut app, "the new hill", |app| bed(app) == 3.0);
    assert!(app.world().get::<SceneWater>(root).unwrap().clock() < 1.0, "it has begun anew");
}

#[test]
fn worlds_of_scenes_are_saved_and_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = app(folder.path());
    let scene = WaterScene::of_library("lake-at-rest").unwrap();
    let water = app.world_mut().spawn(SceneWater::from(scene.world().unwrap())).id();
    (0..10).for_each(|_| app.update());
    let saved = app.world_mut().get_mut::<SceneWater>(water).unwrap().save_scene().unwrap();
    let hash = |app: &App| app.world().get::<SceneWater>(water).unwrap().state_hash();
    (0..10).for_each(|_| app.update());
    let there = hash(&app);
    let mut world = app.world_mut().get_mut::<SceneWater>(water).unwrap();
    world.load_scene(&saved).unwrap();
    assert!(world.load_scene(&saved[1..]).is_err());
    (0..10).for_each(|_| app.update());
    assert_eq!(hash(&app), there);
}

#[test]
fn what_is_wrong_with_a_scene_is_said() {
    let wrong = WaterScene::new("wrong.toml", "model = 'flow'\nterain = 1\n", Default::default());
    let message = wrong.unwrap_err().to_string();
    assert!(message.contains("terain") && message.contains("terrain"), "{message}");
}
