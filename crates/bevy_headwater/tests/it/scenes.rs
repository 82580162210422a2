use bevy::asset::io::{AssetSourceBuilder, AssetSourceEvent, AssetWatcher};
use bevy::asset::{AssetPlugin, AssetServer};
use bevy::prelude::*;
use bevy::time::TimeUpdateStrategy;
use bevy_headwater::headwater_scene::live::Live;
use bevy_headwater::headwater_scene::scene::Files;
use bevy_headwater::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
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

/// Polls a folder for changed files until the value is dropped. It is a portable replacement for
/// Bevy's `file_watcher`.
struct FolderWatcher(Arc<AtomicBool>);

impl AssetWatcher for FolderWatcher {}

impl Drop for FolderWatcher {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl FolderWatcher {
    fn new(folder: PathBuf, changed: impl Fn(PathBuf) + Send + 'static) -> Self {
        let texts = move || {
            let files = std::fs::read_dir(&folder).into_iter().flatten().flatten();
            let text = |path: &Path| std::fs::read_to_string(path).unwrap_or_default();
            let mut all: Vec<_> =
                files.map(|file| (PathBuf::from(file.file_name()), text(&file.path()))).collect();
            all.sort();
            all
        };
        let ends = Arc::new(AtomicBool::new(false));
        let ended = Arc::clone(&ends);
        let mut before = texts();
        std::thread::spawn(move || {
            while !ended.load(Ordering::Relaxed) {
                let now = texts();
                for (path, _) in now.iter().filter(|file| !before.contains(file)) {
                    changed(path.clone());
                }
                before = now;
                std::thread::sleep(Duration::from_millis(5));
            }
        });
        Self(ends)
    }
}

fn app(folder: &Path) -> App {
    let mut app = App::new();
    let path = folder.to_str().unwrap().to_owned();
    let watched = folder.to_owned();
    let source = AssetSourceBuilder::platform_default(&path, None).with_watcher(move |sender| {
        let tell = move |path| drop(sender.try_send(AssetSourceEvent::ModifiedAsset(path)));
        Some(Box::new(FolderWatcher::new(watched.clone(), tell)))
    });
    let assets = AssetPlugin { watch_for_changes_override: Some(true), ..default() };
    app.register_asset_source(bevy::asset::io::AssetSourceId::Default, source)
        .add_plugins((MinimalPlugins, assets))
        .add_plugins(HeadwaterPlugin::default())
        .insert_resource(Time::<Fixed>::from_hz(32.0))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs_f64(1.0 / 32.0)));
    app
}

/// Updates an app until the condition `predicate` is true. `description` describes the condition in
/// the error message.
fn update_until(app: &mut App, description: &str, predicate: impl Fn(&mut App) -> bool) {
    for _ in 0..2000 {
        app.update();
        if predicate(app) {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    panic!("{description} has not come");
}

#[test]
fn scenes_load_with_their_files_run_events_and_reload() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("hill.asc"), hill(6.0)).unwrap();
    std::fs::write(folder.path().join("hill.water.toml"), SCENE).unwrap();
    let files = Files::memory_only().with_file("hill.asc", hill(6.0));
    WaterScene::new("hill", SCENE, files).unwrap();
    let mut app = app(folder.path());
    let handle = app.world().resource::<AssetServer>().load::<WaterScene>("hill.water.toml");
    let root = app.world_mut().spawn(WaterSceneRoot(handle)).id();
    update_until(&mut app, "the scene", |app| app.world().get::<SceneWater>(root).is_some());
    let steps = |app: &App| app.world().get::<SceneWater>(root).unwrap().simulation().steps();
    update_until(&mut app, "the event", |app| {
        app.world().get::<SceneWater>(root).unwrap().clock() > 2.0
    });
    // Compute the library's result for the same scene.
    let mut alone =
        Live::with_options("hill", SCENE, &[], Some(folder.path()), &Default::default()).unwrap();
    alone.take_steps(steps(&app)).unwrap();
    assert_eq!(app.world().get::<SceneWater>(root).unwrap().state_hash(), alone.state_hash());

    // Saving another hill reloads the scene.
    std::fs::write(folder.path().join("hill.asc"), hill(3.0)).unwrap();
    let bed = |app: &App| {
        let water = app.world().get::<SceneWater>(root).unwrap();
        water.model().unwrap().state_at([25.0, 15.0]).unwrap().bed.unwrap()
            + water.simulation().datum()
    };
    update_until(&mut app, "the new hill", |app| bed(app) == 3.0);
    let clock = |app: &App| app.world().get::<SceneWater>(root).unwrap().clock();
    assert!(clock(&app) < 1.0, "it has begun anew");

    // A corrected scene file also reloads the scene.
    let scene = folder.path().join("hill.water.toml");
    update_until(&mut app, "a second", |app| clock(app) > 1.0);
    std::fs::write(&scene, SCENE.replace("7.5", "'high'")).unwrap();
    (0..50).for_each(|_| {
        app.update();
        std::thread::sleep(Duration::from_millis(2));
    });
    assert!(clock(&app) > 2.0, "what is wrong changes nothing");
    std::fs::write(&scene, SCENE.replace("7.5", "8.5")).unwrap();
    let depth = |app: &App| {
        let water = app.world().get::<SceneWater>(root).unwrap();
        water.model().unwrap().state_at([25.0, 15.0]).unwrap().depth
    };
    update_until(&mut app, "the new level", |app| depth(app) > 5.0);
    assert!(clock(&app) < 1.0, "it has begun anew");
}

