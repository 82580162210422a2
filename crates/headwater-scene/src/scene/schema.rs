//! JSON Schema of scenes. Editors use it to complete and check scenes. This module contains the
//! parts of the schema that cannot be derived.
//!
//! Most tables of scenes derive their schema from structs, so that editors show the doc comments.
//! The schema of a table of model parameters is created from the model's list of parameters.

use super::event::{AreaAction, Event, NonAreaAction};
use super::extended_keys::ExtendedKeys;
use super::has_schema::schema_of;
use super::keys::Keys;
use super::layer::LayerName;
use super::output::Times;
use super::place::polygon::Polygons;
use super::place::{Area, Coordinate, Extent};
use super::scene_model::SceneModel;
use headwater::Layer;
use headwater::parameter::{Kind, Parameter, Parameters, Range, Value as Stored};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};
use std::borrow::Cow;

schema_of!([P: Parameters] Keys<P>, |_generator| keys_schema::<P>());
schema_of!([P: Parameters, O: JsonSchema] ExtendedKeys<P, O>, |generator| {
    add_table_keys(O::json_schema(generator), &keys_schema::<P>(), generator)
});
schema_of!([A: JsonSchema, G: JsonSchema] Event<A, G>, |generator| {
    let times = Times::json_schema(generator);
    let actions = add_gauge_edits(A::json_schema(generator), &generator.subschema_for::<G>());
    add_table_keys(actions, &times, generator)
});
schema_of!([T: JsonSchema] AreaAction<T>, |generator| {
    let area = Area::json_schema(generator);
    add_table_keys(T::json_schema(generator), &area, generator)
});
schema_of!([T: JsonSchema] NonAreaAction<T>, |generator| T::json_schema(generator));
schema_of!([] Extent, |generator| Area::json_schema(generator));
schema_of!([] Coordinate, |_generator| json_schema!({
    "description": "Metres from the corner, percent of the world's size such as \"50%\", or a map coordinate.",
    "anyOf": [
        { "type": "number" },
        { "type": "string", "pattern": "%\\s*$" },
        {
            "type": "object",
            "properties": { "easting": { "type": "number" }, "northing": { "type": "number" } },
            "minProperties": 1,
            "maxProperties": 1,
            "additionalProperties": false,
        },
    ],
}));

impl<M: SceneModel> JsonSchema for LayerName<M> {
    fn schema_name() -> Cow<'static, str> {
        // The schema's name contains the model, because each model has its own layers.
        let of = std::any::type_name::<M>().rsplit("::").next().unwrap_or_default();
        format!("LayerNameOf{of}").into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let one =
            |layer: &Layer| json_schema!({ "const": layer.name, "description": layer.meaning });
        json_schema!({ "oneOf": M::LAYERS.iter().map(one).collect::<Vec<_>>() })
    }
}

impl JsonSchema for Polygons {
    fn schema_name() -> Cow<'static, str> {
        "Polygons".into()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let corner = json_schema!({
            "type": "array",
            "items": { "type": ["number", "string", "object"] },
            "minItems": 2,
            "maxItems": 2,
        });
        let list = |of: &Schema| json_schema!({ "type": "array", "items": of, "minItems": 1 });
        let outline = list(&corner);
        let with_holes = list(&outline);
        let many = list(&with_holes);
        json_schema!({
            "anyOf": [
                outline,
                with_holes,
                many,
                {
                    "type": "object",
                    "properties": {
                        "geojson": { "type": "string" },
                        "map": { "type": "array", "minItems": 1 },
                    },
                    "minProperties": 1,
                    "maxProperties": 1,
                    "additionalProperties": false,
                },
            ],
        })
    }
}

/// Returns the schema of a number that may vary in time. Such a number is written as a single
/// number, a list of points, or a reference to a CSV file.
pub(crate) fn series_schema(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "anyOf": [
        { "type": "number" },
        {
            "description": "List of [seconds, value], interpolated linearly.",
            "type": "array",
            "minItems": 1,
            "items": { "type": "array", "items": { "type": "number" }, "minItems": 2, "maxItems": 2 },
        },
        csv_series_schema(),
    ] })
}

/// Returns the schema of a table that refers to a CSV file.
pub(crate) fn csv_series_schema() -> Value {
    json!({
        "description": "CSV file of times and values, interpolated linearly.",
        "type": "object",
        "properties": {
            "csv": { "type": "string", "description": "File name, relative to the scene file; in `--set`, to the current directory." },
            "times": {
                "description": "Unit of times in the file. Default \"s\".",
                "enum": ["s", "min", "h", "d", "date"],
            },
            "start": {
                "description": "Time in the file, in its unit, at which the run starts. Default: 0, or the first date.",
            },
            "columns": {
                "description": "Columns of times and values, by name or by number from 1. Default [1, 2].",
                "type": "array",
                "items": { "type": ["string", "integer"], "minimum": 1 },
                "minItems": 2,
                "maxItems": 2,
            },
            "scale": { "type": "number", "description": "Factor that converts values to the unit of the key. Default 1." },
            "offset": { "type": "number", "description": "Offset that is added afterwards. Default 0." },
            "missing": { "type": "number", "description": "Number in the file that stands for a missing value, before scaling. Default: none; `nan` accepts -999, -9999 and the like as values." },
        },
        "required": ["csv"],
        "additionalProperties": false,
    })
}

