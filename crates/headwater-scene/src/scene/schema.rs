//! JSON Schema of scenes, for editors that complete and check them: what the derived schemas cannot know.
//!
//! The structs of a scene's tables derive theirs, so that their docs are what an editor shows. The tables that are parameters of a
//! model take theirs from the model's own table of them.

use super::beside::Beside;
use super::event::{Alone, Event, On};
use super::keys::Keys;
use super::output::Times;
use super::place::{Area, Coordinate, Extent};
use headwater::parameter::{Kind, Parameter, Parameters, Range, Value as Stored};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

/// The schema of a type, written wherever the type is used.
macro_rules! schema_of {
    ([$($of:tt)*] $type:ty, |$generator:ident| $schema:expr) => {
        impl<$($of)*> schemars::JsonSchema for $type {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }

            fn inline_schema() -> bool {
                true
            }

            fn json_schema($generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                $schema
            }
        }
    };
}

pub(crate) use schema_of;

schema_of!([P: Parameters] Keys<P>, |_generator| keys::<P>());
schema_of!([P: Parameters, O: JsonSchema] Beside<P, O>, |generator| {
    with_keys(O::json_schema(generator), &keys::<P>(), generator)
});
schema_of!([A: JsonSchema, G: JsonSchema] Event<A, G>, |generator| {
    let times = Times::json_schema(generator);
    let actions = with_gauges(A::json_schema(generator), &generator.subschema_for::<G>());
    with_keys(actions, &times, generator)
});
schema_of!([T: JsonSchema] On<T>, |generator| {
    let area = Area::json_schema(generator);
    with_keys(T::json_schema(generator), &area, generator)
});
schema_of!([T: JsonSchema] Alone<T>, |generator| T::json_schema(generator));
schema_of!([] Extent, |generator| Area::json_schema(generator));
schema_of!([] Coordinate, |_generator| json_schema!({
    "description": "Metres from the corner, or percent of the world's size such as \"50%\".",
    "anyOf": [
        { "type": "number" },
        { "type": "string", "pattern": "%\\s*$" },
    ],
}));

/// A number that may change in time.
pub(crate) fn series(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "anyOf": [
        { "type": "number" },
        {
            "description": "[seconds, value]: linear in between.",
            "type": "array",
            "minItems": 1,
            "items": { "type": "array", "items": { "type": "number" }, "minItems": 2, "maxItems": 2 },
        },
        recorded(),
    ] })
}

/// A series in a file.
pub(crate) fn recorded() -> Value {
    json!({
        "description": "A CSV file of times and values, linear in between.",
        "type": "object",
        "properties": {
            "csv": { "type": "string", "description": "The file, relative to the scene file; in `--set`, to the current directory." },
            "times": {
                "description": "What the file counts times in. Default \"s\".",
                "enum": ["s", "min", "h", "d", "date"],
            },
            "start": {
                "description": "The time in the file, as it counts, at which the run begins. Default 0, of dates the first.",
            },
            "columns": {
                "description": "The columns of times and of values, by their names or by their numbers from 1. Default [1, 2].",
                "type": "array",
                "items": { "type": ["string", "integer"], "minimum": 1 },
                "minItems": 2,
                "maxItems": 2,
            },
            "scale": { "type": "number", "description": "What values are multiplied with to have the key's unit. Default 1." },
            "offset": { "type": "number", "description": "What is then added. Default 0." },
        },
        "required": ["csv"],
        "additionalProperties": false,
    })
}

/// One of a few words.
pub(crate) fn choice(words: &[&str]) -> Schema {
    json_schema!({ "type": "string", "enum": words })
}

/// The schema of a table of parameters. Of those that are needed, defaults say nothing.
fn keys<P: Parameters>() -> Schema {
    let defaults = P::defaults();
    let properties = P::TABLE.iter().map(|one| {
        let mut schema = parameter(one, &defaults);
        if let (true, Some(schema)) = (P::REQUIRED.contains(&one.key), schema.as_object_mut()) {
            schema.remove("default");
        }
        (one.key.to_owned(), schema)
    });
    let properties: Map<String, Value> = properties.collect();
    let mut schema =
        json_schema!({ "type": "object", "properties": properties, "additionalProperties": false });
    if !P::REQUIRED.is_empty() {
        schema.insert("required".into(), json!(P::REQUIRED));
    }
    schema
}

/// The same where none is needed: what such a table does not say, another does.
pub(crate) fn keys_of_some<P: Parameters>(_: &mut SchemaGenerator) -> Schema {
    let mut schema = keys::<P>();
    schema.remove("required");
    schema
}

