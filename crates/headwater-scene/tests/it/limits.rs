//! Tests of the limits on what a scene may use, and of confined reading.

use headwater_scene::run::build_simulation;
use headwater_scene::scene::{Files, Limits, Reader};

fn reader(memory: u64) -> Reader {
    let limits = Limits { memory_bytes: memory, ..Limits::default() };
    Reader::default().with_files(&Files::memory_only()).with_limits(limits)
}

/// Returns the message of the error that occurs when a scene is read or its world is built; an
/// empty string if there is none.
fn error_message(reader: &Reader, text: &str) -> String {
    let built = reader.parse("a.toml", text, &[]).and_then(|scene| build_simulation(&scene));
    built.err().map(|error| error.to_string()).unwrap_or_default()
}

#[test]
fn worlds_of_all_models_are_limited_in_memory() {
    for (model, keys) in [
        ("flow", "grid = { nx = 100, ny = 50, cell = 1 }\nterrain.plane = {}"),
        ("waves", "grid = { nx = 100, ny = 50, cell = 1 }"),
        ("hydrology", "grid = { nx = 100, ny = 50, cell = 10 }\nterrain.plane = {}"),
        ("blocks", "world = { nx = 100, ny = 50, caves = {} }"),
        ("columns", "world = { nx = 100, ny = 50 }"),
    ] {
        let text = format!("model = '{model}'\ntime.until = 1\n{keys}\n");
        assert_eq!(error_message(&reader(4 << 30), &text), "");
        let message = error_message(&reader(100_000), &text);
        assert!(
            message.contains("found 100 × 50 cells: the scene needs about"),
            "{model}: {message}"
        );
        assert!(message.contains("allowed are 0.1 MiB"), "{model}: {message}");
    }
    let gusts = "model = 'waves'\ntime.until = 1\ngrid = { nx = 500, ny = 500, cell = 1 }\n\
                 wind = { gusts = 10000, head = 0.01, radius = 1e6, velocity = [1, 1] }\n";
    let message = error_message(&reader(4 << 30), gusts);
    assert!(message.contains("wind.gusts: the scene needs about 37.3 GiB"), "{message}");
    let many = "model = 'flow'\ntime.until = 1\ngrid = { nx = 9000, ny = 9000, cell = 1 }\n\
                terrain.plane = {}\n";
    let message = error_message(&reader(4 << 30), many);
    assert!(message.contains("allowed are 67108864 in all"), "{message}");
}

#[test]
fn subgrid_terrain_and_rain_rasters_count_toward_the_memory_limit() {
    let text = "model = 'flow'\ntime.until = 1\ngrid = { nx = 100, ny = 50, cell = 1 }\n\
                physics.level = 'inertial'\nterrain = { plane = {}";
    assert_eq!(error_message(&reader(1 << 20), &format!("{text} }}")), "");
    let message = error_message(&reader(1 << 20), &format!("{text}, subgrid = 8 }}"));
    assert!(message.contains("needs about 4 MiB"), "{message}");

    let cells = "1 ".repeat(100 * 100);
    let map = format!("ncols 100\nnrows 100\nxllcorner 0\nyllcorner 0\ncellsize 1\n{cells}");
    let files = (0..21)
        .fold(Files::memory_only(), |files, i| files.with_file(format!("{i}.asc"), map.as_bytes()));
    let reader = reader(1 << 20).with_files(&files);
    let rain = |file: &dyn Fn(usize) -> usize| {
        let rasters = (0..30)
            .map(|i| format!("{{ time = {i}, file = '{}.asc' }}", file(i)))
            .collect::<Vec<_>>();
        format!("{text} }}\nrain = {{ rate = 1, raster = [{}] }}\n", rasters.join(", "))
    };
    assert_eq!(error_message(&reader, &rain(&|i| i % 20)), "");
    let message = error_message(&reader, &rain(&|i| i % 21));
    assert!(message.contains("rain.raster[20].file: the scene needs"), "{message}");
}

