//! Tests of layers written during a run.

use crate::support::run::{finish, run_with_stops};
use headwater_scene::raster::{self, ReadOptions};
use headwater_scene::run::{Run, RunError};
use headwater_scene::{Scene, scene};
use std::path::Path;

/// Scene of a pond that spreads over level ground.
const POND: &str = "model = 'flow'\ngrid = { nx = 12, ny = 8, cell = 1 }\ntime.until = 10\n\
    terrain.plane = {}\n[[event]]\ntime = 0\ndo = 'pour'\namount = 1\ndisc = { center = [6, 4], radius = 2 }\n\
    [output]\nframes = 0\nlayers = ['depth', 'speed']\n";

fn pond_scene(keys: &str) -> Scene {
    scene::parse("pond.toml", &format!("{POND}{keys}"), &[]).unwrap()
}

fn read_depth(folder: &Path, name: &str) -> Vec<f32> {
    let read = raster::read(folder.join(name), &ReadOptions::default()).unwrap();
    read.heights.as_slice().to_vec()
}

#[test]
fn layers_are_written_at_the_given_times_and_listed() {
    let folder = tempfile::tempdir().unwrap();
    let run = |scene: &Scene| finish(Run::start(scene, "test", folder.path()).unwrap());
    let summary = run(&pond_scene("layers_at = [10, 0, 2.5]\n"));
    let at = |time: &str| [format!("depth-at-{time}.npy"), format!("speed-at-{time}.npy")];
    let on_the_way = [at("00.0"), at("02.5"), at("10.0")].concat();
    assert_eq!(summary.layers[..6], on_the_way);
    assert_eq!(summary.layers[6..], ["depth.npy", "speed.npy"]);
    let [begin, middle, end] = [&on_the_way[0], &on_the_way[2], &on_the_way[4]];
    assert_eq!(read_depth(folder.path(), end), read_depth(folder.path(), "depth.npy"));
    assert_ne!(read_depth(folder.path(), begin), read_depth(folder.path(), middle));
    // Water poured at 0 s is in the layer of 0 s.
    assert_eq!(read_depth(folder.path(), begin).iter().filter(|depth| **depth == 1.0).count(), 12);
    // The next run removes them, and no foreign files.
    let every = pond_scene("layers_every = 5\nlayer_format = 'geotiff'\n");
    let summary = run(&every);
    assert_eq!(summary.layers[2..4], ["depth-at-05.tif", "speed-at-05.tif"]);
    assert!(on_the_way.iter().all(|name| !folder.path().join(name).exists()));
    std::fs::write(folder.path().join("depth-at-07.tif"), "mine").unwrap();
    let refused = Run::start(&every, "test", folder.path()).err().unwrap();
    assert!(matches!(refused, RunError::Foreign { .. }), "{refused}");
    assert!(refused.to_string().contains("depth-at-07.tif"), "{refused}");
    run(&pond_scene(""));
    assert!(folder.path().join("depth-at-07.tif").exists());
    assert!(!folder.path().join("depth-at-05.tif").exists());
}

#[test]
fn layers_have_the_georeference_of_the_terrain() {
    let hill = "ncols 6\nnrows 4\nxllcorner 3000\nyllcorner 700\ncellsize 10\n7 8 9 9 9 9\n4 5 6 6 6 6\n\
                1 2 3 3 3 3\n4 5 6 6 6 6\n";
    for (model, grid) in
        [("flow", "nx = 9"), ("flow", "lattice = 'hex'"), ("hydrology", "nx = 12\nny = 8")]
    {
        let until = if model == "flow" { "time.until = 1\n" } else { "time.until = 0.01\n" };
        let text = format!(
            "model = '{model}'\n{until}[grid]\n{grid}\n[terrain]\nfile = 'hill.asc'\n\
             [output]\nframes = 0\nlayers = ['bed']\nlayer_format = 'geotiff'\n"
        );
        let files = scene::Files::from_disk().with_file("hill.asc", hill);
        let scene = scene::parse_with_files("hill.toml", &text, &[], &files).unwrap();
        let out = tempfile::tempdir().unwrap();
        finish(Run::start(&scene, "test", out.path()).unwrap());
        let read = raster::read(out.path().join("bed.tif"), &ReadOptions::default()).unwrap();
        let map = read.info.georeference().unwrap();
        assert_eq!(
            (map.bounds, map.unit),
            ([3000.0, 700.0, 3060.0, 740.0], Some("metre")),
            "{grid}"
        );
    }
}

