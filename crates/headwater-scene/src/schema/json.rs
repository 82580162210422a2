//! [`schema`]: the JSON Schema of scene files.

use crate::registry::MODELS;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

/// Returns the JSON Schema (draft 2020-12) of the scene files of all models.
///
/// The schema contains the keys with their types, and the ranges that do not depend on other
/// values. The command `headwater check` checks all other rules.
pub fn schema() -> Value {
    let settings = SchemaSettings::draft2020_12();
    let mut generator = settings.for_deserialize().into_generator();
    let mut scenes = Vec::new();
    for model in MODELS {
        let mut scene = (model.schema)(&mut generator).to_value();
        scene["title"] = json!(format!("{}: {}", model.title, model.about));
        scene["properties"]["model"] =
            json!({ "const": model.name, "description": "The model that runs the scene." });
        let mut required = vec![json!("model")];
        required.extend(scene["required"].as_array().into_iter().flatten().cloned());
        scene["required"] = required.into();
        scenes.push(json!({
            "if": { "properties": { "model": { "const": model.name } } },
            "then": scene,
        }));
    }
    let mut definitions = generator.take_definitions(true);
    scenes.iter_mut().chain(definitions.values_mut()).for_each(|schema| {
        strip_links(schema);
        allow_position_tables(schema);
    });
    definitions.insert(POSITION_TABLE.into(), position_table_schema());
    let names: Vec<&str> = MODELS.iter().map(|model| model.name).collect();
    sort_keys(json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Headwater scene",
        "type": "object",
        "required": ["model"],
        "properties": { "model": { "enum": names, "description": "The model that runs the scene." } },
        "allOf": scenes,
        "$defs": definitions,
    }))
}

/// Name of the schema definition for tables that can replace positions.
const POSITION_TABLE: &str = "PositionTable";

/// Returns the schema of a table that can replace a position or a list of positions. The table
/// contains map coordinates or the name of a file.
fn position_table_schema() -> Value {
    let column = json!({ "type": ["string", "integer"] });
    json!({
        "description": "Position or list of positions in map coordinates or from a file.",
        "type": "object",
        "properties": {
            "map": {
                "description": "Point `[easting, northing]`, or a list of points.",
                "type": "array",
            },
            "geojson": { "description": "Name of a GeoJSON file.", "type": "string" },
            "csv": { "description": "Name of a CSV file.", "type": "string" },
            "columns": {
                "description": "Columns of the coordinates, by name or by number from 1. Default [1, 2].",
                "type": "array",
                "items": column,
                "minItems": 2,
                "maxItems": 2,
            },
            "names": {
                "description": "Column of the names of points. Default: the column `name`, if there is one.",
                "type": ["string", "integer"],
            },
        },
        "additionalProperties": false,
    })
}

/// Returns whether `schema` is that of a position: a pair of numbers or percentages.
fn is_position(schema: &Value) -> bool {
    let is_coordinate = |one: &Value| one["pattern"].is_string();
    schema["maxItems"] == 2
        && schema["items"]["anyOf"].as_array().is_some_and(|forms| forms.iter().any(is_coordinate))
}

/// Changes a schema so that each position and each list of positions can also be given as a table;
/// see [`position_table_schema`].
pub(super) fn allow_position_tables(schema: &mut Value) {
    let is_list = schema["type"] == "array" && is_position(&schema["items"]);
    if is_position(schema) || is_list {
        let mut form = schema.take();
        let mut keys = serde_json::Map::new();
        for key in ["description", "default"] {
            let value = form.as_object_mut().and_then(|form| form.remove(key));
            keys.extend(value.map(|value| (key.to_owned(), value)));
        }
        if is_list {
            allow_position_tables(&mut form["items"]);
        }
        let table = json!({ "$ref": format!("#/$defs/{POSITION_TABLE}") });
        keys.insert("anyOf".into(), json!([form, table]));
        *schema = keys.into();
        return;
    }
    match schema {
        Value::Object(keys) => keys.values_mut().for_each(allow_position_tables),
        Value::Array(all) => all.iter_mut().for_each(allow_position_tables),
        _ => {}
    }
}

/// Returns whether [`allow_position_tables`] has changed `schema`, so that it accepts a table in
/// place of a position or a list of positions.
pub(super) fn allows_position_table(schema: &Value) -> bool {
    let is_table =
        |form: &Value| form["$ref"].as_str().is_some_and(|path| path.ends_with(POSITION_TABLE));
    schema["anyOf"].as_array().is_some_and(|forms| forms.iter().any(is_table))
}

/// Sorts the keys of all JSON objects by name, because their original order depends on the features
/// of the build.
pub(super) fn sort_keys(value: Value) -> Value {
    match value {
        Value::Object(keys) => {
            let mut keys: Vec<_> = keys.into_iter().collect();
            keys.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
            keys.into_iter().map(|(key, value)| (key, sort_keys(value))).collect()
        }
        Value::Array(all) => all.into_iter().map(sort_keys).collect(),
        other => other,
    }
}

/// Removes Rust documentation links from all descriptions in a JSON Schema.
fn strip_links(schema: &mut Value) {
    match schema {
        Value::Object(keys) => {
            if let Some(Value::String(text)) = keys.get_mut("description") {
                *text = strip_text_links(text);
            }
            keys.values_mut().for_each(strip_links);
        }
        Value::Array(all) => all.iter_mut().for_each(strip_links),
        _ => {}
    }
}

/// Replaces each intra-doc link in a description, such as ``[`word`](target)``, with the text of
/// the link.
fn strip_text_links(text: &str) -> String {
    let mut parts = text.split("[`");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let Some((word, rest)) = part.split_once("`]") else {
            plain = plain + "[`" + part;
            continue;
        };
        let rest = match rest.strip_prefix('(').and_then(|rest| rest.split_once(')')) {
            Some((_, rest)) => rest,
            None => rest,
        };
        plain = plain + "`" + word + "`" + rest;
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_replaced_by_their_text() {
        assert_eq!(
            strip_text_links("a [`B`](crate::b) and [`C`], [d](e)"),
            "a `B` and `C`, [d](e)"
        );
    }

    #[test]
    fn the_schema_contains_all_tables_and_parameter_ranges() {
        let schema = schema();
        let flow = &schema["allOf"][0]["then"];
        assert_eq!(flow["properties"]["model"]["const"], "flow");
        let gravity = &flow["properties"]["physics"]["properties"]["gravity"];
        assert_eq!(gravity["maximum"], 1000.0, "{gravity}");
        assert_eq!(flow["additionalProperties"], false);
        let events = &flow["properties"]["event"]["items"]["oneOf"];
        let raise = events
            .as_array()
            .and_then(|all| all.iter().find(|one| one["properties"]["do"]["const"] == "raise"));
        let raise = raise.expect("an event that raises the ground");
        for key in ["time", "disc", "amount", "level", "falloff"] {
            assert!(!raise["properties"][key].is_null(), "{key} in {raise}");
        }
    }
}
