//! Tests of values that scenes read from rasters: initial water, initial velocity, and land cover
//! classes.

use crate::support::raster::{GEO_KEYS, TagValues, Tiff};
use headwater::Field;
use headwater_scene::flow::FlowWorld;
use headwater_scene::live::Live;
use headwater_scene::raster;
use headwater_scene::run::build_simulation;
use headwater_scene::scene::{self, Files, SceneError};
use std::path::Path;

fn npy_file(nx: usize, values: &[f32]) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.npy");
    let field = Field::from_vec(nx, values.len() / nx, values.to_vec()).unwrap();
    raster::write_npy(&path, &field).unwrap();
    std::fs::read(path).unwrap()
}

/// Builds a world of 4 × 2 cells with sides of 1 m. The ground is level in each half, and 1 m
/// higher in the east half than in the west half. `level` is the value of `physics.level`, `keys`
/// are further scene keys, and `files` are the rasters.
fn build_world(
    level: &str,
    keys: &str,
    files: &[(&str, Vec<u8>)],
) -> Result<FlowWorld, SceneError> {
    let text = format!(
        "model = 'flow'\n[grid]\nnx = 4\nny = 2\ncell = 1\n[time]\nuntil = 9\n[terrain]\nplane = {{ height = 100 }}\n\
         [[terrain.shape]]\nop = 'raise'\namount = 1\nrect = {{ min = [2, 0], max = [4, 2] }}\n[physics]\nlevel = '{level}'\n{keys}"
    );
    let held =
        files.iter().fold(Files::memory_only(), |held, (name, bytes)| held.with_file(name, bytes));
    let scene = scene::parse_with_files("maps.toml", &text, &[], &held)?;
    FlowWorld::build(scene.flow().unwrap())
}

fn field_row(field: &Field<f32>, y: usize) -> Vec<f32> {
    field.row(y).to_vec()
}

#[test]
fn depth_and_level_rasters_are_dry_without_data() {
    let depth = npy_file(4, &[0.5, f32::NAN, 0.25, 0.0, 0.5, 0.5, 0.5, 0.5]);
    let of_depth = "[water]\ndepth_map = 'd.npy'\n";
    let world_of = |keys: &str, file: (&str, Vec<u8>)| build_world("pipes", keys, &[file]);
    let flow = world_of(of_depth, ("d.npy", depth)).unwrap().flow;
    assert_eq!(field_row(&flow.state().depth, 0), [0.5, 0.0, 0.25, 0.0]);

    // Scene heights: 102 m is 2 m above the west and 1 m above the east.
    let level = npy_file(4, &[102.0, 102.0, 102.0, f32::NAN, 102.0, 100.5, 100.5, 102.0]);
    let of_level = "[water]\nlevel_map = 'l.npy'\ndepth = 0.125\n";
    let flow = world_of(of_level, ("l.npy", level)).unwrap().flow;
    assert_eq!(field_row(&flow.state().depth, 0), [2.0, 2.0, 1.0, 0.125]);
    assert_eq!(field_row(&flow.state().depth, 1), [2.0, 0.5, 0.125, 1.0]);

    // Rasters of other sizes are resampled, like terrain.
    let flow = world_of(of_depth, ("d.npy", npy_file(2, &[0.5, 0.25]))).unwrap().flow;
    assert_eq!(field_row(&flow.state().depth, 1), [0.5, 0.4375, 0.3125, 0.25]);

    let error = world_of(of_depth, ("d.npy", npy_file(4, &[0.5, -2.0, 0.0, 0.0]))).unwrap_err();
    let error = error.to_string();
    let expected = "water.depth_map: d.npy: found -2 m in column 1, row 0, allowed is 0 to 10000 m";
    assert!(error.starts_with("maps.toml:") && error.contains(expected), "{error}");
    let error = world_of(of_level, ("l.npy", npy_file(4, &[1e6; 4]))).unwrap_err().to_string();
    assert!(error.contains("water.level_map: l.npy: found 1000000 m"), "{error}");
}