#[test]
fn resumed_runs_write_the_same_layers() {
    let scene = pond_scene("layers_at = [3, 6]\nlayer_format = 'png'\n");
    let (summary, files) = run_with_stops(&scene, &[&[5], &[9, 1, 3]]);
    assert_eq!(summary.layers.len(), 6);
    assert!(summary.layers.iter().all(|name| files.contains_key(name)));
}

#[test]
fn all_models_write_layers() {
    let scenes = [
        ("waves", "grid = { nx = 8, ny = 6, cell = 1 }\n", "height"),
        ("blocks", "world.map = '#~.#'\n", "fill"),
        ("columns", "world = { cell = 1, map = \"#~.#\\n####\" }\n", "fill"),
        (
            "hydrology",
            "grid = { nx = 8, ny = 6, cell = 1 }\nterrain.plane = { slope = [0.1, 0] }\n",
            "bed",
        ),
    ];
    for (model, keys, layer) in scenes {
        let text = format!(
            "model = '{model}'\ntime.until = 2\n{keys}output = {{ frames = 0, final = false, layers = ['{layer}'], layers_every = 1 }}\n"
        );
        let scene = scene::parse("x.toml", &text, &[]).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let summary = finish(Run::start(&scene, "test", folder.path()).unwrap());
        let at = |time: u8| format!("{layer}-at-{time}.npy");
        assert_eq!(summary.layers, [at(0), at(1), at(2), format!("{layer}.npy")], "{model}");
    }
}

#[test]
fn invalid_output_times_are_rejected() {
    let reported = |keys: &str| {
        scene::parse("pond.toml", &format!("{POND}{keys}"), &[]).unwrap_err().to_string()
    };
    for (keys, expected) in [
        ("layers_at = [11]", "output.layers_at[0]: found 11, allowed is 0 to 10 s"),
        ("layers_at = [1, 1.0]", "output.layers_at[1]: is listed twice"),
        ("layers_at = 3", "output.layers_at: found 3, needs a list"),
        ("layers_every = 0", "output.layers_every: found 0, allowed is 0.001 to 1e10 s"),
        ("layers_at = [1]\nlayers_every = 1", "output.layers_every: found both"),
    ] {
        assert!(reported(keys).contains(expected), "{}", reported(keys));
    }
    let none = POND.replace("'depth', 'speed'", "");
    let error = scene::parse("pond.toml", &format!("{none}layers_at = [1]\n"), &[]).unwrap_err();
    let expected = "output.layers_at: does not apply without `layers`";
    assert!(error.to_string().contains(expected), "{error}");
}

#[cfg(not(feature = "zarr"))]
#[test]
fn zarr_output_without_the_feature_is_an_error() {
    let text = format!("{POND}layer_format = 'zarr'\n");
    let error = scene::parse("pond.toml", &text, &[]).unwrap_err().to_string();
    assert!(error.contains("output.layer_format: found \"zarr\", but this program"), "{error}");
}

#[cfg(feature = "zarr")]
mod zarr {
    use super::*;
    use std::sync::Arc;
    use zarrs::array::Array;
    use zarrs::filesystem::FilesystemStore;

    fn open_zarr_array(folder: &Path, name: &str) -> Array<FilesystemStore> {
        let store = Arc::new(FilesystemStore::new(folder.join("layers.zarr")).unwrap());
        Array::open(store, &format!("/{name}")).unwrap()
    }

    fn read_zarr_values(folder: &Path, name: &str, time: u64) -> Vec<f32> {
        let array = open_zarr_array(folder, name);
        let shape = array.shape();
        array.retrieve_array_subset(&[time..time + 1, 0..shape[1], 0..shape[2]]).unwrap()
    }

