//! [`reference()`]: a reference of all keys of scene files in Markdown, generated from the JSON
//! Schema.

use super::json::{allow_position_tables, allows_position_table, sort_keys};
use super::schema;
use crate::scene::Area;
use crate::scene::schema::csv_series_schema;
use schemars::schema_for;
use serde_json::{Map, Value};
use std::fmt::Write as _;

const HEAD: &str = "# Reference of scene files

All keys of all tables, by model. This page is generated from the definitions that scenes are parsed with
(see [CONTRIBUTING.md](../CONTRIBUTING.md)); do not edit it. Lengths are in metres, times in seconds; positions are `[east, south]` of the top-left corner, in
metres or percent, or on the map (see [Positions](#positions)). A *series* is a number, a list of `[seconds, value]` with linear interpolation, or such a list in a file (see
[Series](#series)); its first value applies before its first time, and its last value after its last time.
";

const POSITIONS: &str = "
## Positions

A position is a pair `[east, south]`, measured from the north-west corner of the world. Each coordinate is a number of metres or a percentage
of the world's size, such as `[\"50%\", 120]`. If the terrain file has a position on a map, these forms refer to its coordinates, as
`headwater info FILE` prints them. Files without such a terrain contain metres east and south of the corner. There is no reprojection.

| form | meaning |
|---|---|
| `{ map = [691200, 5334400] }` | The point `[easting, northing]` (`[longitude, latitude]` if the map is in degrees). For the keys `points`, `line` and `polygon`: a list of points. |
| `{ easting = 691200 }`, `{ northing = 5334400 }` | One coordinate of a position, or the end of a `[[boundary]]`. |
| `{ geojson = \"FILE\" }` | The point, for `points` and `line` the line, for `polygon` all polygons of a GeoJSON file. |
| `{ csv = \"FILE\", columns = [\"x\", \"y\"], names = \"id\" }` | The point, for `points` and `line` the points of a CSV file. Default: columns 1 and 2, and names from the column `name`. Not for `polygon`. |

If `at` in a list of tables refers to a file with several points, the table is repeated for each of them: one `[[gauge]]` with
`at = { geojson = \"stations.geojson\" }` creates a gauge at every station. A gauge without `name` has the name of the point, the property
or column `name`, in which other characters than letters, digits, `-` and `_` become `_`. Otherwise, numbers are added to `name`: `name-1`, `name-2`.
";

const SERIES: &str = "
## Series

A series can be read from a CSV file, for example `level = { csv = \"tide.csv\", times = \"h\", scale = 0.01 }`.
Columns are separated by semicolons, tabs, commas or blanks; unless commas separate them, numbers may have a decimal comma. Empty lines and
lines that begin with `#` are ignored, the first line may name the columns, and rows without a value (empty, `NA`, `NaN`, `-`) are skipped.
Times must increase; repeated lines are skipped. Dates are written `2024-05-01`, optionally with a time of day such as `12:30` or `12:30:15`
and a time zone such as `Z` or `+02:00`; either all dates have a zone or none. A unit in a column's name, such as `Q (cfs)` or `time [h]`,
must be accounted for by `scale` or `times`; -999, -9999 and similar codes of missing values by `missing`. All series of a scene have
at most 1000000 points together; a file counts as often as it is referred to. A run can be resumed
only if the file is unchanged.
";

/// Keys that define an area. The reference describes these keys once, in a separate section.
const AREA_KEYS: [&str; 5] = ["disc", "rect", "line", "polygon", "everywhere"];

/// Returns a reference of all scene keys in Markdown, with one section per model.
pub fn reference() -> String {
    let schema = schema();
    let definitions = &schema["$defs"];
    let mut text = HEAD.to_owned();
    let mut area = sort_keys(schema_for!(Area).to_value());
    allow_position_tables(&mut area);
    text += POSITIONS;
    text += "\n## Areas\n\nRegion of an object or an action: exactly one of these keys.\n";
    ReferenceWriter { definitions: &area["$defs"], text: &mut text }.write_table(&area, "area", "");
    text += SERIES;
    let file = sort_keys(csv_series_schema());
    ReferenceWriter { definitions: &area["$defs"], text: &mut text }
        .write_table(&file, "series", "");
    for scene in schema["allOf"].as_array().into_iter().flatten() {
        let scene = &scene["then"];
        let title = scene["title"].as_str().unwrap_or_default();
        let model = scene["properties"]["model"]["const"].as_str().unwrap_or_default();
        _ = write!(text, "\n## `{model}`\n\n{title}.\n");
        ReferenceWriter { definitions, text: &mut text }.write_table(scene, "", "");
    }
    text
}

/// Writer of the Markdown reference. `definitions` contains the definitions to which the schema
/// refers.
struct ReferenceWriter<'a> {
    definitions: &'a Value,
    text: &'a mut String,
}

impl<'a> ReferenceWriter<'a> {
    /// Writes the keys of a table of the scene as a Markdown table, followed by the nested tables.
    fn write_table(&mut self, table: &Value, path: &str, heading: &str) {
        let empty = Map::new();
        let properties = table["properties"].as_object().unwrap_or(&empty);
        let required: Vec<&str> =
            table["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let (tables, keys): (Vec<_>, Vec<_>) =
            properties.iter().partition(|(_, schema)| self.table_schema(schema).is_some());
        if !heading.is_empty() {
            _ = write!(self.text, "\n### {heading}\n");
            if let Some(about) = table["description"].as_str() {
                _ = write!(self.text, "\n{}\n", join_lines(about));
            }
        }
        let has_area = path != "area" && AREA_KEYS.iter().all(|key| properties.contains_key(*key));
        let skipped = |key: &str| key == "model" || has_area && AREA_KEYS.contains(&key);
        let keys: Vec<_> = keys.into_iter().filter(|(key, _)| !skipped(key)).collect();
        if has_area {
            *self.text += "\nArea: one of `disc`, `rect`, `line`, `polygon`, `everywhere` (see [Areas](#areas)).\n";
        }
        if !keys.is_empty() {
            *self.text += "\n| key | meaning | allowed values | default |\n|---|---|---|---|\n";
        }
        for (key, schema) in keys {
            let about = join_lines(schema["description"].as_str().unwrap_or_default());
            let default = match &schema["default"] {
                Value::Null if required.contains(&key.as_str()) => "required".to_owned(),
                Value::Null => String::new(),
                value => format!("`{value}`"),
            };
            let allowed = self.describe_allowed_values(schema);
            _ = writeln!(self.text, "| `{key}` | {about} | {allowed} | {default} |");
        }
        for (key, schema) in tables.into_iter().filter(|(key, _)| !skipped(key)) {
            let Some((inner, is_list)) = self.table_schema(schema) else { continue };
            let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
            let heading = if is_list { format!("`[[{path}]]`") } else { format!("`[{path}]`") };
            let mut description_source = schema.clone();
            if required.contains(&key.as_str()) {
                let about = schema["description"].as_str().or(inner["description"].as_str());
                description_source["description"] =
                    format!("{} Required.", about.unwrap_or_default()).into();
            }
            self.write_forms(&inner, &path, &heading, &description_source);
        }
    }

    /// Writes a table of the scene that has several forms. An example is an event, whose keys
    /// depend on the value of its key `do`. `description_source` is the schema that contains the
    /// description of the table.
    fn write_forms(
        &mut self,
        table: &Value,
        path: &str,
        heading: &str,
        description_source: &Value,
    ) {
        let mut table = table.clone();
        if let Some(about) = description_source.get("description") {
            table["description"] = about.clone();
        }
        let forms = ["oneOf", "anyOf"].iter().find_map(|forms| table[*forms].as_array());
        let Some(forms) = forms else { return self.write_table(&table, path, heading) };
        _ = write!(self.text, "\n### {heading}\n");
        if let Some(about) = table["description"].as_str() {
            _ = write!(self.text, "\n{}\n", join_lines(about));
        }
        let forms: Vec<Value> = forms.iter().map(|form| self.merge_nested_forms(form)).collect();
        let mut common = forms[0].clone();
        if let Some(keys) = common["properties"].as_object_mut() {
            keys.retain(|key, one| forms.iter().all(|form| form["properties"][key] == *one));
        }
        common["description"] = Value::Null;
        self.write_table(&common, path, "");
        for form in &forms {
            let tag = form["properties"].as_object().into_iter().flatten();
            let tag = tag.filter_map(|(key, one)| Some((key, one["const"].as_str()?))).next();
            let heading = match tag {
                Some((key, word)) => {
                    // Actions on gauges have the same names as some actions of models.
                    let of = form["properties"]["gauge"].is_object();
                    let of = if of { " and `gauge`" } else { "" };
                    format!("{heading} with `{key} = \"{word}\"`{of}")
                }
                None => format!("{heading}, alternative form"),
            };
            let tag = tag.map(|(key, _)| key.clone());
            let mut form = form.clone();
            if let Some(keys) = form["properties"].as_object_mut() {
                let known = &common["properties"];
                keys.retain(|key, _| Some(key) != tag.as_ref() && known[key].is_null());
            }
            self.write_table(&form, path, &heading);
        }
    }

    /// Returns the table schema of a key: the schema of its value and false if the value is a
    /// table, or the schema of the list elements and true if the value is a list of tables. Returns
    /// `None` for other types.
    fn table_schema(&self, schema: &Value) -> Option<(Value, bool)> {
        let schema = self.resolve_references(schema);
        let is_table = |schema: &Value| {
            let forms = ["oneOf", "anyOf"].iter().find_map(|forms| schema[*forms].as_array());
            schema["properties"].is_object()
                || forms.is_some_and(|forms| {
                    forms.iter().all(|form| self.resolve_references(form)["properties"].is_object())
                })
        };
        if is_table(&schema) {
            return Some((schema, false));
        }
        let items = self.resolve_references(&schema["items"]);
        is_table(&items).then_some((items, true))
    }

    /// Returns a schema with its reference replaced by the definition, and without the alternative
    /// `null` of an optional value.
    fn resolve_references(&self, schema: &Value) -> Value {
        if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
            return self.resolve_references(&self.definitions[name]);
        }
        for forms in ["anyOf", "oneOf"] {
            let Some(all) = schema[forms].as_array() else { continue };
            let mut real = all.iter().filter(|form| form["type"] != "null");
            if let (Some(one), None) = (real.next(), real.next()) {
                return self.resolve_references(one);
            }
        }
        schema.clone()
    }

    /// Returns a copy of the schema `form` that also contains the keys of all alternatives nested
    /// in it. `form` is itself one of several alternatives of a table.
    fn merge_nested_forms(&self, form: &Value) -> Value {
        let mut form = self.resolve_references(form);
        let inner = ["oneOf", "anyOf"].iter().find_map(|forms| form[*forms].as_array().cloned());
        for one in inner.iter().flatten() {
            for (key, value) in
                self.resolve_references(one)["properties"].as_object().into_iter().flatten()
            {
                form["properties"][key] = value.clone();
            }
        }
        form
    }

    /// Returns a Markdown description of the values that a schema allows.
    fn describe_allowed_values(&self, schema: &Value) -> String {
        let schema = self.resolve_references(schema);
        let number = |key: &str| schema[key].as_f64().map(|v| format!("{v}"));
        if let Some(words) = schema["enum"].as_array() {
            return words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ");
        }
        if let Some(word) = schema.get("const") {
            return format!("`{word}`");
        }
        if let Some(forms) = ["anyOf", "oneOf"].iter().find_map(|forms| schema[*forms].as_array()) {
            if forms.iter().any(|form| form["items"]["items"].is_object()) {
                let is_series = forms.iter().any(|form| form["type"] == "number");
                return if is_series { "series" } else { "polygons" }.into();
            }
            if forms.iter().any(|form| form["pattern"].is_string()) {
                return "a coordinate".into();
            }
            if allows_position_table(&schema) {
                let is_list = forms.iter().any(|form| allows_position_table(&form["items"]));
                return if is_list { "positions" } else { "a position" }.into();
            }
            let mut all: Vec<_> =
                forms.iter().map(|form| self.describe_allowed_values(form)).collect();
            all.dedup();
            return all.join(", ");
        }
        let of = match &schema["type"] {
            Value::Array(types) => types.iter().find(|one| *one != "null").and_then(Value::as_str),
            one => one.as_str(),
        };
        match of {
            Some("number" | "integer") => {
                let low = number("exclusiveMinimum").map(|low| format!("above {low}"));
                let low = low.or_else(|| number("minimum"));
                match (low, number("maximum")) {
                    (Some(low), Some(high)) if low.starts_with("above") => {
                        format!("{low} up to {high}")
                    }
                    (Some(low), Some(high)) => format!("{low} to {high}"),
                    (Some(low), None) => format!("from {low}"),
                    _ if of == Some("integer") => "an integer".into(),
                    _ => "a number".into(),
                }
            }
            Some("boolean") => "`true`, `false`".into(),
            Some("string") => "a string".into(),
            Some("array") => {
                let items = self.describe_allowed_values(&schema["items"]);
                match schema["maxItems"].as_u64() {
                    Some(2) => format!("a pair, each {items}"),
                    _ => format!("a list: {items}"),
                }
            }
            _ => String::new(),
        }
    }
}

/// Replaces line breaks in a description by spaces, and escapes `|`, so that it can be used in a
/// table cell.
fn join_lines(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace('|', "\\|")
}
