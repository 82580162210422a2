//! Tests of positions in map coordinates and from files.

use headwater_scene::flow::FlowWorld;
use headwater_scene::run::build_simulation;
use headwater_scene::scene::{self, Files, SceneError};
use headwater_scene::{Scene, flow};

/// ESRI ASCII grid of 8 × 6 cells with sides of 10 m. The south-west corner is at (5000, 700) in
/// map coordinates, and the north edge at y = 760.
const LAND: &str = "ncols 8\nnrows 6\nxllcorner 5000\nyllcorner 700\ncellsize 10\n\
    1 1 1 1 1 1 1 1\n1 1 1 1 1 1 1 1\n1 1 1 1 1 1 1 1\n1 1 1 1 1 1 1 1\n1 1 1 1 1 1 1 1\n1 1 1 1 1 1 1 1\n";

const ON_MAP: &str = "[terrain]\nfile = 'land.asc'\n";
const OFF_MAP: &str = "grid = { nx = 8, ny = 6, cell = 10 }\n[terrain]\nplane = {}\n";

fn parse(keys: &str, files: &[(&str, &str)]) -> Result<Scene, SceneError> {
    let text = format!("model = 'flow'\ntime = {{ until = 1 }}\n{keys}");
    let land = Files::memory_only().with_file("land.asc", LAND);
    let held = files.iter().fold(land, |held, (name, text)| held.with_file(name, text));
    scene::parse_with_files("map.toml", &text, &[], &held)
}

fn parse_error(keys: &str, files: &[(&str, &str)]) -> String {
    match parse(keys, files) {
        Err(error) => error.to_string(),
        Ok(scene) => match build_simulation(&scene) {
            Err(error) => error.to_string(),
            Ok(_) => panic!("{keys} was accepted"),
        },
    }
}

/// Returns the names of a scene's gauges and their points (m from the north-west corner).
fn gauge_points(scene: &Scene) -> Vec<(String, [f64; 2])> {
    let flow = scene.flow().unwrap();
    let lattice = FlowWorld::build(flow).unwrap().terrain.lattice;
    let at = |gauge: &flow::Gauge| scene::resolve_position(gauge.at.unwrap(), &lattice);
    flow.gauges.iter().map(|gauge| (gauge.name.clone(), at(gauge).map(f64::round))).collect()
}

fn count_closed_cells(scene: &Scene) -> usize {
    let flow = scene.flow().unwrap();
    let lattice = FlowWorld::build(flow).unwrap().terrain.lattice;
    flow::obstacle_mask(flow, &lattice).as_slice().iter().filter(|closed| **closed).count()
}

#[test]
fn map_coordinates_are_the_same_as_metres_from_the_corner() {
    let on_map = parse(
        &format!(
            "{ON_MAP}[[gauge]]\nname = 'a'\nat = {{ map = [5015, 735] }}\n\
             [[gauge]]\nname = 'b'\nat = [{{ easting = 5015.0 }}, '50%']\n\
             [[gauge]]\nname = 'c'\nline = {{ map = [[5000, 735], [5080, 735]] }}\n\
             [[gauge]]\nname = 'd'\nline = [{{ map = [5000, 735] }}, [80, 25]]\n\
             [[source]]\nat = {{ map = [5005, 705] }}\nrate = 1\n\
             [[obstacle]]\nrect = {{ min = {{ map = [5000, 760] }}, max = {{ map = [5020, 740] }} }}\n\
             [[obstacle]]\ndisc = {{ center = {{ map = [5075, 705] }}, radius = 1 }}\n\
             [[obstacle]]\npolygon = {{ map = [[5040, 760], [5060, 760], [5060, 750], [5040, 750]] }}\n\
             [[boundary]]\nedge = 'west'\nkind = 'open'\n\
             from = {{ northing = 740 }}\nto = {{ northing = 720 }}\n"
        ),
        &[],
    );
    let on_map = on_map.unwrap();
    let flow = on_map.flow().unwrap();
    let lattice = FlowWorld::build(flow).unwrap().terrain.lattice;
    let at = |position| scene::resolve_position(position, &lattice).map(f64::round);
    let [a, b, c, d] = &flow.gauges[..] else { panic!("four gauges") };
    assert_eq!(at(a.at.unwrap()), [15.0, 25.0]);
    assert_eq!(at(b.at.unwrap()), [15.0, 30.0]);
    for line in [&c.line, &d.line] {
        let points: Vec<_> = line.as_ref().unwrap().iter().map(|point| at(*point)).collect();
        assert_eq!(points, [[0.0, 25.0], [80.0, 25.0]]);
    }
    assert_eq!(at(flow.sources[0].at), [5.0, 55.0]);
    assert_eq!(count_closed_cells(&on_map), 4 + 1 + 2);
    let stretch = &flow.boundaries[0].stretch;
    assert_eq!(
        [stretch.from, stretch.to].map(|end| end.unwrap().resolve(60.0).round()),
        [20.0, 40.0]
    );
    // The position in the world does not depend on the cells of the grid.
    let fine = format!(
        "grid = {{ nx = 16 }}\n{ON_MAP}[[gauge]]\nname = 'a'\nat = {{ map = [5015, 735] }}\n"
    );
    assert_eq!(gauge_points(&parse(&fine, &[]).unwrap()), [("a".to_owned(), [15.0, 25.0])]);
}