/// Returns the schema of a key that selects the byte order of a raw file.
pub(crate) fn byte_order_schema(_: &mut SchemaGenerator) -> Schema {
    choice_schema(&["little", "big"])
}

/// Returns the schema of a key that selects how the colours of an image encode heights.
pub(crate) fn height_encoding_schema(_: &mut SchemaGenerator) -> Schema {
    choice_schema(&["terrain-rgb", "terrarium"])
}

/// Returns the schema of a string that must be one of `words`.
fn choice_schema(words: &[&str]) -> Schema {
    json_schema!({ "type": "string", "enum": words })
}

/// Returns the schema of a table that contains the parameters `P`. Required parameters have no
/// default.
fn keys_schema<P: Parameters>() -> Schema {
    let defaults = P::defaults();
    let properties = P::TABLE.iter().map(|one| {
        let mut schema = parameter_schema(one, &defaults);
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

/// Returns the schema of a table that contains the parameters `P`, but in which no parameter is
/// required.
pub(crate) fn optional_keys_schema<P: Parameters>(_: &mut SchemaGenerator) -> Schema {
    let mut schema = keys_schema::<P>();
    schema.remove("required");
    schema
}

/// Returns the schema of one parameter. `defaults` contains the default values of all parameters.
/// Excludes bounds that depend on other values; these are checked when the scene is read.
fn parameter_schema<P: Parameters>(parameter: &Parameter<P>, defaults: &P) -> Value {
    let (range, default) = ((parameter.allowed)(defaults), (parameter.get)(defaults));
    key_schema(parameter.kind, parameter.doc, parameter.unit, &range, &default)
}

/// Returns the schema of a key from its kind, description, unit, range and default value.
fn key_schema(kind: Kind, doc: &str, unit: &str, range: &Range, default: &Stored) -> Value {
    let unit = if matches!(unit, "" | "1") { String::new() } else { format!(" ({unit})") };
    let mut schema = match kind {
        Kind::Number | Kind::OptionalNumber => number_schema("number", range),
        Kind::Integer => number_schema("integer", range),
        Kind::Bool => json!({ "type": "boolean" }),
        Kind::Choice(words) => choice_schema(words).to_value(),
        Kind::Pair => {
            let items = number_schema("number", range);
            json!({ "type": "array", "items": items, "minItems": 2, "maxItems": 2 })
        }
        Kind::Series | Kind::OptionalSeries => {
            series_schema(&mut SchemaGenerator::default()).to_value()
        }
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

/// Returns the schema of a number in the range `range`. `json_type` is the JSON type of the number:
/// `number` or `integer`. Excludes bounds that depend on other values.
fn number_schema(json_type: &str, range: &Range) -> Value {
    let mut schema = json!({ "type": json_type });
    if range.depends_on.is_empty() {
        if range.low > f64::MIN {
            schema[if range.excludes_low { "exclusiveMinimum" } else { "minimum" }] =
                json!(range.low);
        }
        if range.high < f64::MAX {
            schema["maximum"] = json!(range.high);
        }
    }
    schema
}

/// Adds the gauge edits to the schema of a model's actions; every model supports them. `gauge` is
/// the schema of the model's gauges.
fn add_gauge_edits(actions: Schema, gauge: &Schema) -> Schema {
    let name = json!({ "type": "string", "description": "Name of the gauge to remove." });
    let edits = [
        (
            "add",
            "Adds a gauge, whose name no other gauge may have. It measures at once and then at its times. \
             Its measurements do not shorten steps; the event does, unless it is `in_passing`.",
            gauge.as_value(),
        ),
        (
            "change",
            "Replaces the gauge of that name. The earlier measurements stay if the columns are the same; \
             otherwise they are removed. Steps still end at the times of a replaced `[[gauge]]`.",
            gauge.as_value(),
        ),
        (
            "remove",
            "Removes a gauge and its measurements. Steps still end at the times of a removed `[[gauge]]`.",
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

/// Returns a copy of the table schema `schema`, extended by the keys of the table schema
/// `addition`. If `schema` has several alternatives, adds the keys to each of them.
pub(crate) fn add_table_keys(
    schema: Schema,
    addition: &Schema,
    generator: &SchemaGenerator,
) -> Schema {
    let mut schema = schema.to_value();
    add_keys(&mut schema, addition.as_value(), generator);
    Schema::try_from(schema).unwrap_or_default()
}

fn add_keys(schema: &mut Value, addition: &Value, generator: &SchemaGenerator) {
    if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
        *schema = generator.definitions().get(name).cloned().unwrap_or_default();
    }
    for forms in ["oneOf", "anyOf"] {
        if let Some(forms) = schema.get_mut(forms).and_then(Value::as_array_mut) {
            forms.iter_mut().for_each(|form| add_keys(form, addition, generator));
            return;
        }
    }
    let Some(table) = schema.as_object_mut() else { return };
    for (key, value) in addition["properties"].as_object().into_iter().flatten() {
        let properties = table.entry("properties").or_insert_with(|| json!({}));
        properties[key] = value.clone();
    }
    let required = addition["required"].as_array().into_iter().flatten();
    let all = table.entry("required").or_insert_with(|| json!([]));
    if let Some(all) = all.as_array_mut() {
        all.extend(required.cloned());
    }
    table.insert("additionalProperties".into(), json!(false));
}