#[test]
fn velocity_maps_set_the_initial_flow_on_all_levels() {
    let (east, south) = (npy_file(4, &[0.5; 8]), npy_file(4, &[0.0; 8]));
    let files = [("u.npy", east), ("v.npy", south)];
    for level in ["pipes", "inertial", "shallow-water"] {
        for (key, speed) in [("velocity_map", 0.5), ("discharge_map", 0.25_f32)] {
            let keys = format!("[water]\ndepth = 2\n{key} = ['u.npy', 'v.npy']\n");
            let flow = build_world(level, &keys, &files).unwrap().flow;
            assert!((flow.state().discharge_x[(1, 0)] - 2.0 * speed).abs() < 1e-6, "{level} {key}");
        }
    }
    let both = "[water]\ndepth = 1\nvelocity_map = ['u.npy', 'v.npy']\ndischarge_map = ['u.npy', 'v.npy']\n";
    let error = build_world("pipes", both, &files).unwrap_err().to_string();
    assert!(error.contains("water.discharge_map: cannot be combined with velocity_map"), "{error}");
    let missing = "[water]\ndepth = 1\nvelocity_map = ['u.npy', 'w.npy']\n";
    let error = build_world("pipes", missing, &files).unwrap_err().to_string();
    assert!(error.contains("water.velocity_map[1]: w.npy: the file cannot be read"), "{error}");
    let text = "model = 'flow'\n[time]\nuntil = 1\n[terrain]\nplane = {}\n[water]\nvelocity_map = ['u.npy']\n";
    assert!(scene::parse("maps.toml", text, &[]).is_err());
}

/// Scene tables for land cover: forest in the west, asphalt in the east, and one cell without data.
const CLASSES: &str = "[infiltration]\nrate = 2\nseepage = 1\n[[cover]]\nfile = 'cover.npy'\n\
    [[cover.class]]\nnumbers = [41, 42]\nname = 'forest'\nmanning = 0.1\n\
    infiltration = { rate = 30, deficit = 0.25, suction = 0.125 }\n\
    [[cover.class]]\nnumbers = [24]\nmanning = 0.015\ninfiltration = { rate = 0 }\n\
    [[cover.class]]\nnumbers = [11]\nname = 'open water, as everywhere'\n";

fn cover_file() -> (&'static str, Vec<u8>) {
    ("cover.npy", npy_file(4, &[41.0, 42.0, 24.0, f32::NAN, 11.0, 42.0, 24.0, 24.0]))
}

#[test]
fn land_cover_sets_roughness_and_soil() {
    let flow = build_world("inertial", CLASSES, &[cover_file()]).unwrap().flow;
    let n = flow.roughness().unwrap();
    let manning = headwater::flow::Params::default().manning as f32;
    assert_eq!(field_row(n, 0), [0.1, 0.1, 0.015, manning]);
    assert_eq!(field_row(n, 1), [manning, 0.1, 0.015, 0.015]);
    let soils = flow.soil_map().unwrap();
    assert_eq!(soils.map.as_slice(), [1, 1, 2, 0, 0, 1, 2, 2]);
    let [forest, asphalt] = soils.soils[..] else { panic!("{soils:?}") };
    assert_eq!(
        (forest.rate, forest.deficit, forest.suction, forest.seepage),
        (30.0, 0.25, 0.125, 1.0)
    );
    assert_eq!((asphalt.rate, asphalt.deficit, asphalt.seepage), (0.0, 0.0, 1.0));

    // Coarser cells take the most common class, in a tie the lower one.
    let coarse = CLASSES.replace("[infiltration]", "[grid]\n[infiltration]");
    let text = format!(
        "model = 'flow'\ngrid = {{ nx = 2, ny = 1, cell = 2 }}\n[time]\nuntil = 9\n[terrain]\nplane = {{}}\n{}",
        coarse.replace("[grid]\n", "")
    );
    let files = Files::memory_only().with_file("cover.npy", cover_file().1);
    let scene = scene::parse_with_files("maps.toml", &text, &[], &files).unwrap();
    let flow = FlowWorld::build(scene.flow().unwrap()).unwrap().flow;
    assert_eq!(flow.roughness().unwrap().as_slice(), [0.1, 0.015]);
    assert_eq!(build_simulation(&scene).unwrap().grid().nx, 2);
}