const STATIONS: &str = r#"{ "type": "FeatureCollection", "features": [
    { "type": "Feature", "properties": { "name": "Old bridge (A)" },
      "geometry": { "type": "Point", "coordinates": [5015, 735, 2.5] } },
    { "type": "Feature", "properties": { "name": 17 },
      "geometry": { "type": "Point", "coordinates": [5075, 705] } } ] }"#;

#[test]
fn a_gauge_is_repeated_for_every_point_of_a_file() {
    let of = |keys: &str, files: &[(&str, &str)]| {
        gauge_points(&parse(&format!("{ON_MAP}{keys}"), files).unwrap())
    };
    let expected = |names: [&str; 2]| {
        [(names[0].to_owned(), [15.0, 25.0]), (names[1].to_owned(), [75.0, 55.0])]
    };
    let json = [("s.geojson", STATIONS)];
    let found = of("[[gauge]]\nat = { geojson = 's.geojson' }\n", &json);
    assert_eq!(found, expected(["Old_bridge__A_", "17"]));
    let found = of("[[gauge]]\nname = 'q'\nat = { geojson = 's.geojson' }\n", &json);
    assert_eq!(found, expected(["q-1", "q-2"]));
    let csv = [("s.csv", "id;E;N\n# two stations\nx;5015,0;735\ny;5075,0;705\n")];
    let keys = "[[gauge]]\nat = { csv = 's.csv', columns = ['E', 'N'], names = 'id' }\n";
    assert_eq!(of(keys, &csv), expected(["x", "y"]));
    let csv = [("s.csv", "x,y,Name\n5015,735,x\n5075,705,y\n")];
    assert_eq!(of("[[gauge]]\nat = { csv = 's.csv' }\n", &csv), expected(["x", "y"]));
    // Sources have no name.
    let keys = format!(
        "{ON_MAP}[[source]]\nat = {{ geojson = 's.geojson' }}\nrate = {{ csv = 'q.csv' }}\n"
    );
    let scene = parse(&keys, &[json[0], ("q.csv", "0 1\n60 2\n")]).unwrap();
    let sources = &scene.flow().unwrap().sources;
    assert_eq!(sources.len(), 2);
    assert_eq!(sources[0].keys.rate, sources[1].keys.rate);
    // Without a terrain on a map, coordinates are metres from the corner.
    let keys = format!("{OFF_MAP}[[gauge]]\nat = {{ csv = 's.csv' }}\n");
    let scene = parse(&keys, &[("s.csv", "15 25 \n")]);
    assert!(scene.unwrap_err().to_string().contains("gauge[0].at: s.csv: a point has no name"));
    let scene = parse(&keys, &[("s.csv", "x y name\n15 25 a\n75 55 b\n")]).unwrap();
    assert_eq!(
        gauge_points(&scene),
        [("a".to_owned(), [15.0, 25.0]), ("b".to_owned(), [75.0, 55.0])]
    );
}

#[test]
fn gauge_lines_and_obstacle_bands_follow_lines_from_files() {
    let section = r#"{ "type": "Feature", "properties": {},
        "geometry": { "type": "LineString", "coordinates": [[5000, 735], [5080, 735]] } }"#;
    let keys = format!(
        "{ON_MAP}[[gauge]]\nname = 'q'\nline = {{ geojson = 'l.geojson' }}\n\
         [[obstacle]]\nline = {{ points = {{ csv = 'l.csv' }}, width = 10 }}\n"
    );
    let csv = "5000 735\n5080 735\n";
    let scene = parse(&keys, &[("l.geojson", section), ("l.csv", csv)]).unwrap();
    assert_eq!(scene.flow().unwrap().gauges[0].line.as_ref().unwrap().len(), 2);
    assert_eq!(count_closed_cells(&scene), 8);
}

