//! The JSON Schema of `[hydrology]`, which is the model's own tables.

use crate::scene::Keys;
use crate::scene::schema::with_keys;
use headwater::hydrology::{Edges, Niche, Params, Strata};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

/// The keys of the model's parameters, and the tables among them.
pub(crate) fn params(generator: &mut SchemaGenerator) -> Schema {
    let named = json_schema!({ "type": "object", "properties": { "name": { "type": "string", "description": "What the kind of plants is called." } } });
    let plant = with_keys(named, &Keys::<Niche>::json_schema(generator), generator);
    let tables = json_schema!({
        "type": "object",
        "properties": {
            "edges": Keys::<Edges>::json_schema(generator),
            "strata": Keys::<Strata>::json_schema(generator),
            "plants": { "type": "array", "items": plant },
        },
    });
    with_keys(tables, &Keys::<Params>::json_schema(generator), generator)
}
