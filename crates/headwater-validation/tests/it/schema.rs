//! Tests that the JSON Schema accepts every scene of the library and rejects invalid keys and
//! values, and that the generated files in the repository are up to date.

use headwater_scene::{library, schema};
use jsonschema::Validator;
use serde::Serialize as _;
use serde_json::ser::{PrettyFormatter, Serializer};
use serde_json::{Value, json};
use std::path::Path;

fn validator() -> Validator {
    jsonschema::validator_for(&schema::schema()).unwrap()
}

fn scene(name: &str) -> Value {
    let text = library::find_scene(name).unwrap().text;
    serde_json::to_value(text.parse::<toml::Table>().unwrap()).unwrap()
}

/// Checks that a generated file has the contents `text`. Writes the file instead if the environment
/// variable `HEADWATER_WRITE_SCHEMA` is set.
fn assert_file_is_up_to_date(path: &str, text: &str) {
    let file = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(path);
    if std::env::var_os("HEADWATER_WRITE_SCHEMA").is_some() {
        std::fs::write(file, text).unwrap();
    } else {
        assert!(
            std::fs::read_to_string(file).unwrap() == text,
            "update {path}: HEADWATER_WRITE_SCHEMA=1 cargo test -p headwater-validation schema"
        );
    }
}

#[test]
fn the_schema_of_the_program_is_up_to_date() {
    let mut text = Vec::new();
    let formatter = PrettyFormatter::with_indent(b" ");
    schema::schema().serialize(&mut Serializer::with_formatter(&mut text, formatter)).unwrap();
    text.push(b'\n');
    assert_file_is_up_to_date(
        "crates/headwater-cli/scene.schema.json",
        std::str::from_utf8(&text).unwrap(),
    );
}

#[test]
fn the_reference_is_up_to_date() {
    assert_file_is_up_to_date("docs/reference.md", &schema::reference());
}

#[test]
fn every_scene_of_the_library_is_valid() {
    let validator = validator();
    for known in library::SCENES {
        let problems: Vec<_> = validator
            .iter_errors(&scene(known.name))
            .map(|e| format!("{}: {e:.200}", e.instance_path()))
            .collect();
        assert!(problems.is_empty(), "{}: {problems:#?}", known.name);
    }
}

#[test]
fn invalid_keys_and_values_are_refused() {
    let validator = validator();
    let good = scene("dam-breach");
    let edits: [(&str, Value); 6] = [
        ("/model", json!("floww")),
        ("/grid/cells", json!(3)),
        ("/time/until", json!("long")),
        ("/physics/gravity", json!(1e9)),
        ("/physics/level", json!("treacle")),
        ("/output/layers", json!(["lava"])),
    ];
    for (at, value) in edits {
        let mut bad = good.clone();
        let (table, key) = at.rsplit_once('/').unwrap();
        if let Some(tables) = bad.as_object_mut() {
            tables.entry("output").or_insert_with(|| json!({}));
            tables.entry("physics").or_insert_with(|| json!({}));
        }
        bad.pointer_mut(table).unwrap()[key] = value;
        assert!(!validator.is_valid(&bad), "{at} = {}", bad.pointer(at).unwrap());
    }
    let mut bad = good;
    bad["event"] = json!([{ "time": 1, "do": "add", "source": { "at": [9, 9], "rate": 1 } }]);
    assert!(validator.is_valid(&bad), "a spring that is added");
    bad["event"] = json!([{ "time": 3, "do": "raise", "everywhere": true, "amout": 1 }]);
    assert!(!validator.is_valid(&bad), "a misspelt key of an event");
    bad["event"] = json!([{ "time": 3, "do": "raise", "everywhere": true, "amount": 1 }]);
    assert!(validator.is_valid(&bad), "an event that raises the ground");
}

#[test]
fn layer_names_depend_on_the_model() {
    let validator = validator();
    for (name, layer, other) in [("pond", "caustics", "bed"), ("u-tube", "pressure", "depth")] {
        let mut scene = scene(name);
        for (layer, is_one) in [(layer, true), (other, false)] {
            scene["output"]["layers"] = json!([layer]);
            assert_eq!(validator.is_valid(&scene), is_one, "{name}: {layer}");
        }
    }
}
