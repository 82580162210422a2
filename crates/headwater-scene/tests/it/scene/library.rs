//! Tests that the scenes in the library can be loaded and built, and match their descriptions.

use headwater::blocks::Cell;
use headwater::flow::{Change, Physics};
use headwater::{Field, Point, Region};
use headwater_scene::columns::ColumnsWorld;
use headwater_scene::flow::{Action, BoundaryKind, FlowScene, FlowWorld, Shift, StageBoundary};
use headwater_scene::hydrology::HydrologyWorld;
use headwater_scene::scene::{AreaAction, NonAreaAction};
use headwater_scene::terrain::{self, Terrain};
use headwater_scene::waves::WavesWorld;
use headwater_scene::{blocks, raster, scene};
use std::path::PathBuf;

fn scene_path(name: &str) -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes")).join(name)
}

fn load_world(name: &str) -> (FlowScene, Terrain, Field<f32>) {
    let scene = scene::load(&scene_path(name), &[]).unwrap().flow().unwrap().clone();
    let terrain = terrain::build_terrain(&scene).unwrap();
    let depth = headwater_scene::flow::initial_depth(&scene, &terrain).unwrap();
    (scene, terrain, depth)
}

#[test]
fn all_library_scenes_load_and_build() {
    let mut count = 0;
    for entry in std::fs::read_dir(scene_path("")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let scene = scene::load(&scene_path(&name), &[]).unwrap();
        assert!(!scene.title().is_empty() && !scene.description().is_empty(), "{name}");
        count += 1;
        if let Some(scene) = scene.waves() {
            let waves = WavesWorld::build(scene).unwrap().waves;
            let land =
                waves.land().map_or(0, |land| land.as_slice().iter().filter(|&&l| l).count());
            let cells = waves.lattice().cell_count();
            assert!(land > cells / 20 && land < cells * 4 / 5, "{name}: {land} of {cells}");
            continue;
        }
        if let Some(scene) = scene.blocks() {
            let blocks = blocks::build_world(scene).unwrap();
            assert!(blocks.cells().as_slice().contains(&Cell::Wall), "{name} has no walls");
            continue;
        }
        if let Some(scene) = scene.columns() {
            let pools = ColumnsWorld::build(scene).unwrap().columns;
            assert!(pools.volume() > 0.0 && pools.ignored_anchors().is_empty(), "{name}");
            continue;
        }
        if let Some(scene) = scene.hydrology() {
            let bed =
                HydrologyWorld::build(scene).unwrap().land().layer("bed").unwrap().into_owned();
            let (low, high) = bed.min_max().unwrap();
            assert!(high - low > 50.0, "{name} is flat");
            continue;
        }
        let (_, terrain, depth) = load_world(&name);
        assert!(terrain.bed.as_slice().iter().all(|bed| bed.is_finite()), "{name}");
        assert!(depth.as_slice().iter().all(|&depth| depth >= 0.0), "{name}");
        let (low, high) = terrain.bed.min_max().unwrap();
        // 5 m, or a fiftieth of the width in a laboratory basin.
        let relief = (0.02 * terrain.lattice.width() as f32).min(5.0);
        assert!(high - low > relief, "{name} is flat");
    }
    assert!(count >= 41);
}

fn depth_at(point: Point, terrain: &Terrain, depth: &Field<f32>) -> f32 {
    depth[terrain.lattice.cell_at(point).unwrap()]
}

#[test]
fn the_dam_retains_its_lake_until_it_is_breached() {
    let (scene, terrain, depth) = load_world("dam-breach.toml");
    assert!(depth_at([220.0, 470.0], &terrain, &depth) > 20.0);
    let valley = Region::rect([470.0, 380.0], [1000.0, 560.0]);
    for (x, y, _) in valley.cells(terrain.lattice) {
        assert_eq!(depth[(x, y)], 0.0, "the valley is wet at {x}, {y}");
    }
    let lake = scene.water.lakes[0].level;
    for event in &scene.events {
        let Some(Action::Lower(AreaAction {
            value: Shift { change: Change::To(level), .. },
            extent,
        })) = event.action()
        else {
            panic!("no digging")
        };
        let level = *level;
        let trench = extent.region(&terrain.lattice).cells(terrain.lattice);
        let crest = trench.iter().map(|&(x, y, _)| terrain.height((x, y))).fold(0.0, f64::max);
        assert!(level < lake - 10.0 && lake < crest, "{level} {lake} {crest}");
    }
}

#[test]
fn the_trench_leads_from_the_river_down_to_the_village() {
    let (scene, terrain, _) = load_world("river-divert.toml");
    let ground = |point| terrain.height(terrain.lattice.cell_at(point).unwrap());
    let (river, market) = (ground([330.0, 95.0]), ground([486.0, 420.0]));
    let mut digs = 0;
    for event in &scene.events {
        let Some(Action::Lower(AreaAction {
            value: Shift { change: Change::To(trench), .. }, ..
        })) = event.action()
        else {
            continue;
        };
        let trench = *trench;
        assert!(river > trench && trench > market, "{river} {trench} {market}");
        digs += 1;
    }
    assert!(digs > 0, "no trench");
}