/// The schema of one parameter. Bounds that follow from other values are left to the scene's check.
fn parameter<P: Parameters>(one: &Parameter<P>, defaults: &P) -> Value {
    let (range, default) = ((one.allowed)(defaults), (one.get)(defaults));
    described(one.kind, one.doc, one.unit, &range, &default)
}

/// The schema of a parameter's key.
fn described(kind: Kind, doc: &str, unit: &str, range: &Range, default: &Stored) -> Value {
    let unit = if matches!(unit, "" | "1") { String::new() } else { format!(" ({unit})") };
    let mut schema = match kind {
        Kind::Number | Kind::OptionalNumber => number("number", range),
        Kind::Integer => number("integer", range),
        Kind::Bool => json!({ "type": "boolean" }),
        Kind::Choice(words) => choice(words).to_value(),
        Kind::Pair => {
            let items = number("number", range);
            json!({ "type": "array", "items": items, "minItems": 2, "maxItems": 2 })
        }
        Kind::Series | Kind::OptionalSeries => series(&mut SchemaGenerator::default()).to_value(),
    };
    let default = match default {
        Stored::None => None,
        Stored::Number(v) if matches!(kind, Kind::Integer) => Some(json!(*v as i64)),
        Stored::Number(v) => Some(json!(v)),
        Stored::Bool(on) => Some(json!(on)),
        Stored::Choice(word) => Some(json!(word)),
        Stored::Pair(pair) => Some(json!(pair)),
        series @ Stored::Series(_) => series.as_number().map(|v| json!(v)),
    };
    schema["description"] = json!(format!("{}{unit}", doc.trim()));
    if let Some(default) = default {
        schema["default"] = default;
    }
    schema
}

/// A number in a range, as far as the range does not follow from another value.
fn number(of: &str, range: &Range) -> Value {
    let mut schema = json!({ "type": of });
    if range.depends_on.is_empty() {
        if range.low > f64::MIN {
            schema[if range.open { "exclusiveMinimum" } else { "minimum" }] = json!(range.low);
        }
        if range.high < f64::MAX {
            schema["maximum"] = json!(range.high);
        }
    }
    schema
}

/// The schema of a model's actions with what every model's events can do to gauges.
fn with_gauges(actions: Schema, gauge: &Schema) -> Schema {
    let name = json!({ "type": "string", "description": "The name of the gauge that goes." });
    let edits = [
        (
            "add",
            "A gauge is added, under a name that no other has. It measures at once, and then after the step that comes to its time: \
             its measurements make no stops. The event makes one, unless it is `in_passing`.",
            gauge.as_value(),
        ),
        (
            "change",
            "The gauge of that name becomes this one, and measures as one that is added. What it has measured stays if it goes on with \
             the same columns, and goes if it does not. The stops of a gauge of `[[gauge]]` stay.",
            gauge.as_value(),
        ),
        (
            "remove",
            "A gauge goes, and what it has measured with it. The stops of a gauge of `[[gauge]]` stay.",
            &name,
        ),
    ];
    let form = |(word, about, gauge): (&str, &str, &Value)| {
        json!({
            "description": about,
            "type": "object",
            "properties": { "do": { "type": "string", "const": word }, "gauge": gauge },
            "required": ["do", "gauge"],
        })
    };
    let mut actions = actions.to_value();
    if let Some(forms) = actions["oneOf"].as_array_mut() {
        forms.extend(edits.into_iter().map(form));
    }
    Schema::try_from(actions).unwrap_or_default()
}

/// A table's schema with the keys of another table beside its own, in each of its forms.
pub(crate) fn with_keys(schema: Schema, more: &Schema, generator: &SchemaGenerator) -> Schema {
    let mut schema = schema.to_value();
    add_keys(&mut schema, more.as_value(), generator);
    Schema::try_from(schema).unwrap_or_default()
}

fn add_keys(schema: &mut Value, more: &Value, generator: &SchemaGenerator) {
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        *schema = generator.definitions().get(name).cloned().unwrap_or_default();
    }
    for forms in ["oneOf", "anyOf"] {
        if let Some(forms) = schema.get_mut(forms).and_then(Value::as_array_mut) {
            forms.iter_mut().for_each(|form| add_keys(form, more, generator));
            return;
        }
    }
    let Some(table) = schema.as_object_mut() else { return };
    for (key, value) in more["properties"].as_object().into_iter().flatten() {
        let properties = table.entry("properties").or_insert_with(|| json!({}));
        properties[key] = value.clone();
    }
    let required = more["required"].as_array().into_iter().flatten();
    let all = table.entry("required").or_insert_with(|| json!([]));
    if let Some(all) = all.as_array_mut() {
        all.extend(required.cloned());
    }
    table.insert("additionalProperties".into(), json!(false));
}
