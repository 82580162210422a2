//! Tests of areas given as polygons, in scenes and in GeoJSON files.

use headwater_scene::Scene;
use headwater_scene::flow::FlowWorld;
use headwater_scene::raster::{self, ReadOptions};
use headwater_scene::run::build_simulation;
use headwater_scene::scene::{self, Files, SceneError};

/// ESRI ASCII grid of 8 × 6 cells with sides of 10 m. The south-west corner is at (5000, 700) in
/// map coordinates, and the north edge at y = 760.
const LAND: &str = "ncols 8\nnrows 6\nxllcorner 5000\nyllcorner 700\ncellsize 10\n\
    1 1 1 1 1 1 1 1\n1 1 1 1 1 1 1 1\n1 1 1 1 1 1 1 1\n1 1 1 1 1 1 1 1\n1 1 1 1 1 1 1 1\n1 1 1 1 1 1 1 1\n";

/// GeoJSON in map coordinates with a courtyard house of 4 × 4 cells in the north-west, a shed in
/// the south-east, and a feature without geometry.
const HOUSES: &str = r#"{ "type": "FeatureCollection", "features": [
    { "type": "Feature", "properties": {}, "geometry": { "type": "Polygon", "coordinates": [
        [[5000, 760, 3.5], [5040, 760], [5040, 720], [5000, 720], [5000, 760]],
        [[5010, 750], [5030, 750], [5030, 730], [5010, 730], [5010, 750]] ] } },
    { "type": "Feature", "properties": null, "geometry": null },
    { "type": "Feature", "properties": {}, "geometry": { "type": "GeometryCollection", "geometries": [
        { "type": "MultiPolygon", "coordinates": [ [ [[5070, 710], [5080, 710], [5080, 700], [5070, 700]] ],
            [ [[5061, 701], [5063, 701], [5062, 703]] ] ] } ] } } ] }"#;

fn parse(keys: &str, files: &[(&str, &str)]) -> Result<Scene, SceneError> {
    let text = format!("model = 'flow'\ntime = {{ until = 1 }}\n{keys}");
    let held =
        files.iter().fold(Files::memory_only(), |held, (name, text)| held.with_file(name, text));
    scene::parse_with_files("areas.toml", &text, &[], &held)
}

/// Returns the mask of closed cells in a scene's world as one string per row, with `#` for closed
/// cells.
fn closed_cell_rows(scene: &Scene) -> Vec<String> {
    let flow = scene.flow().unwrap();
    let lattice = FlowWorld::build(flow).unwrap().terrain.lattice;
    let closed = headwater_scene::flow::obstacle_mask(flow, &lattice);
    let row = |y| (0..closed.nx()).map(|x| if closed[(x, y)] { '#' } else { '.' }).collect();
    (0..closed.ny()).map(row).collect()
}

const HOUSES_AS_CELLS: [&str; 6] =
    ["####....", "#..#....", "#..#....", "####....", "........", ".......#"];

#[test]
fn obstacles_from_files_use_map_coordinates() {
    let files = [("land.asc", LAND), ("houses.geojson", HOUSES)];
    let keys =
        "[terrain]\nfile = 'land.asc'\n[[obstacle]]\npolygon = { geojson = 'houses.geojson' }\n";
    let scene = parse(keys, &files).unwrap();
    assert_eq!(closed_cell_rows(&scene), HOUSES_AS_CELLS);
    // Also on grids with other cells than the file.
    let fine = parse(&format!("grid = {{ nx = 16 }}\n{keys}"), &files).unwrap();
    assert_eq!(closed_cell_rows(&fine)[0], "########........");
    // Polygons that cover no cell are reported.
    let notices = build_simulation(&scene).unwrap().notices();
    let expected = "obstacle[0].polygon: 1 of 3 polygons cover no cell";
    assert!(notices.iter().any(|notice| notice.contains(expected)), "{notices:?}");
}

