//! Tests that the JSON Schema accepts every scene of the library and rejects invalid keys and
//! values.

use headwater_scene::{library, schema};
use jsonschema::Validator;
use serde_json::{Value, json};

fn validator() -> Validator {
    jsonschema::validator_for(&schema::schema()).unwrap()
}

fn scene(name: &str) -> Value {
    let text = library::find_scene(name).unwrap().text;
    serde_json::to_value(text.parse::<toml::Table>().unwrap()).unwrap()
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