#[test]
fn the_tide_floods_and_drains_tidal_flats() {
    let (scene, terrain, _) = load_world("tide.toml");
    let BoundaryKind::Stage(NonAreaAction(StageBoundary { level })) = &scene.boundaries[0].kind
    else {
        panic!("no tide");
    };
    let (low, high) = level.value_range();
    let ground = terrain.bed.as_slice().iter().map(|&bed| terrain.datum + f64::from(bed));
    let flats = ground.filter(|bed| (low..high).contains(bed)).count();
    assert!(flats > terrain.lattice.cell_count() / 20, "{flats}");
}

#[test]
fn the_lake_at_rest_scene_has_islands() {
    let (_, terrain, depth) = load_world("lake-at-rest.toml");
    let wet = depth.as_slice().iter().filter(|&&depth| depth > 0.0).count();
    let cells = terrain.lattice.cell_count();
    assert!(wet > cells / 4 && wet < cells * 9 / 10, "{wet}");
    assert!(depth_at([320.0, 240.0], &terrain, &depth) > 0.0, "the gauge is dry");
}

#[test]
fn the_scene_your_terrain_accepts_any_elevation_file() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("dem.npy");
    let heights = Field::from_fn(17, 90, |x, y| 3000.0 + (x * y) as f32);
    raster::write_npy(&file, &heights).unwrap();
    let overrides = [("terrain.file".to_owned(), file.display().to_string())];
    let scene =
        scene::load(&scene_path("your-terrain.toml"), &overrides).unwrap().flow().unwrap().clone();
    let terrain = terrain::build_terrain(&scene).unwrap();
    assert_eq!((terrain.lattice.nx(), terrain.lattice.dx(), terrain.datum), (17, 1.0, 3000.0));
    assert!(terrain.notices.iter().any(|notice| notice.contains("1 m is assumed")));
}

#[test]
fn one_key_selects_the_physics_level() {
    let world = |overrides: &[(&str, &str)]| {
        let overrides: Vec<_> =
            overrides.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
        let scene =
            scene::load(&scene_path("river-divert.toml"), &overrides)?.flow().unwrap().clone();
        FlowWorld::build(&scene).map(|world| world.flow)
    };
    let level = ("physics.level", "inertial");
    let mut pipes = world(&[]).unwrap();
    let mut inertial = world(&[level]).unwrap();
    let mut rough = world(&[level, ("physics.manning", "0.1"), ("physics.theta", "0.8")]).unwrap();
    assert_eq!(pipes.params().level, Physics::Pipes);
    assert_eq!(inertial.params().level, Physics::Inertial);
    assert_eq!((rough.params().manning, rough.params().theta), (0.1, 0.8));
    let reached = [&mut pipes, &mut inertial, &mut rough].map(|flow| {
        flow.advance(30.0).unwrap();
        assert!(flow.balance().residual_relative.abs() < 1e-6);
        flow.state_hash()
    });
    assert!(reached[0] != reached[1] && reached[1] != reached[2]);
    let error = world(&[("physics.theta", "0.2")]).unwrap_err().to_string();
    assert!(error.contains("physics.theta") && error.contains("0.5"), "{error}");
}

#[test]
fn roughness_maps_apply_by_cell_with_the_scalar_as_fallback() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("n.npy");
    let reach = |west: f32, east: f32| {
        raster::write_npy(&file, &Field::from_vec(2, 1, vec![west, east]).unwrap()).unwrap();
        let scene = r#"
            model = "flow"
            grid = { nx = 60, ny = 4, cell = 1 }
            time = { until = 9 }
            physics = { level = "inertial", manning = 0.05 }
            terrain = { plane = { height = 0, slope = [-0.02, 0] } }
            water = { depth = 0.1 }
        "#;
        let path = file.display().to_string();
        let overrides = [("physics.manning_map".to_owned(), path)];
        let scene = scene::parse("slope.toml", scene, &overrides)?.flow().unwrap().clone();
        let mut flow = FlowWorld::build(&scene)?.flow;
        flow.advance(9.0).unwrap();
        Ok::<_, scene::SceneError>([15.0, 45.0].map(|x| flow.velocity_at([x, 2.0]).unwrap()[0]))
    };
    let [west, east] = reach(f32::NAN, 0.02).unwrap();
    // Manning: h^(2/3)·√S/n with the scene's n of 0.05.
    let slow = 0.1_f32.powf(2.0 / 3.0) * 0.02_f32.sqrt() / 0.05;
    assert!((west / slow - 1.0).abs() < 0.02 && east > 1.8 * west, "{west} {east} {slow}");
    let error = reach(-1.0, 0.02).unwrap_err().to_string();
    assert!(error.contains("manning_map") && error.contains("n.npy: found -1 s/m^⅓"), "{error}");
}

/// Tests that changes to the noise generator are detected, and that all platforms give the same
/// terrain.
#[test]
fn generated_terrain_is_bit_identical_on_all_platforms() {
    let (_, terrain, _) = load_world("dam-breach.toml");
    let bytes = terrain.bed.as_slice().iter().flat_map(|bed| bed.to_bits().to_le_bytes());
    // FNV-1a
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    assert_eq!(hash, 0xc748_0066_ceb3_3c78, "{hash:#x}");
}