#[test]
fn polygons_outside_the_terrain_are_reported_in_map_coordinates() {
    let away = HOUSES.replace("[50", "[80").replace("[80", "[90");
    let files = [("land.asc", LAND), ("houses.geojson", away.as_str())];
    let keys =
        "[terrain]\nfile = 'land.asc'\n[[obstacle]]\npolygon = { geojson = 'houses.geojson' }\n";
    let scene = parse(keys, &files).unwrap();
    let reported = build_simulation(&scene).err().unwrap().to_string();
    let expected = "obstacle[0].polygon: lies off the grid: the world is 80 × 60 m; houses.geojson has polygons from 9000 to 9080 east \
         and from 700 to 760 north, the terrain lies from 5000 to 5080 east and from 700 to 760 north";
    assert!(reported.contains(expected), "{reported}");
}

#[test]
fn without_a_georeference_coordinates_are_metres_from_the_corner() {
    let yard = r#"{ "type": "Polygon", "coordinates": [[[0, 0], [4, 0], [4, 4], [0, 4]], [[1, 1], [3, 1], [3, 3], [1, 3]]] }"#;
    let keys = "grid = { nx = 8, ny = 6, cell = 1 }\n[terrain]\nplane = {}\n";
    let from_file = format!("{keys}[[obstacle]]\npolygon = {{ geojson = 'yard.json' }}\n");
    let scene = parse(&from_file, &[("yard.json", yard)]).unwrap();
    assert_eq!(closed_cell_rows(&scene)[..4], HOUSES_AS_CELLS[..4]);
    let said = "[[obstacle]]\npolygon = [[[0, 0], ['50%', 0], [4, 4], [0, 4]], [[1, 1], [3, 1], [3, 3], [1, 3]]]\n";
    assert_eq!(
        closed_cell_rows(&parse(&format!("{keys}{said}"), &[]).unwrap()),
        closed_cell_rows(&scene)
    );
}

#[test]
fn polygons_work_for_all_kinds_of_areas() {
    let keys = "grid = { nx = 8, ny = 6, cell = 1 }\n[terrain]\nplane = {}\n\
        [[terrain.shape]]\nop = 'raise'\namount = 2\npolygon = [[0, 0], [3, 0], [3, 3], [0, 3]]\n\
        [water]\nlevel = 1\n\
        [[gauge]]\nname = 'bay'\npolygon = [[4, 1], [6, 1], [6, 3], [4, 3]]\n\
        [[event]]\ntime = 0\ndo = 'pour'\namount = 0.5\npolygon = [[4, 1], [6, 1], [6, 3], [4, 3]]\n\
        [particles]\ncount = 3\n[[particles.emitter]]\npolygon = [[4, 1], [6, 1], [6, 3], [4, 3]]\n";
    let scene = parse(keys, &[]).unwrap();
    let world = FlowWorld::build(scene.flow().unwrap()).unwrap();
    assert_eq!((world.terrain.bed[(2, 2)], world.terrain.bed[(3, 3)]), (2.0, 0.0));
    let action = scene.flow().unwrap().events[0].action().unwrap();
    let mut poured = world;
    poured.apply_action(action).unwrap();
    assert_eq!((poured.flow.state().depth[(4, 1)], poured.flow.state().depth[(3, 1)]), (1.5, 1.0));
    assert!(build_simulation(&scene).unwrap().notices().is_empty());
}