#[test]
fn a_repeated_polygon_file_is_read_once_and_its_corners_are_limited() {
    let corners: Vec<String> = (0..100).map(|i| format!("[{i}, {}]", i * i % 37)).collect();
    let json = format!(r#"{{ "type": "Polygon", "coordinates": [[{}]] }}"#, corners.join(", "));
    let size = json.len() as u64;
    let files = Files::memory_only().with_file("a.json", json);
    let limits = Limits { file_bytes: size, points: 1000, ..Limits::default() };
    let reader = Reader::default().with_files(&files).with_limits(limits);
    let text = |references: usize| {
        let obstacle = "[[obstacle]]\npolygon = { geojson = 'a.json' }\n".repeat(references);
        format!("model = 'flow'\ntime.until = 1\nterrain.plane = {{}}\n{obstacle}")
    };
    assert_eq!(error_message(&reader, &text(10)), "");
    let message = error_message(&reader, &text(200));
    let expected = "obstacle[10].polygon: a.json: the series and polygons";
    assert!(message.contains(expected) && message.len() < 300, "{message}");
    let small = reader.with_limits(Limits { file_bytes: size - 1, ..limits });
    let message = error_message(&small, &text(1));
    assert!(message.contains("the CSV and GeoJSON files of the scene are larger"), "{message}");
}

#[test]
fn sources_with_too_many_values_are_refused() {
    let start = "model = 'flow'\ntime.until = 1\n";
    for (many, what) in [
        (format!("a = [{}]", "1,".repeat(2_000_001)), "2000000 lines, keys and list entries"),
        ("\n".repeat(2_000_001), "2000000 lines"),
        (format!("[[{}a]]\n", "a.".repeat(70)).repeat(3000), "210000 tables"),
        ("[[a]]\n".repeat(210_001), "210000 tables"),
        (format!("a = [{}]", "{},".repeat(210_001)), "210000 tables"),
    ] {
        let message = error_message(&reader(4 << 30), &format!("{start}{many}"));
        assert!(message.contains(&format!("has more than {what}")), "{message}");
    }
}

#[test]
#[cfg(unix)]
fn confined_scenes_read_only_their_folder() {
    let outer = tempfile::tempdir().unwrap();
    let folder = outer.path().join("scenes");
    std::fs::create_dir(&folder).unwrap();
    let dem = "ncols 2\nnrows 2\nxllcorner 0\nyllcorner 0\ncellsize 500\n1 2\n3 4\n";
    let json = r#"{ "type": "Polygon", "coordinates": [[[0, 0], [600, 0], [0, 600]]] }"#;
    for (name, text) in [("a.asc", dem), ("a.csv", "0,1\n9,2\n"), ("a.json", json)] {
        std::fs::write(outer.path().join(name), text).unwrap();
        std::fs::write(folder.join(name), text).unwrap();
        std::os::unix::fs::symlink(format!("../{name}"), folder.join("link-".to_owned() + name))
            .unwrap();
    }
    let free = Reader::default().in_directory(Some(&folder));
    let confined = free.clone().confined();
    let scene = |[raster, series, polygon]: [&str; 3]| {
        format!(
            "model = 'flow'\ntime.until = 1\nterrain.file = '{raster}.asc'\n\
             rain = {{ rate = {{ csv = '{series}.csv' }} }}\n\
             [[obstacle]]\npolygon = {{ geojson = '{polygon}.json' }}\n"
        )
    };
    assert_eq!(error_message(&confined, &scene(["a", "../scenes/a", "./a"])), "");
    let absolute = outer.path().join("a").display().to_string();
    for outside in ["../a", "link-a", &absolute] {
        for i in 0..3 {
            let mut names = ["a"; 3];
            names[i] = outside;
            assert_eq!(error_message(&free, &scene(names)), "");
            let message = error_message(&confined, &scene(names));
            assert!(message.contains("is outside the folder of the scene"), "{message}");
        }
    }
}

#[test]
fn cells_of_objects_and_readings_of_gauges_count_as_memory() {
    let flow = "model = 'flow'\ntime.until = 1000\nterrain.plane = {}\nwater.depth = 1\n\
                grid = { nx = 100, ny = 100, cell = 1 }\n";
    let source = "[[source]]\nat = ['50%', '50%']\nradius = 50\nrate = 1\n";
    let body = "[[body]]\nat = ['50%', '50%']\nradius = 30\nheight = 1\ndensity = 500\n";
    let gauge = "[[gauge]]\nname = 'NAME'\nat = ['50%', '50%']\nevery = 0.1\n";
    let blocks = "model = 'blocks'\ntime.until = 1\nworld = { nx = 100, ny = 100, caves = {} }\n";
    let spring = "[[source]]\nrate = 1\neverywhere = true\n";
    for (scene, object, count) in
        [(flow, source, 10), (flow, body, 9), (flow, gauge, 4), (blocks, spring, 10)]
    {
        let check = |count: usize| {
            let objects: String =
                (0..count).map(|i| object.replace("NAME", &format!("n{i}"))).collect();
            error_message(&reader(3 << 20), &format!("{scene}{objects}"))
        };
        assert_eq!(check(1), "");
        let message = check(count);
        assert!(message.contains("needs about 3.") || message.contains("about 4."), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
    }
}

#[test]
fn many_small_polygons_are_accepted_and_large_json_is_refused() {
    let scene = "model = 'flow'\ntime.until = 1\nterrain.plane = {}\n\
                 grid = { nx = 10, ny = 10, cell = 1 }\nobstacle = [{ polygon = { geojson = 'a.json' } }]";
    let check = |feature: &str, count: usize| {
        let features = vec![feature; count].join(",");
        let text = format!("{{\"type\":\"FeatureCollection\",\"features\":[{features}]}}");
        let files = Files::memory_only().with_file("a.json", text.as_bytes());
        error_message(&Reader::default().with_files(&files), scene)
    };
    let building = r#"{"type":"Feature","properties":{"a":1},"geometry":{"type":"Polygon","coordinates":[[[1,1],[9,1],[9,9],[1,9],[1,1]]]}}"#;
    assert_eq!(check(building, 100_000), "");
    let message = check(r#"{"a":{}}"#, 400_000);
    assert!(message.contains("a.json: its values need about 549"), "{message}");
}