    #[test]
    fn stores_contain_all_layers_at_all_times() {
        let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let [npy, zarr] = folders.each_ref().map(tempfile::TempDir::path);
        let run = |scene: &Scene, folder: &Path| finish(Run::start(scene, "test", folder).unwrap());
        run(&pond_scene("layers_at = [0, 2.5]\n"), npy);
        let scene = pond_scene("layers_at = [0, 2.5]\nlayer_format = 'zarr'\n");
        assert_eq!(run(&scene, zarr).layers, ["layers.zarr"]);
        for name in ["depth", "speed"] {
            assert_eq!(open_zarr_array(zarr, name).shape(), [3, 8, 12]);
            for (time, end) in ["-at-00.0", "-at-02.5", ""].into_iter().enumerate() {
                let expected = read_depth(npy, &format!("{name}{end}.npy"));
                assert_eq!(read_zarr_values(zarr, name, time as u64), expected, "{name}{end}");
            }
        }
        let times: Vec<f64> = open_zarr_array(zarr, "time").retrieve_chunk(&[0]).unwrap();
        assert_eq!(times, [0.0, 2.5, 10.0]);
        let north: Vec<f64> = open_zarr_array(zarr, "y").retrieve_chunk(&[0]).unwrap();
        assert_eq!(north[..2], [7.5, 6.5]);
        let reported = open_zarr_array(zarr, "depth").attributes().clone();
        assert_eq!(
            (&reported["units"], &reported["standard_name"]),
            (&"m".into(), &"flood_water_thickness".into())
        );
        // The next run starts anew, and foreign folders are kept.
        run(&pond_scene("layer_format = 'zarr'\n"), zarr);
        assert_eq!(open_zarr_array(zarr, "depth").shape(), [1, 8, 12]);
        run(&pond_scene(""), zarr);
        assert!(!zarr.join("layers.zarr").exists());
        std::fs::create_dir(zarr.join("layers.zarr")).unwrap();
        let refused = Run::start(&scene, "test", zarr).err().unwrap();
        assert!(matches!(refused, RunError::Foreign { .. }), "{refused}");
    }

    #[test]
    fn stores_have_the_georeference_of_the_terrain() {
        let hill = "ncols 3\nnrows 2\nxllcorner 3000\nyllcorner 700\ncellsize 10\n7 8 9\n4 5 6\n";
        let text = "model = 'flow'\ntime.until = 1\nterrain.file = 'hill.asc'\n\
                    output = { frames = 0, final = false, layers = ['bed'], layer_format = 'zarr' }\n";
        let files = scene::Files::from_disk().with_file("hill.asc", hill);
        let scene = scene::parse_with_files("hill.toml", text, &[], &files).unwrap();
        let folder = tempfile::tempdir().unwrap();
        finish(Run::start(&scene, "test", folder.path()).unwrap());
        let along = |axis: &str| -> Vec<f64> {
            open_zarr_array(folder.path(), axis).retrieve_chunk(&[0]).unwrap()
        };
        assert_eq!((along("x"), along("y")), (vec![3005.0, 3015.0, 3025.0], vec![715.0, 705.0]));
        assert_eq!(
            open_zarr_array(folder.path(), "bed").attributes()["grid_mapping"],
            "spatial_ref"
        );
        let map = open_zarr_array(folder.path(), "spatial_ref");
        assert_eq!(map.attributes()["GeoTransform"], "3000 10 0 720 0 -10");
        assert_eq!(map.shape(), [0_u64; 0]);
    }

    #[test]
    fn resumed_runs_write_to_the_same_store() {
        let scene = pond_scene("layers_every = 2\nlayer_format = 'zarr'\n");
        let folder = tempfile::tempdir().unwrap();
        finish(Run::start(&scene, "test", folder.path()).unwrap());
        let (summary, _) = run_with_stops(&scene, &[&[5], &[9, 1, 3]]);
        assert_eq!(summary.layers, ["layers.zarr"]);
        let whole = read_zarr_values(folder.path(), "depth", 5);
        assert!(whole.iter().all(|depth| depth.is_finite()));
    }

    #[test]
    fn wide_worlds_and_hexagons_are_written_to_stores() {
        let text = "model = 'flow'\ngrid = { nx = 2100, ny = 5, cell = 1 }\ntime.until = 1\nterrain.plane = { slope = [0.1, 0] }\n\
                    output = { frames = 0, final = false, layers = ['bed'], layer_format = 'zarr' }\n";
        for lattice in ["square", "hex"] {
            let text = text.replace("cell = 1", &format!("cell = 1, lattice = '{lattice}'"));
            let scene = scene::parse("wide.toml", &text, &[]).unwrap();
            let folder = tempfile::tempdir().unwrap();
            finish(Run::start(&scene, "test", folder.path()).unwrap());
            let bed = read_zarr_values(folder.path(), "bed", 0);
            let nx = open_zarr_array(folder.path(), "bed").shape()[2] as usize;
            assert!(bed[..nx].is_sorted_by(|a, b| a > b) || bed[..nx].is_sorted(), "{lattice}");
            assert!(bed.iter().all(|bed| bed.is_finite()), "{lattice}");
        }
    }
}