#[test]
fn invalid_polygons_are_reported_with_key_and_file() {
    let keys = "grid = { nx = 8, ny = 6, cell = 1 }\n[terrain]\nplane = {}\n[[obstacle]]\n";
    let said = |polygon: &str| {
        parse(&format!("{keys}polygon = {polygon}\n"), &[]).unwrap_err().to_string()
    };
    for (polygon, expected) in [
        ("[[0, 0], [1, 1]]", "obstacle[0].polygon: found a ring of 2 corners"),
        ("[[0, 0], [1, 1], [1e9, 2]]", "found a corner at 1e9, allowed is −1e8 to 1e8"),
        ("[[]]", "obstacle[0].polygon: found an empty ring, needs 3 corners or more"),
        ("[[[]]]", "obstacle[0].polygon: found an empty ring, needs 3 corners or more"),
        ("[[50, 50], [60, 50], [60, 60]]", "obstacle[0].polygon: lies off the grid"),
        ("7", "needs a list of corners"),
        ("{ geojson = 'none.json' }", "obstacle[0].polygon: none.json: cannot be read"),
        ("{ geojson = 'a.json', layer = 2 }", "needs { geojson = \"FILE\" }"),
    ] {
        let error = said(polygon);
        assert!(error.starts_with("areas.toml:") && error.contains(expected), "{error}");
    }
    let of_file = |text: &str| {
        let keys = format!("{keys}polygon = {{ geojson = 'a.json' }}\n");
        parse(&keys, &[("a.json", text)]).unwrap_err().to_string()
    };
    for (text, expected) in [
        ("{", "a.json: invalid JSON"),
        ("{}", "a.json: found no \"type\""),
        (
            r#"{ "type": "LineString", "coordinates": [[0, 0], [1, 1]] }"#,
            "obstacle[0].polygon: a.json: found a LineString, needs a Polygon",
        ),
        (r#"{ "type": "FeatureCollection", "features": [] }"#, "a.json: contains no polygon"),
        (r#"{ "type": "Polygon", "coordinates": [[[0, 0], [1, "a"], [2, 2]]] }"#, "for a point"),
        (
            r#"{ "type": "Polygon", "coordinates": [[[0, 0], [1, 1]]] }"#,
            "a.json: coordinates[0]: found a ring of 2 corners",
        ),
        (
            r#"{ "type": "Polygon", "coordinates": [[]] }"#,
            "a.json: coordinates[0]: found an empty ring",
        ),
        (
            r#"{ "type": "MultiPolygon", "coordinates": [[[[0, 0], [1, 1], [1e300, 2]]]] }"#,
            "a.json: coordinates[0][0][2]: found a point at 1e300, allowed is −1e8 to 1e8",
        ),
        (
            r#"{ "type": "FeatureCollection", "features": [{ "type": "Feature", "geometry": null },
                { "type": "Feature", "geometry": { "type": "Point", "coordinates": [1, 2] } }] }"#,
            "a.json: features[1].geometry: found a Point, needs a Polygon",
        ),
    ] {
        let error = of_file(text);
        assert!(error.contains("obstacle[0].polygon") && error.contains(expected), "{error}");
    }
    let fading = "grid = { nx = 8, ny = 6, cell = 1 }\n[terrain]\nplane = {}\n[[terrain.shape]]\nop = 'raise'\namount = 2\n\
        falloff = 'linear'\npolygon = [[0, 0], [3, 0], [3, 3]]\n";
    let error = parse(fading, &[]).unwrap_err().to_string();
    assert!(error.contains("terrain.shape[0].falloff: does not apply in a polygon"), "{error}");
    let both = format!("{keys}polygon = [[0, 0], [3, 0], [3, 3]]\neverywhere = true\n");
    let error = parse(&both, &[]).unwrap_err().to_string();
    assert!(
        error.contains("found polygon and everywhere, needs one of disc, rect, line, polygon"),
        "{error}"
    );
}

#[test]
fn rasters_report_their_georeference() {
    let info = |text: &str| {
        raster::read_bytes("a.asc", text.as_bytes(), &ReadOptions::default()).unwrap().info
    };
    assert_eq!(info(LAND).bounds, Some([5000.0, 700.0, 5080.0, 760.0]));
    let centers = LAND.replace("corner", "center").replace("5000", "5005").replace("700", "705");
    assert_eq!(info(&centers).bounds, Some([5000.0, 700.0, 5080.0, 760.0]));
    assert_eq!(info(&LAND.replace("xllcorner 5000\n", "")).bounds, None);
}
