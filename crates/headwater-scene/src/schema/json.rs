//! The JSON Schema of scene files.

use crate::registry::MODELS;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

/// The JSON Schema (draft 2020-12) of a scene file of any model of this crate.
///
/// It says what keys there are, of which types, and the ranges that do not depend on other values; `headwater check` says the rest.
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
    scenes.iter_mut().chain(definitions.values_mut()).for_each(without_links);
    let names: Vec<&str> = MODELS.iter().map(|model| model.name).collect();
    by_name(json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Headwater scene",
        "type": "object",
        "required": ["model"],
        "properties": { "model": { "enum": names, "description": "The model that runs the scene." } },
        "allOf": scenes,
        "$defs": definitions,
    }))
}

/// With all keys in the order of their names: in which they come depends on what else a program is built with.
pub(super) fn by_name(value: Value) -> Value {
    match value {
        Value::Object(keys) => {
            let mut keys: Vec<_> = keys.into_iter().collect();
            keys.sort_unstable_by(|(a, _), (b, _)| a.cmp(b));
            keys.into_iter().map(|(key, value)| (key, by_name(value))).collect()
        }
        Value::Array(all) => all.into_iter().map(by_name).collect(),
        other => other,
    }
}

/// Takes Rust's links out of all descriptions.
fn without_links(schema: &mut Value) {
    match schema {
        Value::Object(keys) => {
            if let Some(Value::String(text)) = keys.get_mut("description") {
                *text = plain(text);
            }
            keys.values_mut().for_each(without_links);
        }
        Value::Array(all) => all.iter_mut().for_each(without_links),
        _ => {}
    }
}

/// A text with `word` for [`word`] and for [`word`](where).
fn plain(text: &str) -> String {
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
    fn links_become_words() {
        assert_eq!(plain("a [`B`](crate::b) and [`C`], [d](e)"), "a `B` and `C`, [d](e)");
    }

    #[test]
    fn the_schema_knows_every_table_and_the_ranges_of_parameters() {
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