#[test]
fn wrong_map_coordinates_and_files_are_reported_with_their_key() {
    let gauge = |at: &str| format!("{ON_MAP}[[gauge]]\nname = 'a'\nat = {at}\n");
    let many = format!("x y\n{}", "5015 735\n".repeat(1001));
    let files = [
        ("s.geojson", STATIONS),
        ("many.csv", many.as_str()),
        ("odd.csv", "x y\n5015 735\n5015\n"),
        ("text.csv", "name x y\nq 5015 735\n"),
        ("head.csv", "x y\n"),
        ("far.csv", "x y name\n5015 735 a\n9000 735 b\n"),
    ];
    for (keys, expected) in [
        (
            gauge("{ map = [6000, 735] }"),
            "gauge[0].at: found [6000, 735] on the map, in the world [1000, 25], which is off the grid",
        ),
        (
            gauge("{ map = [6000] }"),
            "gauge[0].at.map: found [6000], needs one point [easting, northing]",
        ),
        (gauge("{ map = [[5000, 735]] }"), "needs one point [easting, northing]"),
        (gauge("{ map = [5000, nan] }"), "needs one point [easting, northing]"),
        (gauge("{ map = [5000, 735], z = 1 }"), "gauge[0].at"),
        (gauge("{ easting = 5000 }"), "gauge[0].at"),
        (gauge("[{ easting = 5000, northing = 735 }, 3]"), "gauge[0].at"),
        (gauge("[{ northing = 735 }, { easting = 5015 }]"), "gauge[0].at[0]: found northing"),
        (gauge("{ maps = [5000, 735] }"), "needs [east, south], { map = [EASTING, NORTHING] }"),
        (
            format!(
                "{ON_MAP}[[boundary]]\nedge = 'west'\nkind = 'open'\nfrom = {{ easting = 5015 }}\n"
            ),
            "boundary[0].from: found easting, this edge needs northing",
        ),
        (
            format!("{ON_MAP}[[gauge]]\nat = {{ geojson = 's.geojson' }}\nevry = 3\n"),
            "map.toml:7:1: gauge[0].evry: no such key",
        ),
        (
            format!("{ON_MAP}[[gauge]]\nat = {{ csv = 'far.csv' }}\n"),
            "map.toml:6:1: gauge[0].at: found [9000, 735] on the map, in the world [4000, 25], \
             which is off the grid: the world is 80 × 60 m (point 2 of far.csv)",
        ),
        (gauge("{ geojson = 'none.geojson' }"), "gauge[0].at: none.geojson: cannot be read"),
        (
            gauge("{ csv = 'many.csv' }"),
            "gauge[0].at: many.csv: contains 1001 points, allowed is up to 1000",
        ),
        (gauge("{ csv = 'odd.csv' }"), "gauge[0].at: odd.csv: line 3: found 1 columns, needs 2"),
        (gauge("{ csv = 'text.csv' }"), "line 2: found text, needs a number; set `columns`"),
        (
            gauge("{ csv = 'text.csv', columns = ['x', 'z'] }"),
            "columns: found \"z\", the file has name, x, y",
        ),
        (
            gauge("{ csv = 'text.csv', colums = ['x', 'y'] }"),
            "gauge[0].at.colums: no such key; did you mean `columns`",
        ),
        (gauge("{ csv = 'head.csv' }"), "gauge[0].at: head.csv: has no points"),
        (
            format!(
                "{ON_MAP}[[obstacle]]\ndisc = {{ center = {{ geojson = 's.geojson' }}, radius = 5 }}\n"
            ),
            "obstacle[0].disc.center: s.geojson: contains 2 points, needs one",
        ),
        (
            format!("{ON_MAP}[[obstacle]]\npolygon = {{ geojson = 's.geojson' }}\n"),
            "found a Point, needs a Polygon",
        ),
        (
            format!("{ON_MAP}[[obstacle]]\npolygon = {{ map = [5000, 735] }}\n"),
            "needs corners [easting, northing]",
        ),
        (
            format!("{OFF_MAP}[[gauge]]\nname = 'a'\nat = {{ map = [50, 35] }}\n"),
            "gauge[0].at: found map coordinates, but the terrain has no position on a map",
        ),
    ] {
        let found = parse_error(&keys, &files);
        assert!(found.contains(expected), "{keys}\n{found}\n{expected}");
    }
}