#[test]
fn saved_scene_worlds_resume_from_their_saved_state() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = app(folder.path());
    let scene = WaterScene::from_library("lake-at-rest").unwrap();
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
fn errors_in_scenes_are_reported() {
    let wrong = WaterScene::new("wrong.toml", "model = 'flow'\nterain = 1\n", Default::default());
    let message = wrong.unwrap_err().to_string();
    assert!(message.contains("terain") && message.contains("terrain"), "{message}");
}

#[test]
fn an_unusable_scene_is_refused_once_with_the_missing_path() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("bare.water.toml", &SCENE.replace("hill.asc", "levels/nothere.png"));
    write("broken.water.toml", "model = 'flow'\n[terrain\n");
    let mut app = app(folder.path());
    let names = ["bare.water.toml", "broken.water.toml", "none.water.toml"];
    let roots = names.map(|name| {
        let handle = app.world().resource::<AssetServer>().load::<WaterScene>(name);
        app.world_mut().spawn(WaterSceneRoot(handle)).id()
    });
    let mut cursor = app.world().resource::<Messages<WaterRefused>>().get_cursor_current();
    let mut refused = Vec::new();
    for _ in 0..300 {
        app.update();
        refused.extend(cursor.read(app.world().resource::<Messages<WaterRefused>>()).cloned());
        std::thread::sleep(Duration::from_millis(1));
    }
    for (root, sought) in roots.iter().zip(["levels/nothere.png", names[1], names[2]]) {
        let of: Vec<_> = refused.iter().filter(|refused| refused.water == *root).collect();
        assert!(matches!(&of[..], [it] if it.error.contains(sought)), "{sought}: {of:?}");
    }
    // The scene starts after it has been corrected.
    write("bare.water.toml", &SCENE.replace("file = 'hill.asc'", "plane = { height = 1.0 }"));
    update_until(&mut app, "the scene", |app| app.world().get::<SceneWater>(roots[0]).is_some());
}

#[test]
fn scenes_load_if_assets_are_added_after_the_plugin() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("hill.asc"), hill(6.0)).unwrap();
    std::fs::write(folder.path().join("hill.water.toml"), SCENE).unwrap();
    let mut app = App::new();
    let file_path = folder.path().to_str().unwrap().to_owned();
    app.add_plugins((HeadwaterPlugin::in_schedule(Update), MinimalPlugins))
        .add_plugins(AssetPlugin { file_path, ..default() });
    app.finish();
    app.cleanup();
    let handle = app.world().resource::<AssetServer>().load::<WaterScene>("hill.water.toml");
    let root = app.world_mut().spawn(WaterSceneRoot(handle)).id();
    update_until(&mut app, "the scene", |app| app.world().get::<SceneWater>(root).is_some());
}

#[test]
fn a_scene_limits_its_steps_and_reports_dropped_time() {
    let folder = tempfile::tempdir().unwrap();
    let mut app = app(folder.path());
    let scene = WaterScene::from_library("dam-breach").unwrap().world().unwrap();
    let clock = WaterClock::at_speed(1e6);
    let water = app.world_mut().spawn((SceneWater::from(scene), clock)).id();
    (0..5).for_each(|_| app.update());
    let live = app.world().get::<SceneWater>(water).unwrap();
    let max_steps = u64::from(clock.max_steps);
    assert!((1..=4 * (max_steps + 8)).contains(&live.simulation().steps()));
    let lost = app.world().get::<WaterState>(water).unwrap().lost_time();
    assert!((live.clock() + lost - 4.0 * 1e6 / 32.0).abs() < 1e-3);
}