#[test]
fn undefined_classes_are_reported_with_their_count() {
    let stray = npy_file(4, &[41.0, 95.0, 24.0, 95.0, 11.0, 7.0, 24.0, 95.0]);
    let error = build_world("pipes", CLASSES, &[("cover.npy", stray)]).unwrap_err().to_string();
    let expected = "cover[0].file: cover.npy: no class has the number 7 (1 cells), 95 (3 cells)";
    assert!(error.starts_with("maps.toml:") && error.contains(expected), "{error}");
    let parts = npy_file(4, &[41.0, 24.0, 11.5, 42.0]);
    let error = build_world("pipes", CLASSES, &[("cover.npy", parts)]).unwrap_err().to_string();
    assert!(error.contains("cover.npy: found 11.5, needs integers"), "{error}");
    let cases = [
        (
            "numbers = [24]",
            "numbers = [42]",
            "cover[0].class[1].numbers[0]: found 42, which is also in class[0]",
        ),
        ("numbers = [24]", "numbers = []", "cover[0].class[1].numbers: found none"),
        ("manning = 0.1\n", "manning = -1\n", "cover[0].class[0].manning: found -1"),
        ("deficit = 0.25", "deficit = 2", "cover[0].class[0].infiltration.deficit: found 2"),
        ("deficit = 0.25", "defict = 2", "defict"),
    ];
    for (old, new, expected) in cases {
        let keys = CLASSES.replacen(old, new, 1);
        let error = build_world("pipes", &keys, &[cover_file()]).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    // A soil needs an infiltration rate.
    let keys =
        CLASSES.replace("[infiltration]\nrate = 2\nseepage = 1\n", "").replace("rate = 0 ", "");
    let error = build_world("pipes", &keys, &[cover_file()]).unwrap_err().to_string();
    assert!(error.contains("cover[0].class[1].infiltration.rate: is missing"), "{error}");
}

#[test]
fn class_soils_follow_parameter_changes_of_the_scene() {
    let text = format!(
        "model = 'flow'\n[grid]\nnx = 4\nny = 2\ncell = 1\n[time]\nuntil = 9\n[terrain]\nplane = {{}}\n[water]\ndepth = 1\n{CLASSES}"
    );
    let files = Files::memory_only().with_file("cover.npy", cover_file().1);
    let mut live = Live::with_options("maps.toml", &text, &[], None::<&Path>, &files).unwrap();
    live.set("infiltration.seepage", 0.0.into()).unwrap();
    live.take_steps(3).unwrap();
    let again = Live::with_options("again.toml", &live.text(), &[], None::<&Path>, &files);
    let mut again = again.unwrap();
    again.take_steps(3).unwrap();
    assert_eq!(again.state_hash(), live.state_hash());
}

/// ESRI ASCII grid of level ground with 4 × 2 cells with sides of 10 m. The south-west corner is at
/// (5000, 700) in map coordinates.
const LAND: &str =
    "ncols 4\nnrows 2\nxllcorner 5000\nyllcorner 700\ncellsize 10\n1 1 1 1\n1 1 1 1\n";

/// Returns an ESRI ASCII grid with the depths 1 to 8 in the cells of [`LAND`] and the depth 9 in a
/// larger area around them. `west` and `south` are the map coordinates of the grid's south-west
/// corner.
fn depth_grid(west: f64, south: f64) -> String {
    format!(
        "ncols 8\nnrows 4\nxllcorner {west}\nyllcorner {south}\ncellsize 10\n9 9 9 9 9 9 9 9\n9 9 1 2 3 4 9 9\n\
         9 9 5 6 7 8 9 9\n9 9 9 9 9 9 9 9\n"
    )
}

fn build_on_land(land: &str, depths: &str, keys: &str) -> Result<FlowWorld, SceneError> {
    let text = format!(
        "model = 'flow'\n[time]\nuntil = 9\n[terrain]\nfile = 'land.asc'\n[water]\ndepth_map = 'depth.asc'\n{keys}"
    );
    let held = Files::memory_only().with_file("land.asc", land).with_file("depth.asc", depths);
    let scene = scene::parse_with_files("maps.toml", &text, &[], &held)?;
    FlowWorld::build(scene.flow().unwrap())
}

#[test]
fn georeferenced_maps_are_placed_by_their_coordinates() {
    let depth = |land: &str, depths: &str, keys: &str| {
        build_on_land(land, depths, keys).unwrap().flow.state().depth.as_slice().to_vec()
    };
    let own = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];
    assert_eq!(depth(LAND, &depth_grid(4980.0, 690.0), ""), own);
    // On other grids: means of four cells, and interpolation between two.
    let coarse = depth(LAND, &depth_grid(4980.0, 690.0), "[grid]\nnx = 2\n");
    assert_eq!(coarse, [3.5, 5.5]);
    let fine = depth(LAND, &depth_grid(4980.0, 690.0), "[grid]\nnx = 8\n");
    assert_eq!(fine[10..13], [2.75, 3.25, 3.75]);
    // Without a georeference of both, the map covers the whole world.
    for (land, west) in
        [(LAND.replace("5000", "0").replace("700", "0"), 4980.0), (LAND.into(), 0.0)]
    {
        let south = if west == 0.0 { 0.0 } else { 690.0 };
        assert_ne!(depth(&land, &depth_grid(west, south), ""), own);
    }
    let away = build_on_land(LAND, &depth_grid(405_000.0, 690.0), "").unwrap_err().to_string();
    let expected = "water.depth_map: depth.asc: the raster extends from 405000 to 405080 east and from 690 to 730 \
         north and must cover the terrain, which extends from 5000 to 5040 east and from 700 to 720 north";
    assert!(away.starts_with("maps.toml:") && away.contains(expected), "{away}");
    let degrees = depth_grid(7.0, 47.0).replace("cellsize 10", "cellsize 0.001");
    let other = build_on_land(LAND, &degrees, "").unwrap_err().to_string();
    assert!(other.contains("(degree), expected the projection of the terrain"), "{other}");
}

#[test]
fn a_terrain_with_a_coordinate_system_has_a_position_at_the_origin() {
    let at = |west: f64| {
        let keys = TagValues::Shorts(vec![1, 1, 0, 2, 1024, 0, 1, 1, 3072, 0, 1, 2056]);
        Tiff::from_hill_f32()
            .with_georeference([10.0; 2], [west, 30.0])
            .with_tag(GEO_KEYS, keys)
            .to_bytes()
    };
    let build = |west: f64| {
        let text = "model = 'flow'\n[time]\nuntil = 9\n[terrain]\nfile = 'land.tif'\n\
                    [water]\ndepth_map = 'depth.tif'\n";
        let files =
            Files::memory_only().with_file("land.tif", at(0.0)).with_file("depth.tif", at(west));
        let scene = scene::parse_with_files("maps.toml", text, &[], &files)?;
        FlowWorld::build(scene.flow().unwrap())
    };
    assert!(build(0.0).is_ok());
    let error = build(1000.0).unwrap_err().to_string();
    assert!(error.contains("must cover the terrain"), "{error}");
}

#[test]
fn invalid_map_values_are_reported_with_the_file() {
    let error =
        roughness_map_error("manning_map = 'n.npy'\n", npy_file(4, &[0.03, 0.03, 1e30, 0.03]));
    let expected =
        "physics.manning_map: n.npy: found 1e30 s/m^⅓ in column 2, row 0, allowed is 0 to 10 s/m^⅓";
    assert!(error.contains(expected), "{error}");
    let error = roughness_map_error(
        "[rain]\nrate = 1\nmap = 'n.npy'\n",
        npy_file(4, &[1.0, -1.0, 1.0, 1.0]),
    );
    let expected = "rain.map: n.npy: found -1 in column 1, row 0, allowed is 0 to 1e9";
    assert!(error.contains(expected), "{error}");
    let error = roughness_map_error(
        "[rain]\nrate = 1\nmap = 'n.npy'\n",
        npy_file(4, &[1.0, f32::INFINITY, 1.0, 1.0]),
    );
    assert!(
        error.contains("rain.map: n.npy: column 1, row 0") && error.contains("found inf"),
        "{error}"
    );
}

/// Returns the error message of a world with the given roughness map. `keys` are inserted into the
/// table `[physics]`.
fn roughness_map_error(keys: &str, map: Vec<u8>) -> String {
    build_world("inertial", keys, &[("n.npy", map)]).unwrap_err().to_string()
}
